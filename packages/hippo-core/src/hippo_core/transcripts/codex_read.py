"""Reading one rollout from its start or from where it was left."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.errors import DataError
from hippo_core.transcripts import codex_files, compressed, jsonl, lines, loose
from hippo_core.transcripts import codex_wire as wire
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.codex_reader import Reader
from hippo_core.transcripts.codex_state import State
from hippo_core.transcripts.model import RawSession, RawTurn, Resume

_HELD_BYTES: Final = 96 * 1024
_ROLLED_BACK: Final = b'"thread_rolled_back"'
_CARRY: Final = msgspec.json.Decoder(State)
Read = Iterator[RawSession | RawTurn | Resume]
_Decoded = tuple[wire.Record, wire.Payload]


class _Mark(msgspec.Struct, frozen=True):
    """A place to read on from, with the state as it was there."""

    offset: int
    carry: bytes


def rollout(path: Path, resume: Resume | None, report: Report) -> Read:
    """Sessions and turns of the rollout at `path`, then where to read on if it is plain."""
    reader = Reader(path, State(), report)
    mark: list[_Mark] = []
    start = 0
    try:
        start, reader = _beginning(path, resume, report)
        with compressed.opened(path) as file:
            records = jsonl.records_in(file, path, start, _decode, report, reader.state.line)
            yield from _turns(reader, records, mark, start)
    except compressed.DAMAGED as error:
        if not reader.state.recognised:
            raise DataError(path, "cannot be read") from error
        yield from reader.turns.give_away()
        report.skip(path, "is damaged: only its beginning was read")
        return
    if not reader.state.recognised:
        _tell_what_is_missing(path, reader, report)
        return
    yield from _titled(path, RawSession(native_id=reader.state.native))
    if not start:
        yield from _left_behind(path)
    if not compressed.is_compressed(path):
        yield _resume(path, mark[-1])


def void_ranges(path: Path) -> list[tuple[int, int]]:
    """Byte ranges whose turns a later rollback in the same file undid, as far as the file can be read."""
    ranges: list[tuple[int, int]] = []
    begins: list[int] = []
    task: int | None = None
    with suppress(*compressed.DAMAGED):
        for start, payload in _where_rolled_back(path):
            if payload.type == "task_started":
                task = start
            elif payload.type == "user_message" or loose.field(payload.item, "type") == "UserMessage":
                begins.append(start if task is None else task)
                task = None
            elif payload.type == "thread_rolled_back" and begins:
                undone = min(len(begins), max(1, loose.whole_number(payload.num_turns) or 0))
                ranges.append((begins[-undone], start))
                del begins[-undone:]
    return _outermost(ranges)


def _where_rolled_back(path: Path) -> Iterator[tuple[int, wire.Payload]]:
    if not _mentions_rollback(path):
        return
    with compressed.opened(path) as file:
        for record in jsonl.records_in(file, path, 0, _decode, Report()):
            yield record.start, record.value[1]


def _outermost(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """`ranges` in order, without those that lie within another."""
    kept: list[tuple[int, int]] = []
    for begin, end in sorted(ranges, key=lambda found: (found[0], -found[1])):
        if not kept or end > kept[-1][1]:
            kept.append((begin, end))
    return kept


def _turns(
    reader: Reader, records: Iterator[jsonl.Record[_Decoded]], mark: list[_Mark], start: int
) -> Iterator[RawSession | RawTurn]:
    """Turns as they are complete; at the end `mark` holds the place to read on from."""
    safe = _Mark(start, _carry(reader.state))
    end = start
    given_away = False
    for record in records:
        line = record.line
        reader.state.line = record.number
        if given_away and record.start == line.start:
            safe = _Mark(line.start, _carry(reader.state))
            given_away = False
        complete = reader.take(record.start, *record.value)
        if reader.foreign and not reader.state.recognised:
            return
        yield from _drained(reader.turns.sessions)
        if not line.closed:
            mark.append(safe)
            yield from reader.turns.waiting.values()
            return
        reader.state.line = record.number + 1
        end = line.end
        if complete or end - safe.offset > _HELD_BYTES:
            yield from reader.turns.give_away()
            given_away = True
    mark.append(safe if reader.turns.waiting else _Mark(end, _carry(reader.state)))
    yield from reader.turns.waiting.values()


def _beginning(path: Path, resume: Resume | None, report: Report) -> tuple[int, Reader]:
    """A reader that goes on after `resume` where that still holds, else one for the whole file."""
    if resume is not None and not compressed.is_compressed(path):
        offset = lines.starting_point(path, resume)
        if offset and not _mentions_rollback(path, offset) and (state := _carried(resume)):
            return offset, Reader(path, state, report)
    reader = Reader(path, State(), report)
    reader.turns.void = void_ranges(path)
    return 0, reader


def _carried(resume: Resume) -> State | None:
    try:
        return _CARRY.decode(resume.carry)
    except msgspec.DecodeError:
        return None


def _decode(data: bytes) -> _Decoded:
    record = wire.RECORD.decode(data)
    return record, record.payload or wire.BARE.decode(data)


def _carry(state: State) -> bytes:
    return msgspec.json.encode(state)


def _resume(path: Path, mark: _Mark) -> Resume:
    with path.open("rb") as file:
        prefix = lines.prefix(file, mark.offset)
    return Resume(offset=mark.offset, prefix=prefix, carry=mark.carry.decode("utf-8"))


def _drained(sessions: list[RawSession]) -> list[RawSession]:
    drained = sessions[:]
    sessions.clear()
    return drained


def _titled(path: Path, session: RawSession) -> Iterator[RawSession]:
    title, rank = codex_files.title_of(path)
    if title:
        yield msgspec.structs.replace(session, title=title, title_rank=rank)


def _mentions_rollback(path: Path, start: int = 0) -> bool:
    """Whether the bytes from `start` hold the word, found without decoding a line."""
    tail = b""
    with compressed.opened(path) as file:
        file.seek(start)
        while chunk := file.read(1 << 20):
            if _ROLLED_BACK in tail + chunk:
                return True
            tail = chunk[-len(_ROLLED_BACK) :]
    return False


def _tell_what_is_missing(path: Path, reader: Reader, report: Report) -> None:
    if reader.foreign:
        report.skip(path, "is not a Codex rollout")
    elif compressed.is_compressed(path):
        raise DataError(path, "holds nothing that can be read")


def _left_behind(path: Path) -> Iterator[RawTurn]:
    """Turns of the rollout that this one continues and that it left behind by going back before them."""
    with compressed.opened(path) as file:
        first = next(jsonl.records_in(file, path, 0, _decode, Report()), None)
    meta = first.value[1] if first else wire.Payload()
    base = loose.name_of(loose.field(meta.history_base, "thread_id"))
    cut = loose.whole_number(loose.field(meta.history_base, "end_ordinal_exclusive"))
    thread = loose.name_of(meta.id)
    if base is None or cut is None or thread is None or meta.forked_from_id is not None:
        return
    earlier = codex_files.base_of(path, base)
    if earlier is None or earlier == path or thread not in earlier.name:
        return
    reader = Reader(earlier, State(), Report())
    reader.turns.void_from = cut
    with compressed.opened(earlier) as file:
        records = jsonl.records_in(file, earlier, 0, _decode, Report())
        turns = (turn for turn in _turns(reader, records, [], 0) if isinstance(turn, RawTurn))
        with suppress(*compressed.DAMAGED):
            yield from (turn for turn in turns if turn.abandoned)
