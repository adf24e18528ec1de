"""A folder becomes a workspace; doing it again changes nothing."""

from pathlib import Path
from typing import Final

import msgspec

from hippo_core.errors import HippoError, UserError
from hippo_core.storage import atomic, faults
from hippo_core.workspace import find, handoff, ignore, settings
from hippo_core.workspace.layout import HIPPO_DIR, SETTINGS_NAME, Home, Workspace
from hippo_core.workspace.settings import WORKSPACE_FORMAT, WorkspaceSettings

_ENTRY_NAMES: Final = ("index.md", "MEMORY.md", "README.md")
_ENTRY_TEXT: Final = b"""# Notes

What is worth knowing in this workspace. Each note is a Markdown file in this folder; name another note with
double square brackets around its file name to link to it.
"""


class Initialised(msgspec.Struct, frozen=True):
    """The workspace, the files that were made, those that were there already, and the number of notes found."""

    workspace: Workspace
    made: tuple[Path, ...]
    kept: tuple[Path, ...]
    notes: int


def initialise(root: Path, notes_dir: str | None, home: Home) -> Initialised:
    """Make `root` a workspace with its notes in `notes_dir`, and say what was made; nothing there is overwritten.

    An existing folder of notes is adopted as it stands. Raises `UserError` when `root` cannot be a workspace, and
    when it is one whose notes are elsewhere.
    """
    root = _checked_root(root, home)
    if not find.is_workspace(root):
        chosen = settings.WorkspaceSettings().notes_dir if notes_dir is None else _checked(notes_dir, root)
        _make_folder(root / HIPPO_DIR)
        fresh = WorkspaceSettings(notes_dir=chosen, entry_note=_entry_note(root / chosen))
        made = _create(root / HIPPO_DIR / SETTINGS_NAME, _settings_text(fresh))
    else:
        made = False
    workspace, written = settings.load_workspace(root)
    if notes_dir is not None and Path(notes_dir) != Path(written.notes_dir):
        raise UserError(
            f"{workspace.settings}: notes are in {written.notes_dir!r}; change `notes_dir` there to move them"
        )
    steps = {
        workspace.settings: made,
        workspace.hippo_dir / ".gitignore": _ignore(workspace),
        workspace.notes_dir / written.entry_note: _make_entry_note(workspace, written.entry_note),
    }
    return Initialised(
        workspace,
        made=tuple(path for path, is_made in steps.items() if is_made),
        kept=tuple(path for path, is_made in steps.items() if not is_made),
        notes=len(handoff.note_names(workspace).paths),
    )


def _checked_root(root: Path, home: Home) -> Path:
    if not root.is_dir():
        raise UserError(f"{root}: no such folder; make it first")
    resolved = root.resolve()
    hippo_dir = resolved / HIPPO_DIR
    home_root = home.root.resolve()
    if hippo_dir.resolve() == home_root or resolved.is_relative_to(home_root):
        raise UserError(f"{root}: {home.root} is hippo's own home; choose another folder for a workspace")
    if hippo_dir.is_symlink() or (hippo_dir.exists() and not hippo_dir.is_dir()):
        raise UserError(f"{hippo_dir}: must be a folder, and something else is there; move it away")
    return resolved


def _checked(notes_dir: str, root: Path) -> str:
    if problem := settings.notes_dir_problem(notes_dir):
        raise UserError(f"the notes folder {problem}")
    if not (root / notes_dir).resolve().is_relative_to(root):
        raise UserError(f"the notes folder {notes_dir!r} leads out of the workspace by a link")
    return Path(notes_dir).as_posix()


def _entry_note(notes_dir: Path) -> str:
    return next((name for name in _ENTRY_NAMES if (notes_dir / name).is_file()), _ENTRY_NAMES[0])


def _settings_text(fresh: WorkspaceSettings) -> bytes:
    values = {"format": WORKSPACE_FORMAT, "notes_dir": fresh.notes_dir, "entry_note": fresh.entry_note}
    # A JSON string with its non-ASCII letters as they are is a TOML string, too.
    lines = (f"{key} = {msgspec.json.encode(value).decode()}" for key, value in sorted(values.items()))
    return ("\n".join(lines) + "\n").encode()


def _ignore(workspace: Workspace) -> bool:
    path = workspace.hippo_dir / ".gitignore"
    if _create(path, ignore.fresh().encode()):
        return True
    try:
        text = ignore.completed(path.read_text("utf-8"))
        if text is not None:
            atomic.replace(path, text.encode(), atomic.SHARED)
    except OSError as error:
        raise faults.explain(error, path) from error
    except UnicodeDecodeError as error:
        raise HippoError(f"{path}: not UTF-8; save it as UTF-8 and run `hippo init` again") from error
    return text is not None


def _make_entry_note(workspace: Workspace, entry_note: str) -> bool:
    path = workspace.notes_dir / entry_note
    _make_folder(path.parent)
    if not path.parent.resolve().is_relative_to(workspace.root):
        raise UserError(f"{path}: leads out of the workspace by a link; name an entry note inside it")
    return _create(path, _ENTRY_TEXT)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise faults.explain(error, folder) from error


def _create(path: Path, data: bytes) -> bool:
    try:
        return atomic.create(path, data, atomic.SHARED)
    except OSError as error:
        raise faults.explain(error, path) from error
