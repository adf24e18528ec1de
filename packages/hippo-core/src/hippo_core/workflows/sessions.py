"""Sessions of a workspace: declared by hooks or a person, derived by ingest."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.errors import DataError, UserError
from hippo_core.ids import Agent, SessionId
from hippo_core.records import times
from hippo_core.records.wire import SessionEvent, SessionRecord
from hippo_core.redaction.text import EMPTY, Redacted, Scrubber, redact
from hippo_core.workspace import ledger
from hippo_core.workspace.layout import Workspace
from hippo_core.workspace.sessions import Grounds, Reason, SessionFacts, Why, belongs, is_local

_LONGEST_TASK: Final = 2000


class Derived(msgspec.Struct, frozen=True, kw_only=True):
    """What `derive` did: records written, left as they were, removed; sessions declared; records not readable."""

    written: int = 0
    unchanged: int = 0
    removed: int = 0
    declared: int = 0
    unreadable: tuple[DataError, ...] = ()


def start(
    workspace: Workspace,
    *,
    session: SessionId,
    agent: Agent,
    task: Redacted,
    now: datetime,
    cwd: Redacted = EMPTY,
    parent: SessionId | None = None,
    context_bytes: int = 0,
) -> SessionRecord:
    """Declare that `session` has begun; one that was declared before goes on, and its first start stays."""
    known = ledger.read(workspace, session, "declared")
    began = times.of_moment(now)
    if known is None:
        record = ledger.record(
            session=session,
            agent=agent,
            origin="declared",
            started=began,
            task=task,
            cwd=cwd,
            parent=parent,
            context_bytes=context_bytes,
        )
    else:
        record = msgspec.structs.replace(
            known,
            task=ledger.writable(task) or known.task,
            context_bytes=known.context_bytes + context_bytes,
            ended=None,
        )
    ledger.write(workspace, record)
    event = SessionEvent(
        event="start", session=record.id, agent=record.agent, time=began, task=ledger.writable(task)
    )
    ledger.log(workspace, event)
    return record


def end(workspace: Workspace, session: SessionId, handoff: Redacted, now: datetime) -> SessionRecord:
    """Declare that `session` has ended and what it hands on; `UserError` when nothing is known of it."""
    known = ledger.read(workspace, session, "declared") or ledger.read(workspace, session, "derived")
    if known is None:
        raise UserError(f"no session {session} in this workspace: begin it with `hippo session start`")
    ended = times.of_moment(now)
    said = ledger.writable(handoff)
    record = msgspec.structs.replace(known, origin="declared", ended=ended, handoff=said or known.handoff)
    ledger.write(workspace, record)
    ledger.remove(workspace, session, "derived")
    event = SessionEvent(event="end", session=record.id, agent=record.agent, time=ended, handoff=said)
    ledger.log(workspace, event)
    return record


def open_sessions(workspace: Workspace) -> list[SessionRecord]:
    """The declared sessions that have not ended, the latest first."""
    records = ledger.read_all(workspace).declared.values()
    return sorted((record for record in records if record.ended is None), key=_start, reverse=True)


def derive(sessions: Iterable[SessionFacts], workspace: Workspace, rules: Scrubber) -> Derived:
    """Bring the derived records of `workspace` up to date with `sessions`.

    A session that belongs and has no declared record gets a derived one; a derived record of a session that does
    not belong is removed. A record of a session that is not among `sessions` stays: nothing speaks against it.
    """
    kept = ledger.read_all(workspace)
    grounds = Grounds.of(workspace, rules)
    broken = {error.path for error in kept.unreadable}
    written = unchanged = removed = declared = 0
    for facts in sessions:
        old = kept.derived.get(facts.id)
        reason = belongs(facts, grounds)
        if facts.id in kept.declared:
            declared += 1
            ledger.remove(workspace, facts.id, "derived")
        elif reason is not None:
            if ledger.path_of(workspace, facts.id, "derived") in broken:
                continue
            changed = ledger.write(workspace, _derived(facts, reason, old, rules))
            written, unchanged = written + changed, unchanged + (not changed)
        elif old is not None and not _worktree_is_gone(old, facts):
            ledger.remove(workspace, facts.id, "derived")
            removed += 1
    return Derived(
        written=written,
        unchanged=unchanged,
        removed=removed,
        declared=declared,
        unreadable=kept.unreadable,
    )


def _derived(
    facts: SessionFacts, reason: Reason, old: SessionRecord | None, rules: Scrubber
) -> SessionRecord:
    new = ledger.record(
        session=facts.id,
        agent=facts.agent,
        origin="derived",
        reason=reason.why.value,
        task=_shortened(facts.task, rules),
        notes=tuple(redact(note, rules) for note in reason.notes),
        cwd=redact(reason.cwd, rules),
        started=times.of_milliseconds(facts.started_ms),
        ended=times.of_milliseconds(facts.ended_ms),
        parent=facts.parent,
    )
    return new if old is None else msgspec.structs.replace(new, extra=old.extra)


def _worktree_is_gone(old: SessionRecord, facts: SessionFacts) -> bool:
    """Whether the record was right when written and only its worktree has since been removed."""
    if old.reason != Why.WORKTREE or facts.cwd is None or not is_local(facts.cwd.text):
        return False
    return not Path(facts.cwd.text).exists()


def _shortened(task: Redacted, rules: Scrubber) -> Redacted:
    if len(task.text) <= _LONGEST_TASK:
        return task
    return redact(task.text[:_LONGEST_TASK] + "…", rules)


def _start(record: SessionRecord) -> str:
    return record.started or ""
