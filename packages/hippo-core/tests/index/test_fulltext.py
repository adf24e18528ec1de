"""The full-text folder after a commit that was cut off."""

from pathlib import Path

from hippo_core.index import fulltext


def commit(folder: Path, number: int) -> None:
    """One turn more, with the commit that brings the folder to it."""
    writer = fulltext.Writer(folder)
    writer.add(fulltext.Document(number, 1, "codex", "user", "prompt", "", 0, "tide", "", ""))
    writer.commit(fulltext.State("store", number, number))
    writer.close()


def test_a_commit_killed_before_its_last_step_is_done_again(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    commit(folder, 1)
    before = (folder / "meta.json").read_bytes()
    commit(folder, 2)
    # The kill came when every file was written but the one that names them.
    (folder / "meta.json").write_bytes(before)
    commit(folder, 2)
    assert fulltext.state(fulltext.open_folder(folder)) == fulltext.State("store", 2, 2)


def test_deletions_that_were_committed_stay(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    commit(folder, 1)
    commit(folder, 2)
    kept = {path.name for path in folder.glob("*.del")}
    fulltext.Writer(folder).close()
    assert {path.name for path in folder.glob("*.del")} == kept != set()
