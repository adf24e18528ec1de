"""What a reading of a session log remembers from line to line: ids, counters and names, never text."""

from typing import Final

import msgspec

_OPEN_CALLS: Final = 256


class OpenCall(msgspec.Struct, frozen=True, array_like=True):
    """A call whose result may still come: its tool, the file it names, and whether the person refused it."""

    tool: str
    path: str | None = None
    refused: bool = False


class State(msgspec.Struct, omit_defaults=True):
    """All that must survive a cut between two readings of one file."""

    line: int = 1
    native: str = ""
    parent: str | None = None
    delegated: bool = False
    seeded: bool = False
    seed_length: int = 0
    model: str | None = None
    turns: int = 0
    shown: bool = False
    step: str = ""
    asked: dict[str, str] = {}
    seen: list[str] = []
    calls: dict[str, OpenCall] = {}

    @property
    def owner(self) -> str:
        """The session whose history the current lines are: while a copy lasts, the one it was copied from."""
        return self.parent if self.seeded and self.parent else self.native

    def enter(self, step: str) -> None:
        """Note which step the lines belong to; what was seen in an earlier one no longer matters."""
        if step != self.step:
            self.step = step
            self.seen.clear()

    def open_call(self, call: str, opened: OpenCall) -> bool:
        """Remember a call until its result has come; False when this step has already shown it."""
        if call in self.seen:
            return False
        self.seen.append(call)
        self.calls[call] = opened
        while len(self.calls) > _OPEN_CALLS:
            del self.calls[next(iter(self.calls))]
        return True

    def refuse(self, question: str) -> None:
        """Note that the person said no to the call that `question` was about."""
        call = self.asked.pop(question, None)
        if call is not None and (opened := self.calls.get(call)):
            self.calls[call] = msgspec.structs.replace(opened, refused=True)
