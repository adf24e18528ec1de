"""Which workspace and which repository a folder lies in."""

import shutil
from collections.abc import Callable
from pathlib import Path

from hippo_core.workspace import find
from hippo_core.workspace.layout import Workspace

Git = Callable[..., None]


def test_the_innermost_workspace_is_found_from_below(project: Workspace) -> None:
    inner = project.root / "inner"
    (inner / ".hippo").mkdir(parents=True)
    (inner / ".hippo" / "hippo.toml").write_bytes(b"")
    assert find.workspace_root(project.root / "src" / "gone") == project.root
    assert find.workspace_root(inner / "deep") == inner


def test_a_home_of_hippo_s_is_no_workspace(tmp_path: Path) -> None:
    (tmp_path / ".hippo").mkdir()
    (tmp_path / ".hippo" / "config.toml").write_bytes(b"")
    assert find.workspace_root(tmp_path) is None


def test_a_workspace_reached_through_a_link_is_the_same_one(project: Workspace, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(project.root)
    assert find.workspace_root(tmp_path / "link") == project.root


def test_links_that_run_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert find.workspace_root(tmp_path / "a") is None
    assert find.repository(tmp_path / "a") is None


def test_worktrees_are_found_without_git(project: Workspace, tmp_path: Path, git: Git) -> None:
    git(project.root, "worktree", "add", "-q", str(tmp_path / "beside"))
    git(project.root, "worktree", "add", "-q", ".claude/worktrees/fix-1")
    inside = project.root / ".claude" / "worktrees" / "fix-1"
    assert find.worktrees(project.root) == tuple(sorted([tmp_path / "beside", inside]))
    assert find.worktrees(inside) == tuple(sorted([tmp_path / "beside", project.root]))


def test_worktrees_with_relative_pointers_are_found(project: Workspace, tmp_path: Path, git: Git) -> None:
    beside = tmp_path / "beside"
    git(project.root, "worktree", "add", "-q", str(beside))
    (project.root / ".git" / "worktrees" / "beside" / "gitdir").write_text("../../../../beside/.git\n")
    (beside / ".git").write_text("gitdir: ../project/.git/worktrees/beside\n")
    assert find.worktrees(project.root) == (beside,)
    assert find.worktrees(beside) == (project.root,)


def test_a_workspace_below_the_top_has_its_place_in_each_worktree(
    project: Workspace, tmp_path: Path, git: Git
) -> None:
    git(project.root, "worktree", "add", "-q", str(tmp_path / "beside"))
    (project.root / "part").mkdir()
    assert find.worktrees(project.root / "part") == (tmp_path / "beside" / "part",)


def test_a_worktree_of_a_bare_repository_has_no_main_tree(
    tmp_path: Path, git: Git, project: Workspace
) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(project.root), "store")
    git(tmp_path / "store", "worktree", "add", "-q", str(tmp_path / "one"))
    git(tmp_path / "store", "worktree", "add", "-q", "-b", "two", str(tmp_path / "two"))
    assert find.worktrees(tmp_path / "one") == (tmp_path / "two",)


def test_a_submodule_is_held_by_its_repository_and_a_clone_inside_is_not(
    project: Workspace, tmp_path: Path, git: Git
) -> None:
    git(tmp_path, "clone", "-q", str(project.root), "other")
    git(project.root, "submodule", "--quiet", "add", str(tmp_path / "other"), "sub")
    git(project.root, "clone", "-q", str(tmp_path / "other"), "clone")
    outer = find.repository(project.root)
    sub = find.repository(project.root / "sub")
    clone = find.repository(project.root / "clone")
    assert outer is not None
    assert sub is not None
    assert clone is not None
    assert outer.holds(sub)
    assert not outer.holds(clone)


def test_a_worktree_that_git_forgot_still_tells_whose_it_was(
    project: Workspace, tmp_path: Path, git: Git
) -> None:
    git(project.root, "worktree", "add", "-q", str(tmp_path / "beside"))
    shutil.rmtree(project.root / ".git" / "worktrees" / "beside")
    here = find.repository(tmp_path / "beside")
    assert here is not None
    assert here.common == project.root / ".git"


def test_outside_of_git_there_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert find.repository(tmp_path) is None
    assert find.worktrees(tmp_path) == ()
