"""Command Code: one file a session under its projects folder, of the tree format or the older flat one."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hippo_core.ids import Agent
from hippo_core.storage import stamp, walk
from hippo_core.transcripts import command_code_file
from hippo_core.transcripts.adapter import Report, folders
from hippo_core.transcripts.model import RawSession, RawTurn, Resume, Source

AGENT: Final = Agent.COMMAND_CODE
_BESIDE: Final = (".checkpoints.", ".prompts.", ".v2.bak")
_OTHERS: Final = ("history.jsonl", "hooks-audit-")


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Command Code keeps everything under one folder, which nothing moves."""
    return (home / ".commandcode",)


def discover(root: Path, report: Report) -> Iterator[Source]:
    """Every session file under `root`; what the client keeps beside them is none."""
    for start in folders(root, "projects"):
        for path, status in walk.files(start, (".jsonl",), report.refused):
            if path.name.startswith(_OTHERS) or any(mark in path.name for mark in _BESIDE):
                continue
            yield Source(
                agent=AGENT,
                path=path,
                key=os.fspath(path),
                stamp=stamp.of(status) + _beside(path),
                size=status.st_size,
            )


def read(source: Source, resume: Resume | None, report: Report) -> Iterator[RawSession | RawTurn | Resume]:
    """One session whole: only its last entry tells which branch of the tree is the conversation."""
    return command_code_file.read(source.path, report)


def _beside(path: Path) -> bytes:
    """The stamp of the facts kept beside a session, where there are any."""
    try:
        return stamp.of(command_code_file.facts(path).stat())
    except OSError:
        return b""
