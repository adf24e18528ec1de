"""What sessions touched that may be a note: Markdown files, and words of their own that may cite one."""

import sqlite3
from collections.abc import Iterator
from typing import Final

from hippo_core.errors import DataError
from hippo_core.ids import SessionId
from hippo_core.index import schema
from hippo_core.index.files import IndexFiles
from hippo_core.transcripts.model import Kind

_OWN_WORDS: Final = (schema.KINDS.index(Kind.PROMPT), schema.KINDS.index(Kind.REPLY))
_FILES: Final = (
    "SELECT DISTINCT s.id, t.files FROM turns t JOIN sessions s ON s.number=t.session"
    " WHERE t.files<>'' AND instr(t.files, '.md')>0"
)
_TEXTS: Final = (
    "SELECT s.id, t.text FROM turns t JOIN sessions s ON s.number=t.session"
    " WHERE t.kind IN (?, ?) AND (instr(t.text, '[[')>0 OR instr(t.text, '.md')>0)"
)


def files(index: IndexFiles) -> Iterator[tuple[SessionId, str]]:
    """Sessions with a path, as the agent wrote it, of a Markdown file that they read or edited."""
    for session, paths in _rows(index, _FILES, ()):
        for path in paths.split("\n"):
            if path.endswith(".md"):
                yield SessionId(session), path


def texts(index: IndexFiles) -> Iterator[tuple[SessionId, str]]:
    """Sessions with a prompt or reply of theirs that holds a link or names a Markdown file."""
    for session, text in _rows(index, _TEXTS, _OWN_WORDS):
        yield SessionId(session), text


def _rows(index: IndexFiles, query: str, values: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    # At rest the store is one plain file that may be read without a right to write beside it.
    mode = "mode=ro" if index.store.with_name(f"{index.store.name}-wal").exists() else "mode=ro&immutable=1"
    try:
        db = sqlite3.connect(f"{index.store.absolute().as_uri()}?{mode}", uri=True, timeout=10.0)
        try:
            yield from db.execute(query, values)
        finally:
            db.close()
    except sqlite3.DatabaseError as error:
        raise DataError(index.store, f"cannot be read ({error}); run `hippo ingest` to rebuild it") from error
