"""What a reading of a rollout remembers from line to line: ids, counters and names, never text."""

import hashlib
from typing import Final

import msgspec

from hippo_core.transcripts import loose
from hippo_core.transcripts.model import Tokens

_OPEN_CALLS: Final = 128
_SAID_IN_ONE_TURN: Final = 1024
_LASTING_CALL_ID: Final = 16
_COPY_MILLISECONDS: Final = 2000


class OpenCall(msgspec.Struct, array_like=True):
    """A call whose output may still come: under which name, for which tool, patching which files."""

    key: str
    tool: str
    patched: list[str] = []
    answered: bool = False
    abandoned: bool = False


class State(msgspec.Struct, omit_defaults=True):
    """All that must survive a cut between two readings of one file."""

    line: int = 1
    recognised: bool = False
    bare: bool = False
    began: int | None = None
    native: str = ""
    origin: str = ""
    delegated: bool = False
    skip_below: int = 0
    order_base: int = 0
    copying: bool = False
    copied_at: int = 0
    cwd: str | None = None
    model: str | None = None
    turn: str | None = None
    prompts: int = 0
    interrupted: bool = False
    seen: dict[str, list[int]] = {}
    calls: dict[str, OpenCall] = {}
    usage: list[int] | None = None
    unspent: list[int] | None = None

    @property
    def turn_key(self) -> str:
        """What identifies the current turn: the client's own id, else its place in its session."""
        return self.turn or f"{self.origin or self.native}#{self.prompts}"

    def begin_turn(self, turn: str | None, time_ms: int | None) -> None:
        """Note that lines of `turn` follow; the same turn may be named many times."""
        if turn is None or turn == self.turn:
            return
        self.turn = turn
        self.seen.clear()
        self.interrupted = False
        if self.copying:
            self._see_whether_still_copying(turn, time_ms)

    def begin_copies(self, origin: str, time_ms: int | None) -> None:
        """Note that another session's lines follow, written again at one moment."""
        self.origin = origin
        self.copying = True
        self.copied_at = time_ms or 0

    def pass_time(self, time_ms: int | None) -> None:
        """Where turns have no ids, copies end with the moment in which they were written."""
        if self.copying and self.turn is None and (time_ms or 0) > self.copied_at + _COPY_MILLISECONDS:
            self._end_copies()

    def first_sight(self, kind: str, text: str, source: int) -> str | None:
        """A new identity for `text`, or None where the other source has already shown it.

        Everything said is recorded by up to two sources (0 events, 1 items); each shows it as often as it was said.
        """
        name = f"{kind}:{_short_hash(text)}"
        counts = self.seen.setdefault(name, [0, 0])
        if len(self.seen) > _SAID_IN_ONE_TURN:
            del self.seen[next(iter(self.seen))]
        shown = max(counts)
        counts[source] += 1
        if counts[source] <= shown:
            return None
        if kind == "prompt" and self.turn is None:
            self.prompts += 1
            self.seen = {name: [1 - source, source]}
            shown = 0
        return f"{self.turn_key}:{name}:{shown}"

    def first_shown(self, name: str, source: int) -> bool:
        """False when the other source has shown the message of this name, in whatever words."""
        counts = self.seen.setdefault(f"name:{name}", [0, 0])
        shown = max(counts)
        counts[source] += 1
        return counts[source] > shown

    def call_key(self, call: str) -> str:
        """The lasting name of a call: its id where that is long enough to be unique, else with its turn."""
        if known := self.calls.get(call):
            return known.key
        return call if len(call) >= _LASTING_CALL_ID else f"{self.turn_key}:{call}"

    def open_call(self, call: str, tool: str, patched: tuple[str, ...], *, abandoned: bool) -> str:
        """Remember a call until its output has come; the oldest of very many is forgotten."""
        key = self.call_key(call)
        self.calls[call] = OpenCall(key, tool, list(patched), abandoned=abandoned)
        while len(self.calls) > _OPEN_CALLS:
            del self.calls[next(iter(self.calls))]
        return key

    def spend(self, total: object, last: object) -> None:
        """Take a cumulative count: what it grew by was spent since the last one and belongs to the next answer."""
        counts = _counts(total)
        if counts is None:
            return
        before, self.usage = self.usage, counts
        if before is None:
            grown = _counts(last) or counts
        elif sum(counts) < sum(before):
            grown = counts
        else:
            grown = [max(0, now - then) for now, then in zip(counts, before, strict=True)]
        if any(grown) and counts != before and not self.copying:
            waiting = self.unspent or [0, 0, 0, 0]
            self.unspent = [more + held for more, held in zip(grown, waiting, strict=True)]

    def take_tokens(self) -> Tokens | None:
        """The tokens that no answer has been given yet, and none after that."""
        taken, self.unspent = self.unspent, None
        if taken is None:
            return None
        given, cached, written, put_out = taken
        return Tokens(max(0, given - cached - written), put_out, cached, written)

    def _see_whether_still_copying(self, turn: str, time_ms: int | None) -> None:
        if _is_timed(turn) and _is_timed(self.native):
            if turn > self.native:
                self._end_copies()
        elif time_ms is not None and time_ms > self.copied_at + _COPY_MILLISECONDS:
            self._end_copies()

    def _end_copies(self) -> None:
        self.copying = False
        self.origin = self.native


def _counts(usage: object) -> list[int] | None:
    names = ("input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens")
    counts = [loose.whole_number(loose.field(usage, name)) for name in names]
    if all(count is None for count in counts):
        return None
    return [count or 0 for count in counts]


def _is_timed(name: str) -> bool:
    """Whether ids of this kind sort by the time they were made (UUID version 7)."""
    return len(name) == 36 and name[14] == "7"


def _short_hash(text: str) -> str:
    """The two sources may break and pad a text differently, so white space does not count."""
    words = "".join(text.split())
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:12]
