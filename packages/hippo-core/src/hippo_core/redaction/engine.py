"""The compiled rules: text in, text with every secret replaced out, in time linear to its length."""

import hashlib
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, final

from hippo_core.errors import UserError
from hippo_core.redaction.gate import Gate, literal_gate, scanning_gate
from hippo_core.redaction.rule import Locate, Rule, Span
from hippo_core.redaction.rules import REVISION, RULES
from hippo_core.redaction.text import Tally

_MARK: Final = re.compile(r"\[redacted:[a-z0-9-]{1,64}\]")
_MARK_START: Final = "[redacted:"
_KIND: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
COMPILE_AFTER_CHARACTERS: Final = 3_000_000
_MOST_PASSES: Final = 8
_SAME_WIDTH: Final = (("\u00a0", " "), ("\u202f", " "), ("\u3000", " "), ("\uff1a", ":"), ("\uff1d", "="))
_WINDOW: Final = 4096
_MARGIN: Final = 512
_ASCII_LOWER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True)
class ExtraPattern:
    """A pattern of the person's own: what it finds, or its first group, is replaced by `[redacted:<kind>]`."""

    kind: str
    pattern: str


class _Found(NamedTuple):
    start: int
    end: int
    rank: int


class _Plan(NamedTuple):
    literals: tuple[str, ...]
    locate: Locate


def compile_rules(
    extra: Sequence[ExtraPattern] = (),
    allow: Sequence[str] = (),
    *,
    accelerated: bool = True,
    compile_after: int = COMPILE_AFTER_CHARACTERS,
) -> "Rules":
    """Make every rule ready to scrub with; a pattern of the person's own that cannot be read is a UserError.

    `allow` holds values that are never replaced, in which `*` stands for any characters.
    `accelerated=False` leaves the byte engine out, and it is compiled only after `compile_after` characters, when
    there is text enough to earn it back; what is found is the same.
    """
    return Rules(RULES, tuple(extra), tuple(allow), compile_after if accelerated else None)


@final
class Rules:
    """Rules in the form that finds secrets quickly; made by `compile_rules`."""

    def __init__(
        self,
        rules: Sequence[Rule],
        extra: tuple[ExtraPattern, ...],
        allow: tuple[str, ...],
        compile_after: int | None,
    ) -> None:
        patterns = [_read_extra(each) for each in extra]
        self._rules = rules
        self._settings: tuple[tuple[ExtraPattern, ...], tuple[str, ...], int | None] = (
            extra,
            allow,
            compile_after,
        )
        self._seen = 0
        self._extra = patterns
        self._names = [rule.kind for rule in rules] + [each.kind for each in extra]
        self._allowed = _allowed(allow)
        self.kinds: Final[tuple[str, ...]] = tuple(dict.fromkeys(self._names))
        self.version: Final = _version(
            rules, [(each.kind, pattern) for each, pattern in zip(extra, patterns, strict=True)], allow
        )

    def __reduce__(self) -> tuple[Callable[..., "Rules"], tuple[object, ...]]:
        """Another process compiles the same rules for itself."""
        return _again, self._settings

    def expect(self, characters: int) -> None:
        """Say how much text is to come, so that the byte engine need not wait to see whether it pays."""
        extra, allow, compile_after = self._settings
        if compile_after is not None and characters > compile_after:
            self._settings = (extra, allow, 0)

    @cached_property
    def _plans(self) -> list[_Plan]:
        """Compiled when the first text comes: asking for the version alone must stay cheap."""
        return [_Plan(rule.literals, rule.compiled()) for rule in self._rules]

    @cached_property
    def _plain_gate(self) -> Gate:
        return literal_gate(self._rules)

    @cached_property
    def _quick_gate(self) -> Gate:
        return scanning_gate(self._rules) or self._plain_gate

    def _gate(self, lowered: str) -> Iterable[int]:
        """Both gates answer alike."""
        self._seen += len(lowered)
        compile_after = self._settings[2]
        quick = compile_after is not None and self._seen > compile_after
        return self._quick_gate(lowered) if quick else self._plain_gate(lowered)

    def scrub(self, raw: str, tally: Tally | None) -> str:
        """Return `raw` with every secret replaced by its mark, on as many lines as before."""
        text = raw
        for _ in range(_MOST_PASSES):
            found = self._find(text)
            if not found:
                break
            text = self._replace(text, found, tally)
        return text

    def _find(self, text: str) -> list[_Found]:
        searched = _same_width(text)
        lowered = _lower(searched)
        reached: dict[tuple[int, str], int] = {}
        found = [
            _Found(span.start, span.end, rank)
            for begin, end in _windows(len(searched))
            for rank in self._ranks(lowered, begin, end)
            for span in _spans(searched, lowered, rank, self._plans[rank], (begin, end), reached)
        ]
        for offset, pattern in enumerate(self._extra, len(self._plans)):
            found.extend(_Found(start, end, offset) for start, end in _matches(pattern, text))
        return self._settle(text, found) if found else found

    def _ranks(self, lowered: str, begin: int, end: int) -> Iterable[int]:
        if end - begin == len(lowered):
            return self._gate(lowered)
        return self._gate(lowered[max(0, begin - _MARGIN) : end + 2 * _MARGIN])

    def _settle(self, text: str, found: list[_Found]) -> list[_Found]:
        marks = _marks(text)
        merged: list[_Found] = []
        for each in sorted(found):
            each = _outside(each, marks) if marks else each
            if each.end <= each.start or (
                self._allowed and self._allowed.fullmatch(text[each.start : each.end])
            ):
                continue
            if merged and each.start < merged[-1].end:
                last = merged[-1]
                merged[-1] = _Found(last.start, max(last.end, each.end), min(last.rank, each.rank))
            else:
                merged.append(each)
        return merged

    def _replace(self, text: str, found: Sequence[_Found], tally: Tally | None) -> str:
        parts: list[str] = []
        done = 0
        for start, end, rank in found:
            kind = self._names[rank]
            parts += (text[done:start], _MARK_START, kind, "]", "\n" * text.count("\n", start, end))
            done = end
            if tally is not None:
                tally.add(kind, 1)
        parts.append(text[done:])
        return "".join(parts)


def _again(extra: tuple[ExtraPattern, ...], allow: tuple[str, ...], compile_after: int | None) -> Rules:
    return Rules(RULES, extra, allow, compile_after)


def _windows(length: int) -> Iterable[tuple[int, int]]:
    """Stretches of a text, so that a rule wanted in one place of a long text is not tried in all of it."""
    if length <= 2 * _WINDOW:
        return ((0, length),)
    return ((begin, min(begin + _WINDOW, length)) for begin in range(0, length, _WINDOW))


def _spans(
    text: str,
    lowered: str,
    rank: int,
    plan: _Plan,
    window: tuple[int, int],
    reached: dict[tuple[int, str], int],
) -> Iterator[Span]:
    find, locate = lowered.find, plan.locate
    begin, end = window
    for literal in plan.literals:
        stop = end + len(literal) - 1
        position = find(literal, max(begin, reached.get((rank, literal), 0)), stop)
        while position >= 0:
            after = position + len(literal)
            for span in locate(text, position):
                after = max(after, span.end)
                yield span
            reached[rank, literal] = after
            position = find(literal, after, stop)


def _same_width(text: str) -> str:
    if not text.isascii():
        for wide, plain in _SAME_WIDTH:
            text = text.replace(wide, plain)
    return text


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    group = 1 if pattern.groups else 0
    return (match.span(group) for match in pattern.finditer(text) if match.start(group) >= 0)


def _marks(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _MARK.finditer(text)] if _MARK_START in text else []


def _outside(found: _Found, marks: Sequence[tuple[int, int]]) -> _Found:
    """`found` without the marks that stand at its ends."""
    start, end, rank = found
    first = bisect_right(marks, (start, sys.maxsize)) - 1
    if first >= 0 and start < marks[first][1]:
        start = marks[first][1]
    last = bisect_right(marks, (end, -1)) - 1
    if last >= 0 and end <= marks[last][1]:
        end = marks[last][0]
    return _Found(start, end, rank)


def _lower(text: str) -> str:
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)


def _read_extra(extra: ExtraPattern) -> re.Pattern[str]:
    if _KIND.fullmatch(extra.kind) is None:
        raise UserError(f"redaction pattern {extra.kind!r}: a kind is lower-case letters, digits and hyphens")
    try:
        pattern = re.compile(extra.pattern)
    except (re.error, RecursionError, OverflowError) as cause:
        raise UserError(f"redaction pattern {extra.kind!r} cannot be read: {cause}") from cause
    if pattern.match(""):
        raise UserError(f"redaction pattern {extra.kind!r} matches the empty text")
    return pattern


def _allowed(allow: Sequence[str]) -> re.Pattern[str] | None:
    values = ["[^\n]*".join(map(re.escape, value.split("*"))) for value in allow if value]
    return re.compile("|".join(values)) if values else None


def _version(
    rules: Sequence[Rule], extra: Sequence[tuple[str, re.Pattern[str]]], allow: Sequence[str]
) -> str:
    parts = [str(REVISION)]
    parts += (repr((rule.kind, rule.literals, rule.pattern)) for rule in rules)
    parts += (repr((kind, pattern.pattern)) for kind, pattern in extra)
    parts += (repr(value) for value in sorted(allow))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
