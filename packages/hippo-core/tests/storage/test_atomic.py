"""Files that are never seen half-written."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hippo_core.storage import atomic


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_replaced_file_holds_the_new_bytes_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    atomic.replace(path, b"old")
    atomic.replace(path, b"new")
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["record.json"]


def test_a_private_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    atomic.replace(path, b"x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_shared_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    path = tmp_path / "hippo.toml"
    before = os.umask(0o027)
    try:
        atomic.replace(path, b"x", atomic.SHARED)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_failed_replace_leaves_the_old_file_and_no_temporary(tmp_path: Path) -> None:
    folder = tmp_path / "taken"
    folder.mkdir()
    (folder / "inside").write_bytes(b"kept")
    with pytest.raises(OSError, match="directory"):
        atomic.replace(folder, b"x")
    assert names(tmp_path) == ["taken"]
    assert (folder / "inside").read_bytes() == b"kept"


def test_a_link_is_replaced_and_what_it_led_to_is_untouched(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    link = tmp_path / "record.json"
    link.symlink_to(outside)
    atomic.replace(link, b"new")
    assert outside.read_bytes() == b"mine"
    assert link.read_bytes() == b"new"
    assert not link.is_symlink()


def test_a_very_long_name_can_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    atomic.replace(path, b"x")
    assert path.read_bytes() == b"x"


def test_readers_see_one_whole_version_or_the_other(tmp_path: Path) -> None:
    path = tmp_path / "record"
    versions = {letter * 50_000 for letter in (b"a", b"b")}
    atomic.replace(path, b"a" * 50_000)
    done = threading.Event()
    seen: set[bytes] = set()

    def watch() -> None:
        while not done.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=watch)
    reader.start()
    for _ in range(20):
        for version in versions:
            atomic.replace(path, version)
    done.set()
    reader.join()
    assert seen <= versions


REPLACE_FOR_EVER = """
import itertools, sys
from pathlib import Path
from hippo_core.storage import atomic
path = Path(sys.argv[1])
for number in itertools.count():
    atomic.replace(path, b"%010d" % number * 20_000)
    sys.stdout.write("x\\n")
    sys.stdout.flush()
"""


def test_a_process_killed_while_it_writes_leaves_a_whole_version(tmp_path: Path) -> None:
    path = tmp_path / "record"
    for writes in range(1, 6):
        with subprocess.Popen(
            [sys.executable, "-c", REPLACE_FOR_EVER, str(path)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            for _ in range(writes):
                process.stdout.readline()
            process.kill()
        data = path.read_bytes()
        assert len(data) == 200_000
        assert len({data[begin : begin + 10] for begin in range(0, len(data), 10)}) == 1
    assert all(each == path or atomic.is_temporary(each.name) for each in tmp_path.iterdir())


def test_create_makes_a_file_once_and_never_again(tmp_path: Path) -> None:
    path = tmp_path / "index.md"
    assert atomic.create(path, b"first")
    assert not atomic.create(path, b"second")
    assert path.read_bytes() == b"first"
    assert names(tmp_path) == ["index.md"]


def test_create_leaves_a_dangling_link_as_it_is(tmp_path: Path) -> None:
    link = tmp_path / "index.md"
    link.symlink_to(tmp_path / "nowhere")
    assert not atomic.create(link, b"x")
    assert link.is_symlink()
    assert not (tmp_path / "nowhere").exists()


def test_lines_are_appended_one_after_another(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    atomic.append(path, b"one\n")
    atomic.append(path, b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"


def test_a_half_written_line_is_closed_before_the_next(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"half')
    atomic.append(path, b"whole\n")
    assert path.read_bytes() == b'{"half\nwhole\n'


def test_nothing_is_appended_through_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    (tmp_path / "log.jsonl").symlink_to(outside)
    with pytest.raises(OSError, match="symbolic"):
        atomic.append(tmp_path / "log.jsonl", b"x\n")
    assert outside.read_bytes() == b"mine"


def test_unfinished_files_are_told_by_their_names() -> None:
    assert atomic.is_temporary(".a.json.1-00.hippo-tmp")
    assert not atomic.is_temporary("a.json")
