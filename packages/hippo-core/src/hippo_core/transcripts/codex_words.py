"""Which words of a Codex message are the person's, and which the client put there."""

import re
from typing import Final

import msgspec

_INJECTED: Final = (
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
    "<environment_context>",
    "<hook_prompt",
    "<recommended_plugins>",
    "<goal_context>",
    "<codex_internal_context",
    "<skill>",
    "<skills_instructions>",
    "<subagent_notification>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<multi_agent",
    "<model_switch>",
    "<tools>",
    "<user_ide_context>",
    "<hippo-memory",
)
SUMMARY_OPENING: Final = "Another language model started to solve this problem"
_IDE_OPENING: Final = "# Context from my IDE setup"
_REQUEST: Final = "## My request for Codex:"
_IDE_CONTEXT: Final = re.compile(r"\A\s*<user_ide_context>.*?</user_ide_context>\s*", re.DOTALL)
_IMAGE: Final = re.compile(r"\A\s*(?:<image\b[^>]*>|</image>)\s*\Z")
_SHELL: Final = re.compile(r"<command>\s*(.*?)\s*</command>\s*<result>\s*(.*?)\s*</result>", re.DOTALL)
_SHELL_EXIT: Final = re.compile(r"\AExit code: (-?\d+)\n(?:Duration: .*\n)?(?:Output:\n)?")
_CWD: Final = re.compile(r"<cwd>(.*?)</cwd>|Current working directory: (\S+)")


class Words(msgspec.Struct, frozen=True):
    """A message taken apart; each piece may be empty, and `prompt` is None where there was no human part."""

    prompt: str | None = None
    injected: str = ""
    shell: str = ""
    summary: str = ""
    aborted: bool = False


def take_apart(texts: list[str]) -> Words:
    """Sort the text parts of a message with role user by who wrote them."""
    human: list[str] = []
    injected: list[str] = []
    shell = summary = ""
    aborted = False
    for text in texts:
        start = text.lstrip()
        if start.startswith("<user_shell_command>"):
            shell = start
        elif start.startswith("<turn_aborted>"):
            aborted = True
        elif start.startswith(SUMMARY_OPENING):
            summary = text
        elif request := _request(text):
            human.append(request)
        elif start.startswith((*_INJECTED, _IDE_OPENING)):
            injected.append(text)
        elif not _IMAGE.match(text):
            human.append(text)
    return Words("\n".join(human) if human else None, "\n".join(injected), shell, summary, aborted)


def working_directory(injected: str) -> str | None:
    """The working directory that an environment context names."""
    found = _CWD.search(injected)
    return (found[1] or found[2]) if found else None


def shell(text: str) -> tuple[str, str, int | None]:
    """What the person ran with `!`: its command, its output, its exit status."""
    found = _SHELL.search(text)
    if found is None:
        return "", text, None
    head = _SHELL_EXIT.match(found[2] + "\n")
    body = found[2][head.end() :] if head else found[2]
    return found[1], body, int(head[1]) if head else None


def _request(text: str) -> str | None:
    start = text.lstrip()
    if start.startswith(_IDE_OPENING):
        _, found, request = text.partition(_REQUEST)
        return request.strip() if found else None
    if start.startswith("<user_ide_context>"):
        return _IDE_CONTEXT.sub("", text, count=1).strip() or None
    return None
