"""Ingest: discover sources, stamp, read the new part, redact, index; what is gone goes to the archive."""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.errors import DataError, HippoError
from hippo_core.ids import Agent
from hippo_core.index import archive, seal
from hippo_core.index.entry import Redactor, SessionEntry, TurnEntry
from hippo_core.index.facts import KnownSource
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.index.store import Progress as ReadProgress
from hippo_core.index.writer import Writer
from hippo_core.records import times
from hippo_core.redaction.engine import Rules
from hippo_core.storage import faults, lock
from hippo_core.transcripts.model import Skipped, Source
from hippo_core.transcripts.registry import ADAPTERS
from hippo_core.workflows import reading, scanning
from hippo_core.workflows.scanning import Difference, Root, Scan
from hippo_core.workspace.layout import Home, make
from hippo_core.workspace.settings import Config

LOCK_WAIT_SECONDS: Final = 10.0
_ARCHIVE_ROOT: Final = "archive"
_BYTES_PER_CHARACTER_OF_TEXT: Final = 3


class Progress(msgspec.Struct, frozen=True):
    """How far an ingest has come: sources and bytes, done and in all."""

    done_sources: int
    all_sources: int
    done_bytes: int
    all_bytes: int


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What an ingest did. `sessions` and `turns` count what the index now holds; the rest is of this run."""

    sessions: int
    turns: int
    read: int
    skipped: int
    gone: int
    bytes_read: int
    redactions: dict[str, int]
    problems: tuple[Skipped, ...]
    unknown: dict[str, dict[str, int]]
    healed: tuple[str, ...]


def default_roots(home_dir: Path, environment: Mapping[str, str], config: Config) -> list[Root]:
    """Where each agent keeps its transcripts here, unless the settings name other folders."""
    found: list[Root] = []
    for agent, adapter in ADAPTERS.items():
        configured = config.transcript_roots.get(agent)
        paths = (
            adapter.default_roots(home_dir, environment)
            if configured is None
            else tuple(home_dir / path.removeprefix("~/") for path in configured)
        )
        found.extend(Root(agent, path) for path in dict.fromkeys(paths))
    return found


def ingest(
    home: Home,
    roots: Sequence[Root],
    rules: Rules,
    *,
    now: datetime,
    full: bool = False,
    restricted: bool = False,
    since_ms: int | None = None,
    jobs: int = 1,
    forget_gone: bool = False,
    wait_seconds: float = LOCK_WAIT_SECONDS,
    progress: Callable[[Progress], None] | None = None,
) -> Summary:
    """Bring the index up to date with every source below `roots`.

    `full` reads everything again; with all roots (not `restricted`) the index is built anew beside the old one and
    put in its place at the end. `since_ms` leaves out sources that last changed before it. Raises `BusyError` when
    another ingest does not end within `wait_seconds`, `HippoError` when the home cannot be written.
    """
    make(home)
    files = IndexFiles(home.root)
    scan = Scan(roots, rules, full=full, since_ms=since_ms)
    if not full and not forget_gone and (nothing := _nothing_moved(files, scan)) is not None:
        return nothing
    holder = lock.Holder(os.getpid(), "hippo ingest", times.of_moment(now))
    with lock.hold(home.lock, wait_seconds, holder), faults.explained(home.root):
        beside = IndexFiles(home.root / "rebuild")
        beside.remove()
        anew = full and not restricted
        if anew:
            beside.folder.mkdir(mode=0o700, exist_ok=True)
        with Writer(beside if anew else files) as writer:
            summary = _Run(home, writer, rules, jobs, progress).through(scan, now, forget_gone=forget_gone)
        if anew:
            files.replace_with(beside)
            seal.write(files)
        return summary


def _nothing_moved(files: IndexFiles, scan: Scan) -> Summary | None:
    """The summary of an ingest with nothing to do, found without writing a byte; None when there is work."""
    if not seal.holds(files):
        return None
    try:
        with Reader(files) as index:
            known = {source.key: source for source in index.sources()}
            found = scan.against(known)
            if not known or found.work or found.lost or scan.problems:
                return None
            sessions, turns = index.totals()
            return Summary(
                sessions=sessions,
                turns=turns,
                read=0,
                skipped=found.unchanged,
                gone=0,
                bytes_read=0,
                redactions={},
                problems=tuple(_remembered(index.problems())),
                unknown=index.unknown(),
                healed=(),
            )
    except HippoError:
        return None


def _spelled(path: Path) -> str:
    """A path as text that any file can hold; a byte of its name that is no UTF-8 becomes U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")


def _remembered(problems: Sequence[tuple[str, str]]) -> list[Skipped]:
    return [Skipped(Path(path), problem) for path, problem in problems]


class _Run:
    """One ingest under way: what it was asked for and what it has counted."""

    def __init__(
        self,
        home: Home,
        writer: Writer,
        rules: Rules,
        jobs: int,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._home = home
        self._writer = writer
        self._rules = rules
        self._redactor = Redactor(rules)
        self._jobs = jobs
        self._progress = progress
        self._redactions: dict[str, int] = {}
        self._problems: list[Skipped] = []
        self._bytes = 0

    def through(self, scan: Scan, now: datetime, *, forget_gone: bool) -> Summary:
        """Read what moved, archive what is gone."""
        known = {source.key: source for source in self._writer.store.sources()}
        if not known:
            self._restore_archive()
        found = scan.against(known)
        self._problems.extend(map(self._shown, scan.problems))
        self._read(found.work)
        self._archive(found, known)
        if forget_gone:
            self._forget_gone({root.agent for root in scan.roots})
        self._finish(now, changed=bool(found.work or found.lost or not known))
        return self._summary(found)

    def _read(self, todo: Sequence[reading.Work]) -> None:
        all_bytes = sum(scanning.bytes_of(work) for work in todo)
        self._rules.expect(all_bytes // _BYTES_PER_CHARACTER_OF_TEXT)
        for done, one in enumerate(reading.readings(todo, self._rules, self._jobs), start=1):
            self._take(one)
            self._bytes += scanning.bytes_of(one.work)
            if self._progress is not None:
                self._progress(Progress(done, len(todo), self._bytes, all_bytes))

    def _take(self, one: reading.Reading) -> None:
        source, writer = one.work.source, self._writer
        path = self._redactor.text(_spelled(source.path))
        whole = one.work.resume is None
        writer.begin_source(source.agent, one.work.root, scanning.key(source), path, whole=whole)
        for entry in one.entries:
            if isinstance(entry, TurnEntry):
                writer.turn(entry)
            else:
                writer.session(entry)
        outcome = one.outcome
        writer.end_source(
            self._progress_of(source, outcome),
            outcome.unknown,
            complete=not (outcome.problem or outcome.retry),
        )
        self._problems.extend(map(self._shown, outcome.skipped))
        for kind, count in outcome.redactions.items():
            self._redactions[kind] = self._redactions.get(kind, 0) + count

    def _shown(self, skipped: Skipped) -> Skipped:
        """A path goes into reports and may hold a secret like any other text."""
        return Skipped(Path(self._redactor.text(_spelled(skipped.path)).text), skipped.problem)

    def _progress_of(self, source: Source, outcome: reading.Outcome) -> ReadProgress:
        """What to remember of a reading; one refused, or whose carry holds a secret, is read whole next time."""
        stamp = b"" if outcome.retry else scanning.stamp(source, self._rules)
        resume = outcome.resume
        if resume is None or outcome.retry or self._redactor.text(resume.carry).text != resume.carry:
            problem = self._redactor.text(outcome.problem).text
            return ReadProgress(stamp, source.size, 0, "", "", problem)
        return ReadProgress(stamp, source.size, resume.offset, resume.prefix, resume.carry)

    def _archive(self, found: Difference, known: Mapping[str, KnownSource]) -> None:
        """Keep the turns of sources that are gone; forget the archive of those that came back."""
        store, folder = self._writer.store, self._home.archive
        if found.lost:
            store.begin()
        for source in found.lost:
            store.mark_gone(source.id)
        touched = {number for source in found.lost for number in store.sessions_of(source.id)}
        for work in found.work:
            before = known.get(scanning.key(work.source))
            if before is not None and before.gone:
                touched.update(store.sessions_of(before.id))
        for number in sorted(touched):
            session, turns = store.session_row(number), list(store.gone_rows_of(number))
            if turns:
                archive.write(folder, session, turns)
            else:
                archive.path_of(folder, Agent(session["agent"]), session["id"]).unlink(missing_ok=True)

    def _restore_archive(self) -> None:
        """Give a new store what only the archive still holds."""
        writer = self._writer
        for path in archive.files(self._home.archive):
            key = scanning.hashed(f"{_ARCHIVE_ROOT}\0{path.parent.name}\0{path.name}")
            try:
                entries = list(archive.read(path, self._redactor))
            except (DataError, OSError) as error:
                problem = error.problem if isinstance(error, DataError) else faults.mend(error)
                self._problems.append(self._shown(Skipped(path, problem)))
                continue
            writer.begin_source(
                Agent(path.parent.name), _ARCHIVE_ROOT, key, self._redactor.text(path.name), whole=True
            )
            for entry in entries:
                if isinstance(entry, SessionEntry):
                    writer.session(entry)
                else:
                    writer.turn(entry)
            source = writer.end_source(ReadProgress(b"", 0, 0, "", ""), {}, complete=True)
            writer.store.mark_gone(source)

    def _forget_gone(self, agents: set[Agent]) -> None:
        for source in self._writer.store.sources():
            if source.gone and source.agent in agents:
                for number in self._writer.store.sessions_of(source.id):
                    row = self._writer.store.session_row(number)
                    archive.path_of(self._home.archive, source.agent, row["id"]).unlink(missing_ok=True)
                self._writer.drop_source(source.id)

    def _finish(self, now: datetime, *, changed: bool) -> None:
        """Commit, but write nothing at all when nothing moved."""
        if changed or self._writer.store.pending():
            self._writer.store.begin()
            self._writer.store.set_meta("ingested_ms", str(int(now.timestamp() * 1000)))
            self._writer.commit()

    def _summary(self, found: Difference) -> Summary:
        sessions, turns = self._writer.store.totals()
        return Summary(
            sessions=sessions,
            turns=turns,
            read=len(found.work),
            skipped=found.unchanged,
            gone=len(found.lost),
            bytes_read=self._bytes,
            redactions=dict(sorted(self._redactions.items())),
            problems=tuple(dict.fromkeys([*self._problems, *_remembered(self._writer.store.problems())])),
            unknown=self._writer.store.unknown(),
            healed=tuple(self._writer.healed),
        )
