"""What sessions touched that may be a note: Markdown files, and words of their own that may cite one."""

import sqlite3
from collections.abc import Iterator
from typing import Final

from hippo_core.ids import SessionId
from hippo_core.index import schema
from hippo_core.transcripts.model import Kind

_OWN_WORDS: Final = (schema.KIND_NUMBER[Kind.PROMPT], schema.KIND_NUMBER[Kind.REPLY])
_FILES: Final = (
    "SELECT DISTINCT s.id, t.files FROM turns t JOIN sessions s ON s.number=t.session"
    " WHERE t.files<>'' AND instr(t.files, '.md')>0"
)
_TEXTS: Final = (
    "SELECT s.id, t.text FROM turns t JOIN sessions s ON s.number=t.session"
    " WHERE t.kind IN (?, ?) AND (instr(t.text, '[[')>0 OR instr(t.text, '.md')>0)"
)


def files(db: sqlite3.Connection) -> Iterator[tuple[SessionId, str]]:
    """Sessions with a path, as the agent wrote it, of a Markdown file that they read or edited."""
    for session, paths in db.execute(_FILES):
        for path in paths.split("\n"):
            if path.endswith(".md"):
                yield SessionId(session), path


def texts(db: sqlite3.Connection) -> Iterator[tuple[SessionId, str]]:
    """Sessions with a prompt or reply of theirs that holds a link or names a Markdown file."""
    for session, text in db.execute(_TEXTS, _OWN_WORDS):
        yield SessionId(session), text
