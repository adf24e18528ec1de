"""One Muse Code log: its records, unwrapped, and whose they are."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.transcripts import jsonl, loose
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import RawSession, RawTurn
from hippo_core.transcripts.muse_turns import Entry, Reader

_ANY: Final[msgspec.json.Decoder[object]] = msgspec.json.Decoder(object)
_SUBAGENTS: Final = "subagent"
_HEAD_RECORDS: Final = 64
_FRAMED: Final = 64


def read(path: Path, report: Report) -> Iterator[RawSession | RawTurn]:
    """The session, those mirrored into its log, and their turns; a log without turns yields nothing."""
    entries = list(_entries(path, report))
    native, parent = _place(path)
    readers = {native: Reader(native, parent, report)}
    for entry in entries:
        stream = entry.stream or native
        if stream not in readers:
            if _has_own_log(path, stream):
                continue
            readers[stream] = Reader(stream, native, report)
        readers[stream].take(entry)
    beyond = _workspace(path) if parent is not None else None
    for reader in readers.values():
        turns = reader.turns()
        if turns:
            yield reader.session(beyond or readers[native].workspace)
            yield from turns


def _place(path: Path) -> tuple[str, str | None]:
    """The session that the folder names, and the one that started it."""
    folder = path.parent
    if folder.parent.name == _SUBAGENTS:
        return folder.name, folder.parent.parent.name
    return folder.name, None


def _has_own_log(path: Path, stream: str) -> bool:
    if "/" in stream or "\0" in stream or stream.startswith("."):
        return False
    return (path.parent / _SUBAGENTS / stream / path.name).is_file()


def _workspace(path: Path) -> str | None:
    """Where the session that started this one works; a child's log need not say."""
    above = path.parent.parent.parent / path.name
    if not above.is_file():
        return None
    reader = Reader(above.parent.name, None, Report())
    for entry in itertools.islice(_entries(above, Report()), _HEAD_RECORDS):
        reader.take(entry)
        if reader.workspace is not None:
            return reader.workspace
    return None


def _entries(path: Path, report: Report) -> Iterator[Entry]:
    """Every record of the log, also those that stand as text inside a frame; markers of omitted ones are none."""
    for record in jsonl.records(path, 0, _ANY.decode, report):
        value = record.value
        if loose.field(value, "retained_marker") is not None:
            continue
        if loose.field(value, "retained_frame") is None:
            yield _entry(record.start * _FRAMED, value)
            continue
        for number, child in enumerate(loose.items(loose.field(value, "children"))):
            inner = _inner(loose.field(child, "record_json"))
            if inner is None:
                report.skip(path, f"line {record.number} holds a record that is broken")
            else:
                yield _entry(record.start * _FRAMED + min(number, _FRAMED - 1), inner)


def _entry(place: int, value: object) -> Entry:
    return Entry(place=place, stream=loose.name_of(loose.field(value, "stream", "id")), value=value)


def _inner(text: object) -> object:
    if not isinstance(text, str):
        return None
    try:
        return _ANY.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return None
