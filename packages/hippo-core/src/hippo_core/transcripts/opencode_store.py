"""OpenCode's database: which sessions it holds, what tells that one has moved, and one session whole."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.storage import foreign
from hippo_core.storage.foreign import Database, Value
from hippo_core.transcripts import loose, opencode_message
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.opencode_message import Message, Part, Session

_WHOLE_CHARACTERS: Final = 4 << 20
_KEPT_CHARACTERS: Final = 1 << 20
_PARSED_CHARACTERS: Final = 64 << 20
_SESSIONS: Final = ("session_v2", "session")
_ROW_COLUMNS: Final = (
    *("parent_id", "fork_session_id", "directory", "title", "version"),
    *("time_created", "time_updated", "revert", "time_archived"),
)
# What is too long to fetch keeps its type and the beginning of its text: the rest is an attachment, seldom words.
_PART_DATA: Final = f"""CASE WHEN length(data) <= {_WHOLE_CHARACTERS} THEN data
 WHEN length(data) > {_PARSED_CHARACTERS} OR NOT json_valid(data) THEN NULL
 ELSE json_object('type', json_extract(data, '$.type'), 'text',
  substr(json_extract(data, '$.text'), 1, {_KEPT_CHARACTERS}), 'synthetic',
  json(CASE json_type(data, '$.synthetic') WHEN 'true' THEN 'true' ELSE 'false' END),
  'tool', json_extract(data, '$.tool'), 'callID', json_extract(data, '$.callID'), 'state',
  json_object('status', json_extract(data, '$.state.status'),
   'input', json_object('command', json_extract(data, '$.state.input.command'),
    'filePath', json_extract(data, '$.state.input.filePath')),
   'metadata', json_object('exit', coalesce(json_extract(data, '$.state.metadata.exit'), 0)),
   'output', substr(json_extract(data, '$.state.output'), 1, {_KEPT_CHARACTERS}),
   'error', substr(json_extract(data, '$.state.error'), 1, {_KEPT_CHARACTERS}))) END"""
_ROW_DATA: Final = f"CASE WHEN length(data) <= {_PARSED_CHARACTERS} THEN data END"
_ANY: Final[msgspec.json.Decoder[object]] = msgspec.json.Decoder(object)


class Listed(msgspec.Struct, frozen=True):
    """One session that holds messages: its id, its change stamp, and when something in it last moved."""

    id: str
    stamp: bytes
    moved: int


def sessions(path: Path) -> list[Listed]:
    """Every session in the database at `path` that has a message, by id."""
    return foreign.read(path, _listed)


def session(path: Path, session_id: str, report: Report) -> Session | None:
    """One session whole; None when it is no longer there."""

    def ask(database: Database) -> tuple[Session | None, Report]:
        met = Report()
        return _session(database, path, session_id, met), met

    found, met = foreign.read(path, ask)
    for kind, count in met.unknown.items():
        for _ in range(count):
            report.count_unknown(kind)
    report.skipped.extend(met.skipped)
    return found


def _listed(database: Database) -> list[Listed]:
    facts: dict[str, list[Value]] = {}
    for table in _SESSIONS:
        columns = [name for name in _ROW_COLUMNS if name in database.columns(table)]
        if columns:
            for row in database.rows(f"SELECT id, {', '.join(columns)} FROM {table}"):  # noqa: S608
                facts.setdefault(str(row[0]), []).extend((table, *row[1:]))
    held: dict[str, int] = {}
    for table in ("message", "part", "session_message"):
        for row in _counts(database, table):
            name = str(row[0])
            facts.setdefault(name, []).extend((table, *row[1:]))
            if table != "part":
                newest = loose.whole_number(row[2]) or 0
                held[name] = max(held.get(name, 0), newest)
            elif name in held:
                held[name] = max(held[name], loose.whole_number(row[2]) or 0)
    return [Listed(name, _digest(facts[name]), held[name]) for name in sorted(held)]


def _counts(database: Database, table: str) -> Iterator[tuple[Value, ...]]:
    """Per session: how many rows, the newest change, and a sum in which any change of a row shows."""
    columns = database.columns(table)
    if not {"session_id", "time_updated"} <= columns:
        return iter(())
    spoken = " WHERE type NOT IN ('agent-switched', 'model-switched')" if table == "session_message" else ""
    last = ", max(seq)" if "seq" in columns else ""
    return database.rows(
        f"SELECT session_id, count(*), max(time_updated), sum(time_updated & 4294967295){last}"  # noqa: S608
        f" FROM {table}{spoken} GROUP BY session_id"
    )


def _digest(facts: list[Value]) -> bytes:
    return hashlib.sha256(repr(facts).encode("utf-8", "surrogatepass")).digest()


def _session(database: Database, path: Path, session_id: str, report: Report) -> Session | None:
    older = list(_messages(database, path, session_id, report))
    newer = list(_events(database, path, session_id, report))
    messages = newer if _newest(newer) >= _newest(older) else older
    if not messages:
        return None
    messages.sort(key=lambda message: (message.created, message.id))
    row = _row(database, session_id)
    return Session(
        id=session_id,
        parent=loose.name_of(row.get("parent_id")),
        forked_from=loose.name_of(row.get("fork_session_id")),
        directory=loose.name_of(row.get("directory")),
        title=loose.name_of(row.get("title")),
        version=loose.name_of(row.get("version")),
        created=loose.whole_number(row.get("time_created")),
        revert=_decoded(row.get("revert")),
        messages=messages,
    )


def _newest(messages: list[Message]) -> int:
    return max((message.created for message in messages), default=-1)


def _row(database: Database, session_id: str) -> dict[str, Value]:
    """What the session's row says; in an upgraded database the newer table alone is kept up to date."""
    for table in _SESSIONS:
        columns = [name for name in _ROW_COLUMNS if name in database.columns(table)]
        if not columns:
            continue
        question = f"SELECT {', '.join(columns)} FROM {table} WHERE id = ?"  # noqa: S608
        for row in database.rows(question, (session_id,)):
            return dict(zip(columns, row, strict=True))
    return {}


def _messages(database: Database, path: Path, session_id: str, report: Report) -> Iterator[Message]:
    if not database.columns("message") or not database.columns("part"):
        return
    parts: dict[str, list[Part]] = {}
    question = f"SELECT message_id, id, {_PART_DATA} FROM part WHERE session_id = ? ORDER BY time_created, id"  # noqa: S608
    for message_id, part_id, data in database.rows(question, (session_id,)):
        if data is None:
            report.skip(path, "a part is too large or broken and was passed over")
            continue
        parts.setdefault(str(message_id), []).append(Part(str(part_id), _decoded(data)))
    question = f"SELECT id, time_created, {_ROW_DATA} FROM message WHERE session_id = ?"  # noqa: S608
    for message_id, created, data in database.rows(question, (session_id,)):
        value = _decoded(data)
        time = loose.whole_number(loose.field(value, "time", "created"))
        known = loose.whole_number(created) or 0 if time is None else time
        yield Message(str(message_id), known, value, in_order(parts.get(str(message_id), [])))


def _events(database: Database, path: Path, session_id: str, report: Report) -> Iterator[Message]:
    columns = database.columns("session_message")
    if not {"type", "data"} <= columns:
        return
    order = "seq, id" if "seq" in columns else "time_created, id"
    wanted = f"SELECT id, type, time_created, {_ROW_DATA} FROM session_message"  # noqa: S608
    question = f"{wanted} WHERE session_id = ? ORDER BY {order}"
    for row_id, kind, created, data in database.rows(question, (session_id,)):
        if data is None:
            report.skip(path, "a message is too large and was passed over")
            continue
        time = loose.whole_number(created) or 0
        message = opencode_message.event(str(row_id), str(kind), time, _decoded(data), report)
        if message is not None:
            yield message


def in_order(parts: list[Part]) -> list[Part]:
    """Parts by their id, in which the client counts up; foreign ids keep their place in time."""
    if all(part.id.startswith("prt_") for part in parts):
        return sorted(parts, key=lambda part: part.id)
    return parts


def _decoded(data: Value) -> object:
    if not isinstance(data, str | bytes):
        return None
    try:
        return _ANY.decode(data)
    except (msgspec.DecodeError, UnicodeError):
        return None
