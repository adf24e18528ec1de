"""The files of a DeepSeek Harness home: one log a session folder, of its newest format."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hippo_core.transcripts.adapter import Report, folders

_LOG: Final = re.compile(r"session(?:\.v(?P<format>\d+))?\.jsonl(?P<packed>\.zstd)?\Z")


def logs(root: Path, report: Report) -> Iterator[Path]:
    """The log of every session folder under `root`, in a stable order."""
    for start in folders(root, "sessions"):
        for folder, inner, names in os.walk(start, onerror=lambda error: _unreadable(error, report)):
            inner.sort()
            found = [match for name in names if (match := _LOG.match(name))]
            if found:
                yield Path(folder, max(found, key=_newest).string)


def status(path: Path, report: Report) -> os.stat_result | None:
    """What the file system says of `path`, or a skip."""
    try:
        return path.stat()
    except OSError as error:
        report.skip(path, error.strerror or "cannot be read")
        return None


def _newest(found: re.Match[str]) -> tuple[int, bool]:
    return int(found["format"] or 0), found["packed"] is None


def _unreadable(error: OSError, report: Report) -> None:
    report.skip(Path(os.fsdecode(error.filename or "")), error.strerror or "cannot be read")
