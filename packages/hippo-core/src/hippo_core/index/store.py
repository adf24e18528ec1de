"""The store: sources, sessions and turns in one SQLite file, written by one process at a time."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from hippo_core.errors import DataError
from hippo_core.ids import Agent, SessionId, TurnUid
from hippo_core.index import facts, schema
from hippo_core.index.entry import SessionEntry, TurnEntry
from hippo_core.index.facts import KnownSource
from hippo_core.redaction.text import Redacted
from hippo_core.transcripts.model import Kind

BUSY_SECONDS: Final = 10.0
_INSERT_TURN: Final = (
    f"INSERT INTO turns({schema.TURN_COLUMNS}) VALUES({','.join('?' * 17)}) ON CONFLICT(uid) DO NOTHING"
)
_EARLIEST: Final = -(1 << 62)


class Progress(NamedTuple):
    """How far a source was read; an empty prefix means that the next read is of the whole.

    `problem` says why nothing of it could be read; it is not tried again until it moves.
    """

    stamp: bytes
    size: int
    offset: int
    prefix: str
    carry: str
    problem: str = ""


class Written(NamedTuple):
    """A turn that is new to the store, by number, and the number of its session."""

    number: int
    session: int


def connect(path: Path) -> sqlite3.Connection:
    """A connection that may write; creates the tables in a new file and refuses another format."""
    try:
        path.touch(mode=0o600)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA cache_size=-32768")
        found = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if found == 0:
            _create(connection)
        elif found != schema.FORMAT:
            raise DataError(path, f"has format {found}, this hippo reads {schema.FORMAT}")
    except sqlite3.DatabaseError as error:
        raise DataError(path, f"cannot be used: {error}") from error
    return connection


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in schema.TABLES.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute("INSERT INTO meta VALUES('store', ?)", (os.urandom(8).hex(),))
    connection.execute("INSERT INTO meta VALUES('generation', '0')")
    connection.execute(f"PRAGMA user_version={schema.FORMAT}")
    connection.execute("COMMIT")


class Store:
    """The writing side. Everything between `begin` and `commit` is seen by readers at once or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = connect(path)
        self._numbers: dict[SessionId, int] = {}
        self._touched: set[int] = set()
        self.removed: list[int] = []

    def meta(self, name: str) -> str | None:
        """A fact about the whole store, such as its `generation`."""
        row = self._db.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, name: str, value: str) -> None:
        """Remember a fact about the whole store."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (name, value))

    def begin(self) -> None:
        """Open a transaction if none is open."""
        if not self._db.in_transaction:
            self._db.execute("BEGIN IMMEDIATE")

    def commit(self) -> tuple[int, int]:
        """Bring session facts up to date and commit; returns the new generation and the last turn number."""
        self.begin()
        self._summarise()
        generation = int(self.meta("generation") or 0) + 1
        self._db.executemany(
            "INSERT OR IGNORE INTO removed VALUES(?, ?)", ((number, generation) for number in self.removed)
        )
        self.set_meta("generation", str(generation))
        self._db.execute("COMMIT")
        self.removed.clear()
        return generation, self.last_turn()

    def rollback(self) -> None:
        """Drop what was not committed."""
        # SQLite has rolled back by itself where the disk refused it.
        with contextlib.suppress(sqlite3.OperationalError):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        self._numbers.clear()
        self._touched.clear()
        self.removed.clear()

    def close(self) -> None:
        """Let the file go; what was not committed is dropped.

        At rest the store is one plain file, so that a reader leaves no side files and needs no right to write.
        """
        self.rollback()
        with contextlib.suppress(sqlite3.OperationalError):
            self._db.execute("PRAGMA busy_timeout=200")
            self._db.execute("PRAGMA journal_mode=DELETE")
        self._db.close()

    def last_turn(self) -> int:
        """The highest turn number ever given."""
        row = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name='turns'").fetchone()
        return 0 if row is None else int(row[0])

    def sources(self) -> list[KnownSource]:
        """Every source the store remembers."""
        return facts.sources(self._db)

    def source(self, agent: Agent, root: str, key: str, path: Redacted) -> int:
        """The number of a source, new or known."""
        self._db.execute(
            "INSERT INTO sources(agent, root, key, path, stamp, size, offset, prefix, carry)"
            " VALUES(?, ?, ?, ?, x'', 0, 0, '', '')"
            " ON CONFLICT(key) DO UPDATE SET gone=0, root=excluded.root, path=excluded.path",
            (agent, root, key, path.text),
        )
        return int(self._db.execute("SELECT id FROM sources WHERE key=?", (key,)).fetchone()[0])

    def finish_source(self, source: int, progress: Progress, unknown: dict[str, int], *, whole: bool) -> None:
        """Remember how far a source was read and which unknown types it held."""
        self._db.execute(
            "UPDATE sources SET stamp=?, size=?, offset=?, prefix=?, carry=?, problem=? WHERE id=?",
            (*progress, source),
        )
        if whole:
            self._db.execute("DELETE FROM unknown WHERE source=?", (source,))
        self._db.executemany(
            "INSERT INTO unknown VALUES(?, ?, ?)"
            " ON CONFLICT(source, type) DO UPDATE SET count=count+excluded.count",
            ((source, type_, count) for type_, count in unknown.items()),
        )

    def mark_gone(self, source: int) -> None:
        """Remember that a source is no longer there; its turns stay."""
        self._db.execute("UPDATE sources SET gone=1, stamp=x'', offset=0, prefix='' WHERE id=?", (source,))

    def drop_source(self, source: int) -> None:
        """Forget a source and its turns."""
        self.withdraw(source, keep=frozenset())
        for table in ("unknown", "copies", "source_sessions"):
            self._db.execute(f"DELETE FROM {table} WHERE source=?", (source,))  # noqa: S608
        self._db.execute("DELETE FROM sources WHERE id=?", (source,))

    def session(self, entry: SessionEntry) -> int:
        """Add what `entry` knows to the session and return its number."""
        number = self._session_number(entry.id, entry.agent)
        self._db.execute(
            "UPDATE sessions SET native_id=?,"
            " cwd=CASE WHEN cwd='' THEN ? ELSE cwd END,"
            " parent=coalesce(?, parent), forked_from=coalesce(?, forked_from),"
            " title=CASE WHEN ?>=title_rank AND ?<>'' THEN ? ELSE title END,"
            " title_rank=max(title_rank, ?),"
            " branch=CASE WHEN ?='' THEN branch ELSE ? END,"
            " client_version=CASE WHEN ?='' THEN client_version ELSE ? END WHERE number=?",
            (
                entry.native_id.text,
                entry.cwd.text,
                entry.parent,
                entry.forked_from,
                entry.title_rank,
                entry.title.text,
                entry.title.text,
                entry.title_rank,
                entry.branch.text,
                entry.branch.text,
                entry.client_version.text,
                entry.client_version.text,
                number,
            ),
        )
        self._touched.add(number)
        return number

    def project(self, session: int) -> str:
        """Where a session ran, as far as is known."""
        return str(self._db.execute("SELECT cwd FROM sessions WHERE number=?", (session,)).fetchone()[0])

    def turn(self, source: int, agent: Agent, entry: TurnEntry) -> Written | None:
        """Write one turn; None when the store already holds it as it is, or holds its original."""
        session = self._session_number(entry.session, agent)
        row = _row(source, session, entry)
        cursor = self._db.execute(_INSERT_TURN, row)
        if cursor.rowcount != 1 and not self._make_way(source, session, entry, row):
            return None
        if cursor.rowcount != 1:
            cursor = self._db.execute(_INSERT_TURN, row)
        self._touched.add(session)
        number = cursor.lastrowid
        assert number is not None
        return Written(number, session)

    def link(self, source: int, session: int) -> None:
        """Remember that a source holds turns of a session."""
        self._db.execute("INSERT OR IGNORE INTO source_sessions VALUES(?, ?)", (source, session))

    def number_of(self, uid: TurnUid) -> int | None:
        """The number of the turn with this uid."""
        row = self._db.execute("SELECT number FROM turns WHERE uid=?", (uid,)).fetchone()
        return None if row is None else int(row[0])

    def withdraw(self, source: int, keep: frozenset[int] | set[int]) -> None:
        """Remove the turns of a source but those in `keep`: it was read whole and no longer holds the others."""
        rows = self._db.execute(
            "SELECT t.number, t.uid FROM source_sessions s JOIN turns t ON t.session=s.session"
            " WHERE s.source=? AND t.source=?",
            (source, source),
        ).fetchall()
        for number, uid in rows:
            if number not in keep:
                self._remove(number, uid)

    def turns_after(self, number: int) -> Iterator[tuple[Any, ...]]:
        """Rows for the full text of every turn numbered above `number`."""
        yield from self._db.execute(
            "SELECT t.number, t.session, s.agent, t.role, t.kind, t.tool, t.time_ms, t.text, t.files, s.cwd"
            " FROM turns t JOIN sessions s ON s.number=t.session WHERE t.number>? ORDER BY t.number",
            (number,),
        )

    def removed_after(self, generation: int) -> list[int]:
        """Numbers of turns removed after `generation`."""
        rows = self._db.execute("SELECT number FROM removed WHERE generation>?", (generation,))
        return [number for (number,) in rows]

    def sessions_of(self, source: int) -> list[int]:
        """Numbers of the sessions that a source holds turns of."""
        rows = self._db.execute("SELECT session FROM source_sessions WHERE source=?", (source,))
        return [number for (number,) in rows]

    def gone_rows_of(self, session: int) -> Iterator[sqlite3.Row]:
        """The turns of a session whose sources are gone, in order, by column name."""
        cursor = self._db.cursor()
        cursor.row_factory = sqlite3.Row
        yield from cursor.execute(
            "SELECT t.* FROM turns t JOIN sources s ON s.id=t.source"
            " WHERE t.session=? AND s.gone=1 ORDER BY t.place",
            (session,),
        )

    def totals(self) -> tuple[int, int]:
        """How many sessions with turns there are, and how many turns."""
        return facts.totals(self._db)

    def problems(self) -> list[tuple[str, str]]:
        """Path and problem of every source that could not be read."""
        return facts.problems(self._db)

    def unknown(self) -> dict[str, dict[str, int]]:
        """Unknown record types with counts, by agent."""
        return facts.unknown(self._db)

    def pending(self) -> bool:
        """Whether something was written since the last commit."""
        return self._db.in_transaction

    def session_row(self, session: int) -> sqlite3.Row:
        """One session by column name."""
        cursor = self._db.cursor()
        cursor.row_factory = sqlite3.Row
        row: sqlite3.Row = cursor.execute("SELECT * FROM sessions WHERE number=?", (session,)).fetchone()
        return row

    def _session_number(self, id_: SessionId, agent: Agent) -> int:
        number = self._numbers.get(id_)
        if number is None:
            self._db.execute("INSERT OR IGNORE INTO sessions(id, agent) VALUES(?, ?)", (id_, agent))
            (number,) = self._db.execute("SELECT number FROM sessions WHERE id=?", (id_,)).fetchone()
            self._numbers[id_] = int(number)
        return int(number)

    def _make_way(self, source: int, session: int, entry: TurnEntry, row: tuple[object, ...]) -> bool:
        """Decide between a turn and the one that has its uid; True when the old one was removed for it."""
        old = self._db.execute(
            f"SELECT number, {schema.TURN_COLUMNS} FROM turns WHERE uid=?",  # noqa: S608
            (entry.uid,),
        ).fetchone()
        number, held = int(old[0]), tuple(old[1:])
        held_session, held_source = int(held[1]), int(held[2])
        if held_session != session and held_source != source:
            (held_id,) = self._db.execute(
                "SELECT id FROM sessions WHERE number=?", (held_session,)
            ).fetchone()
            if _rank(held[7], held[4], held_id) <= _rank(row[7], row[4], entry.session):
                self._db.execute("INSERT OR IGNORE INTO copies VALUES(?, ?)", (entry.uid, source))
                return False
            self._db.execute("INSERT OR IGNORE INTO copies VALUES(?, ?)", (entry.uid, held_source))
        elif held[3:] == row[3:] and held_session == session:
            if held_source != source:
                self._db.execute("UPDATE turns SET source=? WHERE number=?", (source, number))
            return False
        self._remove(number, None)
        self._touched.add(held_session)
        return True

    def _remove(self, number: int, uid: str | None) -> None:
        """Remove a turn; with its uid, sources that hold a copy of it are read again."""
        row = self._db.execute("DELETE FROM turns WHERE number=? RETURNING session", (number,)).fetchone()
        self.removed.append(number)
        if row is not None:
            self._touched.add(int(row[0]))
        if uid is not None:
            self._db.execute(
                "UPDATE sources SET stamp=x'', offset=0, prefix=''"
                " WHERE id IN (SELECT source FROM copies WHERE uid=?)",
                (uid,),
            )
            self._db.execute("DELETE FROM copies WHERE uid=?", (uid,))

    def _summarise(self) -> None:
        self._db.executemany(
            "UPDATE sessions SET"
            " turns=(SELECT count(*) FROM turns WHERE session=sessions.number),"
            " started_ms=(SELECT min(time_ms) FROM turns WHERE session=sessions.number),"
            " ended_ms=(SELECT max(time_ms) FROM turns WHERE session=sessions.number),"
            " first_prompt=coalesce((SELECT substr(text, 1, 200) FROM turns"
            " WHERE session=sessions.number AND kind=? ORDER BY place LIMIT 1), '')"
            " WHERE number=?",
            ((schema.KIND_NUMBER[Kind.PROMPT], number) for number in self._touched),
        )
        self._touched.clear()


def _rank(flags: object, time_ms: object, session: str) -> tuple[bool, int, str]:
    """Originals before copies, then the earlier, then any lasting order."""
    copied = bool(int(flags) & schema.COPIED) if isinstance(flags, int) else False
    return copied, time_ms if isinstance(time_ms, int) else _EARLIEST, session


def _row(source: int, session: int, entry: TurnEntry) -> tuple[object, ...]:
    flags = (
        (schema.FAILED if entry.failed else 0)
        | (schema.COPIED if entry.copied else 0)
        | (schema.ABANDONED if entry.abandoned else 0)
    )
    return (
        entry.uid,
        session,
        source,
        entry.order,
        entry.time_ms,
        schema.ROLE_NUMBER[entry.role],
        schema.KIND_NUMBER[entry.kind],
        flags,
        entry.exit_status,
        entry.tool.text,
        entry.call.text,
        entry.files.text,
        entry.edited.text,
        entry.command.text,
        entry.model.text,
        msgspec.json.encode(entry.tokens).decode() if entry.tokens else "",
        entry.text.text,
    )
