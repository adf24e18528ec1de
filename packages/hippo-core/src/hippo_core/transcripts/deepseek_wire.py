"""What a line of a DeepSeek Harness log looks like, as loosely as its formats 0 to 4 need."""

from typing import Any

import msgspec


class Data(msgspec.Struct, frozen=True, gc=False):
    """The fields that are read of any event's data; chunks kept inside a message are never decoded."""

    turn: Any = None
    step: Any = None
    role: Any = None
    id: Any = None
    content: Any = None
    source: Any = None
    message: Any = None
    usage: Any = None
    interrupted: Any = None
    reason: Any = None
    title: Any = None
    model: Any = None
    meta: Any = None
    chunk: Any = None
    texts: Any = None
    callId: Any = None  # noqa: N815
    name: Any = None
    arguments: Any = None
    subCallId: Any = None  # noqa: N815
    isError: Any = None  # noqa: N815
    outcome: Any = None


class Event(msgspec.Struct, frozen=True, gc=False):
    """One line: the header of a session, or one event of it."""

    type: Any = None
    seq: Any = None
    time: Any = None
    time0: Any = None
    data: Data | None = None
    id: Any = None
    createdAt: Any = None  # noqa: N815
    cwd: Any = None
    parentSession: Any = None  # noqa: N815
    origin: Any = None
    isSeeded: Any = None  # noqa: N815
    seedLength: Any = None  # noqa: N815


EVENT = msgspec.json.Decoder(Event)
NO_DATA = Data()
