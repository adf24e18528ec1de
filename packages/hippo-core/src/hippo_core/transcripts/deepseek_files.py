"""The files of a DeepSeek Harness home: one log a session folder, of its newest format."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hippo_core.transcripts.adapter import Report, folders, walked

_LOG: Final = re.compile(r"session(?:\.v(?P<format>\d+))?\.jsonl(?P<packed>\.zstd)?\Z")


def logs(root: Path, report: Report) -> Iterator[Path]:
    """The log of every session folder under `root`, in a stable order."""
    for start in folders(root, "sessions"):
        for folder, _, names in walked(start, report):
            found = [match for name in names if (match := _LOG.match(name))]
            if found:
                yield folder / max(found, key=_newest).string


def _newest(found: re.Match[str]) -> tuple[int, bool]:
    return int(found["format"] or 0), found["packed"] is None
