"""What an ingest has to do: the sources that are there against those that the index remembers."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from hippo_core.ids import Agent
from hippo_core.index.facts import KnownSource
from hippo_core.redaction.engine import Rules
from hippo_core.transcripts import lines
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import Resume, Skipped, Source
from hippo_core.transcripts.registry import ADAPTERS
from hippo_core.workflows.reading import Work


class Root(msgspec.Struct, frozen=True):
    """A folder that holds transcripts of one agent."""

    agent: Agent
    path: Path


class Difference(msgspec.Struct, frozen=True):
    """What is to be read, what is no longer there, and how many sources have not moved."""

    work: tuple[Work, ...]
    lost: tuple[KnownSource, ...]
    unchanged: int


class Scan:
    """Every source below some roots, stamped once; no transcript is opened but to check where a grown one was left."""

    def __init__(self, roots: Sequence[Root], rules: Rules, *, full: bool, since_ms: int | None) -> None:
        self.roots = tuple(roots)
        self.problems: list[Skipped] = []
        self._rules = rules
        self._full = full
        self._since_ms = since_ms
        self._grown: dict[str, bool] = {}
        self._found = {root: self._discover(root) for root in self.roots}

    def against(self, known: Mapping[str, KnownSource]) -> Difference:
        """What differs from what the index remembers; a source outside these roots is never taken for gone."""
        work = [one for root in self.roots for one in self._moved(root, known)]
        lost = [one for root in self.roots for one in self._lost(root, known)]
        count = sum(len(found or ()) for found in self._found.values())
        return Difference(tuple(work), tuple(lost), count - len(work))

    def _discover(self, root: Root) -> dict[str, Source] | None:
        """The sources below a root by key, or None when it could not be looked through.

        A root that is not there says nothing of its sources: its disk may only be away.
        """
        report = Report()
        found = {key(source): source for source in ADAPTERS[root.agent].discover(root.path, report)}
        self.problems.extend(report.skipped)
        away = not root.path.exists() or bool(report.skipped)
        return None if away and not found else found

    def _moved(self, root: Root, known: Mapping[str, KnownSource]) -> Iterator[Work]:
        for name, source in (self._found[root] or {}).items():
            before = known.get(name)
            still = before is not None and not before.gone and before.stamp == stamp(source, self._rules)
            too_old = self._since_ms is not None and _changed_ms(source) < self._since_ms
            if not too_old and (self._full or not still):
                yield Work(source, root_name(root), self._resume(source, before))

    def _resume(self, source: Source, before: KnownSource | None) -> Resume | None:
        """Where to read on from, unless the rules changed or the file is no longer the one that was read."""
        if before is None or self._full or before.gone or not before.offset:
            return None
        if not before.stamp.endswith(self._rules.version.encode()):
            return None
        resume = Resume(offset=before.offset, prefix=before.prefix, carry=before.carry)
        if source.key not in self._grown:
            try:
                self._grown[source.key] = lines.starting_point(source.path, resume) is not None
            except OSError:
                self._grown[source.key] = False
        return resume if self._grown[source.key] else None

    def _lost(self, root: Root, known: Mapping[str, KnownSource]) -> Iterator[KnownSource]:
        found = self._found[root]
        name = root_name(root)
        for source in known.values():
            here = source.root == name and source.agent == root.agent
            if found is not None and here and not source.gone and source.key not in found:
                yield source


def key(source: Source) -> str:
    """What the index knows a source by."""
    return hashed(f"{source.agent}\0{source.key}")


def root_name(root: Root) -> str:
    """What the index knows a root by."""
    return hashed(f"{root.agent}\0{root.path.absolute()}")


def stamp(source: Source, rules: Rules) -> bytes:
    """What the index remembers of a source; text kept under other rules must be read again, so they are part of it."""
    return source.stamp + rules.version.encode()


def bytes_of(work: Work) -> int:
    """How many bytes a piece of work has to read."""
    return max(0, work.source.size - (work.resume.offset if work.resume else 0))


def hashed(name: str) -> str:
    """Paths may hold secrets: the index keeps what tells them apart and no more."""
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _changed_ms(source: Source) -> int:
    try:
        return source.path.stat().st_mtime_ns // 1_000_000
    except OSError:
        return 0
