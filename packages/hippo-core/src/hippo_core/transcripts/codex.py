"""Codex: rollouts under its home, live, archived and compressed."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hippo_core.ids import Agent
from hippo_core.transcripts import codex_files, codex_read
from hippo_core.transcripts.adapter import Report, status_of
from hippo_core.transcripts.model import RawSession, RawTurn, Resume, Source

AGENT: Final = Agent.CODEX


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Codex keeps everything under one folder, which CODEX_HOME may move."""
    moved = environment.get("CODEX_HOME")
    return (Path(moved) if moved else home / ".codex",)


def discover(root: Path, report: Report) -> Iterator[Source]:
    """Every rollout under `root`, once: live before archived, plain before compressed."""
    names: dict[Path | None, codex_files.Names] = {None: {}}
    for path in codex_files.rollouts(root, report):
        if (home := codex_files.home_of(path)) is not None and home not in names:
            names[home] = codex_files.names_in(home)
        if (status := status_of(path, report)) is not None:
            yield Source(
                agent=AGENT,
                path=path,
                key=os.fspath(path),
                stamp=codex_files.stamp(path, status, names[home]),
                size=status.st_size,
            )


def read(source: Source, resume: Resume | None, report: Report) -> Iterator[RawSession | RawTurn | Resume]:
    """Sessions and turns of one rollout; a file that is no rollout yields nothing."""
    return codex_read.rollout(source.path, resume, report)
