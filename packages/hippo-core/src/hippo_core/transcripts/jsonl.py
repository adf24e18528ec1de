"""Records of a JSONL transcript: one decode a line, and what can be saved of a line that broke."""

import json
import re
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, Generic, TypeVar

import msgspec

from hippo_core.transcripts import lines
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.lines import Line

T = TypeVar("T")
# Nesting deeper than any client writes is refused like any other broken record.
UNREADABLE: Final = (msgspec.DecodeError, UnicodeError, RecursionError)
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_MENDABLE_BYTES: Final = 16 << 20
_QUOTE, _BACKSLASH, _CLOSE = b'"\\}'
_STRUCTURE: Final = re.compile(rb'["{}]')
_ESCAPE: Final = re.compile(
    rb"\\(?:(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_FORWARD: Final = json.JSONDecoder()


class Record(msgspec.Struct, Generic[T], frozen=True, gc=False):
    """One decoded record: its physical line, that line's number, and where in the file the record itself begins.

    `start` only grows along a file, also when two records stand on one line.
    """

    line: Line
    number: int
    start: int
    value: T


def records(
    path: Path, start: int, decode: Callable[[bytes], T], report: Report, number: int = 1
) -> Iterator[Record[T]]:
    """Every record of `path` from byte `start`, the first of which stands on line `number`.

    `decode` raises `msgspec.ValidationError` for a record of a shape it refuses, which costs that record alone.
    Blank lines are nothing. Each line that lost something is one skip with its number. A last line without a line
    feed comes with `line.closed` false when it is whole, and is passed over in silence when it is not: it is still
    being written, and whoever resumes must do so before it.
    """
    with path.open("rb") as file:
        yield from records_in(file, path, start, decode, report, number)


def records_in(
    file: BinaryIO, path: Path, start: int, decode: Callable[[bytes], T], report: Report, number: int = 1
) -> Iterator[Record[T]]:
    """The records of an open `file`, as `records` reads them; a compressed stream starts at 0."""
    for count, line in enumerate(lines.read(file, start), number):
        if isinstance(line, lines.TooLong):
            report.skip(path, f"line {count} is too long to read")
            continue
        try:
            value = decode(line.data)
        except UNREADABLE:
            yield from _saved(path, line, count, decode, report)
        else:
            yield Record(line, count, line.start, value)


def _saved(
    path: Path, line: Line, number: int, decode: Callable[[bytes], T], report: Report
) -> Iterator[Record[T]]:
    data = mended(line.data)
    if not data:
        return
    pieces, lost = _pieces(data)
    if not line.closed and lost:
        return
    for at, piece in pieces:
        try:
            value = decode(piece)
        except UNREADABLE:
            lost = True
        else:
            yield Record(line, number, line.start + at, value)
    if lost:
        report.skip(path, f"line {number} is broken or of no known shape")


def mended(data: bytes) -> bytes:
    """`data` without NULs and byte order mark, its broken UTF-8 and lone surrogates replaced by U+FFFD."""
    data = data.replace(b"\0", b"").removeprefix(_BYTE_ORDER_MARK).strip()
    data = data.decode("utf-8", "replace").encode()
    return _ESCAPE.sub(_escape, data) if b"\\u" in data else data


def _escape(found: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if found[2] else found[0]


def _pieces(data: bytes) -> tuple[list[tuple[int, bytes]], bool]:
    """The whole JSON values in `data` with where each begins, and whether anything else stood there."""
    if _is_json(data):
        return [(0, data)], False
    if len(data) > _MENDABLE_BYTES:
        return [], True
    marks = array("I", (found.start() for found in _STRUCTURE.finditer(data)))
    pieces: list[tuple[int, bytes]] = []
    end = len(data)
    while end > 0 and (begin := _last_object(data, marks, end)) is not None:
        pieces.append((begin, data[begin:end]))
        end = begin
    if end == 0:
        return pieces[::-1], False
    if (head := _object_at_head(data[:end])) is not None:
        pieces.append((0, head))
    return pieces[::-1], True


def _is_json(data: bytes) -> bool:
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except UNREADABLE:
        return False
    return True


def _last_object(data: bytes, marks: "array[int]", end: int) -> int | None:
    """Where the object begins whose last brace closes at `end`: read backwards, since the end is what is whole.

    Takes the marks it passes off `marks`, so that a line of many objects is still read once.
    """
    depth = 0
    inside = False
    while marks:
        mark = marks.pop()
        if data[mark] == _QUOTE:
            inside ^= not _escaped(data, mark)
        elif not inside:
            depth += 1 if data[mark] == _CLOSE else -1
            if depth <= 0:
                return mark if depth == 0 and _is_json(data[mark:end]) else None
    return None


def _escaped(data: bytes, at: int) -> bool:
    begin = at
    while begin > 0 and data[begin - 1] == _BACKSLASH:
        begin -= 1
    return (at - begin) % 2 == 1


def _object_at_head(data: bytes) -> bytes | None:
    text = data.decode("utf-8", "replace")
    try:
        value, end = _FORWARD.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return text[:end].encode() if isinstance(value, dict) else None
