"""A folder becomes a workspace."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hippo_core.errors import HippoError, UserError
from hippo_core.workflows.init import initialise
from hippo_core.workspace import ignore, settings
from hippo_core.workspace.layout import Home

Git = Callable[..., None]


def everything(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_a_fresh_workspace_has_settings_ignore_rules_and_an_entry_note(tmp_path: Path, home: Home) -> None:
    done = initialise(tmp_path, None, home)
    assert sorted(everything(tmp_path)) == [".hippo/.gitignore", ".hippo/hippo.toml", "notes/index.md"]
    assert len(done.made) == 3
    assert done.kept == ()
    assert done.notes == 1
    assert settings.check_workspace(done.workspace.settings) == []
    assert done.workspace.settings.read_text() == (
        'entry_note = "index.md"\nformat = "hippo.workspace/1"\nnotes_dir = "notes"\n'
    )


def test_doing_it_twice_changes_nothing_and_says_so(tmp_path: Path, home: Home) -> None:
    initialise(tmp_path, "notes", home)
    before = everything(tmp_path)
    again = initialise(tmp_path, None, home)
    assert again.made == ()
    assert len(again.kept) == 3
    assert everything(tmp_path) == before
    assert initialise(tmp_path, "./notes/", home).made == ()


def test_an_existing_corpus_is_adopted_in_place(tmp_path: Path, home: Home) -> None:
    memory = tmp_path / ".claude" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_bytes(b"\xef\xbb\xbfmine\r\n")
    (memory / "ways.md").write_bytes(b"x")
    done = initialise(tmp_path, ".claude/memory", home)
    assert settings.load_workspace(tmp_path)[1].entry_note == "MEMORY.md"
    assert (memory / "MEMORY.md").read_bytes() == b"\xef\xbb\xbfmine\r\n"
    assert sorted(path.name for path in memory.iterdir()) == ["MEMORY.md", "ways.md"]
    assert done.notes == 2


def test_ignore_rules_of_one_s_own_stay_and_the_missing_are_added(tmp_path: Path, home: Home) -> None:
    (tmp_path / ".hippo").mkdir()
    path = tmp_path / ".hippo" / ".gitignore"
    path.write_bytes(b"mine\nsessions\n/reports/")
    initialise(tmp_path, None, home)
    text = path.read_text()
    assert text.startswith("mine\nsessions\n/reports/\n#")
    assert text.splitlines()[-3:] == ["/snapshots/", "/dream-state.json", "/session-log.jsonl"]
    assert ignore.completed(text) is None


def test_git_ignores_what_is_one_person_s_own(tmp_path: Path, home: Home, git: Git) -> None:
    git(tmp_path, "init", "-q")
    done = initialise(tmp_path, None, home)
    for name in ("sessions/a.json", "snapshots/a", "reports/a.md", "dream-state.json", "session-log.jsonl"):
        (done.workspace.hippo_dir / name).parent.mkdir(exist_ok=True)
        (done.workspace.hippo_dir / name).write_bytes(b"")
        git(tmp_path, "check-ignore", "-q", f".hippo/{name}")
    git(tmp_path, "add", ".hippo/hippo.toml", ".hippo/.gitignore", "notes/index.md")


@pytest.mark.parametrize("written", ["../notes", "/notes", "", ".hippo/notes", "a\\b"])
def test_a_notes_folder_outside_is_refused_and_nothing_is_made(
    tmp_path: Path, home: Home, written: str
) -> None:
    with pytest.raises(UserError, match="notes folder"):
        initialise(tmp_path, written, home)
    assert everything(tmp_path) == {}


def test_other_notes_than_the_workspace_has_are_refused(tmp_path: Path, home: Home) -> None:
    initialise(tmp_path, None, home)
    with pytest.raises(UserError, match="change `notes_dir` there"):
        initialise(tmp_path, "elsewhere", home)


def test_hippo_s_home_is_never_made_a_workspace(tmp_path: Path) -> None:
    home = Home.at(tmp_path / ".hippo")
    with pytest.raises(UserError, match="hippo's own home"):
        initialise(tmp_path, None, home)
    home.root.mkdir()
    with pytest.raises(UserError, match="hippo's own home"):
        initialise(home.root, None, home)


def test_links_that_lead_out_of_the_workspace_are_refused(tmp_path: Path, home: Home) -> None:
    root = tmp_path / "root"
    outside = tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "notes").symlink_to(outside)
    with pytest.raises(UserError, match="by a link"):
        initialise(root, "notes", home)
    (root / ".hippo").symlink_to(outside)
    with pytest.raises(UserError, match="move it away"):
        initialise(root, "memory", home)
    assert list(outside.iterdir()) == []


def test_a_folder_that_is_not_there_and_a_file_in_the_way_are_one_clear_line(
    tmp_path: Path, home: Home
) -> None:
    with pytest.raises(UserError, match="no such folder"):
        initialise(tmp_path / "nowhere", None, home)
    (tmp_path / "notes").write_bytes(b"")
    with pytest.raises(HippoError, match="notes: something else stands in its place"):
        initialise(tmp_path, None, home)


def test_a_name_with_quotes_and_other_letters_is_written_so_that_it_reads_back(
    tmp_path: Path, home: Home
) -> None:
    initialise(tmp_path, 'no"tes/über 笔记', home)
    assert settings.load_workspace(tmp_path)[1].notes_dir == 'no"tes/über 笔记'
