"""The one shape every adapter has, and the steps that adapters share."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from hippo_core.ids import Agent
from hippo_core.transcripts.model import RawSession, RawTurn, Resume, Skipped, Source


class Report:
    """What a reading met besides turns: unknown record types with counts, and what was skipped."""

    def __init__(self) -> None:
        self.unknown: dict[str, int] = {}
        self.skipped: list[Skipped] = []

    def count_unknown(self, record_type: str) -> None:
        """Count one record, block or event of a type this adapter does not know."""
        self.unknown[record_type] = self.unknown.get(record_type, 0) + 1

    def skip(self, path: Path, problem: str) -> None:
        """Note what could not be read; `problem` never quotes transcript text."""
        self.skipped.append(Skipped(path, problem))

    def refused(self, path: Path, error: OSError) -> None:
        """Note a file or folder that the operating system would not let be read."""
        self.skip(path, error.strerror or "cannot be read")


class Adapter(Protocol):
    """An agent whose transcripts hippo can read; modules satisfy it."""

    @property
    def AGENT(self) -> Agent: ...

    def default_roots(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """Where this agent keeps transcripts for a person whose home is `home`."""
        ...

    def discover(self, root: Path, report: Report) -> Iterator[Source]:
        """Every source under `root`, stamped, in a stable order; no transcript file is opened.

        `root` is the agent's own data folder (`~/.claude`, `~/.codex`) or any folder that holds its transcripts.
        """
        ...

    def read(
        self, source: Source, resume: Resume | None, report: Report
    ) -> Iterator[RawSession | RawTurn | Resume]:
        """Sessions and turns of `source` in file order, then at most one `Resume` as the last item.

        A `RawSession` may come again when more is known of it. With `resume` only what follows it is read; turns that
        changed come again with the same identity. Raises `DataError` only when nothing of the source can be read.
        """
        ...


def folders(root: Path, name: str) -> list[Path]:
    """The folders of a client's home that hold its sessions, with copies set aside beside them; else `root` itself."""
    found = sorted(folder for folder in root.glob(f"{name}*") if folder.is_dir())
    return found or [root]


def walked(start: Path, report: Report) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Each folder at or below `start` by name, with the folders in it, which may be cleared, and the files."""
    for folder, inner, names in os.walk(
        start, onerror=lambda error: report.refused(Path(error.filename), error)
    ):
        inner.sort()
        yield Path(folder), inner, sorted(names)


def status_of(path: Path, report: Report) -> os.stat_result | None:
    """What the file system says of `path`, or a skip."""
    try:
        return path.stat()
    except OSError as error:
        report.refused(path, error)
        return None
