"""Redacted turns of sessions whose transcripts are gone, one compressed JSONL file a session."""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import zstandard

from hippo_core.errors import DataError
from hippo_core.ids import Agent, SessionId, TurnUid
from hippo_core.index import schema
from hippo_core.index.entry import Redactor, SessionEntry, TurnEntry
from hippo_core.storage import atomic
from hippo_core.transcripts.model import Kind, Role, Tokens

FORMAT: Final = "hippo.archive/1"
SUFFIX: Final = ".jsonl.zst"


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: the session."""

    format: str
    id: str
    agent: Agent
    native_id: str
    cwd: str = ""
    parent: str | None = None
    forked_from: str | None = None
    title: str = ""
    title_rank: int = 0
    branch: str = ""
    client_version: str = ""


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Every further line: one turn."""

    uid: str
    place: int
    role: Role
    kind: Kind
    text: str
    time_ms: int | None = None
    tool: str = ""
    call: str = ""
    files: str = ""
    edited: str = ""
    command: str = ""
    model: str = ""
    exit_status: int | None = None
    flags: int = 0
    tokens: Tokens | None = None


_encoder: Final = msgspec.json.Encoder(order="sorted")
_header: Final = msgspec.json.Decoder(Header)
_line: Final = msgspec.json.Decoder(Line)


def path_of(folder: Path, agent: Agent, session: str) -> Path:
    """Where a session's archive lies below the archive folder."""
    return folder / agent / f"{session}{SUFFIX}"


def files(folder: Path) -> Iterator[Path]:
    """Every archived session, in a stable order; a folder that is no agent's is somebody else's."""
    for agent in sorted(Agent):
        yield from sorted((folder / agent).glob(f"*{SUFFIX}"))


def write(folder: Path, session: sqlite3.Row, turns: Iterable[sqlite3.Row]) -> Path:
    """Write one session from rows of the store, replacing an older archive of it."""
    header = Header(
        format=FORMAT,
        id=session["id"],
        agent=Agent(session["agent"]),
        native_id=session["native_id"],
        cwd=session["cwd"],
        parent=session["parent"],
        forked_from=session["forked_from"],
        title=session["title"],
        title_rank=session["title_rank"],
        branch=session["branch"],
        client_version=session["client_version"],
    )
    lines = [_encoder.encode(header), *(_encoder.encode(_from_row(row)) for row in turns), b""]
    path = path_of(folder, header.agent, header.id)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    atomic.replace(path, zstandard.ZstdCompressor(level=6, write_checksum=True).compress(b"\n".join(lines)))
    return path


def read(path: Path, redactor: Redactor) -> Iterator[SessionEntry | TurnEntry]:
    """The session and its turns, redacted again with today's rules; raises DataError for a damaged file."""
    try:
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            data = stream.read()
        if not data.endswith(b"\n"):
            raise DataError(path, "is damaged (its end is missing)")
        head, *rest = data.removesuffix(b"\n").split(b"\n")
        header = _header.decode(head)
        if header.format != FORMAT:
            raise DataError(path, f"has format {header.format}, this hippo reads {FORMAT}")
        yield _session(header, redactor)
        for line in rest:
            yield _turn(header, _line.decode(line), redactor)
    except (zstandard.ZstdError, msgspec.DecodeError) as error:
        raise DataError(path, f"is damaged ({error})") from error


def _from_row(row: sqlite3.Row) -> Line:
    fields: dict[str, Any] = {
        name: row[name]
        for name in ("uid", "place", "time_ms", "tool", "call", "files", "edited", "command", "model", "text")
    }
    return Line(
        **fields,
        role=schema.ROLES[row["role"]],
        kind=schema.KINDS[row["kind"]],
        exit_status=row["exit_status"],
        flags=row["flags"],
        tokens=msgspec.json.decode(row["tokens"], type=Tokens) if row["tokens"] else None,
    )


def _session(header: Header, redactor: Redactor) -> SessionEntry:
    return SessionEntry(
        id=SessionId(header.id),
        agent=header.agent,
        native_id=redactor.text(header.native_id),
        cwd=redactor.text(header.cwd),
        parent=SessionId(header.parent) if header.parent else None,
        forked_from=SessionId(header.forked_from) if header.forked_from else None,
        title=redactor.text(header.title),
        title_rank=header.title_rank,
        branch=redactor.text(header.branch),
        client_version=redactor.text(header.client_version),
    )


def _turn(header: Header, line: Line, redactor: Redactor) -> TurnEntry:
    return TurnEntry(
        uid=TurnUid(line.uid),
        session=SessionId(header.id),
        order=line.place,
        time_ms=line.time_ms,
        role=line.role,
        kind=line.kind,
        text=redactor.text(line.text),
        tool=redactor.text(line.tool),
        call=redactor.text(line.call),
        files=redactor.text(line.files),
        edited=redactor.text(line.edited),
        command=redactor.text(line.command),
        model=redactor.text(line.model),
        exit_status=line.exit_status,
        failed=bool(line.flags & schema.FAILED),
        copied=bool(line.flags & schema.COPIED),
        abandoned=bool(line.flags & schema.ABANDONED),
        tokens=line.tokens,
    )
