"""Reading another program's SQLite database without leaving a trace beside it or standing in its way."""

import errno
import functools
import os
import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import quote

from hippo_core.errors import DataError
from hippo_core.storage import stamp

T = TypeVar("T")
Value = str | int | float | bytes | None
_TRIES: Final = 3
_WAIT_SECONDS: Final = 2.0
_WAL_HEADER_BYTES: Final = 32
_MISSING: Final = b""


class Database:
    """A database as it was at one moment; questions only."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, question: str, values: Sequence[Value] = ()) -> Iterator[tuple[Value, ...]]:
        """The answer to `question`, row by row."""
        return iter(self._connection.execute(question, values))

    def columns(self, table: str) -> frozenset[str]:
        """The columns of `table`; none when there is no such table."""
        return frozenset(str(row[0]) for row in self.rows("SELECT name FROM pragma_table_info(?)", (table,)))


def read(path: Path, ask: Callable[[Database], T]) -> T:
    """What `ask` answers on the database at `path`, asked again when somebody wrote meanwhile.

    Nothing at `path` or beside it is written, made or removed. Raises `DataError` when it is no database, and
    `OSError` when it is only busy, so that it is read another time.
    """
    for _ in range(_TRIES):
        before = moved(path)
        try:
            with _Opened(path) as connection:
                answer = ask(Database(connection))
        except sqlite3.OperationalError as error:
            if not _passing(error):
                raise DataError(path, f"cannot be read as a database: {error}") from error
            continue
        except sqlite3.DatabaseError as error:
            if moved(path) == before:
                raise DataError(path, f"is damaged or no database: {error}") from error
            continue
        if _pending(path) or moved(path) == before:
            return answer
    raise BlockingIOError(errno.EAGAIN, "another program is writing it: it is read the next time", str(path))


def moved(path: Path) -> bytes:
    """Bytes that stay equal only while neither the database nor its log of newest changes has moved."""
    return _stamp(path) + _stamp(_log(path))


def _stamp(path: Path) -> bytes:
    try:
        return stamp.of(path.stat())
    except FileNotFoundError:
        return _MISSING


def _log(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _pending(path: Path) -> bool:
    """Whether changes may stand in the log alone."""
    try:
        return _log(path).stat().st_size > _WAL_HEADER_BYTES
    except FileNotFoundError:
        return False


def _passing(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class _Opened:
    """A connection with one snapshot, closed at the end of the block."""

    def __init__(self, path: Path) -> None:
        self._connection = _connect(path)

    def __enter__(self) -> sqlite3.Connection:
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()


def _connect(path: Path) -> sqlite3.Connection:
    if not _pending(path):
        # Nothing is hidden in a log, and a plain read-only connection would leave two files behind.
        return _snapshot(path, "immutable=1")
    try:
        # The shared memory beside a log is otherwise rewritten even by a reader.
        return _snapshot(path, "mode=ro&readonly_shm=1")
    except sqlite3.OperationalError:
        return _snapshot(_copied(path, moved(path)).path, "mode=rw")


def _snapshot(path: Path, options: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path))}?{options}", uri=True, timeout=_WAIT_SECONDS, isolation_level=None
    )
    try:
        connection.text_factory = _text
        connection.execute("PRAGMA query_only=1")
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


class _Copy:
    """A private copy of a database and its log, which goes when nobody needs it any more."""

    def __init__(self, path: Path) -> None:
        folder = tempfile.mkdtemp(prefix="hippo-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = Path(folder) / "copy.db"
        shutil.copyfile(path, self.path)
        shutil.copyfile(_log(path), _log(self.path))


@functools.lru_cache(maxsize=1)
def _copied(path: Path, _moved: bytes) -> _Copy:
    """One copy serves every session read from it, until the original moves."""
    return _Copy(path)
