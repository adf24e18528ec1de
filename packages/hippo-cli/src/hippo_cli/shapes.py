"""The JSON that programs rely on, one function a command; docs/formats/cli-json.md is the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

# A search is over before the other commands' modules would have loaded.
if TYPE_CHECKING:
    from hippo_core.workflows.ingest import Summary
    from hippo_view.search import HitView, SearchView
    from hippo_view.session import SessionRow, SessionsView, SessionView, TurnView
    from hippo_view.status import StatusView


def ingest(summary: Summary) -> dict[str, Any]:
    """`hippo ingest --json`."""
    return {
        "sessions": summary.sessions,
        "turns": summary.turns,
        "sources": {"read": summary.read, "skipped": summary.skipped, "gone": summary.gone},
        "redactions": summary.redactions,
        "skipped": [{"path": text(each.path), "problem": each.problem} for each in summary.problems],
        "unknown": summary.unknown,
        "bytes_read": summary.bytes_read,
        "healed": list(summary.healed),
    }


def sessions(view: SessionsView) -> list[dict[str, Any]]:
    """`hippo sessions --json`."""
    return [session(row) for row in view.rows]


def session(row: SessionRow) -> dict[str, Any]:
    """One session, as `hippo sessions` and `hippo show` have it."""
    return {
        "id": row.id,
        "agent": row.agent,
        "native_id": row.native_id,
        "cwd": row.cwd,
        "parent": row.parent,
        "title": row.title,
        "started": row.started,
        "ended": row.ended,
        "turns": row.turns,
        "branch": row.branch,
        "forked_from": row.forked_from,
    }


def show(view: SessionView) -> dict[str, Any]:
    """`hippo show ID --json`."""
    return {"session": session(view.session), "turns": [turn(each) for each in view.turns]}


def turn(view: TurnView) -> dict[str, Any]:
    """One turn of a session."""
    return {
        "uid": view.uid,
        "position": view.position,
        "time": view.time,
        "role": view.role,
        "kind": view.kind,
        "text": view.text,
        "tool": view.tool,
        "files": list(view.files),
        "command": view.command,
        "exit_status": view.exit_status,
        "edited": list(view.edited),
        "copied": view.copied,
        "abandoned": view.abandoned,
    }


Neighbours = Mapping[str, Sequence[tuple[int, str, str]]]
"""By a hit's target: position, role and the beginning of the text of each turn around it."""


def search(view: SearchView, around: Neighbours) -> dict[str, Any]:
    """`hippo search QUERY --json`; `around` is empty where no context was asked for."""
    return {
        "hits": [hit(each, around.get(each.target, ())) for each in view.hits],
        "total": view.total,
        "suggestion": view.suggestion,
        "any_word": view.any_word,
        "page": view.page,
        "problems": list(view.problems),
    }


def hit(view: HitView, around: Sequence[tuple[int, str, str]]) -> dict[str, Any]:
    """One hit of a search."""
    return {
        "type": "turn",
        "uid": view.uid,
        "session": view.session,
        "path": None,
        "agent": view.agent,
        "role": view.role,
        "kind": view.kind,
        "time": view.time,
        "score": view.score,
        "snippet": view.snippet,
        "position": view.position,
        "cwd": view.cwd,
        "title": view.title,
        "tool": view.tool,
        "marks": [list(mark) for mark in view.marks],
        "context": [{"position": position, "role": role, "text": text} for position, role, text in around],
    }


def status(view: StatusView) -> dict[str, Any]:
    """`hippo status --json`."""
    return {
        "agents": [
            {
                "agent": each.agent,
                "sources": each.sources,
                "gone": each.gone,
                "sessions": each.sessions,
                "turns": each.turns,
                "bytes": each.bytes,
                "unknown": each.unknown,
            }
            for each in view.agents
        ],
        "sessions": view.sessions,
        "turns": view.turns,
        "sizes": {
            "store": view.store_bytes,
            "fulltext": view.fulltext_bytes,
            "archive": view.archive_bytes,
        },
        "ingested": view.ingested,
    }


def text(value: object) -> str:
    """`value` as JSON can hold it: a path's bytes may be no UTF-8."""
    return str(value).encode("utf-8", "replace").decode()
