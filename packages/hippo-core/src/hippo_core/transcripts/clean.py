"""Text as a person reads it: no control codes, and nothing that UTF-8 cannot hold."""

import re
from typing import Final

# Anything that is not plain printable text; one scan decides whether there is work to do at all.
_ODD: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_ANSI: Final = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]|[\x1b\x9d][\\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?|\x9b[0-?]*[ -/]*[@-~]"
    "|\x1b[ -/]*[0-~]?"
)
_SEPARATOR: Final = re.compile("[\x0b\x0c\x1c-\x1f]")
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_LONE: Final = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """`text` without ANSI sequences and control characters, redrawn lines as last drawn, lone surrogates as U+FFFD.

    Characters that part columns or pages become a space, so that the words beside them stay apart.
    """
    if _ODD.search(text) is None:
        return text
    if "\x1b" in text or "\x9b" in text:
        text = _ANSI.sub("", text)
    if "\r" in text:
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return _LONE.sub("\ufffd", _CONTROL.sub("", _SEPARATOR.sub(" ", text)))
