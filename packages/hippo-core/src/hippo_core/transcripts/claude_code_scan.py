"""The first look at a Claude Code transcript: what only the rows further down can tell of a row."""

import zlib
from array import array
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.transcripts import claude_code_records as wire
from hippo_core.transcripts import jsonl, loose
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.claude_code_records import Row

# How far behind the last message a reader waits for more of it before it counts as told to the end.
PATIENCE_BYTES: Final = 96 * 1024
_RECENT: Final = 64
# No answer comes so soon after its question.
_AT_ONCE_MS: Final = 5
_KEEPS_NAMES: Final = (1, 0, 128)
_UNKNOWN: Final = (99,)
_HEAD_BYTES: Final = 400


class Scan(msgspec.Struct, frozen=True):
    """What a part of a transcript says of its own rows, which are named by the byte they begin at.

    `cut` is where the next reading begins, at the last message that may still grow; `end` is where this one ends.
    `recent` are the rows before the cut back to the last prompt: a prompt that hangs on any other row before the cut
    gives up a branch there. `whole` says that this part did, so that the file has to be read from its beginning.
    Rows up to `copied_up_to`, and those in the stretches of `retold`, are copies of another session's.
    """

    cut: int
    end: int
    whole: bool
    recent: tuple[int, ...]
    first_message: str | None
    copied_up_to: int
    retold: tuple[tuple[int, int], ...]
    abandoned: frozenset[int]

    def copied(self, start: int) -> bool:
        """Whether the row at `start` is a copy."""
        return start <= self.copied_up_to or any(first <= start <= last for first, last in self.retold)


def scan(path: Path, start: int, before: tuple[int, ...] = (), time: str | None = None) -> Scan:
    """Look through `path` from `start`; `before` are the recent rows of the reading before, `time` its last one's."""
    look = _Look(start, before, time)
    for record in jsonl.records(path, start, wire.row, Report()):
        look.end = record.line.end
        if record.value.type in wire.CONVERSATION:
            look.row(record.value, record.start, record.line.end)
    return look.result()


def name(uuid: str) -> int:
    """A short name for a row, good enough to recognise it among a few."""
    return zlib.crc32(uuid.encode("utf-8", "surrogatepass"))


def is_early(version: str | None) -> bool:
    """Whether this client gave every row new names when it resumed a session."""
    return _number(version) < _KEEPS_NAMES


class _Look:
    def __init__(self, start: int, before: tuple[int, ...], time: str | None) -> None:
        self.cut = self.end = self.message_end = start
        self.before = before
        self.time = loose.milliseconds(time)
        self.run = start
        self.retold: dict[int, int] = {}
        self.message: str | None = None
        self.first_message: str | None = None
        self.copied_up_to = -1
        self.whole = False
        self.places: dict[str, int] = {}
        self.starts = array("q")
        self.parents = array("q")
        self.names = array("L")
        self.prompts = bytearray()
        self.live: list[int] = []
        self.abandoned: set[int] = set()

    def row(self, row: Row, start: int, end: int) -> None:
        told_at_once = self._continues_run(row, start)
        if row.type == "assistant":
            self._assistant(row, start, end, told_at_once)
        elif start - self.message_end > PATIENCE_BYTES:
            self.cut = start
            self.message_end = end
        if row.forked_from is not None or (row.request_session_id or row.session_id) != row.session_id:
            self.copied_up_to = start
        if row.uuid and not row.is_sidechain and row.uuid not in self.places:
            self._place(row, row.uuid, start)

    def _continues_run(self, row: Row, start: int) -> bool:
        """Whether this row was written in one go with the one before it."""
        before, self.time = self.time, loose.milliseconds(row.timestamp)
        together = before is not None and self.time is not None and abs(self.time - before) <= _AT_ONCE_MS
        if not together:
            self.run = start
        return together

    def _assistant(self, row: Row, start: int, end: int, told_at_once: bool) -> None:
        head = wire.decode(wire.HEAD, row.message)
        message = (head.id if head else None) or row.uuid or str(start)
        self.first_message = self.first_message or message
        if head is None or wire.is_notice(row, head.model):
            return
        if message != self.message or start - self.message_end > PATIENCE_BYTES:
            self.cut = start
        self.message, self.message_end = message, end
        if told_at_once and _is_retold(row):
            self.retold[self.run] = start

    def _place(self, row: Row, uuid: str, start: int) -> None:
        place = len(self.starts)
        parent = self.places.get(row.parent_uuid, -1) if row.parent_uuid else -1
        prompt = _looks_asked(row)
        if prompt and row.parent_uuid:
            self._hang(row.parent_uuid, parent)
        self.places[uuid] = place
        self.starts.append(start)
        self.parents.append(parent)
        self.names.append(name(uuid))
        self.prompts.append(prompt)
        self.live.append(place)

    def _hang(self, parent_uuid: str, parent: int) -> None:
        """A prompt that hangs on a row which already led to another prompt gives that branch up."""
        if parent >= 0:
            self._abandon_below(parent)
        elif self.before and (name(parent_uuid) not in self.before or any(self.prompts)):
            self.whole = True

    def _abandon_below(self, parent: int) -> None:
        later = self._live_after(parent)
        if not any(self.prompts[place] for place in later):
            return
        below = {parent}
        for place in later:
            if self.parents[place] in below:
                below.add(place)
        below.discard(parent)
        if any(self.prompts[place] for place in below):
            self.abandoned.update(self.starts[place] for place in below)
            del self.live[len(self.live) - len(later) :]
            self.live.extend(place for place in later if place not in below)

    def _live_after(self, parent: int) -> list[int]:
        count = 0
        while count < len(self.live) and self.live[-1 - count] > parent:
            count += 1
        return self.live[len(self.live) - count :]

    def result(self) -> Scan:
        return Scan(
            cut=self.cut,
            end=self.end,
            whole=self.whole,
            recent=self._recent(),
            first_message=self.first_message,
            copied_up_to=self.copied_up_to,
            retold=tuple(self.retold.items()),
            abandoned=frozenset(self.abandoned),
        )

    def _recent(self) -> tuple[int, ...]:
        found: list[int] = []
        for place in range(len(self.starts) - 1, -1, -1):
            if self.starts[place] >= self.cut:
                continue
            found.append(self.names[place])
            if self.prompts[place] or len(found) == _RECENT:
                return tuple(found)
        return tuple([*found, *self.before][:_RECENT])


def _is_retold(row: Row) -> bool:
    """Whether an old client copied this answer from another file: copying, it forgot the request and the cost.

    It also wrote all that it copied in one moment, which the caller looks at.
    """
    return not row.request_id and bytes(row.cost) in {b"", b"0"} and _number(row.version) <= _KEEPS_NAMES


def _number(version: str | None) -> tuple[int, ...]:
    parts = (version or "").split(".")
    numbers = tuple(int(part) for part in parts[:3] if part.isdecimal() and len(part) < 6)
    return numbers if len(numbers) == 3 else _UNKNOWN


def _looks_asked(row: Row) -> bool:
    if row.type != "user" or row.is_meta or row.is_compact_summary:
        return False
    return b'"tool_use_id"' not in bytes(row.message)[:_HEAD_BYTES]
