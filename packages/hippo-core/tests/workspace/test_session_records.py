"""Sessions declared and derived, on disk."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from hippo_core.errors import HippoError, UserError
from hippo_core.ids import Agent, SessionId, session_id
from hippo_core.redaction.text import EMPTY, Redacted, Tally, redact
from hippo_core.workflows import sessions
from hippo_core.workflows.init import initialise
from hippo_core.workspace import ledger
from hippo_core.workspace.layout import Home, Workspace
from hippo_core.workspace.sessions import SessionFacts

Git = Callable[..., None]
NOW = datetime(2026, 5, 1, 10, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
ONE = session_id(Agent.CODEX, "one")
TWO = session_id(Agent.CODEX, "two")
SECRET = "sk-" + "live" + "0" * 20


class OneSecret:
    """Rules that find `SECRET` alone."""

    def scrub(self, raw: str, tally: Tally | None) -> str:
        return raw.replace(SECRET, "[redacted:key]")


RULES = OneSecret()


def clean(raw: str) -> Redacted:
    return redact(raw, RULES)


def facts(session: SessionId, cwd: Path, files: tuple[str, ...] = (), ended_ms: int = 60_000) -> SessionFacts:
    return SessionFacts(
        id=session,
        agent=Agent.CODEX,
        cwd=clean(str(cwd)),
        files=tuple(clean(file) for file in files),
        task=clean("Write the parser"),
        started_ms=0,
        ended_ms=ended_ms,
    )


def names(workspace: Workspace) -> list[str]:
    return sorted(path.name for path in workspace.sessions.iterdir())


def declare(workspace: Workspace, session: SessionId = ONE, task: str = "Write the parser") -> None:
    sessions.start(workspace, session=session, agent=Agent.CODEX, task=clean(task), now=NOW)


def test_a_session_is_declared_and_ended_with_a_handoff(project: Workspace) -> None:
    declare(project)
    record = sessions.end(project, ONE, clean("Done, see [[parser]]"), LATER)
    assert record.origin == "declared"
    assert record.started == "2026-05-01T10:00:00.000Z"
    assert record.ended == "2026-05-01T11:00:00.000Z"
    assert record.handoff == "Done, see [[parser]]"
    assert ledger.read(project, ONE, "declared") == record
    lines = [msgspec.json.decode(line) for line in project.session_log.read_bytes().splitlines()]
    assert [(line["event"], line["session"]) for line in lines] == [("start", ONE), ("end", ONE)]


def test_a_session_that_goes_on_keeps_its_first_start_and_its_unknown_fields(project: Workspace) -> None:
    declare(project)
    path = ledger.path_of(project, ONE, "declared")
    path.write_bytes(path.read_bytes().replace(b'"cwd"', b'"mood": 1, "cwd"'))
    sessions.end(project, ONE, clean("first"), LATER)
    again = sessions.start(project, session=ONE, agent=Agent.CODEX, task=EMPTY, now=LATER, context_bytes=10)
    assert again.started == "2026-05-01T10:00:00.000Z"
    assert again.ended is None
    assert again.task == "Write the parser"
    assert again.extra == {"mood": 1}
    assert sessions.end(project, ONE, EMPTY, LATER).handoff == "first"


def test_a_session_nobody_knows_cannot_be_ended(project: Workspace) -> None:
    with pytest.raises(UserError, match="hippo session start"):
        sessions.end(project, ONE, EMPTY, NOW)
    with pytest.raises(UserError, match="not a session's id"):
        sessions.end(project, SessionId("../../x"), EMPTY, NOW)


def test_open_sessions_come_latest_first(project: Workspace) -> None:
    declare(project)
    sessions.start(project, session=TWO, agent=Agent.CODEX, task=EMPTY, now=LATER)
    assert [record.id for record in sessions.open_sessions(project)] == [TWO, ONE]
    sessions.end(project, TWO, EMPTY, LATER)
    assert [record.id for record in sessions.open_sessions(project)] == [ONE]


def test_records_are_derived_for_sessions_that_belong_alone(project: Workspace, tmp_path: Path) -> None:
    known = [facts(ONE, project.root / "src", ("../notes/parser.md",)), facts(TWO, tmp_path / "other")]
    done = sessions.derive(known, project, RULES)
    assert (done.written, done.removed, done.unchanged) == (1, 0, 0)
    assert names(project) == [f"{ONE}.derived.json"]
    record = ledger.read(project, ONE, "derived")
    assert record is not None
    assert (record.reason, record.cwd, record.notes) == ("folder", "src", ("parser.md",))
    assert (record.started, record.ended) == ("1970-01-01T00:00:00.000Z", "1970-01-01T00:01:00.000Z")


def test_deriving_again_writes_nothing_until_the_session_goes_on(project: Workspace) -> None:
    sessions.derive([facts(ONE, project.root)], project, RULES)
    path = ledger.path_of(project, ONE, "derived")
    before = path.stat()
    assert sessions.derive([facts(ONE, project.root)], project, RULES).unchanged == 1
    assert path.stat().st_ino == before.st_ino
    assert sessions.derive([facts(ONE, project.root, ended_ms=90_000)], project, RULES).written == 1


def test_records_of_other_projects_are_removed_and_counted(project: Workspace, tmp_path: Path) -> None:
    sessions.derive([facts(ONE, project.root), facts(TWO, project.root)], project, RULES)
    done = sessions.derive([facts(ONE, tmp_path), facts(TWO, project.root)], project, RULES)
    assert (done.removed, done.unchanged) == (1, 1)
    assert names(project) == [f"{TWO}.derived.json"]


def test_a_record_of_a_session_that_is_not_asked_about_stays(project: Workspace) -> None:
    sessions.derive([facts(ONE, project.root)], project, RULES)
    assert sessions.derive([], project, RULES).removed == 0
    assert names(project) == [f"{ONE}.derived.json"]


def test_a_declared_session_has_no_derived_record(project: Workspace) -> None:
    sessions.derive([facts(ONE, project.root)], project, RULES)
    declare(project, task="mine")
    done = sessions.derive([facts(ONE, project.root)], project, RULES)
    assert done.declared == 1
    assert names(project) == [f"{ONE}.json"]
    record = ledger.read(project, ONE, "declared")
    assert record is not None
    assert record.task == "mine"


def test_ending_a_derived_session_declares_it(project: Workspace) -> None:
    sessions.derive([facts(ONE, project.root)], project, RULES)
    assert sessions.end(project, ONE, clean("over"), LATER).origin == "declared"
    assert names(project) == [f"{ONE}.json"]


def test_a_record_outlives_the_worktree_it_ran_in(project: Workspace, tmp_path: Path, git: Git) -> None:
    beside = tmp_path / "beside"
    git(project.root, "worktree", "add", "-q", str(beside))
    assert sessions.derive([facts(ONE, beside)], project, RULES).written == 1
    git(project.root, "worktree", "remove", str(beside))
    assert sessions.derive([facts(ONE, beside)], project, RULES).removed == 0
    beside.mkdir()
    assert sessions.derive([facts(ONE, beside)], project, RULES).removed == 1


def test_a_broken_record_is_told_and_left_as_it_is(project: Workspace) -> None:
    project.sessions.mkdir()
    path = project.sessions / f"{ONE}.derived.json"
    path.write_bytes(b"{half")
    done = sessions.derive([facts(ONE, project.root), facts(TWO, project.root)], project, RULES)
    assert [error.path for error in done.unreadable] == [path]
    assert done.written == 1
    assert path.read_bytes() == b"{half"


def test_no_secret_reaches_a_record_not_even_in_a_note_s_name(project: Workspace) -> None:
    known = facts(ONE, project.root / SECRET, (f"../notes/{SECRET}.md",))
    (project.notes_dir / f"{SECRET}.md").write_bytes(b"")
    known = msgspec.structs.replace(known, texts=(clean("x"),), task=clean("use " + SECRET))
    sessions.derive([known], project, RULES)
    declare(project, TWO, "use " + SECRET)
    for path in project.hippo_dir.rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes()


def test_a_workspace_whose_own_path_is_redacted_knows_its_sessions(tmp_path: Path, home: Home) -> None:
    root = tmp_path / f"drive-{SECRET}" / "project"
    root.mkdir(parents=True)
    workspace = initialise(root, None, home).workspace
    known = facts(ONE, root / "src", (str(root / "notes" / "index.md"),))
    assert sessions.derive([known, facts(TWO, root.parent)], workspace, RULES).written == 1
    record = ledger.read(workspace, ONE, "derived")
    assert record is not None
    assert (record.reason, record.cwd, record.notes) == ("folder", "src", ("index.md",))


def test_a_task_of_any_length_is_kept_short(project: Workspace) -> None:
    known = msgspec.structs.replace(facts(ONE, project.root), task=clean("long " * 10_000 + "\ud800"))
    sessions.derive([known], project, RULES)
    record = ledger.read(project, ONE, "derived")
    assert record is not None
    assert len(record.task) == 2001


def test_half_a_surrogate_pair_does_not_stop_a_record(project: Workspace) -> None:
    declare(project, ONE, "odd \ud800")
    record = ledger.read(project, ONE, "declared")
    assert record is not None
    assert record.task == "odd ?"


def test_a_sessions_folder_that_is_a_link_is_refused(project: Workspace, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    project.sessions.symlink_to(tmp_path / "outside")
    with pytest.raises(HippoError, match="a link stands"):
        declare(project)
    assert list((tmp_path / "outside").iterdir()) == []
