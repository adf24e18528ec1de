"""The messages of an OpenCode session in one shape, whichever generation of the store they come from."""

from typing import Final

import msgspec

from hippo_core.transcripts import loose
from hippo_core.transcripts.adapter import Report

_SILENT: Final = frozenset({"agent-switched", "model-switched", "location-switched", "idle"})


class Part(msgspec.Struct, frozen=True):
    """One part of a message, as the agent stored it."""

    id: str
    data: object


class Message(msgspec.Struct, frozen=True):
    """One message with its parts in order; `created` is when it was begun, which copies of it keep."""

    id: str
    created: int
    data: object
    parts: list[Part]


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A session whole: what its row or file says, and its messages from first to last."""

    id: str
    parent: str | None = None
    forked_from: str | None = None
    directory: str | None = None
    title: str | None = None
    version: str | None = None
    created: int | None = None
    revert: object = None
    messages: list[Message]


def event(row_id: str, kind: str, created: int, data: object, report: Report) -> Message | None:
    """A row of the newer store as a message; None for rows that say nothing."""
    if kind in _SILENT:
        return None
    time = loose.whole_number(loose.field(data, "time", "created"))
    created = created if time is None else time
    text = loose.text_of(loose.field(data, "text"))
    if kind == "user":
        return Message(row_id, created, {"role": "user"}, [_part(row_id, {"type": "text", "text": text})])
    if kind == "assistant":
        return Message(row_id, created, _assistant(data), _contents(row_id, data))
    if kind in ("synthetic", "system"):
        given = {"type": "text", "text": text, "synthetic": True}
        return Message(row_id, created, {"role": "user"}, [_part(row_id, given)])
    if kind == "compaction":
        summary = {"type": "text", "text": loose.text_of(loose.field(data, "summary"))}
        return Message(row_id, created, {"role": "assistant", "summary": True}, [_part(row_id, summary)])
    if kind == "shell":
        return Message(row_id, created, {"role": "user"}, [_part(row_id, _shell(row_id, data))])
    report.count_unknown(kind)
    return None


def _part(row_id: str, data: object, number: int = 0) -> Part:
    return Part(f"{row_id}.{number}", data)


def _assistant(data: object) -> object:
    return {
        "role": "assistant",
        "modelID": loose.field(data, "model", "id"),
        "tokens": loose.field(data, "tokens"),
        "error": loose.field(data, "error"),
    }


def _contents(row_id: str, data: object) -> list[Part]:
    contents = loose.items(loose.field(data, "content"))
    return [
        _part(row_id, _tool(item) if loose.field(item, "type") == "tool" else item, number)
        for number, item in enumerate(contents)
    ]


def _tool(item: object) -> object:
    """A tool item in the shape of the older tool part."""
    state = loose.field(item, "state")
    shown = loose.field(state, "structured", "content")
    texts = loose.parts(loose.field(state, "content")) or loose.parts(shown)
    return {
        "type": "tool",
        "callID": loose.field(item, "id"),
        "tool": loose.field(item, "name"),
        "state": {
            "status": loose.field(state, "status"),
            "input": loose.field(state, "input"),
            "output": "\n".join(texts),
            "metadata": loose.field(state, "structured"),
            "error": loose.field(state, "error", "message"),
        },
    }


def _shell(row_id: str, data: object) -> object:
    return {
        "type": "tool",
        "callID": loose.field(data, "callID") or row_id,
        "tool": "shell",
        "state": {
            "status": "completed",
            "input": {"command": loose.field(data, "command")},
            "output": loose.field(data, "output"),
        },
    }
