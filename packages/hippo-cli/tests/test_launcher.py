"""bin/uv, which lets the README's commands hold where there is no uv."""

import shutil
import subprocess
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).parents[3] / "bin" / "uv"
NEEDED = ("dirname", "mkdir", "mktemp", "mv", "rm", "sh")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "house" / "bin").mkdir(parents=True)
    shutil.copy(LAUNCHER, tmp_path / "house" / "bin" / "uv")
    return tmp_path / "house"


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A PATH folder of a machine with neither uv nor Python."""
    folder = tmp_path / "bare"
    folder.mkdir()
    for name in NEEDED:
        where = shutil.which(name)
        assert where is not None
        (folder / name).symlink_to(where)
    return folder


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def launch(repository: Path, *folders: Path, arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [repository / "bin" / "uv", *arguments],
        env={"PATH": ":".join(map(str, folders))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_working_uv_on_path_gets_the_arguments_as_they_are(
    repository: Path, bare: Path, tmp_path: Path
) -> None:
    program(tmp_path / "real" / "uv", "printf '<%s>' \"$@\"")

    done = launch(repository, tmp_path / "real", bare, arguments=("--version", "a b", "", "*"))

    assert (done.returncode, done.stdout, done.stderr) == (0, "<--version><a b><><*>", "")


def test_a_shim_that_does_not_run_is_passed_over(repository: Path, bare: Path, tmp_path: Path) -> None:
    program(tmp_path / "shims" / "uv", "exit 127")
    program(tmp_path / "real" / "uv", "echo real")

    done = launch(repository, tmp_path / "shims", tmp_path / "real", bare, arguments=("version",))

    assert (done.returncode, done.stdout, done.stderr) == (0, "real\n", "")


def test_the_launcher_does_not_find_itself_on_path(repository: Path, bare: Path) -> None:
    done = launch(repository, repository / "bin", bare, arguments=("version",))

    assert done.returncode == 3


def test_a_machine_without_python_is_told_what_is_needed_in_one_line(repository: Path, bare: Path) -> None:
    done = launch(repository, bare, arguments=("run", "pytest"))

    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr == "bin/uv: needs Python 3.11 or newer with its venv module, or uv itself on PATH\n"
    assert not (repository / ".uv").exists()


def test_a_uv_that_was_installed_before_is_used_without_a_word(repository: Path, bare: Path) -> None:
    program(repository / ".uv" / "uv", "echo private")

    done = launch(repository, bare, arguments=("version",))

    assert (done.returncode, done.stdout, done.stderr) == (0, "private\n", "")


def test_the_exit_code_is_that_of_uv(repository: Path, bare: Path, tmp_path: Path) -> None:
    program(tmp_path / "real" / "uv", '[ "$1" = --version ] || exit 42')

    assert launch(repository, tmp_path / "real", bare, arguments=("sync",)).returncode == 42


def test_the_environment_is_prepared_once_before_the_first_run(
    repository: Path, bare: Path, tmp_path: Path
) -> None:
    program(
        tmp_path / "real" / "uv",
        f'echo "$1" >> {tmp_path}/asked; [ "$1" != sync ] || mkdir {repository}/.venv',
    )

    first = launch(repository, tmp_path / "real", bare, arguments=("run", "hippo"))
    second = launch(repository, tmp_path / "real", bare, arguments=("run", "hippo"))

    asked = [line for line in (tmp_path / "asked").read_text().splitlines() if line != "--version"]
    assert asked == ["sync", "run", "run"]
    assert first.stderr == f"bin/uv: preparing {repository}/.venv, once\n"
    assert second.stderr == ""
