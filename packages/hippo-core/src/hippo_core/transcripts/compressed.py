"""Transcripts that may be compressed, as streams of bounded memory."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, cast

import zstandard

_SUFFIXES: Final = (".zst", ".zstd")
_WINDOW_BYTES: Final = 1 << 27
DAMAGED: Final = (zstandard.ZstdError, EOFError, OSError)


def is_compressed(path: Path) -> bool:
    """Whether `path` is named as Zstandard data."""
    return path.suffix in _SUFFIXES


@contextmanager
def opened(path: Path) -> Generator[BinaryIO]:
    """The bytes of `path` from 0 on, all frames of a compressed file one after another; `DAMAGED` may be raised."""
    with path.open("rb") as file:
        if not is_compressed(path):
            yield file
            return
        decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW_BYTES)
        with decompressor.stream_reader(file, read_across_frames=True, closefd=False) as stream:
            yield cast("BinaryIO", stream)
