"""Who said what in the text of a user row: the person, or the client on the person's behalf."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from hippo_core.transcripts.model import Kind, Role

_INTERRUPTED: Final = "[Request interrupted by user"
_REJECTED: Final = "The user doesn't want to proceed with this tool use"
_FEEDBACK: Final = "the user said:\n"
_NOTICES: Final = (
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
)
_CAVEAT: Final = "Caveat: The messages below"
_SUMMARY: Final = "This session is being continued from a previous"
_INSERTED: Final = re.compile(
    r"<(system-reminder|hippo-memory|user-prompt-submit-hook|ide_opened_file|ide_selection)(?:\s[^<>]*)?>"
)


class Piece(NamedTuple):
    """A stretch of text and what it is."""

    role: Role
    kind: Kind
    text: str


def pieces(texts: list[str]) -> list[Piece]:
    """The text blocks of one user row, told apart; the person's own words come as one prompt, in its place."""
    found: list[Piece] = []
    for text in texts:
        for piece in _split(text):
            if found and piece.kind is Kind.PROMPT and found[-1].kind is Kind.PROMPT:
                found[-1] = found[-1]._replace(text=f"{found[-1].text}\n{piece.text}")
            else:
                found.append(piece)
    return found


def _split(text: str) -> Iterator[Piece]:
    whole = _as_one(text)
    if whole is not None:
        yield whole
        return
    words: list[str] = []
    inserted: list[str] = []
    for stretch, is_inserted in _stretches(text):
        (inserted if is_inserted else words).append(stretch)
    prompt = "".join(words).strip() if inserted else text
    if prompt.strip():
        yield _as_one(prompt) or Piece(Role.USER, Kind.PROMPT, prompt)
    for stretch in inserted:
        yield Piece(Role.SYSTEM, Kind.INJECTED, stretch)


def _as_one(text: str) -> Piece | None:
    if text.startswith(_INTERRUPTED):
        return Piece(Role.SYSTEM, Kind.INTERRUPT, text)
    if text.startswith(_NOTICES):
        return Piece(Role.SYSTEM, Kind.NOTICE, text)
    if text.startswith(_CAVEAT):
        return Piece(Role.SYSTEM, Kind.INJECTED, text)
    if is_summary(text):
        return Piece(Role.SYSTEM, Kind.SUMMARY, text)
    return None


def _stretches(text: str) -> Iterator[tuple[str, bool]]:
    """`text` cut at the blocks that a client or a hook put into it; a block that nothing closes is left in."""
    at = 0
    unclosed: set[str] = set()
    for found in _INSERTED.finditer(text):
        tag = found[1]
        if found.start() < at or tag in unclosed:
            continue
        closing = f"</{tag}>"
        end = text.find(closing, found.end())
        if end < 0:
            unclosed.add(tag)
            continue
        yield text[at : found.start()], False
        at = end + len(closing)
        yield text[found.start() : at], True
    yield text[at:], False


def is_summary(text: str) -> bool:
    """Whether `text` is the client's own account of what was said before a compaction."""
    return text.startswith(_SUMMARY)


def rejection(text: str) -> tuple[bool, str | None]:
    """Whether a failed tool result says that the person refused the call, and their words if they gave any."""
    if not text.startswith(_REJECTED):
        return False, None
    _, found, words = text.partition(_FEEDBACK)
    return True, words.strip() if found and words.strip() else None
