"""Reading one session log from its start or from where it was left."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.errors import DataError
from hippo_core.transcripts import compressed, jsonl, lines
from hippo_core.transcripts import deepseek_wire as wire
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.deepseek_reader import Reader
from hippo_core.transcripts.deepseek_state import State
from hippo_core.transcripts.model import RawSession, RawTurn, Resume

_HELD_BYTES: Final = 96 * 1024
_CARRY: Final = msgspec.json.Decoder(State)


class _Mark(msgspec.Struct, frozen=True):
    """A place to read on from, with the state as it was there."""

    offset: int
    carry: bytes


def log(path: Path, resume: Resume | None, report: Report) -> Iterator[RawSession | RawTurn | Resume]:
    """The session and the turns of the log at `path`, then where to read on if it is plain."""
    reader = Reader(State(), report)
    mark: list[_Mark] = []
    try:
        start, state = _beginning(path, resume)
        reader = Reader(state, report)
        with compressed.opened(path) as file:
            records = jsonl.records_in(file, path, start, wire.EVENT.decode, report, state.line)
            yield from _turns(reader, records, mark, start)
    except compressed.DAMAGED as error:
        if not reader.state.native:
            raise DataError(path, "cannot be read") from error
        yield from reader.unfinished()
        report.skip(path, "is damaged: only its beginning was read")
        return
    if reader.foreign:
        report.skip(path, "is not a session log of DeepSeek Harness")
    elif not reader.state.native and compressed.is_compressed(path):
        raise DataError(path, "holds nothing that can be read")
    elif reader.state.native and not compressed.is_compressed(path):
        yield _resume(path, mark[-1])


def _turns(
    reader: Reader, records: Iterator[jsonl.Record[wire.Event]], mark: list[_Mark], start: int
) -> Iterator[RawSession | RawTurn]:
    """Turns in file order; at the end `mark` holds the place to read on from."""
    state = reader.state
    safe = _Mark(start, msgspec.json.encode(state))
    end = start
    for record in records:
        line = record.line
        state.line = record.number
        if not reader.partial and record.start == line.start:
            safe = _Mark(line.start, msgspec.json.encode(state))
        turns = reader.take(record.start, record.value)
        if reader.foreign:
            return
        yield from _with_session(reader, turns)
        if not line.closed:
            mark.append(safe)
            yield from reader.unfinished()
            return
        state.line = record.number + 1
        end = line.end
    held = reader.partial and end - safe.offset <= _HELD_BYTES
    mark.append(safe if held else _Mark(end, msgspec.json.encode(state)))
    yield from _with_session(reader, reader.unfinished())


def _with_session(reader: Reader, turns: list[RawTurn]) -> Iterator[RawSession | RawTurn]:
    """`turns`, before them what is new of their session; a session without a turn is not one."""
    if reader.session is not None and (turns or reader.state.shown):
        reader.state.shown = True
        session, reader.session = reader.session, None
        yield session
    yield from turns


def _beginning(path: Path, resume: Resume | None) -> tuple[int, State]:
    if resume is None or compressed.is_compressed(path):
        return 0, State()
    offset = lines.starting_point(path, resume)
    if not offset:
        return 0, State()
    try:
        return offset, _CARRY.decode(resume.carry)
    except msgspec.DecodeError:
        return 0, State()


def _resume(path: Path, mark: _Mark) -> Resume:
    with path.open("rb") as file:
        prefix = lines.prefix(file, mark.offset)
    return Resume(offset=mark.offset, prefix=prefix, carry=mark.carry.decode("utf-8"))
