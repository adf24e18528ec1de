"""OpenCode's older trees of JSON files: a file a session, a file a message, a file a part."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.storage import stamp, walk
from hippo_core.transcripts import loose
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.opencode_message import Message, Part, Session

_LONGEST_BYTES: Final = 64 << 20
_ANY: Final[msgspec.json.Decoder[object]] = msgspec.json.Decoder(object)


def infos(base: Path) -> Iterator[Path]:
    """The file of every session in the trees of both generations under `base`, in a stable order."""
    yield from sorted(base.glob("storage/session/*/ses_*.json"))
    yield from sorted(base.glob("project/*/storage/session/info/ses_*.json"))


def stamped(info: Path) -> tuple[bytes, int]:
    """Bytes that change when any file of the session does, and the size of all of them."""
    hashed = hashlib.sha256(stamp.of(info.stat()))
    size = info.stat().st_size
    for path, status in _files(info):
        hashed.update(os.fsencode(path) + stamp.of(status))
        size += status.st_size
    return hashed.digest(), size


def session(info: Path, report: Report) -> Session | None:
    """One session whole; None when there is no message in it."""
    value = _value(info, report)
    session_id = info.stem
    messages = [_message(path, info, report) for path, _ in walk.files(_messages(info), (".json",))]
    if not messages:
        return None
    messages.sort(key=lambda message: (message.created, message.id))
    said = (loose.name_of(loose.field(message.data, "path", "cwd")) for message in messages)
    return Session(
        id=session_id,
        parent=loose.name_of(loose.field(value, "parentID")),
        directory=loose.name_of(loose.field(value, "directory")) or next(filter(None, said), None),
        title=loose.name_of(loose.field(value, "title")),
        version=loose.name_of(loose.field(value, "version")),
        created=loose.whole_number(loose.field(value, "time", "created")),
        revert=loose.field(value, "revert"),
        messages=messages,
    )


def _messages(info: Path) -> Path:
    """Where the messages of the session lie: beside `info` in the oldest trees, one folder up in the others."""
    beside = info.parent.parent
    return (beside if info.parent.name == "info" else beside.parent) / "message" / info.stem


def _parts(info: Path, message_id: str) -> Path:
    beside = info.parent.parent
    if info.parent.name == "info":
        return beside / "part" / info.stem / message_id
    return beside.parent / "part" / message_id


def _files(info: Path) -> Iterator[tuple[Path, os.stat_result]]:
    for path, status in walk.files(_messages(info), (".json",)):
        yield path, status
        yield from walk.files(_parts(info, path.stem), (".json",))


def _message(path: Path, info: Path, report: Report) -> Message:
    value = _value(path, report)
    parts = [
        Part(part.stem, _value(part, report)) for part, _ in walk.files(_parts(info, path.stem), (".json",))
    ]
    created = loose.whole_number(loose.field(value, "time", "created"))
    return Message(path.stem, created or 0, value, parts)


def _value(path: Path, report: Report) -> object:
    """What a file holds; a broken one is a skip, and one that has just gone is nothing."""
    try:
        if path.stat().st_size > _LONGEST_BYTES:
            report.skip(path, "is too large to read")
            return None
        return _ANY.decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        report.refused(path, error)
    except (msgspec.DecodeError, UnicodeError):
        report.skip(path, "is broken or not yet whole")
    return None
