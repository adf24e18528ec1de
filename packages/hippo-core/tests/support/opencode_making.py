"""Small OpenCode stores for tests that need them to change."""

import json
import sqlite3
from pathlib import Path
from typing import Any

START = 1_777_600_000_000
_TABLES = """
CREATE TABLE session(id TEXT PRIMARY KEY, parent_id TEXT, title TEXT, directory TEXT, version TEXT, revert TEXT,
 time_created INTEGER, time_updated INTEGER, time_archived INTEGER);
CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
 time_updated INTEGER, data TEXT);
"""


def store(path: Path) -> sqlite3.Connection:
    """A new database in write-ahead mode whose log is never folded in by itself."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.executescript(_TABLES)
    return connection


def session(connection: sqlite3.Connection, name: str, *, created: int = START, **columns: Any) -> None:
    """A session row."""
    row = {"id": name, "directory": "/home/dev/project", "time_created": created, "time_updated": created}
    _insert(connection, "session", row | columns)


def message(
    connection: sqlite3.Connection,
    of: str,
    name: str,
    role: str,
    at: int,
    *parts: dict[str, Any],
    **data: Any,
) -> None:
    """A message with its parts."""
    value = {"role": role, "time": {"created": at}} | data
    row = {"id": name, "session_id": of, "time_created": at, "time_updated": at, "data": json.dumps(value)}
    _insert(connection, "message", row)
    for number, part in enumerate(parts):
        row = {
            "id": f"prt_{name}{number}",
            "message_id": name,
            "session_id": of,
            "time_created": at,
            "time_updated": at,
            "data": json.dumps(part),
        }
        _insert(connection, "part", row)
    connection.commit()


def text(words: str, **data: Any) -> dict[str, Any]:
    """A text part."""
    return {"type": "text", "text": words} | data


def tree(base: Path, of: str, words: str) -> None:
    """A session of one prompt in the tree of files."""
    files: dict[str, dict[str, Any]] = {
        f"session/project/{of}.json": {"directory": "/home/dev/project", "time": {"created": START}},
        f"message/{of}/msg_{of}.json": {"role": "user", "time": {"created": START}},
        f"part/msg_{of}/prt_{of}.json": text(words),
    }
    for name, value in files.items():
        path = base / "storage" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), "utf-8")


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    marks = ", ".join("?" for _ in row)
    connection.execute(f"INSERT INTO {table}({', '.join(row)}) VALUES({marks})", list(row.values()))
    connection.commit()
