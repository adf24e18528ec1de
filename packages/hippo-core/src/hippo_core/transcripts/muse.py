"""Muse Code: one log a session under its sessions folder, with the logs of its subagents inside."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hippo_core.ids import Agent
from hippo_core.storage import stamp, walk
from hippo_core.transcripts import muse_file
from hippo_core.transcripts.adapter import Report, folders
from hippo_core.transcripts.model import RawSession, RawTurn, Resume, Source

AGENT: Final = Agent.MUSE_CODE
_LOG: Final = "session.jsonl"


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Muse Code keeps everything in one data folder, the same on every system."""
    data = environment.get("XDG_DATA_HOME")
    return ((Path(data) if data else home / ".local" / "share") / "muse",)


def discover(root: Path, report: Report) -> Iterator[Source]:
    """Every session log under `root`; views, reviews and histories beside them are none."""
    for start in folders(root, "sessions"):
        for path, status in walk.files(start, (_LOG,), report.refused):
            if path.name == _LOG:
                yield Source(
                    agent=AGENT,
                    path=path,
                    key=os.fspath(path),
                    stamp=stamp.of(status),
                    size=status.st_size,
                )


def read(source: Source, resume: Resume | None, report: Report) -> Iterator[RawSession | RawTurn | Resume]:
    """One session whole: a later record may take a run back."""
    return muse_file.read(source.path, report)
