"""Walking a folder."""

import os
from pathlib import Path

from hippo_core.storage import walk


def below(root: Path, *suffixes: str) -> list[str]:
    return [path.relative_to(root).as_posix() for path, _ in walk.files(root, suffixes or ("",))]


def test_files_come_in_a_stable_order_with_their_status(tmp_path: Path) -> None:
    for name in ("b/2.jsonl", "b/1.jsonl", "a/3.jsonl", "z.jsonl", "a/note.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"four")
    assert below(tmp_path, ".jsonl") == ["z.jsonl", "a/3.jsonl", "b/1.jsonl", "b/2.jsonl"]
    assert {status.st_size for _, status in walk.files(tmp_path)} == {4}


def test_a_link_to_a_folder_above_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.md").write_bytes(b"")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    assert below(tmp_path) == ["a/x.md"]


def test_a_root_that_is_a_link_is_walked(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x.md").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert below(tmp_path / "link") == ["x.md"]


def test_linked_files_count_while_dangling_links_and_pipes_do_not(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(b"")
    (tmp_path / "y.md").symlink_to(tmp_path / "x.md")
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere")
    (tmp_path / "self.md").symlink_to(tmp_path / "self.md")
    os.mkfifo(tmp_path / "pipe.md")
    met: list[Path] = []
    found = walk.files(tmp_path, failed=lambda path, _error: met.append(path))
    assert [path.name for path, _ in found] == ["x.md", "y.md"]
    assert met == [tmp_path / "self.md"]


def test_a_missing_folder_has_no_files(tmp_path: Path) -> None:
    assert below(tmp_path / "nowhere") == []


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    met: list[Path] = []
    assert list(walk.files(tmp_path / "file", failed=lambda path, _error: met.append(path))) == []
    assert met == [tmp_path / "file"]
