"""The part of a turn's text that shows why it was found."""

import re
from typing import Final

from hippo_core.index.query import Term

WIDTH: Final = 240
_LOOKED_AT: Final = 200_000
_BEFORE: Final = 60
_SPACE: Final = re.compile(r"\s+")


def cut(text: str, terms: tuple[Term, ...], width: int = WIDTH) -> tuple[str, tuple[tuple[int, int], ...]]:
    """About `width` characters of `text` around its densest hits on one line, and the [start, end) of each hit."""
    pattern = _pattern(terms)
    if pattern is None:
        return _on_one_line(text[:width]), ()
    starts = [hit.start() for hit in pattern.finditer(text, 0, _LOOKED_AT)]
    begin = _densest(starts, width) if starts else 0
    begin = max(0, begin - _BEFORE)
    shown = _on_one_line(text[begin : begin + width])
    if begin:
        shown = f"…{shown}"
    if begin + width < len(text):
        shown = f"{shown}…"
    return shown, tuple((hit.start(), hit.end()) for hit in pattern.finditer(shown))


def _pattern(terms: tuple[Term, ...]) -> re.Pattern[str] | None:
    found: list[str] = []
    for term in terms:
        joined = r"[\W_]*".join(re.escape(word) for word in term.words)
        found.append(joined + (r"\w*" if term.prefix else ""))
        found.extend(re.escape(word) for word in term.words if len(word) > 2 or not word.isascii())
    if not found:
        return None
    return re.compile("|".join(sorted(set(found), key=len, reverse=True)), re.IGNORECASE)


def _densest(starts: list[int], width: int) -> int:
    best, most, first = starts[0], 0, 0
    for last, start in enumerate(starts):
        while start - starts[first] > width - _BEFORE:
            first += 1
        if last - first + 1 > most:
            best, most = starts[first], last - first + 1
    return best


def _on_one_line(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
