"""Derived records, from what the index holds."""

from pathlib import Path

from hippo_core.ids import Agent, session_id
from hippo_core.index.entry import Redactor
from hippo_core.index.files import IndexFiles
from hippo_core.index.store import Progress
from hippo_core.index.writer import Writer
from hippo_core.redaction.engine import compile_rules
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Role
from hippo_core.workflows import records
from hippo_core.workspace import layout, ledger
from hippo_core.workspace.layout import Home, Workspace

RULES = compile_rules(accelerated=False)
TEN_O_CLOCK_MS = 1_777_629_600_000


def index_session(writer: Writer, name: str, cwd: Path, *turns: RawTurn) -> None:
    """Put one session into the index, as ingest does."""
    redactor = Redactor(RULES)
    writer.begin_source(Agent.CODEX, "root", name, redactor.text(name), whole=True)
    writer.session(redactor.session(Agent.CODEX, RawSession(native_id=name, cwd=str(cwd))))
    for turn in turns:
        writer.turn(redactor.turn(Agent.CODEX, turn))
    writer.end_source(Progress(b"", 0, 0, "", ""), {}, complete=True)


def said(name: str, text: str, kind: Kind = Kind.PROMPT) -> RawTurn:
    return RawTurn(
        identity=f"{name}-said",
        session=name,
        order=0,
        role=Role.USER if kind is Kind.PROMPT else Role.SYSTEM,
        kind=kind,
        text=text,
        time_ms=TEN_O_CLOCK_MS,
    )


def read(name: str, path: Path) -> RawTurn:
    return RawTurn(
        identity=f"{name}-read",
        session=name,
        order=1,
        role=Role.ASSISTANT,
        kind=Kind.TOOL_CALL,
        text="",
        files=(str(path),),
        time_ms=TEN_O_CLOCK_MS,
    )


def test_indexed_sessions_leave_records_where_they_belong_and_nowhere_else(
    project: Workspace, home: Home, tmp_path: Path
) -> None:
    layout.make(home)
    with Writer(IndexFiles(home.root)) as writer:
        index_session(writer, "folder", project.root / "src", said("folder", "Mend the parser"))
        index_session(
            writer, "read", tmp_path, said("read", "Read on"), read("read", project.notes_dir / "parser.md")
        )
        index_session(writer, "cited", tmp_path, said("cited", "As [[parser]] says"))
        index_session(writer, "shown", tmp_path, said("shown", "[[parser]]", Kind.INJECTED))
        index_session(writer, "other", tmp_path, said("other", "Something else in README.md"))
        writer.commit()
    first = records.refresh(home, project, RULES)
    again = records.refresh(home, project, RULES)
    assert (first.written, first.unchanged, first.removed) == (3, 0, 0)
    assert (again.written, again.unchanged, again.removed) == (0, 3, 0)
    kept = ledger.read_all(project).derived
    assert {session: (record.reason, record.notes) for session, record in kept.items()} == {
        session_id(Agent.CODEX, "folder"): ("folder", ()),
        session_id(Agent.CODEX, "read"): ("note", ("parser.md",)),
        session_id(Agent.CODEX, "cited"): ("note", ("parser.md",)),
    }
    folder = kept[session_id(Agent.CODEX, "folder")]
    assert folder.task == "Mend the parser"
    assert folder.started == "2026-05-01T10:00:00.000Z"
