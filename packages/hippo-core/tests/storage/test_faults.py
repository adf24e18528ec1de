"""What the system refuses becomes one line that names the path and the mend."""

import errno
import sqlite3
from pathlib import Path

import pytest

from hippo_core.errors import HippoError
from hippo_core.storage import faults


def test_a_full_disk_is_named_with_its_mend() -> None:
    with (
        pytest.raises(HippoError, match=r"^/somewhere: the disk is full: free some space"),
        faults.explained(Path("/somewhere")),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_file_that_was_refused_is_named_before_the_folder_it_is_in() -> None:
    with (
        pytest.raises(HippoError, match=r"^/somewhere/file: permission denied"),
        faults.explained(Path("/somewhere")),
    ):
        raise PermissionError(errno.EACCES, "Permission denied", "/somewhere/file")


def test_a_database_that_cannot_grow_is_a_full_disk(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "small.sqlite")
    database.execute("PRAGMA page_size=512")
    database.execute("PRAGMA max_page_count=4")
    with pytest.raises(HippoError, match="the disk is full"), faults.explained(tmp_path):
        database.execute("CREATE TABLE lines(text)")
        database.executemany("INSERT INTO lines VALUES(?)", [("x" * 400,)] * 50)
    database.close()
