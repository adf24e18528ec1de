"""Printing: text from transcripts is made harmless before a terminal sees it."""

import os
import sys
from collections.abc import Iterable
from typing import Any, Final, NoReturn

import msgspec

# Pictures for the C0 controls; C1 controls and marks that turn the direction of writing are shown as their code.
_HARMLESS: Final = {
    **{code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)},
    0x7F: "\u2421",
    **{code: f"<{code:x}>" for code in range(0x80, 0xA0)},
    **{code: f"<{code:x}>" for code in (0x061C, 0x200E, 0x200F, 0x2028, 0x2029)},
    **{code: f"<{code:x}>" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))},
}
_BOLD: Final = ("\x1b[1m", "\x1b[22m")
_DIM: Final = ("\x1b[2m", "\x1b[22m")
_GUILLEMETS: Final = ("«", "»")


def harmless(text: str) -> str:
    """`text` with every character that could steer a terminal made visible; lines and tabs stay."""
    return text.replace("\r\n", "\n").translate(_HARMLESS)


def on_one_line(text: str) -> str:
    """`text` harmless and on one line."""
    return harmless(" ".join(text.split()))


def marked(text: str, marks: Iterable[tuple[int, int]], *, colored: bool) -> str:
    """`text` harmless, with each [start, end) of `marks` bold, or in «» where there are no colours."""
    opening, closing = _BOLD if colored else _GUILLEMETS
    parts: list[str] = []
    done = 0
    for start, end in marks:
        if start < done:
            continue
        parts += (harmless(text[done:start]), opening, harmless(text[start:end]), closing)
        done = end
    parts.append(harmless(text[done:]))
    return "".join(parts)


def bold(text: str, *, colored: bool) -> str:
    """`text`, already harmless, in bold where there are colours."""
    return f"{_BOLD[0]}{text}{_BOLD[1]}" if colored else text


def dim(text: str, *, colored: bool) -> str:
    """`text`, already harmless, faint where there are colours."""
    return f"{_DIM[0]}{text}{_DIM[1]}" if colored else text


def say(text: str = "") -> None:
    """Print lines for a person or a program."""
    _write(sys.stdout, f"{text}\n")


def warn(text: str) -> None:
    """Print one line beside the output proper."""
    _write(sys.stderr, f"{text}\n")


def say_json(value: Any) -> None:
    """Print `value` as JSON, the same whatever reads it."""
    _write(sys.stdout, msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def say_bytes(data: bytes) -> None:
    """Print `data` as it is."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        leave_quietly()
    except OSError:
        _let_go(sys.stdout)
        raise


def leave_quietly() -> NoReturn:
    """End the program because whoever read has gone, with nothing left that could complain at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    sys.exit(0)


def _write(stream: Any, text: str) -> None:
    """Write UTF-8 whatever the locale: a transcript holds any letter, and none of them may stop a command."""
    try:
        stream.buffer.write(text.encode("utf-8", "replace"))
        stream.flush()
    except BrokenPipeError:
        leave_quietly()
    except OSError:
        _let_go(stream)
        raise


def _let_go(stream: Any) -> None:
    """Send what `stream` still holds nowhere, so that its end does not fail a second time."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
