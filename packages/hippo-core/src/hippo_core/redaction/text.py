"""Redacted text: the only text that may reach a file."""

from dataclasses import InitVar, dataclass
from typing import Final, NoReturn, Protocol, final


class _Seal:
    """Named only here: holding it is the right to construct."""

    __slots__ = ()


_SEAL: Final = _Seal()


class Tally(Protocol):
    """Where `redact` counts what it replaced."""

    def add(self, kind: str, count: int) -> None: ...


@final
@dataclass(frozen=True, slots=True)
class Redacted:
    """Text that has passed through `redact`."""

    text: str
    seal: InitVar[_Seal]

    def __post_init__(self, seal: _Seal) -> None:
        if seal is not _SEAL:
            raise TypeError("Redacted is made only by redact()")

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("Redacted cannot be subclassed")


class Scrubber(Protocol):
    """The compiled rules, as `redact` uses them."""

    def scrub(self, raw: str, tally: Tally | None) -> str: ...


EMPTY: Final = Redacted("", _SEAL)


def redact(raw: str, rules: Scrubber, tally: Tally | None = None) -> Redacted:
    """Return `raw` with every secret that `rules` find as `[redacted:<kind>]`; doing it twice changes nothing more."""
    return Redacted(rules.scrub(raw, tally), _SEAL) if raw else EMPTY
