"""Another program's database is read whole and left as it was."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from adapter_reading import fingerprint

from hippo_core.errors import DataError
from hippo_core.storage import foreign
from hippo_core.storage.foreign import Database

_OWNER = """
import sqlite3, sys
owner = sqlite3.connect(sys.argv[1])
owner.execute("PRAGMA journal_mode=WAL")
owner.execute("CREATE TABLE words(word TEXT)")
for number, _ in enumerate(iter(sys.stdin.readline, ""), 1):
    owner.execute("INSERT INTO words VALUES(?)", (str(number),))
    owner.commit()
    print(number, flush=True)
"""


@pytest.fixture
def live(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database that its owner holds open, whose rows stand in the log alone."""
    (tmp_path / "live").mkdir()
    with closing(sqlite3.connect(tmp_path / "live/some.db")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE words(word TEXT)")
        connection.execute("INSERT INTO words VALUES('newest')")
        connection.commit()
        yield connection


def words(database: Database) -> list[object]:
    return [row[0] for row in database.rows("SELECT word FROM words ORDER BY rowid")]


def test_a_database_that_another_process_writes_is_read_with_its_log_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    with subprocess.Popen(
        [sys.executable, "-c", _OWNER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdin is not None
        assert owner.stdout is not None
        for count in (1, 2):
            owner.stdin.write("\n")
            owner.stdin.flush()
            assert owner.stdout.readline() == f"{count}\n"
            before = fingerprint(tmp_path)
            assert foreign.read(path, words) == [str(number) for number in range(1, count + 1)]
            assert fingerprint(tmp_path) == before
        owner.stdin.close()


@pytest.mark.parametrize("left", [("", "-wal", "-shm"), ("", "-wal")])
def test_a_database_whose_owner_was_killed_is_read_and_not_mended(
    live: sqlite3.Connection, tmp_path: Path, left: tuple[str, ...]
) -> None:
    folder = tmp_path / "left"
    folder.mkdir()
    for ending in left:
        shutil.copy2(tmp_path / f"live/some.db{ending}", folder / f"some.db{ending}")
    before = fingerprint(folder)
    assert foreign.read(folder / "some.db", words) == ["newest"]
    assert fingerprint(folder) == before


def test_a_database_at_rest_gets_no_files_beside_it(live: sqlite3.Connection, tmp_path: Path) -> None:
    live.close()
    folder = tmp_path / "live"
    before = fingerprint(folder)
    assert foreign.read(folder / "some.db", words) == ["newest"]
    assert fingerprint(folder) == before
    assert [path.name for path in folder.iterdir()] == ["some.db"]


def test_a_database_in_a_folder_whose_name_is_no_text_is_read(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff?#"))
    folder.mkdir()
    with closing(sqlite3.connect(tmp_path / "some.db")) as connection:
        connection.execute("CREATE TABLE words(word TEXT)")
        connection.execute("INSERT INTO words VALUES('found')")
        connection.commit()
    (tmp_path / "some.db").rename(folder / "some.db")
    assert foreign.read(folder / "some.db", words) == ["found"]


def test_nothing_can_be_written_through_it(live: sqlite3.Connection, tmp_path: Path) -> None:
    def write(database: Database) -> None:
        list(database.rows("DELETE FROM words"))

    with pytest.raises(DataError):
        foreign.read(tmp_path / "live/some.db", write)
    assert foreign.read(tmp_path / "live/some.db", words) == ["newest"]


def test_what_is_no_database_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "some.db").write_bytes(b"just words" * 200)
    with pytest.raises(DataError, match="no database"):
        foreign.read(tmp_path / "some.db", words)


def test_a_database_that_never_rests_is_left_for_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE words(word TEXT)")

        def ask(database: Database) -> list[object]:
            connection.execute("INSERT INTO words VALUES('more')")
            connection.commit()
            return words(database)

        with pytest.raises(BlockingIOError):
            foreign.read(path, ask)


def test_columns_of_a_missing_table_are_none(live: sqlite3.Connection, tmp_path: Path) -> None:
    path = tmp_path / "live/some.db"
    assert foreign.read(path, lambda database: database.columns("words")) == {"word"}
    assert foreign.read(path, lambda database: database.columns("nothing")) == set()


def test_broken_text_is_read_with_replacement_characters(live: sqlite3.Connection, tmp_path: Path) -> None:
    live.execute("UPDATE words SET word = CAST(x'61ff62' AS TEXT)")
    live.commit()
    assert foreign.read(tmp_path / "live/some.db", words) == ["a\ufffdb"]
