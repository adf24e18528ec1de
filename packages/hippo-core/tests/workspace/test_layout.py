"""Where everything lies."""

import stat
from pathlib import Path

import pytest

from hippo_core.errors import HippoError
from hippo_core.workspace import layout
from hippo_core.workspace.layout import Home


def test_a_home_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    home = Home.at(tmp_path / "a" / ".hippo")
    layout.make(home)
    layout.make(home)
    assert stat.S_IMODE(home.root.stat().st_mode) == 0o700


def test_naming_a_home_makes_nothing(tmp_path: Path) -> None:
    assert Home.at(tmp_path / ".hippo").config == tmp_path / ".hippo" / "config.toml"
    assert list(tmp_path.iterdir()) == []


def test_a_relative_home_is_refused() -> None:
    with pytest.raises(HippoError, match="HIPPO_HOME"):
        Home.at(Path("hippo"))


def test_a_file_in_place_of_the_home_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(HippoError, match=r"file: a file stands where hippo's folder should be; move it away"):
        layout.make(Home.at(tmp_path / "file"))
    with pytest.raises(HippoError, match="move it away"):
        layout.make(Home.at(tmp_path / "file" / "below"))
    with pytest.raises(HippoError, match="move it away"):
        layout.require(Home.at(tmp_path / "file"))


def test_a_missing_home_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(HippoError, match="run `hippo ingest`"):
        layout.require(Home.at(tmp_path / "nowhere"))


def test_a_home_that_is_a_dangling_link_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(HippoError, match=r"link: .*move it away"):
        layout.make(Home.at(tmp_path / "link"))
