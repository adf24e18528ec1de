"""What reading a Claude Code transcript remembers from row to row, and across a cut: names and counters only."""

import hashlib
from typing import Final, TypeVar

import msgspec

from hippo_core.transcripts.model import Tokens

V = TypeVar("V")
_MESSAGES: Final = 8
_CALLS: Final = 64
_SIDECHAINS: Final = 64


class Text(msgspec.Struct, array_like=True):
    """A text block as it was last seen: enough to tell that another is the same one, grown."""

    identity: str
    length: int
    digest: str


class Told(msgspec.Struct, array_like=True):
    """One message of the model, of which more lines may come."""

    key: str
    request: str | None = None
    texts: list[Text] = []
    growing: bool = False
    first: str | None = None
    tokens: Tokens | None = None

    def text(self, text: str, index: int | None) -> tuple[str, bool]:
        """The lasting name of a text block of this message, and whether it has been seen just so."""
        place = self._place(text, index)
        seen = place is not None and self.texts[place].digest == _digest(text)
        if place is None:
            place = len(self.texts)
            number = str(place) if index is None else _numbered(index)
            self.texts.append(Text(f"{self.key}/{number}", 0, ""))
        known = self.texts[place]
        known.length, known.digest = len(text), _digest(text)
        self.growing = place == len(self.texts) - 1
        return known.identity, seen

    def _place(self, text: str, index: int | None) -> int | None:
        if index is not None:
            wanted = f"{self.key}/{_numbered(index)}"
            return next((at for at, known in enumerate(self.texts) if known.identity == wanted), None)
        digest = _digest(text)
        for at, known in enumerate(self.texts):
            if known.digest == digest:
                return at
        if self.growing and self.texts and _digest(text[: self.texts[-1].length]) == self.texts[-1].digest:
            return len(self.texts) - 1
        return None


class State(msgspec.Struct):
    """Everything that a row further down may need of the rows before it."""

    line: int = 1
    messages: dict[str, Told] = {}
    calls: dict[str, str] = {}
    sidechains: dict[str, str] = {}
    sessions: list[str] = []
    warmups: list[str] = []
    time: str | None = None
    began: str | None = None
    foreign: str | None = None
    anchor: str | None = None
    repeats: dict[str, int] = {}
    recent: tuple[int, ...] = ()

    def told(self, message: str, request: str | None) -> Told:
        """The message called `message`; under another request's name it is another message."""
        known = self.messages.get(message)
        if known is not None and request and known.request and known.request != request:
            message = f"{message}@{request}"
            known = self.messages.get(message)
        if known is None:
            known = self.messages[message] = Told(message)
            _keep(self.messages, _MESSAGES)
        known.request = known.request or request
        return known

    def call(self, identity: str, tool: str) -> None:
        """Remember the tool of a call whose result is still to come."""
        self.calls[identity] = tool
        _keep(self.calls, _CALLS)

    def sidechain(self, uuid: str, parent: str | None) -> str:
        """The first row of the sidechain that row `uuid` belongs to."""
        root = self.sidechains.get(parent or "", uuid)
        self.sidechains[uuid] = root
        _keep(self.sidechains, _SIDECHAINS)
        return root

    def anchored(self, text: str) -> str | None:
        """A name for a row that its client renames at every resume: the message before it, and its text."""
        if self.anchor is None:
            return None
        digest = _digest(text)
        count = self.repeats[digest] = self.repeats.get(digest, 0) + 1
        return f"after:{self.anchor}/{digest}/{count}"


def _numbered(index: int) -> str:
    """The service's own number for a block, kept apart from numbers that were counted here."""
    return f"block-{index}"


def _keep(known: dict[str, V], most: int) -> None:
    if len(known) > most:
        del known[next(iter(known))]


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
