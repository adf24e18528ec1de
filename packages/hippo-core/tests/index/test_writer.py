"""What the writer keeps, replaces, withdraws and heals."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from index_making import build, put, turn

from hippo_core.errors import BusyError, DataError
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.index.writer import Writer
from hippo_core.transcripts.model import RawSession

NOW = datetime(2026, 5, 10, tzinfo=UTC)


def texts(files: IndexFiles) -> list[str]:
    with Reader(files) as index:
        return sorted(turn.text for session in index.sessions() for turn in index.turns(session.id))


def count(files: IndexFiles, typed: str) -> int:
    with Reader(files) as index:
        return index.search(typed, NOW).total


def test_a_turn_read_again_with_more_text_replaces_what_was_there(tmp_path: Path) -> None:
    files = build(tmp_path, ("one", [turn("a", "nuelm compl"), turn("a", "nuelm complete sentence")]))
    assert texts(files) == ["nuelm complete sentence"]
    assert count(files, "nuelm") == 1


def test_a_copied_turn_is_counted_once_in_its_first_session(tmp_path: Path) -> None:
    files = build(
        tmp_path,
        (
            "fork",
            [
                turn("a", "shared words", 5, session="s2", copied=True),
                turn("b", "own words", 6, session="s2"),
            ],
        ),
        ("parent", [turn("a", "shared words", 1)]),
    )
    with Reader(files) as index:
        by_name = {one.native_id or one.title: one.turns for one in index.sessions()}
    assert sorted(by_name.values()) == [1, 1]
    assert count(files, "shared") == 1


def test_the_earlier_of_two_unmarked_copies_is_the_original_whatever_the_order(tmp_path: Path) -> None:
    early, late = turn("a", "shared", 1), turn("a", "shared", 9, session="s2")
    forward = build(tmp_path / "f", ("p", [early]), ("q", [late]))
    backward = build(tmp_path / "b", ("q", [late]), ("p", [early]))
    for files in (forward, backward):
        with Reader(files) as index:
            assert [session.started_ms for session in index.sessions()] == [early.time_ms]


def test_a_source_read_whole_again_withdraws_what_it_no_longer_holds(tmp_path: Path) -> None:
    files = build(tmp_path, ("one", [turn("a", "kept", 1), turn("b", "dropped", 2)]))
    with Writer(files) as writer:
        put(writer, "one", [turn("a", "kept", 1), turn("c", "new", 2)])
        writer.commit()
    assert texts(files) == ["kept", "new"]
    assert count(files, "dropped") == 0


def test_a_tail_adds_and_withdraws_nothing(tmp_path: Path) -> None:
    files = build(tmp_path, ("one", [turn("a", "first", 1)]))
    with Writer(files) as writer:
        put(writer, "one", [turn("b", "second", 2)], whole=False)
        writer.commit()
    assert texts(files) == ["first", "second"]


def test_a_copy_comes_back_when_its_original_is_withdrawn(tmp_path: Path) -> None:
    copy = turn("a", "shared", 9, session="s2")
    files = build(tmp_path, ("parent", [turn("a", "shared", 1)]), ("fork", [copy]))
    with Writer(files) as writer:
        put(writer, "parent", [turn("z", "other", 1)])
        writer.commit()
        stamps = {source.key: source.stamp for source in writer.store.sources()}
    assert stamps["fork"] == b""


def test_what_was_not_committed_is_not_there(tmp_path: Path) -> None:
    files = build(tmp_path, ("one", [turn("a", "first", 1)]))
    with Writer(files) as writer:
        put(writer, "two", [turn("b", "second", 2)])
    assert texts(files) == ["first"]


def test_full_text_left_behind_by_a_crash_is_brought_up_to_the_store(tmp_path: Path) -> None:
    files = build(tmp_path, ("one", [turn("a", "alpha", 1), turn("b", "beta", 2)]))
    old = tmp_path / "old"
    shutil.copytree(segments(files), old)
    with Writer(files) as writer:
        put(writer, "one", [turn("a", "alpha", 1), turn("c", "gamma", 2)])
        writer.commit()
    here = segments(files)
    shutil.rmtree(here)
    old.rename(here)
    with Reader(files) as index:
        told = index.search("gamma", NOW)
        assert (told.total, len(told.problems), index.is_behind()) == (0, 1, True)
    with Writer(files):
        pass
    assert [count(files, word) for word in ("alpha", "beta", "gamma")] == [1, 0, 1]


def test_full_text_of_another_store_is_built_anew(tmp_path: Path) -> None:
    files = build(tmp_path / "a", ("one", [turn("a", "alpha", 1)]))
    other = build(tmp_path / "b", ("one", [turn("b", "beta", 1)]))
    here = segments(files)
    shutil.rmtree(here)
    shutil.copytree(segments(other), here)
    with Reader(files) as index, pytest.raises(DataError, match="hippo ingest"):
        index.search("beta", NOW)
    with Writer(files):
        pass
    assert [count(files, "alpha"), count(files, "beta")] == [1, 0]


def segments(files: IndexFiles) -> Path:
    """The one tantivy folder of an index."""
    (folder,) = files.fulltext.iterdir()
    return folder


def damage_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 16] = bytes(byte ^ 0xFF for byte in data[middle : middle + 16])
    path.write_bytes(data)


@pytest.mark.parametrize("suffix", [".idx", ".term", ".pos", ".fast", ".store"])
def test_a_damaged_segment_is_never_answered_from_and_is_healed(tmp_path: Path, suffix: str) -> None:
    files = build(tmp_path, ("one", [turn("a", "alpha beta gamma", 1), turn("b", "alpha delta", 2)]))
    damage_middle(next(path for path in segments(files).iterdir() if path.suffix == suffix))
    with pytest.raises(DataError, match="hippo ingest"), Reader(files) as index:
        index.search("alpha", NOW)
    with Writer(files) as writer:
        assert any("built anew" in line for line in writer.healed)
    assert count(files, "alpha") == 2


@pytest.mark.parametrize("suffix", [".idx", ".term", ".pos", ".fast", ".store", ".fieldnorm"])
def test_a_missing_segment_file_is_never_answered_from_and_is_healed(tmp_path: Path, suffix: str) -> None:
    files = build(tmp_path, ("one", [turn("a", "alpha beta gamma", 1), turn("b", "alpha delta", 2)]))
    next(path for path in segments(files).iterdir() if path.suffix == suffix).unlink()
    with pytest.raises(DataError, match="hippo ingest"), Reader(files) as index:
        index.search("alpha", NOW)
    with Writer(files) as writer:
        assert any("built anew" in line for line in writer.healed)
    assert count(files, "alpha") == 2


@pytest.mark.parametrize("content", [b"", b"not json", b'{"index_settings": {}}'])
def test_a_damaged_meta_file_is_healed(tmp_path: Path, content: bytes) -> None:
    files = build(tmp_path, ("one", [turn("a", "alpha", 1)]))
    (segments(files) / "meta.json").write_bytes(content)
    with pytest.raises(DataError, match="hippo ingest"), Reader(files) as index:
        index.search("alpha", NOW)
    with Writer(files):
        pass
    assert count(files, "alpha") == 1


def test_a_missing_full_text_folder_is_healed(tmp_path: Path) -> None:
    files = build(tmp_path, ("one", [turn("a", "alpha", 1)]))
    shutil.rmtree(files.fulltext)
    with Writer(files):
        pass
    assert count(files, "alpha") == 1


@pytest.mark.parametrize("keep", [0, 10, 4096])
def test_a_cut_store_is_refused_by_readers_and_built_anew_by_the_writer(tmp_path: Path, keep: int) -> None:
    files = build(
        tmp_path, ("one", [RawSession(native_id="s1"), *(turn(str(n), "alpha " * 99, n) for n in range(60))])
    )
    files.store.write_bytes(files.store.read_bytes()[:keep])
    with pytest.raises(DataError, match="hippo ingest"), Reader(files) as index:
        index.search("alpha", NOW)
    with Writer(files) as writer:
        assert writer.store.sources() == []


def test_a_second_writer_is_told_that_the_index_is_held(tmp_path: Path) -> None:
    files = build(tmp_path, ("one", [turn("a", "alpha", 1)]))
    with Writer(files), pytest.raises(BusyError):
        Writer(files)


def test_an_index_at_rest_is_read_without_a_right_to_write(tmp_path: Path) -> None:
    files = build(tmp_path, ("one", [turn("a", "alpha", 1)]))
    before = sorted(path.name for path in tmp_path.rglob("*"))
    assert count(files, "alpha") == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == before
