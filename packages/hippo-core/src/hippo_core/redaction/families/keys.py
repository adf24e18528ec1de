"""Private keys, whole or in pieces, and signed web tokens."""

import re
from collections.abc import Iterator
from typing import Final

from hippo_core.redaction.checks import json_header
from hippo_core.redaction.rule import BOUNDARY, Rule, Span, expression

_DASHES: Final = "-----"
_LABEL: Final = r"[A-Z0-9 ]{0,40}PRIVATE[ ]KEY(?:[ ]BLOCK)?"
_BEGIN: Final = expression(rf"{_DASHES}BEGIN[ ]{_LABEL}{_DASHES}")
_END: Final = expression(rf"{_DASHES}END[ ]{_LABEL}{_DASHES}")
_BREAK: Final = r"(?:\r?\n|\\{1,8}[nr]|[ \t]|\\{1,8}t|[\"',]{1,3}(?=\s)|\\?\Z)"
_PREFIX: Final = r"(?:[ \t]{0,12}(?:[0-9]{1,6}(?:[ ]?[\t|:│→]|\\t|[ ]{1,2})[ ]{0,8}|[-+>|*#]{1,3}[ \t]{0,4}|[\"'][ \t]?|//[ ]?)?)"
_ROW: Final = r"[A-Za-z0-9+/=]{16,}"
_HEADER: Final = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject|MessageID):[^\n\\\"]{0,100}"
_REST: Final = expression(
    rf"(?:{_BREAK}{{0,12}}{_PREFIX}(?:{_HEADER}|{_ROW}))*"
    rf"(?:{_BREAK}{{0,12}}{_PREFIX}=?[A-Za-z0-9+/=]{{1,15}}(?={_BREAK}{{0,12}}{_PREFIX}{_DASHES}END ))?"
)
_LAST: Final = expression(rf"{_BREAK}{{0,12}}{_PREFIX}")
_LINE_BREAK: Final = expression(r"(?:\r?\n|\\{1,8}r\\{1,8}n|\\{1,8}n)")
_WHOLE_ROW: Final = expression(rf"{_PREFIX}=?[A-Za-z0-9+/=]{{1,}}[\"',]{{0,3}}[ \t\r]{{0,4}}")
_FARTHEST: Final = 16_384


def _private_key(text: str, position: int) -> Iterator[Span]:
    begin = _BEGIN.match(text, position)
    if begin:
        yield Span(begin.start(), _end_of_block(text, begin.end()))
        return
    end = _END.match(text, position)
    if end:
        yield Span(_start_of_rows(text, end.start()), end.end())


def _end_of_block(text: str, after_begin: int) -> int:
    rest = _REST.match(text, after_begin)
    body = rest.end() if rest else after_begin
    gap = _LAST.match(text, body)
    end = _END.match(text, gap.end() if gap else body)
    return end.end() if end else body


def _start_of_rows(text: str, end: int) -> int:
    """Where the rows begin whose first lines are not in the text."""
    low = max(0, end - _FARTHEST)
    low = max(low, text.rfind(_DASHES, low, end) + len(_DASHES)) if _DASHES in text[low:end] else low
    start = end
    breaks = [(low, low), *(match.span() for match in _LINE_BREAK.finditer(text, low, end))]
    stop = end
    for break_start, break_end in reversed(breaks):
        line = text[break_end:stop]
        if line.strip() and not _is_row(line, last=start == end):
            tail = re.search(r"[A-Za-z0-9+/=]{32,}[ ]?$", line)
            return break_end + tail.start() if tail else start
        start = break_end if line.strip() else start
        stop = break_start
    return start


def _is_row(line: str, *, last: bool) -> bool:
    return _WHOLE_ROW.fullmatch(line) is not None and (last or len(line.strip()) >= 16)


_PUTTY: Final = r"(?i:private-lines): ?[0-9]{1,4}(?:\r?\n|\\n)((?:[A-Za-z0-9+/=]{16,}(?:\r?\n|\\n)?)+)"

RULES: tuple[Rule, ...] = (
    Rule(
        kind="private-key",
        literals=(_DASHES + "begin ", _DASHES + "end "),
        pattern=_BEGIN.pattern,
        gate=rf"{_DASHES}(?:BEGIN|END) {_LABEL.replace('[ ]', ' ')}{_DASHES}",
        locate=_private_key,
        look_alikes=(
            _DASHES
            + "BEGIN PUBLIC KEY"
            + _DASHES
            + "\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n"
            + _DASHES
            + "END PUBLIC KEY"
            + _DASHES,
            _DASHES
            + "BEGIN CERTIFICATE"
            + _DASHES
            + "\nMIIBszCCAVmgAwIBAgIUQ0\n"
            + _DASHES
            + "END CERTIFICATE"
            + _DASHES,
        ),
    ),
    Rule(
        kind="putty-key",
        literals=("private-lines:",),
        pattern=_PUTTY,
        gate="private-lines:",
        look_alikes=("Public-Lines: 4\nAAAAB3NzaC1yc2E\n",),
    ),
    Rule(
        kind="web-token",
        literals=("eyj",),
        pattern=BOUNDARY
        + r"eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,}){0,2}|\.(?![A-Za-z0-9]))",
        gate=r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4}",
        check=json_header,
        look_alikes=("eyJhbGciOiJIUzI1NiJ9", "eyJust.a.word.with.dots"),
    ),
)
