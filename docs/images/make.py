"""Draw docs/images/demo.svg from what `hippo demo` really prints: bin/uv run python docs/images/make.py"""

import os
import pty
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

COLUMNS = 100
COMMAND = ("hippo", "demo")
PICTURE = Path(__file__).parent / "demo.svg"
FONT_FROM_ELSEWHERE = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)


def printed(command: tuple[str, ...]) -> str:
    """What `command` writes to a terminal of COLUMNS, colours and all."""
    ours, theirs = pty.openpty()
    surroundings = {**os.environ, "COLUMNS": str(COLUMNS), "LINES": "50", "TERM": "xterm-256color"}
    program = Path(sys.executable).with_name(command[0])
    with subprocess.Popen(
        [program, *command[1:]], stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings
    ):
        os.close(theirs)
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            return b"".join(iter(lambda: _read(terminal.fileno()), b"")).decode().replace("\r\n", "\n")


def drawn(command: tuple[str, ...], output: str) -> str:
    """An SVG of a terminal in which `command` was typed; it loads nothing from elsewhere."""
    console = Console(
        record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(Text("$ " + " ".join(command), style="bold"))
    console.print(Text.from_ansi(_settled(output)))
    form = FONT_FROM_ELSEWHERE.sub("", CONSOLE_SVG_FORMAT)
    return console.export_svg(title="hippo", code_format=form, unique_id="hippo")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


def _settled(output: str) -> str:
    """Lines as they stand at the end, where a progress line was written over itself."""
    return "\n".join(line.rsplit("\r", 1)[-1] for line in output.rstrip("\n").split("\n"))


if __name__ == "__main__":
    PICTURE.write_text(drawn(COMMAND, printed(COMMAND)), encoding="utf-8")
