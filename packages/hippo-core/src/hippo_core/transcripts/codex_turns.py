"""Turns of a rollout that the next lines may still complete: an answer its tokens, a call its full output."""

import sys
from bisect import bisect
from typing import Final

import msgspec

from hippo_core.transcripts.clean import clean
from hippo_core.transcripts.codex_state import State
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Role

EVENT: Final = 0
ITEM: Final = 1


class Place(msgspec.Struct, frozen=True):
    """Where a record stands: its first byte, its ordinal, its time."""

    start: int
    ordinal: int | None
    time_ms: int | None


class Turns:
    """What was made of the lines so far and not yet given away, by identity, in file order."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.waiting: dict[str, RawTurn] = {}
        self.sessions: list[RawSession] = []
        self.void: list[tuple[int, int]] = []
        self.void_from: int | None = None
        self.place = Place(0, None, None)
        self._made = 0
        self._unpaid: list[str] = []

    def move_to(self, place: Place) -> None:
        """Note where the next turns stand."""
        self.place = place
        self._made = 0

    def give_away(self) -> list[RawTurn]:
        """All turns held, which are no longer held then."""
        given = list(self.waiting.values())
        self.waiting.clear()
        self._unpaid.clear()
        return given

    def pay(self, total: object, last: object) -> None:
        """Give what a cumulative count grew by to the first answer since the last count."""
        self.state.spend(total, last)
        if self.state.unspent is None or not self._unpaid:
            return
        first = self.waiting[self._unpaid[0]]
        self._unpaid.clear()
        self.waiting[first.identity] = msgspec.structs.replace(first, tokens=self.state.take_tokens())

    def become_summary(self, text: str) -> bool:
        """Turn the answer that `text` repeats into that summary; False when none is held."""
        for turn in reversed(self.waiting.values()):
            if turn.kind is Kind.REPLY and turn.text.strip() and clean(text).endswith(turn.text.strip()):
                self.waiting[turn.identity] = msgspec.structs.replace(
                    turn, role=Role.SYSTEM, kind=Kind.SUMMARY, text=clean(text)
                )
                return True
        return False

    def said(
        self,
        name: str,
        text: str,
        source: int,
        role: Role,
        kind: Kind,
        *,
        command: str | None = None,
        exit_status: int | None = None,
        failed: bool = False,
    ) -> None:
        """Hold what was said, once, whichever of the two sources says it first."""
        if identity := self.state.first_sight(name, text, source):
            self.emit(identity, role, kind, text, command=command, exit_status=exit_status, failed=failed)

    def emit(
        self,
        identity: str,
        role: Role,
        kind: Kind,
        text: str,
        *,
        tool: str | None = None,
        call: str | None = None,
        files: tuple[str, ...] = (),
        edited: tuple[str, ...] = (),
        command: str | None = None,
        exit_status: int | None = None,
        failed: bool = False,
        abandoned: bool | None = None,
    ) -> None:
        """Hold one turn; the same identity again replaces what is held under it and keeps its place."""
        state = self.state
        spoken = role is Role.ASSISTANT
        if spoken and identity not in self.waiting:
            self._unpaid.append(identity)
        earlier = self.waiting.get(identity)
        order = ((state.order_base + self.place.start) << 8) + min(self._made, 255)
        self._made += 1
        self.waiting[identity] = RawTurn(
            identity=identity,
            session=state.native,
            order=earlier.order if earlier else order,
            role=role,
            kind=kind,
            text=clean(text),
            time_ms=earlier.time_ms if earlier else self.place.time_ms,
            tool=tool,
            call=call,
            files=files,
            edited=edited,
            command=command,
            exit_status=exit_status,
            failed=failed,
            model=state.model if spoken else None,
            tokens=earlier.tokens if earlier else None,
            copied=state.copying,
            abandoned=self.is_abandoned() if abandoned is None else abandoned,
        )

    def is_abandoned(self) -> bool:
        """Whether the person later went back to before this place."""
        place = self.place
        if self.void_from is not None and place.ordinal is not None and place.ordinal >= self.void_from:
            return True
        after = bisect(self.void, (place.start, sys.maxsize))
        return after > 0 and place.start < self.void[after - 1][1]
