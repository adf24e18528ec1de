"""Which sessions belong to a workspace, and why."""

import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from hippo_core.ids import Agent, SessionId
from hippo_core.redaction.text import EMPTY, Redacted, Scrubber, redact
from hippo_core.workspace import find, handoff
from hippo_core.workspace.handoff import NoteNames
from hippo_core.workspace.layout import Workspace


class SessionFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a session, redacted, as far as it bears on where it belongs.

    `files` are the paths it read or edited, as its agent wrote them. `texts` are its prompts and replies that hold
    `[[` or `.md`; what was injected into it is not its own word and stays out.
    """

    id: SessionId
    agent: Agent
    cwd: Redacted | None = None
    files: tuple[Redacted, ...] = ()
    texts: tuple[Redacted, ...] = ()
    task: Redacted = EMPTY
    started_ms: int | None = None
    ended_ms: int | None = None
    parent: SessionId | None = None


class Why(StrEnum):
    """What makes a session belong."""

    FOLDER = "folder"
    WORKTREE = "worktree"
    NOTE = "note"


class Reason(msgspec.Struct, frozen=True):
    """Why a session belongs, where in the workspace it ran (empty: elsewhere), and the notes it touched, sorted."""

    why: Why
    cwd: str
    notes: tuple[str, ...]


class Ran(msgspec.Struct, frozen=True):
    """What a working directory says: where it is in the workspace, or that it is another workspace's."""

    why: Why | None
    inside: str
    foreign: bool


_NOWHERE: Final = Ran(None, "", foreign=False)


class Grounds:
    """A workspace's folder, worktrees and notes as they are now, looked at once for many sessions."""

    def __init__(
        self,
        workspace: Workspace,
        worktrees: tuple[Path, ...],
        names: NoteNames,
        rules: Scrubber | None = None,
    ) -> None:
        self._roots = (workspace.root, *worktrees)
        self._repository = find.repository(workspace.root)
        notes_inside = workspace.notes_dir.relative_to(workspace.root)
        self._notes_dirs = tuple(real(root / notes_inside) for root in self._roots)
        self._names = names
        self._spellings = _spellings(self._roots, rules)
        self._ran: dict[str, Ran] = {}
        self._folders: dict[str, Path] = {}

    @classmethod
    def of(cls, workspace: Workspace, rules: Scrubber | None = None) -> "Grounds":
        """The grounds of `workspace`, read from its files and from git's.

        With the `rules` that facts were redacted with, a folder is known even where its own path was redacted.
        """
        return cls(workspace, find.worktrees(workspace.root), handoff.note_names(workspace), rules)

    def ran(self, cwd: str | None) -> Ran:
        """What the working directory `cwd` says; one that is no absolute path of this system says nothing."""
        if cwd is None or not is_local(cwd):
            return _NOWHERE
        if cwd not in self._ran:
            self._ran[cwd] = self._look(real(Path(self._as_on_disk(cwd))))
        return self._ran[cwd]

    def note_at(self, written: str, cwd: str | None) -> str | None:
        """The note that a path, relative to `cwd` unless absolute, leads to; one that is gone still counts."""
        if not written.endswith(".md") or "\0" in written:
            return None
        if not is_local(written):
            if cwd is None or not is_local(cwd) or is_foreign(written):
                return None
            written = f"{cwd}/{written}"
        folder, _, name = written.rpartition("/")
        if folder not in self._folders:
            self._folders[folder] = real(Path(self._as_on_disk(folder) or "/"))
        path = self._folders[folder] / name
        for notes_dir in self._notes_dirs:
            if path.is_relative_to(notes_dir):
                return _visible(path.relative_to(notes_dir))
        return None

    def cited(self, text: str, *, by_name: bool) -> set[str]:
        """The notes that `text` names by their absolute path and, when asked, with `[[links]]`."""
        found = {self.note_at(word, None) for word in _paths(text)}
        if by_name:
            found |= {self._names.resolve(link) for link in handoff.links(text)}
        return {note for note in found if note is not None and note in self._names.paths}

    def _as_on_disk(self, folder: str) -> str:
        for spelling, root in self._spellings:
            if folder == spelling or folder.startswith(f"{spelling}/"):
                return f"{root}{folder[len(spelling) :]}"
        return folder

    def _look(self, cwd: Path) -> Ran:
        own = find.workspace_root(cwd)
        root = max((root for root in self._roots if cwd.is_relative_to(root)), key=_depth, default=None)
        if root is None:
            return Ran(None, "", foreign=own is not None)
        if own is not None and own != root and own.is_relative_to(root):
            return Ran(None, "", foreign=True)
        there = find.repository(cwd)
        if self._repository is not None and there is not None and not self._repository.holds(there):
            return _NOWHERE
        why = Why.FOLDER if root == self._roots[0] else Why.WORKTREE
        return Ran(why, cwd.relative_to(root).as_posix(), foreign=False)


def belongs(facts: SessionFacts, grounds: Grounds) -> Reason | None:
    """Why the session belongs to the workspace, or None: by where it ran, else by the notes it touched.

    A link counts only from a session that ran in no other workspace: there the name means a note of that one.
    """
    cwd = facts.cwd.text if facts.cwd is not None else None
    ran = grounds.ran(cwd)
    notes = {note for file in facts.files if (note := grounds.note_at(file.text, cwd)) is not None}
    for text in facts.texts:
        notes |= grounds.cited(text.text, by_name=not ran.foreign)
    if ran.why is not None:
        return Reason(ran.why, ran.inside, tuple(sorted(notes)))
    return Reason(Why.NOTE, "", tuple(sorted(notes))) if notes else None


def citations(text: str) -> Iterator[str]:
    """What in `text` may cite a note, and nothing else: every link, and every absolute path of a Markdown file."""
    yield from (f"[[{link}]]" for link in handoff.links(text))
    yield from _paths(text)


def is_local(written: str) -> bool:
    """Whether `written` is an absolute path on this system, to be looked up as it stands."""
    return "\0" not in written and not is_foreign(written) and Path(written).is_absolute()


def is_foreign(written: str) -> bool:
    """Whether `written` is an address or another system's path, never to be joined onto a folder of this one."""
    if os.name == "nt":
        return "://" in written
    return "\\" in written or "://" in written or written[1:2] == ":" or written.startswith("//")


def real(path: Path) -> Path:
    """`path` with its links resolved as far as it exists."""
    return Path(os.path.realpath(path))


def _paths(text: str) -> Iterator[str]:
    if ".md" not in text:
        return
    for word in text.split():
        head, found, rest = word.lstrip("`'\"(<[*").rpartition(".md")
        # What may follow a path is punctuation, a line number or a heading; a letter makes it another name.
        if found and not rest[:1].isalnum() and rest[:1] not in ("-", "_") and is_local(head):
            yield head + found


def _spellings(roots: tuple[Path, ...], rules: Scrubber | None) -> list[tuple[str, Path]]:
    if rules is None:
        return []
    redacted = ((redact(root.as_posix(), rules).text, root) for root in roots)
    return [(spelling, root) for spelling, root in redacted if spelling != root.as_posix()]


def _visible(below: Path) -> str | None:
    parts = PurePosixPath(below.as_posix()).parts
    return None if any(part.startswith(".") for part in parts) else "/".join(parts)


def _depth(path: Path) -> int:
    return len(path.parts)
