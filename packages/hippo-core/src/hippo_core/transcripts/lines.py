"""Physical lines of a JSONL file that its agent may be writing: bounded memory, nothing half-read."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from hippo_core.transcripts.model import Resume

PREFIX_BYTES: Final = 8 * 1024
_HEAD_BYTES: Final = 4 * 1024
_ELIDED_ABOVE_BYTES: Final = 64 * 1024
_CHUNK_BYTES: Final = 1 << 20
_LONG_LINE_BYTES: Final = 1 << 20
_LONGEST_LINE_BYTES: Final = 64 << 20
# Starts only where a run starts, so that it stays linear; an escape just before the run is kept whole.
_ENCODED_RUN: Final = re.compile(
    rb"(?<![A-Za-z0-9+/_-])((?<=\\)(?:u[0-9A-Fa-f]{4}|.))?[A-Za-z0-9+/_-]{2048,}={0,2}"
)
_ENCODED_BYTES: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_BLOCK_BYTES: Final = 1024
ELIDED: Final = b"[binary data not kept]"


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line without its line feed: where it begins and ends in the file, and whether a line feed closed it."""

    start: int
    end: int
    data: bytes
    closed: bool


class TooLong(msgspec.Struct, frozen=True, gc=False):
    """A line that stayed over the bound even without its binary data; it is passed over."""

    start: int
    end: int


def prefix(file: BinaryIO, offset: int) -> str:
    """Digest of the block of at most `PREFIX_BYTES` that ends at `offset`, with the head of the file."""
    hashed = hashlib.sha256()
    file.seek(0)
    hashed.update(file.read(min(offset, _HEAD_BYTES)))
    begin = max(0, offset - PREFIX_BYTES)
    file.seek(begin)
    hashed.update(file.read(offset - begin))
    return hashed.hexdigest()


def starting_point(path: Path, resume: Resume | None) -> int | None:
    """The offset to read on from, or None when the file is not the one that `resume` was taken from."""
    if resume is None:
        return 0
    with path.open("rb") as file:
        return resume.offset if prefix(file, resume.offset) == resume.prefix else None


def read(file: BinaryIO, start: int = 0) -> Iterator[Line | TooLong]:
    """Lines from `start`, cut at line feeds alone; long runs of base64 are elided before anything parses them."""
    file.seek(start)
    parts: list[bytes] = []
    held = 0
    begin = position = start
    dropping = False
    while chunk := file.read(_CHUNK_BYTES):
        at = 0
        while (feed := chunk.find(b"\n", at)) >= 0:
            end = position + feed + 1
            if dropping:
                yield TooLong(begin, end)
            else:
                parts.append(chunk[at:feed])
                yield Line(begin, end, _join(parts), closed=True)
            parts, held, dropping = [], 0, False
            at, begin = feed + 1, end
        position += len(chunk)
        if dropping:
            continue
        rest = chunk[at:] if held < _LONG_LINE_BYTES else _elide(chunk[at:])
        parts.append(rest)
        held += len(rest)
        dropping = held > _LONGEST_LINE_BYTES
        if dropping:
            parts.clear()
    if dropping:
        yield TooLong(begin, position)
    elif position > begin:
        yield Line(begin, position, _join(parts), closed=False)


def _join(parts: list[bytes]) -> bytes:
    data = parts[0] if len(parts) == 1 else b"".join(parts)
    return _elide(data) if len(data) > _ELIDED_ABOVE_BYTES else data


def _elide(data: bytes) -> bytes:
    """`data` without its long encoded runs, each of which covers at least one whole block of half its least length."""
    for at in range(0, len(data), _BLOCK_BYTES):
        if not data[at : at + _BLOCK_BYTES].translate(None, _ENCODED_BYTES):
            return _ENCODED_RUN.sub(rb"\1" + ELIDED, data)
    return data
