"""Archived sessions as files: what is read back, and what is refused."""

from pathlib import Path

import pytest
import zstandard

from hippo_core.errors import DataError
from hippo_core.ids import Agent
from hippo_core.index import archive
from hippo_core.index.entry import Redactor, SessionEntry, TurnEntry
from hippo_core.redaction.engine import compile_rules

SESSION = (
    b'{"agent":"codex","format":"hippo.archive/1","id":"0123456789abcdef","native_id":"n","title":"Tides"}\n'
)
TURN = b'{"kind":"prompt","place":1,"role":"user","text":"mend the tables","uid":"00112233445566778899"}\n'


@pytest.fixture
def redactor() -> Redactor:
    return Redactor(compile_rules(accelerated=False))


def packed(path: Path, data: bytes) -> Path:
    """`data` at `path`, as the archive keeps it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(data))
    return path


def test_a_session_and_its_turns_come_back(tmp_path: Path, redactor: Redactor) -> None:
    session, turn = archive.read(packed(tmp_path / "s.jsonl.zst", SESSION + TURN), redactor)
    assert isinstance(session, SessionEntry)
    assert session.title.text == "Tides"
    assert isinstance(turn, TurnEntry)
    assert turn.text.text == "mend the tables"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (SESSION + TURN[:-1], "its end is missing"),
        (SESSION + TURN[:20] + b"\n", "is damaged"),
        (SESSION + b'{"text":"\xff"}\n', "is damaged"),
        (b"", "its end is missing"),
        (SESSION.replace(b"archive/1", b"archive/2"), "has format hippo.archive/2"),
    ],
)
def test_what_is_cut_damaged_or_newer_is_refused(
    tmp_path: Path, redactor: Redactor, data: bytes, problem: str
) -> None:
    path = packed(tmp_path / "s.jsonl.zst", data)
    with pytest.raises(DataError, match=problem):
        list(archive.read(path, redactor))


def test_a_flipped_bit_is_refused(tmp_path: Path, redactor: Redactor) -> None:
    path = packed(tmp_path / "s.jsonl.zst", SESSION + TURN)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(DataError, match="is damaged"):
        list(archive.read(path, redactor))


def test_a_folder_that_is_no_agents_is_left_alone(tmp_path: Path) -> None:
    kept = packed(tmp_path / Agent.CODEX / "a.jsonl.zst", SESSION)
    packed(tmp_path / "copies" / "a.jsonl.zst", SESSION)
    assert list(archive.files(tmp_path)) == [kept]
