"""Which sessions belong to a workspace."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo_core.ids import Agent, session_id
from hippo_core.redaction.text import Redacted, Tally, redact
from hippo_core.workflows.init import initialise
from hippo_core.workspace import handoff
from hippo_core.workspace.layout import Home, Workspace
from hippo_core.workspace.sessions import Grounds, Reason, SessionFacts, Why, belongs

Git = Callable[..., None]


class NoRules:
    """Rules that find nothing."""

    def scrub(self, raw: str, tally: Tally | None) -> str:
        return raw


def clean(raw: str) -> Redacted:
    return redact(raw, NoRules())


def facts(
    cwd: Path | str | None = None, files: tuple[Path | str, ...] = (), text: str | None = None
) -> SessionFacts:
    return SessionFacts(
        id=session_id(Agent.CODEX, "one"),
        agent=Agent.CODEX,
        cwd=None if cwd is None else clean(str(cwd)),
        files=tuple(clean(str(file)) for file in files),
        texts=() if text is None else (clean(text),),
    )


def judged(workspace: Workspace, known: SessionFacts) -> Reason | None:
    return belongs(known, Grounds.of(workspace))


def test_a_session_in_the_folder_belongs(project: Workspace) -> None:
    assert judged(project, facts(project.root)) == Reason(Why.FOLDER, ".", ())
    assert judged(project, facts(project.root / "src" / "gone")) == Reason(Why.FOLDER, "src/gone", ())


def test_a_session_beside_the_folder_does_not_belong(project: Workspace, tmp_path: Path) -> None:
    (tmp_path / "project-two").mkdir()
    assert judged(project, facts(tmp_path / "project-two")) is None
    assert judged(project, facts(tmp_path)) is None
    assert judged(project, facts(project.root / ".." / "other")) is None


def test_a_session_in_a_worktree_belongs(project: Workspace, tmp_path: Path, git: Git) -> None:
    git(project.root, "worktree", "add", "-q", str(tmp_path / "beside"))
    git(project.root, "worktree", "add", "-q", ".claude/worktrees/fix-1")
    assert judged(project, facts(tmp_path / "beside" / "src")) == Reason(Why.WORKTREE, "src", ())
    assert judged(project, facts(project.root / ".claude/worktrees/fix-1")) == Reason(Why.WORKTREE, ".", ())


def test_a_session_in_the_folder_through_a_link_belongs(project: Workspace, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(project.root)
    (project.root / "out").symlink_to(tmp_path)
    assert judged(project, facts(tmp_path / "link" / "src")) == Reason(Why.FOLDER, "src", ())
    assert judged(project, facts(project.root / "out" / "elsewhere")) is None


def test_a_session_in_another_repository_inside_does_not_belong(project: Workspace, git: Git) -> None:
    git(project.root, "init", "-q", "vendored")
    assert judged(project, facts(project.root / "vendored" / "src")) is None


def test_a_session_in_a_submodule_belongs(project: Workspace, tmp_path: Path, git: Git) -> None:
    git(tmp_path, "clone", "-q", str(project.root), "other")
    shutil.rmtree(tmp_path / "other" / ".hippo")
    git(tmp_path / "other", "commit", "-qam", "No workspace")
    git(project.root, "submodule", "--quiet", "add", str(tmp_path / "other"), "sub")
    assert judged(project, facts(project.root / "sub")) == Reason(Why.FOLDER, "sub", ())


def test_a_session_in_a_workspace_inside_belongs_to_that_one(project: Workspace, home: Home) -> None:
    (project.root / "inner").mkdir()
    inner = initialise(project.root / "inner", None, home).workspace
    assert judged(project, facts(inner.root / "src")) is None
    assert judged(inner, facts(inner.root / "src")) == Reason(Why.FOLDER, "src", ())


def test_repositories_below_a_workspace_outside_of_git_belong_to_it(
    tmp_path: Path, home: Home, git: Git
) -> None:
    (tmp_path / "all").mkdir()
    workspace = initialise(tmp_path / "all", None, home).workspace
    git(workspace.root, "init", "-q", "one")
    assert judged(workspace, facts(workspace.root / "one")) == Reason(Why.FOLDER, "one", ())


@pytest.mark.parametrize(
    "cwd",
    [
        "",
        ".",
        "src",
        "../project",
        "C:\\project",
        "c:/project",
        "\\\\wsl$\\Ubuntu\\x",
        "file:///c:/x",
        "//host/x",
        "a\0b",
    ],
)
def test_a_working_directory_of_another_system_is_joined_onto_nothing(
    project: Workspace, monkeypatch: pytest.MonkeyPatch, cwd: str
) -> None:
    monkeypatch.chdir(project.root)
    assert judged(project, facts(cwd)) is None
    assert judged(project, facts(cwd, files=("notes/parser.md",))) is None


def test_a_session_that_touched_a_note_belongs(project: Workspace, tmp_path: Path) -> None:
    note = project.notes_dir / "parser.md"
    assert judged(project, facts(tmp_path, (note,))) == Reason(Why.NOTE, "", ("parser.md",))
    assert judged(project, facts(tmp_path, ("project/notes/parser.md",))) == Reason(
        Why.NOTE, "", ("parser.md",)
    )
    assert judged(project, facts(None, ("project/notes/parser.md",))) is None


def test_a_note_that_is_gone_was_touched_all_the_same(project: Workspace, tmp_path: Path) -> None:
    known = facts(tmp_path, (project.notes_dir / "old" / "gone.md",))
    assert judged(project, known) == Reason(Why.NOTE, "", ("old/gone.md",))


def test_other_files_of_the_workspace_are_no_notes(project: Workspace, tmp_path: Path) -> None:
    files = (project.root / "README.md", project.notes_dir / "x.py", project.notes_dir / ".hidden.md")
    assert judged(project, facts(tmp_path, files)) is None
    assert judged(project, facts(tmp_path, (project.notes_dir / ".." / "README.md",))) is None


def test_a_note_touched_in_a_worktree_is_the_same_note(project: Workspace, tmp_path: Path, git: Git) -> None:
    git(project.root, "worktree", "add", "-q", str(tmp_path / "beside"))
    known = facts(tmp_path, (tmp_path / "beside" / "notes" / "parser.md",))
    assert judged(project, known) == Reason(Why.NOTE, "", ("parser.md",))


def test_a_session_that_cited_a_note_belongs(project: Workspace, tmp_path: Path) -> None:
    path = project.notes_dir / "parser.md"
    for text in ("as [[parser]] says", f"see {path}.", f"see `{path}:12`", f"({path})"):
        assert judged(project, facts(tmp_path, text=text)) == Reason(Why.NOTE, "", ("parser.md",)), text


def test_what_only_looks_like_a_citation_is_none(project: Workspace, tmp_path: Path) -> None:
    path = project.notes_dir / "parser.md"
    for text in ("`[[parser]]`", "[[nothing]]", f"{path}x", "notes/parser.md", "if [[ -f parser.md ]]; then"):
        assert judged(project, facts(tmp_path, text=text)) is None, text


def test_a_link_written_in_another_workspace_means_a_note_of_that_one(
    project: Workspace, tmp_path: Path, home: Home
) -> None:
    (tmp_path / "other").mkdir()
    other = initialise(tmp_path / "other", None, home).workspace
    assert judged(project, facts(other.root, text="[[parser]]")) is None
    cited = f"[[parser]] {project.notes_dir / 'parser.md'}"
    assert judged(project, facts(other.root, text=cited)) == Reason(Why.NOTE, "", ("parser.md",))


def test_a_session_in_the_folder_keeps_the_notes_it_touched(project: Workspace) -> None:
    known = facts(project.root, ("notes/parser.md",), text="[[index]]")
    assert judged(project, known) == Reason(Why.FOLDER, ".", ("index.md", "parser.md"))


@given(st.lists(st.sampled_from(["a", "b", "..", ".", "project", "notes", "x.md", " ", "é"]), max_size=7))
def test_a_session_belongs_by_folder_only_below_the_root(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    root = (tmp_path_factory.getbasetemp() / "contained" / "project").resolve()
    workspace = Workspace(root, root / "notes")
    grounds = Grounds(workspace, (), handoff.name_notes([]))
    cwd = "/".join([str(root.parent), *parts])
    reason = belongs(facts(cwd), grounds)
    assert (reason is not None) == Path(cwd).resolve().is_relative_to(root)
