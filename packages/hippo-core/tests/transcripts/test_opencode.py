"""OpenCode stores that real clients wrote, of every generation, read as they lie."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import adapter_reading
import pytest

from hippo_core.transcripts import opencode

DATA = Path(__file__).parent.parent / "data" / "opencode"
CASES = sorted(path.parent.name for path in DATA.glob("*/expected.json"))


def laid_out(case: str, root: Path) -> Path:
    """The store of `case` below `root`, as it lay at its owner's."""
    if (DATA / case / "input").is_dir():
        shutil.copytree(DATA / case / "input", root)
        return root
    root.mkdir()
    with closing(sqlite3.connect(root / "opencode.db")) as connection:
        connection.executescript((DATA / case / "input.sql").read_text("utf-8"))
    return root


@pytest.mark.parametrize("case", CASES)
def test_a_real_store_reads_as_expected(case: str, tmp_path: Path) -> None:
    root = laid_out(case, tmp_path / "store")
    expected = json.loads((DATA / case / "expected.json").read_text("utf-8"))
    assert adapter_reading.everything(opencode, root) == expected


@pytest.mark.parametrize("case", CASES)
def test_reading_leaves_a_store_as_it_was(case: str, tmp_path: Path) -> None:
    root = laid_out(case, tmp_path / "store")
    before = adapter_reading.fingerprint(root)
    assert adapter_reading.turns(opencode, root)
    assert adapter_reading.fingerprint(root) == before


@pytest.mark.parametrize("case", CASES)
def test_two_readings_give_the_same_stamps_and_identities(case: str, tmp_path: Path) -> None:
    root = laid_out(case, tmp_path / "store")
    assert adapter_reading.sources(opencode, root) == adapter_reading.sources(opencode, root)
    identities = [turn.identity for turn in adapter_reading.turns(opencode, root)]
    assert identities == [turn.identity for turn in adapter_reading.turns(opencode, root)]


def test_a_store_without_its_shared_memory_is_read_and_gets_none(tmp_path: Path) -> None:
    root = laid_out("partly-in-log", tmp_path / "store")
    whole = adapter_reading.turns(opencode, root)
    (root / "opencode.db-shm").unlink()
    before = adapter_reading.fingerprint(root)
    assert adapter_reading.turns(opencode, root) == whole
    assert adapter_reading.fingerprint(root) == before
