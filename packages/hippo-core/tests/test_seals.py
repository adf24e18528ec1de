"""A sealed value is refused at run time wherever the type check refuses it."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from typing import Any

import msgspec
import pytest

from hippo_core.redaction import text
from hippo_core.redaction.text import EMPTY, Redacted, Tally, redact

sealed: Any = Redacted
anything: Any = EMPTY


class Shouting:
    """Rules that are easy to see at work."""

    def scrub(self, raw: str, tally: Tally | None) -> str:
        if tally is not None:
            tally.add("case", 1)
        return raw.upper()


class Counts:
    """A tally that remembers."""

    def __init__(self) -> None:
        self.by_kind: dict[str, int] = {}

    def add(self, kind: str, count: int) -> None:
        self.by_kind[kind] = self.by_kind.get(kind, 0) + count


FORGERIES: dict[str, Callable[[], object]] = {
    "no seal": lambda: sealed("raw"),
    "no seal, by name": lambda: sealed(text="raw"),
    "nothing as the seal": lambda: sealed("raw", None),
    "an object as the seal": lambda: sealed("raw", seal=object()),
    "another seal of the same class": lambda: sealed("raw", text._Seal()),
    "the class as the seal": lambda: sealed("raw", text._Seal),
    "a copy with another text": lambda: replace(anything, text="raw"),
    "a copy with another text and no seal": lambda: replace(anything, text="raw", seal=None),
    "a subclass": lambda: type("Loose", (sealed,), {}),
}


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES.keys())
def test_redacted_text_cannot_be_forged(forgery: Callable[[], object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        forgery()


@pytest.mark.parametrize("encoded", [b'{"text":"raw"}', b'{"text":"raw","seal":null}', b'"raw"'])
def test_redacted_text_cannot_be_decoded(encoded: bytes) -> None:
    with pytest.raises((TypeError, msgspec.ValidationError)):
        msgspec.json.decode(encoded, type=Redacted)


def test_redacted_text_cannot_be_converted() -> None:
    with pytest.raises((TypeError, msgspec.ValidationError)):
        msgspec.convert({"text": "raw"}, Redacted)


def test_redacted_text_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        anything.text = "raw"
    with pytest.raises((AttributeError, TypeError)):
        anything.extra = "raw"
    assert EMPTY.text == ""


def test_redact_makes_what_nothing_else_makes() -> None:
    counts = Counts()

    made = redact("quiet", Shouting(), counts)

    assert made.text == "QUIET"
    assert counts.by_kind == {"case": 1}


def test_redacting_nothing_gives_the_one_empty_text() -> None:
    assert redact("", Shouting()) is EMPTY
