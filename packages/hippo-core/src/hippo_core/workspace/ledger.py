"""The session records of a workspace: one file a session, and a log of starts and ends.

Declared and derived records have names of their own, so that neither can ever be written over the other.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from hippo_core.errors import DataError, HippoError, UserError
from hippo_core.ids import Agent, SessionId
from hippo_core.records import codec
from hippo_core.records.wire import SessionEvent, SessionRecord
from hippo_core.redaction.text import EMPTY, Redacted
from hippo_core.storage import atomic, faults
from hippo_core.workspace.layout import Workspace, make_folder

Origin = Literal["declared", "derived"]

_NAME: Final = re.compile(r"([0-9a-f]{16})(\.derived)?\.json")
_ID: Final = re.compile(r"[0-9a-f]{16}")
_LARGEST_RECORD_BYTES: Final = 4 << 20


class Kept(msgspec.Struct, frozen=True):
    """The records of a workspace by session, and those that could not be read."""

    declared: dict[SessionId, SessionRecord]
    derived: dict[SessionId, SessionRecord]
    unreadable: tuple[DataError, ...]


def record(
    *,
    session: SessionId,
    agent: Agent,
    origin: Origin,
    started: str | None,
    ended: str | None = None,
    parent: SessionId | None = None,
    reason: str = "",
    task: Redacted = EMPTY,
    handoff: Redacted = EMPTY,
    notes: tuple[Redacted, ...] = (),
    cwd: Redacted = EMPTY,
    context_bytes: int = 0,
) -> SessionRecord:
    """A new record; every text in it has passed redaction."""
    return SessionRecord(
        id=session,
        agent=agent.value,
        origin=origin,
        reason=reason,
        task=writable(task),
        context_bytes=context_bytes,
        notes=tuple(writable(note) for note in notes),
        handoff=writable(handoff),
        started=started,
        ended=ended,
        parent=parent,
        cwd=writable(cwd),
    )


def writable(text: Redacted) -> str:
    """The text as UTF-8 can hold it: half of a surrogate pair becomes a question mark."""
    return text.text.encode("utf-8", "replace").decode("utf-8")


def read_all(workspace: Workspace) -> Kept:
    """Every record of `workspace`; a broken one is a value among the unreadable and stops nothing."""
    declared: dict[SessionId, SessionRecord] = {}
    derived: dict[SessionId, SessionRecord] = {}
    unreadable: list[DataError] = []
    for path, session, origin in _files(workspace):
        try:
            found = _read(path)
        except DataError as error:
            unreadable.append(error)
        else:
            (declared if origin == "declared" else derived)[session] = found
    return Kept(declared, derived, tuple(unreadable))


def read(workspace: Workspace, session: SessionId, origin: Origin) -> SessionRecord | None:
    """One record, or None when there is none; raises `DataError` when it cannot be read."""
    path = path_of(workspace, session, origin)
    return _read(path) if path.exists() else None


def write(workspace: Workspace, kept: SessionRecord) -> bool:
    """Have `kept` on disk; tells whether anything had to be written."""
    path = path_of(workspace, SessionId(kept.id), kept.origin)
    data = codec.encode_session(kept)
    try:
        if path.is_file() and path.read_bytes() == data:
            return False
        _make_folder(workspace)
        atomic.replace(path, data)
    except OSError as error:
        raise faults.explain(error, path) from error
    return True


def remove(workspace: Workspace, session: SessionId, origin: Origin) -> None:
    """Have no such record."""
    path = path_of(workspace, session, origin)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise faults.explain(error, path) from error


def log(workspace: Workspace, event: SessionEvent) -> None:
    """Add one line to the session log."""
    try:
        make_folder(workspace.hippo_dir)
        atomic.append(workspace.session_log, codec.encode_event(event))
    except OSError as error:
        raise faults.explain(error, workspace.session_log) from error


def path_of(workspace: Workspace, session: SessionId, origin: Origin) -> Path:
    """Where the record of `session` lies; raises `UserError` when `session` is no session's name."""
    if not _ID.fullmatch(session):
        raise UserError(f"{session!r} is not a session's id: `hippo sessions` lists them")
    return workspace.sessions / f"{session}{'' if origin == 'declared' else '.derived'}.json"


def _files(workspace: Workspace) -> Iterator[tuple[Path, SessionId, Origin]]:
    try:
        paths = sorted(workspace.sessions.iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        raise faults.explain(error, workspace.sessions) from error
    for path in paths:
        if match := _NAME.fullmatch(path.name):
            yield path, SessionId(match[1]), "derived" if match[2] else "declared"


def _read(path: Path) -> SessionRecord:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_RECORD_BYTES + 1)
    except OSError as error:
        raise DataError(path, faults.mend(error)) from error
    if len(data) > _LARGEST_RECORD_BYTES:
        raise DataError(path, f"larger than a session record can be ({_LARGEST_RECORD_BYTES} bytes)")
    return codec.decode_session(data, path)


def _make_folder(workspace: Workspace) -> None:
    # A clone could bring a link here that leads what is written out of the workspace.
    if workspace.sessions.is_symlink() or workspace.hippo_dir.is_symlink():
        raise HippoError(f"{workspace.sessions}: a link stands where hippo's folder should be; move it away")
    make_folder(workspace.sessions)
