"""Codex tool calls and their outputs, in every clothing the versions gave them."""

import re
import shlex
from typing import Final

import msgspec

from hippo_core.transcripts import loose

_PATCHED: Final = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)[ \t]*\r?$", re.MULTILINE)
_PATCH: Final = "*** Begin Patch"
_HEADED: Final = re.compile(
    r"\A(?:Chunk ID: .*\n)?(?:Exit code: (?P<exit>-?\d+)\n)?(?:Wall time: .*\n)?"
    r"(?:Process exited with code (?P<process>-?\d+)\n)?(?:Process running with session ID .*\n)?"
    r"(?:Original token count: .*\n)?(?:Total output lines: .*\n)?(?:Output:\n)?"
)
_DENIED: Final = re.compile(r"exit[_ ]code: (-?\d+)")
_REFUSED: Final = re.compile(
    r"\A(?:exec |patch )?(?:command )?(?:was )?rejected by (?:the )?user\b", re.IGNORECASE
)
_FAILURES: Final = (
    "failed in sandbox",
    "aborted by user",
    "error:",
    "apply_patch verification failed",
    "unsupported call",
    "exec command rejected",
    "patch rejected",
    "approval policy is",
)


class Call(msgspec.Struct, frozen=True):
    """What one tool call asks for."""

    text: str
    command: str | None = None
    patched: tuple[str, ...] = ()
    viewed: tuple[str, ...] = ()


class Output(msgspec.Struct, frozen=True):
    """What one tool call gave back; `refused` when the person said no to it."""

    text: str
    exit_status: int | None = None
    failed: bool = False
    refused: bool = False


def call(name: str, arguments: object) -> Call:
    """Read a call from its arguments: a JSON string, an object, or free text that stays as it is."""
    given = _decoded(arguments)
    if not isinstance(given, dict):
        text = loose.text_of(given) or loose.text_of(arguments)
        return Call(text, patched=patched_files(text))
    if name == "apply_patch" and (patch := loose.text_of(given.get("input") or given.get("patch"))):
        return Call(patch, patched=patched_files(patch))
    asked = given.get("command") or given.get("cmd")
    if isinstance(asked, list) and len(asked) == 2 and asked[0] == "apply_patch":
        return call("apply_patch", loose.text_of(asked[1]))
    command = shell_command(asked)
    if command:
        return Call(f"$ {command}", command, patched_files(command))
    path = loose.name_of(given.get("path"))
    return Call(_compact(given), viewed=(path,) if path and name == "view_image" else ())


def shell_command(command: object) -> str | None:
    """The command line of a shell call: what `bash -lc` was given, or the arguments joined."""
    if isinstance(command, str):
        return command or None
    if not isinstance(command, list) or not all(isinstance(word, str) for word in command):
        return None
    if len(command) == 3 and command[1] in ("-lc", "-c"):
        return str(command[2])
    return shlex.join(command) or None


def patched_files(text: str) -> tuple[str, ...]:
    """The paths a patch within `text` adds, updates, deletes or moves to, each once in order."""
    if _PATCH not in text:
        return ()
    return tuple(dict.fromkeys(_PATCHED.findall(text)))


def changed_files(changes: object) -> tuple[str, ...]:
    """The paths of a recorded change, with where they moved to."""
    if not isinstance(changes, dict):
        return ()
    paths: dict[str, None] = {}
    for path, change in changes.items():
        paths[str(path)] = None
        for target in (
            loose.field(change, "move_path"),
            loose.field(loose.field(change, "update"), "move_path"),
        ):
            if moved := loose.name_of(target):
                paths[moved] = None
    return tuple(paths)


def change_text(changes: object) -> str:
    """A recorded change as one diff a file."""
    if not isinstance(changes, dict):
        return ""
    return "\n".join(_one_change(str(path), change) for path, change in changes.items())


def output(given: object) -> Output:
    """Read an output in any of its styles: JSON text, headed text, a list of parts, an object."""
    if isinstance(given, list):
        return _headed("\n".join(text.rstrip("\n") for text in loose.parts(given)))
    decoded = _decoded(given)
    if isinstance(decoded, dict) and ("output" in decoded or "content" in decoded):
        return _object_output(decoded)
    return _headed(loose.text_of(given)) if isinstance(given, str) else Output("")


def finished(text: str, exit_status: int | None, status: str) -> Output:
    """The output of an execution that was recorded apart from its call."""
    failed = exit_status not in (None, 0) or status in ("failed", "declined")
    return Output(text, exit_status, failed, refused=status == "declined")


def _object_output(given: dict[str, object]) -> Output:
    status = loose.whole_number(loose.field(given.get("metadata"), "exit_code"))
    text = loose.text_of(given.get("output")) or "\n".join(loose.parts(given.get("content")))
    return Output(text, status, failed=status not in (None, 0) or given.get("success") is False)


def _headed(text: str) -> Output:
    if text.startswith(_FAILURES) or (text.startswith("Wall time:") and text.endswith("aborted by user")):
        denied = _DENIED.search(text, 0, 400) if text.startswith("failed in sandbox") else None
        return Output(text, int(denied[1]) if denied else None, True, _refused(text))
    if _REFUSED.match(text):
        return Output(text, None, True, True)
    head = _HEADED.match(text)
    code = (head["exit"] or head["process"]) if head else None
    status = int(code) if code is not None else None
    return Output(text[head.end() :] if head else text, status, failed=status not in (None, 0))


def _refused(text: str) -> bool:
    return "rejected by user" in text[:200] and "approval settings" not in text[:200]


def _decoded(given: object) -> object:
    if not isinstance(given, str) or given.lstrip()[:1] not in ("{", "["):
        return given
    try:
        return msgspec.json.decode(given)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return given


def _compact(given: dict[str, object]) -> str:
    return msgspec.json.encode(given).decode("utf-8")


def _one_change(path: str, change: object) -> str:
    kind = loose.text_of(loose.field(change, "type")) or "update"
    body = loose.text_of(loose.field(change, "unified_diff")) or loose.text_of(loose.field(change, "content"))
    return f"{kind} {path}\n{body}".rstrip("\n")
