"""The names that other projects may import from hippo_view."""

from hippo_view.search import HitView, SearchView, search_view
from hippo_view.session import SessionRow, SessionsView, SessionView, TurnView, session_view, sessions_view
from hippo_view.status import AgentView, StatusView, status_view

__all__ = [
    "AgentView",
    "HitView",
    "SearchView",
    "SessionRow",
    "SessionView",
    "SessionsView",
    "StatusView",
    "TurnView",
    "search_view",
    "session_view",
    "sessions_view",
    "status_view",
]
