"""OpenCode: sessions in its databases and in the trees of files it kept before, each read once."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.errors import DataError
from hippo_core.ids import Agent
from hippo_core.transcripts import opencode_store, opencode_tree, opencode_turns
from hippo_core.transcripts.adapter import Report, walked
from hippo_core.transcripts.model import RawSession, RawTurn, Resume, Source

AGENT: Final = Agent.OPENCODE


class _Held(msgspec.Struct, frozen=True):
    moved: int
    source: Source


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """OpenCode keeps everything in one data folder, the same on every system, which two variables may move."""
    if moved := environment.get("OPENCODE_DATA_DIR"):
        return (Path(moved),)
    data = environment.get("XDG_DATA_HOME")
    return ((Path(data) if data else home / ".local" / "share") / "opencode",)


def discover(root: Path, report: Report) -> Iterator[Source]:
    """Every session under `root`, stamped; one that a database and a tree hold is the database's.

    Databases are asked for ids and times alone, so that the sessions in them can be told apart.
    """
    for base in _bases(root, report):
        held = _held(base, report)
        for session_id in sorted(held):
            yield held[session_id].source
        yield from _stranded(base, frozenset(held), report)


def read(source: Source, resume: Resume | None, report: Report) -> Iterator[RawSession | RawTurn | Resume]:
    """One session whole, since its rows change in place; nothing when it is gone."""
    if source.path.suffix == ".json":
        session = opencode_tree.session(source.path, report)
    else:
        session = opencode_store.session(source.path, source.key.rpartition("#")[2], report)
    if session is not None:
        yield opencode_turns.session(session)
        yield from opencode_turns.turns(session, report)


def _held(base: Path, report: Report) -> dict[str, _Held]:
    """The sessions of every database in `base`; where two hold the same, the one that moved last."""
    held: dict[str, _Held] = {}
    for path in _databases(base):
        try:
            listed = opencode_store.sessions(path)
        except DataError as error:
            report.skip(error.path, error.problem)
            continue
        except OSError as error:
            report.refused(path, error)
            continue
        for one in listed:
            before = held.get(one.id)
            if before is None or before.moved < one.moved:
                key = f"{os.fspath(path)}#{one.id}"
                held[one.id] = _Held(one.moved, Source(agent=AGENT, path=path, key=key, stamp=one.stamp))
    return held


def _stranded(base: Path, held: frozenset[str], report: Report) -> Iterator[Source]:
    """The sessions that only a tree of files holds."""
    seen = set(held)
    for path in opencode_tree.infos(base):
        if path.stem in seen:
            continue
        seen.add(path.stem)
        try:
            stamp, size = opencode_tree.stamped(path)
        except OSError as error:
            report.refused(path, error)
        else:
            yield Source(agent=AGENT, path=path, key=f"{path}#{path.stem}", stamp=stamp, size=size)


def _databases(base: Path) -> list[Path]:
    return sorted(path for path in base.glob("opencode*.db") if path.is_file())


def _bases(root: Path, report: Report) -> Iterator[Path]:
    """The data folders at or below `root`; what lies inside one is not searched."""
    if root.name == "storage" and (root / "session").is_dir():
        yield root.parent
        return
    for base, inner, _ in walked(root, report):
        if (
            _databases(base)
            or any((base / "storage").glob("session/*"))
            or any(base.glob("project/*/storage"))
        ):
            inner.clear()
            yield base
