"""DeepSeek Harness: session logs under its home, plain or of many compressed frames."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hippo_core.ids import Agent
from hippo_core.storage import stamp
from hippo_core.transcripts import deepseek_files, deepseek_read
from hippo_core.transcripts.adapter import Report, status_of
from hippo_core.transcripts.model import RawSession, RawTurn, Resume, Source

AGENT: Final = Agent.DEEPSEEK_HARNESS


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """DeepSeek Harness keeps everything under one folder, which DSH_HOME may move."""
    moved = environment.get("DSH_HOME")
    return (Path(moved) if moved else home / ".dsh",)


def discover(root: Path, report: Report) -> Iterator[Source]:
    """The newest log of every session under `root`."""
    for path in deepseek_files.logs(root, report):
        if (status := status_of(path, report)) is not None:
            yield Source(
                agent=AGENT,
                path=path,
                key=os.fspath(path),
                stamp=stamp.of(status),
                size=status.st_size,
            )


def read(source: Source, resume: Resume | None, report: Report) -> Iterator[RawSession | RawTurn | Resume]:
    """Sessions and turns of one log; a file that is no session log yields nothing."""
    return deepseek_read.log(source.path, resume, report)
