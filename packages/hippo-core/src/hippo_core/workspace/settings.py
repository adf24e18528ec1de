"""What a person may set: `config.toml` for this machine, `.hippo/hippo.toml` for a workspace."""

import re
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Annotated, Final

import msgspec

from hippo_core.errors import UserError
from hippo_core.ids import Agent
from hippo_core.workspace import toml
from hippo_core.workspace.layout import HIPPO_DIR, SETTINGS_NAME, Home, Workspace
from hippo_core.workspace.toml import Problem

CONFIG_FORMAT: Final = "hippo.config/1"
WORKSPACE_FORMAT: Final = "hippo.workspace/1"

_Words = Annotated[tuple[str, ...], msgspec.Meta(description='a list of texts, such as ["one", "two"]')]
_Roots = Annotated[
    dict[Agent, tuple[str, ...]],
    msgspec.Meta(description=f"a table of lists of folders, one for each of {', '.join(Agent)}"),
]
_Text = Annotated[str, msgspec.Meta(description="a text in quotes")]
_Switch = Annotated[bool, msgspec.Meta(description="true or false")]
_Jobs = Annotated[int, msgspec.Meta(ge=0, le=256, description="a whole number from 0 (decide for me) to 256")]
_Budget = Annotated[
    int, msgspec.Meta(ge=256, le=1 << 20, description="a whole number of bytes from 256 to 1048576")
]


class Pattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A further kind of secret: what it is called and the regular expression that finds it."""

    kind: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]
    pattern: str


_Patterns = Annotated[
    tuple[Pattern, ...],
    msgspec.Meta(
        description='a list of tables {kind, pattern}, such as [{kind = "ticket", pattern = "TCK-[0-9]{8}"}]'
    ),
]


class Redaction(msgspec.Struct, frozen=True):
    """What redaction finds beyond its own rules, and texts that it lets stand."""

    patterns: _Patterns = ()
    allow: _Words = ()


class Config(msgspec.Struct, frozen=True):
    """This machine's settings; what is not set keeps the value shown here."""

    format: _Text = CONFIG_FORMAT
    transcript_roots: _Roots = {}
    redaction: Redaction = Redaction()
    model_command: _Words = ()
    jobs: _Jobs = 0
    allow_write_tools: _Switch = False


class WorkspaceSettings(msgspec.Struct, frozen=True):
    """A workspace's settings, shared by everyone who works in it."""

    format: _Text = WORKSPACE_FORMAT
    notes_dir: _Text = "notes"
    entry_note: _Text = "index.md"
    required_notes: _Words = ()
    budget_bytes: _Budget = 8192


def load_config(home: Home) -> Config:
    """This machine's settings: defaults when there is no file, `UserError` when any line is wrong.

    An unknown key is refused: a misspelt one under `[redaction]` would otherwise let secrets through.
    """
    data = toml.read(home.config)
    if data is None:
        return Config()
    _raise_first(home.config, _config_problems(data))
    return msgspec.convert(data.values, Config)


def load_workspace(root: Path) -> tuple[Workspace, WorkspaceSettings]:
    """The workspace at `root` with its settings; `UserError` when one is wrong or `root` is no workspace.

    Unknown keys are let be: the file is shared, and a colleague's newer hippo may have written them.
    """
    path = root / HIPPO_DIR / SETTINGS_NAME
    data = toml.read(path)
    if data is None:
        raise UserError(f"{root}: not a hippo workspace; run `hippo init` there")
    _raise_first(path, [problem for problem in _workspace_problems(data) if not problem.harmless])
    settings = msgspec.convert(data.values, WorkspaceSettings)
    resolved = root.resolve()
    notes_dir = resolved / settings.notes_dir
    if not notes_dir.resolve().is_relative_to(resolved):
        raise UserError(f"{path}: `notes_dir` leads out of the workspace by a link; name a folder inside it")
    return Workspace(resolved, notes_dir), settings


def check_config(path: Path) -> list[Problem]:
    """Everything wrong with the `config.toml` at `path`, in the file's order; nothing when there is none."""
    return toml.problems(path, _config_problems)


def check_workspace(path: Path) -> list[Problem]:
    """Everything wrong with the `hippo.toml` at `path`, in the file's order; nothing when there is none."""
    return toml.problems(path, _workspace_problems)


def notes_dir_problem(written: str) -> str | None:
    """Why `written` cannot be a workspace's `notes_dir`, or None when it can."""
    if problem := _relative_problem(written):
        return problem
    if HIPPO_DIR in PurePosixPath(written).parts:
        return f"must not lie in {HIPPO_DIR}"
    return None


def expand(written: str, person_home: Path) -> Path | None:
    """A folder as written in `transcript_roots`, with `~` for `person_home`; None when it is not absolute."""
    path = person_home / written[2:] if written.startswith("~/") else Path(written)
    return path if path.is_absolute() else None


def _config_problems(data: toml.Document) -> list[Problem]:
    found = toml.check(data, Config, harmless_unknown=False)
    found += _format_problems(data, CONFIG_FORMAT)
    return found or _meaning_problems(data, msgspec.convert(data.values, Config))


def _workspace_problems(data: toml.Document) -> list[Problem]:
    found = toml.check(data, WorkspaceSettings, harmless_unknown=True)
    found += _format_problems(data, WORKSPACE_FORMAT)
    if all(problem.harmless for problem in found):
        settings = msgspec.convert(data.values, WorkspaceSettings)
        if said := notes_dir_problem(settings.notes_dir):
            found.append(data.problem("notes_dir", said))
        for key, names in (
            ("entry_note", (settings.entry_note,)),
            ("required_notes", settings.required_notes),
        ):
            found += [data.problem(key, said) for name in names if (said := _note_problem(name))]
    return found


def _format_problems(data: toml.Document, known: str) -> list[Problem]:
    written = data.values.get("format", known)
    if not isinstance(written, str) or written == known:
        return []
    return [data.problem("format", f'is {written!r}, which this hippo does not know; it reads "{known}"')]


def _meaning_problems(data: toml.Document, config: Config) -> list[Problem]:
    found: list[Problem] = []
    for agent, roots in config.transcript_roots.items():
        key = f"transcript_roots.{agent}"
        said = "must hold folders that are absolute or begin with ~/"
        found += [data.problem(key, said) for root in roots if expand(root, Path("/")) is None]
    for pattern in config.redaction.patterns:
        try:
            re.compile(pattern.pattern)
        except re.error as error:
            said = f"the pattern of {pattern.kind!r} is no regular expression: {error}"
            found.append(data.problem("redaction.patterns", said))
    return found


def _relative_problem(written: str) -> str | None:
    path = PurePosixPath(written)
    odd = any(letter < " " or letter in "\\\x7f" or "\ud800" <= letter <= "\udfff" for letter in written)
    if not written or odd or PureWindowsPath(written).drive:
        return f"{written!r} must be a relative path with / between its parts"
    if path.is_absolute() or ".." in path.parts:
        return f"{written!r} must be a relative path without .."
    return None


def _note_problem(written: str) -> str | None:
    if problem := _relative_problem(written):
        return problem
    return None if written.endswith(".md") else f"{written!r} must name a .md file below notes_dir"


def _raise_first(path: Path, found: list[Problem]) -> None:
    if found:
        more = f" (and {len(found) - 1} more; see `hippo config check`)" if len(found) > 1 else ""
        raise UserError(f"{path}:{found[0]}{more}")
