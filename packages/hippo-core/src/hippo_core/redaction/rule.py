"""One rule of redaction: what a kind of secret looks like, and what only looks like it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Check = Callable[[str], bool]

BOUNDARY = (
    r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f][0-9A-Fa-f])"
    r"|(?<=\[[0-9]m)|(?<=[;\[][0-9][0-9]m)|(?<=\\u[0-9a-f][0-9a-f][0-9a-f][0-9a-f]))"
)
"""The start of a token: no word before it, or an escape whose last letter only looks like one."""


WORD_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_.%$~:-"
LEAST_WORD = 15
_ANY_BODY = r"[A-Za-z0-9+/=_.%$~\-]{10}"


def expression(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """`pattern` ready to use, its classes meaning ASCII alone as in every byte engine."""
    return re.compile(pattern, re.ASCII | flags)


class Span(NamedTuple):
    """The characters from `start` up to `end`."""

    start: int
    end: int


Locate = Callable[[str, int], Iterator[Span]]
"""What a rule finds in a text around the position of one of its literals; an empty span says how far it has looked."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of secret; `pattern` is tried at each place where a literal stands, and its first group is replaced."""

    kind: str
    literals: tuple[str, ...]
    pattern: str
    gate: str = ""
    check: Check | None = None
    locate: Locate | None = None
    look_alikes: tuple[str, ...] = ()
    one_word: bool = False
    """Whether the literal and at least ten characters after or around it are all of `WORD_LETTERS`."""

    def compiled(self) -> Locate:
        """The function that finds this rule's spans at one literal."""
        return self.locate or _by_pattern(expression(self.pattern), self.check)

    def gate_expression(self) -> str:
        """An expression that is found in every text this rule could match, for a byte engine."""
        return self.gate or "|".join(re.escape(literal) for literal in self.literals)


def _by_pattern(pattern: re.Pattern[str], check: Check | None) -> Locate:
    group = 1 if pattern.groups else 0

    def locate(text: str, position: int) -> Iterator[Span]:
        match = pattern.match(text, position)
        if match:
            found = check is None or check(match.group(group))
            yield Span(*match.span(group)) if found else Span(match.end(), match.end())

    return locate


def token(
    kind: str,
    prefixes: str | Sequence[str],
    body: str,
    *,
    bounded: bool = True,
    check: Check | None = None,
    end: str = r"(?![A-Za-z0-9])",
    look_alikes: Sequence[str] = (),
) -> Rule:
    """A rule for tokens that begin with one of `prefixes` and go on with the expression `body`."""
    names = (prefixes,) if isinstance(prefixes, str) else tuple(prefixes)
    choice = "|".join(re.escape(name) for name in names)
    start = BOUNDARY if bounded else ""
    return Rule(
        kind=kind,
        literals=tuple(name.lower() for name in names),
        gate=f"(?:{choice}){_ANY_BODY}",
        pattern=f"{start}(?:{choice}){body}{end}",
        check=check,
        look_alikes=tuple(look_alikes),
        one_word=True,
    )


def embedded(
    kind: str,
    literals: str | Sequence[str],
    letter: str,
    pattern: str,
    *,
    check: Check | None = None,
    look_alikes: Sequence[str] = (),
) -> Rule:
    """A rule for tokens known by letters inside them; the whole run of `letter` around those has to be `pattern`."""
    names = (literals,) if isinstance(literals, str) else tuple(literals)
    return Rule(
        kind=kind,
        literals=names,
        pattern=pattern,
        check=check,
        locate=_run_around(expression(letter + "{1,400}"), expression(pattern), check),
        look_alikes=tuple(look_alikes),
        one_word=True,
    )


_MOST_BEFORE = 128
_COLOUR = expression(r"[0-9]{0,3}m")


def before(text: str, position: int, letters: re.Pattern[str], most: int = _MOST_BEFORE) -> str:
    """The run of `letters` that ends at `position`, at most `most` of them, without the end of an escape before it."""
    turned = text[max(0, position - most) : position][::-1]
    match = letters.match(turned)
    if match is None:
        return ""
    start = position - match.end()
    previous = text[start - 1 : start]
    if previous == "\\" and text[start] in "nrt":
        start += 1
    elif previous in ("[", ";") and (colour := _COLOUR.match(text, start, position)):
        start = colour.end()
    return text[start:position]


def _run_around(letters: re.Pattern[str], whole: re.Pattern[str], check: Check | None) -> Locate:
    def locate(text: str, position: int) -> Iterator[Span]:
        start = position - len(before(text, position, letters))
        run = letters.match(text, start)
        if run and whole.fullmatch(run.group()) and (check is None or check(run.group())):
            yield Span(*run.span())

    return locate
