"""Reading sources into redacted entries, in this process or in others; the writer stays where it is."""

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context, parent_process, resource_tracker
from typing import Final

import msgspec

from hippo_core.errors import DataError
from hippo_core.index.entry import Redactor, SessionEntry, TurnEntry
from hippo_core.redaction.engine import Rules
from hippo_core.storage import faults
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import RawSession, Resume, Skipped, Source
from hippo_core.transcripts.registry import ADAPTERS

# A source above this is read here, a piece at a time, so that no process holds it whole.
_HANDED_OVER_BYTES: Final = 16 << 20
_IN_FLIGHT_PER_JOB: Final = 2


class Work(msgspec.Struct, frozen=True):
    """A source to read, from where an earlier reading stopped or from its beginning."""

    source: Source
    root: str
    resume: Resume | None


class Outcome(msgspec.Struct):
    """What a reading came to, filled when its entries are used up.

    `problem` says why nothing of the source could be read: it will not get better before the source moves.
    `retry` says that the system refused, so that the next ingest should try again.
    """

    resume: Resume | None = None
    unknown: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    skipped: list[Skipped] = msgspec.field(default_factory=list[Skipped])
    redactions: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    problem: str = ""
    retry: bool = False


class Reading(msgspec.Struct):
    """One source being read: its entries in order, then its outcome."""

    work: Work
    entries: Iterator[SessionEntry | TurnEntry]
    outcome: Outcome


def read(work: Work, redactor: Redactor, outcome: Outcome) -> Iterator[SessionEntry | TurnEntry]:
    """The redacted entries of one source; problems go to `outcome`, never up."""
    source, report = work.source, Report()
    adapter = ADAPTERS[source.agent]
    before = dict(redactor.tally.counts)
    try:
        for item in adapter.read(source, work.resume, report):
            if isinstance(item, Resume):
                outcome.resume = item
            elif isinstance(item, RawSession):
                yield redactor.session(source.agent, item)
            else:
                yield redactor.turn(source.agent, item)
    except DataError as error:
        report.skip(error.path, error.problem)
        outcome.problem = error.problem
    except OSError as error:
        report.skip(source.path, faults.mend(error))
        outcome.retry = True
    outcome.unknown = report.unknown
    outcome.skipped = report.skipped
    outcome.redactions = {
        kind: count - before.get(kind, 0)
        for kind, count in redactor.tally.counts.items()
        if count != before.get(kind, 0)
    }


def readings(todo: Sequence[Work], rules: Rules, jobs: int) -> Iterator[Reading]:
    """Every source of `todo` read, in order; with `jobs` above 1 small ones are parsed and redacted elsewhere."""
    redactor = Redactor(rules)
    if jobs < 2 or len(todo) < 2:
        yield from (_here(work, redactor) for work in todo)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start, (rules,)) as pool:
        waiting: deque[Work | tuple[Work, Future[_Parcel]]] = deque()
        rest = iter(todo)
        while True:
            for work in islice(rest, jobs * _IN_FLIGHT_PER_JOB - len(waiting)):
                large = work.source.size > _HANDED_OVER_BYTES
                waiting.append(work if large else (work, _handed_over(pool, work)))
            if not waiting:
                return
            first = waiting.popleft()
            yield _here(first, redactor) if isinstance(first, Work) else _received(*first)


def _handed_over(pool: ProcessPoolExecutor, work: Work) -> "Future[_Parcel]":
    """Submit `work`; a worker that this starts is born deaf to Ctrl-C, which waits for the parent meanwhile."""
    if sys.platform == "win32":
        return pool.submit(_elsewhere, work)
    # Started later, it would let interrupts through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_elsewhere, work)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _here(work: Work, redactor: Redactor) -> Reading:
    outcome = Outcome()
    return Reading(work, read(work, redactor, outcome), outcome)


def _received(work: Work, future: "Future[_Parcel]") -> Reading:
    entries, outcome = future.result()
    return Reading(work, iter(entries), outcome)


_Parcel = tuple[list[SessionEntry | TurnEntry], Outcome]


class _Process:
    """What a worker process keeps between sources."""

    redactor: Redactor


def _start(rules: Rules) -> None:
    # The person's Ctrl-C reaches every process of the group; only the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Process.redactor = Redactor(rules)


def _end_with_parent() -> None:
    """A parent that was killed can tell its workers nothing: they see it end."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _elsewhere(work: Work) -> _Parcel:
    outcome = Outcome()
    return list(read(work, _Process.redactor, outcome)), outcome
