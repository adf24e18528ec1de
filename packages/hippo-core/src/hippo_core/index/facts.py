"""Facts of the whole store, for the reader and the writer alike."""

import sqlite3
from typing import NamedTuple

from hippo_core.ids import Agent


class KnownSource(NamedTuple):
    """What the store remembers of a source it has read."""

    id: int
    agent: Agent
    root: str
    key: str
    path: str
    stamp: bytes
    offset: int
    prefix: str
    carry: str
    gone: bool


def sources(db: sqlite3.Connection) -> list[KnownSource]:
    """Every source the store remembers."""
    rows = db.execute("SELECT id, agent, root, key, path, stamp, offset, prefix, carry, gone FROM sources")
    return [
        KnownSource(id_, Agent(agent), root, key, path, stamp, offset, prefix, carry, bool(gone))
        for id_, agent, root, key, path, stamp, offset, prefix, carry, gone in rows
    ]


def problems(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Path and problem of every source that is there and could not be read."""
    rows = db.execute("SELECT path, problem FROM sources WHERE problem<>'' AND gone=0 ORDER BY path")
    return [(str(path), str(problem)) for path, problem in rows]


def totals(db: sqlite3.Connection) -> tuple[int, int]:
    """How many sessions with turns there are, and how many turns."""
    row = db.execute("SELECT count(*), coalesce(sum(turns), 0) FROM sessions WHERE turns>0").fetchone()
    return int(row[0]), int(row[1])


def unknown(db: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """Unknown record types with counts, by agent."""
    found: dict[str, dict[str, int]] = {}
    for agent, type_, count in db.execute(
        "SELECT s.agent, u.type, sum(u.count) FROM unknown u JOIN sources s ON s.id=u.source"
        " GROUP BY s.agent, u.type ORDER BY s.agent, u.type"
    ):
        found.setdefault(str(agent), {})[str(type_)] = int(count)
    return found
