"""Tool calls and results as Claude Code records them, made readable."""

import re
from pathlib import Path, PurePath
from typing import Final

import msgspec

from hippo_core.transcripts import claude_code_records as wire
from hippo_core.transcripts.claude_code_records import Block, Outcome

WRITERS: Final = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
SHELLS: Final = frozenset({"Bash"})
ASKING: Final = "AskUserQuestion"
_PATHS: Final = ("file_path", "notebook_path")
_FILE_TOOLS: Final = WRITERS | {"Read"}
_EXIT: Final = re.compile(r"(?:Error: )?Exit code (-?\d{1,6})\b")
_SPILLED: Final = "<persisted-output>"
_SAVED_TO: Final = re.compile(r"saved to: ([^\n]+)")
_ANSWER: Final = re.compile(r'"="([^"]*)"')
_NUMBERED: Final = re.compile(r"^ *\d{1,7}(?:→|\t)", re.MULTILINE)
_SPILLED_BYTES: Final = 1 << 20


class _Described(msgspec.Struct, frozen=True):
    description: str | None = None


_DESCRIBED: Final = msgspec.json.Decoder(_Described)


class Input(msgspec.Struct, frozen=True):
    """What a tool was asked: as text, and what of it has a meaning of its own."""

    text: str
    command: str | None = None
    files: tuple[str, ...] = ()


def asked(tool: str, raw: msgspec.Raw) -> Input:
    """The input of a call of `tool`: the command of a shell, else one line or block an argument."""
    value = _value(raw)
    if not isinstance(value, dict):
        return Input("" if value is None else _shown(value))
    command = value.get("command")
    if tool in SHELLS and isinstance(command, str):
        return Input(command, command=command)
    files = tuple(path for key in _PATHS if isinstance(path := value.get(key), str) and path)
    return Input(
        "\n".join(f"{key}: {_shown(argument)}" for key, argument in value.items()),
        files=files if tool in _FILE_TOOLS else (),
    )


def _value(raw: msgspec.Raw) -> object:
    return wire.decode(_ANYTHING, raw) if raw else None


_ANYTHING: Final[msgspec.json.Decoder[object]] = msgspec.json.Decoder(object)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode("utf-8", "replace")


def texts(content: str | list[Block] | None) -> list[str]:
    """The text blocks of `content`; pictures and other data are no text."""
    if content is None:
        return []
    if isinstance(content, str):
        return [content]
    return [shown for block in content if (shown := _block_text(block))]


def _block_text(block: Block) -> str:
    if block.text is not None:
        return block.text
    if block.type == "tool_reference":
        return block.tool_name or ""
    return "\n".join(part for part in (block.title, block.url) if part)


def result_text(block: Block) -> str:
    """What a tool answered."""
    return "\n".join(texts(wire.decode(wire.CONTENT, block.content))) if block.content else ""


def unnumbered(tool: str, text: str) -> str:
    """What a file holds, without the line numbers that reading it put in front."""
    return _NUMBERED.sub("", text) if tool == "Read" and _NUMBERED.match(text) else text


def outcome(raw: msgspec.Raw) -> Outcome | None:
    """The client's own account of a result, where it is more than a string."""
    return wire.decode(wire.OUTCOME, raw) if raw and bytes(memoryview(raw)[:1]) == b"{" else None


def exit_status(tool: str, text: str, failed: bool, known: Outcome | None) -> int | None:
    """The exit status of a shell command, where the transcript tells it."""
    if tool not in SHELLS:
        return None
    if failed:
        found = _EXIT.match(text)
        return int(found[1]) if found else None
    running = known is not None and (known.background_task_id or known.interrupted)
    return None if running else 0


def edited(tool: str, failed: bool, called_with: tuple[str, ...], known: Outcome | None) -> tuple[str, ...]:
    """The files that a call changed, now that its result says that it did."""
    if known is not None and known.bash_edit_diff is not None:
        return known.bash_edit_diff.paths()
    if failed or tool not in WRITERS:
        return ()
    if called_with or known is None:
        return called_with
    return tuple(path for path in (known.file_path or known.notebook_path,) if path)


def answers(known: Outcome | None, text: str) -> list[str]:
    """What the person answered to the questions of a call."""
    if known is not None and known.answers is not None:
        given = known.answers.values()
        return [", ".join(answer) if isinstance(answer, list) else answer for answer in given]
    return _ANSWER.findall(text)


def task(agent: Path) -> str | None:
    """What the parent called the task of the sub-agent whose transcript is `agent`, from the file beside it."""
    text = _content(agent.with_suffix(".meta.json"))
    described = wire.decode(_DESCRIBED, msgspec.Raw(text.encode())) if text else None
    return described.description if described is not None else None


def unspilled(text: str, known: Outcome | None, folder: Path) -> str:
    """The whole of a result that was too large for its row, when it lies in the session's own `folder`.

    The path in the row is data: only its last name is used, and only if it stands in a folder of the same name.
    """
    if not text.startswith(_SPILLED):
        return text
    found = _SAVED_TO.search(text, 0, 4096)
    named = PurePath((known.persisted_output_path if known else None) or (found[1].strip() if found else ""))
    if named.parts[-3:-1] != folder.parts[-2:] or named.name in {"", ".", ".."}:
        return text
    return _content(folder / named.name) or text


def _content(path: Path) -> str | None:
    try:
        if path.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(_SPILLED_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
