"""What the Sessions list and the Session panel show."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from hippo_core.index.values import Session, Turn
from hippo_core.records import times
from hippo_view import wording
from hippo_view.search import WHO


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One session in a list, with what a person reads beside what a program needs."""

    id: str
    agent: str
    native_id: str
    cwd: str | None
    project: str
    branch: str | None
    parent: str | None
    forked_from: str | None
    title: str
    started: str | None
    ended: str | None
    when: str
    turns: int


class SessionsView(msgspec.Struct, frozen=True, kw_only=True):
    """One page of sessions; `empty` says why there are none, and is empty when there are some."""

    rows: tuple[SessionRow, ...]
    page: int
    more: bool
    empty: str


class TurnView(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of an open session; `outcome` is set where a tool call ended badly."""

    uid: str
    position: int
    time: str | None
    when: str
    role: str
    kind: str
    who: str
    text: str
    tool: str | None
    files: tuple[str, ...]
    edited: tuple[str, ...]
    command: str | None
    exit_status: int | None
    outcome: str
    copied: bool
    abandoned: bool


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """An open session: all its turns, or those around `at` with how many lie before and after."""

    session: SessionRow
    turns: tuple[TurnView, ...]
    at: int | None
    before: int
    after: int


def sessions_view(
    sessions: Sequence[Session], *, now: datetime, page: int = 1, page_size: int | None = None
) -> SessionsView:
    """One page of a list that may hold one session more than a page, which says that there is a next."""
    shown = sessions if page_size is None else sessions[:page_size]
    empty = "" if shown else ("no more sessions" if page > 1 else "no sessions here")
    return SessionsView(
        rows=tuple(session_row(session, now) for session in shown),
        page=page,
        more=len(shown) < len(sessions),
        empty=empty,
    )


def session_view(
    session: Session, turns: Sequence[Turn], *, now: datetime, at: int | None = None, context: int = 0
) -> SessionView:
    """The whole session, or with `at` that turn and `context` turns on either side."""
    first, last = (1, len(turns)) if at is None else (max(1, at - context), min(len(turns), at + context))
    shown = turns[first - 1 : last]
    return SessionView(
        session=session_row(session, now),
        turns=tuple(_turn(turn, now) for turn in shown),
        at=at,
        before=first - 1 if shown else 0,
        after=len(turns) - last if shown else 0,
    )


def session_row(session: Session, now: datetime) -> SessionRow:
    """One session as a list shows it."""
    return SessionRow(
        id=session.id,
        agent=session.agent.value,
        native_id=session.native_id,
        cwd=session.cwd,
        project=wording.project(session.cwd),
        branch=session.branch,
        parent=session.parent,
        forked_from=session.forked_from,
        title=session.title,
        started=times.of_milliseconds(session.started_ms),
        ended=times.of_milliseconds(session.ended_ms),
        when=wording.when(session.started_ms, now),
        turns=session.turns,
    )


def _turn(turn: Turn, now: datetime) -> TurnView:
    return TurnView(
        uid=turn.uid,
        position=turn.position,
        time=times.of_milliseconds(turn.time_ms),
        when=wording.when(turn.time_ms, now),
        role=turn.role.value,
        kind=turn.kind.value,
        who=WHO[turn.kind],
        text=turn.text,
        tool=turn.tool,
        files=turn.files,
        edited=turn.edited,
        command=turn.command,
        exit_status=turn.exit_status,
        outcome=_outcome(turn),
        copied=turn.copied,
        abandoned=turn.abandoned,
    )


def _outcome(turn: Turn) -> str:
    if turn.exit_status:
        return f"exit {turn.exit_status}"
    return "failed" if turn.failed else ""
