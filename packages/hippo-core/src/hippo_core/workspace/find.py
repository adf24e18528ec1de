"""Which workspace and which git repository a folder lies in, read from files alone."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.workspace.layout import HIPPO_DIR, SETTINGS_NAME

_POINTER_BYTES: Final = 8192


class Repository(msgspec.Struct, frozen=True):
    """A git repository as seen from one of its working trees.

    `top` is the working tree; `common` is the git folder that all its worktrees share.
    """

    top: Path
    common: Path

    def holds(self, other: "Repository") -> bool:
        """Whether `other` is this repository, a worktree of it, or a submodule in it."""
        return other.common == self.common or other.common.is_relative_to(self.common / "modules")


def workspace_root(start: Path) -> Path | None:
    """The innermost folder at or above `start` that is a workspace, with links resolved."""
    return next((folder for folder in _upward(start) if is_workspace(folder)), None)


def is_workspace(folder: Path) -> bool:
    """Whether `folder` is the root of a workspace."""
    return _is_file(folder / HIPPO_DIR / SETTINGS_NAME)


def repository(start: Path) -> Repository | None:
    """The innermost git repository at or above `start`; one whose pointer is broken counts, by where it points."""
    for folder in _upward(start):
        pointer = folder / ".git"
        if _is_file(pointer):
            return Repository(folder, _common(_target(pointer)))
        if _is_file(pointer / "HEAD"):
            return Repository(folder, _common(pointer))
    return None


def worktrees(root: Path) -> tuple[Path, ...]:
    """Where `root` stands in the other worktrees of its repository, sorted; nothing outside of git.

    For a root below the top of its repository that is the same folder below the other tops.
    """
    here = repository(root)
    if here is None:
        return ()
    inside = root.resolve().relative_to(here.top)
    tops = {top for top in _tops(here.common) if top != here.top}
    return tuple(sorted(top / inside for top in tops))


def _tops(common: Path) -> Iterator[Path]:
    if common.name == ".git":
        yield common.parent
    try:
        entries = sorted((common / "worktrees").iterdir())
    except OSError:
        return
    for entry in entries:
        written = _first_line(entry / "gitdir")
        if written:
            yield _real(entry / written).parent


def _target(pointer: Path) -> Path:
    written = _first_line(pointer).removeprefix("gitdir:").strip()
    return _real(pointer.parent / written) if written else pointer


def _common(git_dir: Path) -> Path:
    if written := _first_line(git_dir / "commondir"):
        return _real(git_dir / written)
    # What a pruned worktree points to is gone, yet its place tells whose it was.
    if not git_dir.exists() and git_dir.parent.name == "worktrees":
        return git_dir.parent.parent
    return git_dir


def _first_line(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_POINTER_BYTES)
    except (OSError, ValueError):
        return ""
    return os.fsdecode(data.split(b"\n", 1)[0].rstrip(b"\r")).replace("\0", "")


def _upward(start: Path) -> Iterator[Path]:
    real = _real(start)
    yield real
    yield from real.parents


def _real(path: Path) -> Path:
    # Unlike `Path.resolve`, this does not raise on links that run in a circle.
    return Path(os.path.realpath(path))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
