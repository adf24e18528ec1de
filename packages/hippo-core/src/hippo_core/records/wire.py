"""The shapes of JSON records on disk: builtins only, no behaviour; a published shape is never edited."""

from typing import Any, Literal

import msgspec


class SessionV1(msgspec.Struct, frozen=True, kw_only=True, tag_field="format", tag="hippo.session/1"):
    """What a workspace remembers of one session that belongs to it.

    `origin` tells whether hooks or a person declared it or ingest derived it; `reason` why ingest did (`folder`,
    `worktree`, `note`). `notes` are paths below `notes_dir`; `cwd` is relative to the workspace, empty when it
    ran elsewhere. Times are UTC, ISO 8601 with `Z`. `extra` holds fields that this hippo does not know.
    """

    id: str
    agent: str
    origin: Literal["declared", "derived"]
    reason: str = ""
    task: str = ""
    context_bytes: int = 0
    notes: tuple[str, ...] = ()
    handoff: str = ""
    started: str | None = None
    ended: str | None = None
    parent: str | None = None
    cwd: str = ""
    extra: dict[str, Any] = {}


class SessionEventV1(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="format", tag="hippo.session-event/1"
):
    """One line of the session log: a declared session began or ended."""

    event: Literal["start", "end"]
    session: str
    agent: str
    time: str
    task: str = ""
    handoff: str = ""


AnySession = SessionV1
SessionRecord = SessionV1
SessionEvent = SessionEventV1
