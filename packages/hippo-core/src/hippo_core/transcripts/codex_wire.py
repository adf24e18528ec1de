"""What a line of a Codex rollout looks like, as loosely as its many versions need."""

from datetime import datetime
from typing import Any

import msgspec


class Payload(msgspec.Struct, frozen=True, gc=False):
    """The fields that are read, of every record, event and item; what is not named here is never decoded."""

    type: Any = None
    id: Any = None
    role: Any = None
    content: Any = None
    name: Any = None
    namespace: Any = None
    arguments: Any = None
    input: Any = None
    call_id: Any = None
    output: Any = None
    message: Any = None
    info: Any = None
    reason: Any = None
    turn_id: Any = None
    num_turns: Any = None
    item: Any = None
    error: Any = None
    usage: Any = None
    thread_token_usage: Any = None
    cwd: Any = None
    model: Any = None
    git: Any = None
    cli_version: Any = None
    timestamp: Any = None
    forked_from_id: Any = None
    parent_thread_id: Any = None
    source: Any = None
    thread_source: Any = None
    history_base: Any = None
    subagent_history_start_ordinal: Any = None
    changes: Any = None
    success: Any = None
    status: Any = None
    action: Any = None
    exit_code: Any = None
    aggregated_output: Any = None
    formatted_output: Any = None
    command: Any = None
    stdout: Any = None
    stderr: Any = None
    parsed_cmd: Any = None
    query: Any = None


class Record(msgspec.Struct, frozen=True, gc=False):
    """One line: an envelope with a payload, or a bare item whose fields lie at the top."""

    type: Any = None
    record_type: Any = None
    timestamp: Any = None
    ordinal: Any = None
    id: Any = None
    payload: Payload | None = None


RECORD = msgspec.json.Decoder(Record)
BARE = msgspec.json.Decoder(Payload)


def payload_of(value: object) -> Payload:
    """Read a nested object by the same field names; anything but an object has none of them."""
    return msgspec.convert(value, Payload, strict=False) if isinstance(value, dict) else Payload()


def milliseconds(timestamp: object) -> int | None:
    """Milliseconds since 1970 of an ISO time, None where it is none."""
    if not isinstance(timestamp, str):
        return None
    try:
        return round(datetime.fromisoformat(timestamp).timestamp() * 1000)
    except ValueError:
        return None
