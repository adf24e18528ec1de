"""Real git repositories and real workspaces."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hippo_core.workflows.init import initialise
from hippo_core.workspace.layout import Home, Workspace

Git = Callable[..., None]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    environment = {
        "HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.com",
    }

    def run(folder: Path, *words: str) -> None:
        command = ["git", "-c", "protocol.file.allow=always", *words]
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)

    return run


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.at(tmp_path / "hippo-home")


@pytest.fixture
def project(tmp_path: Path, git: Git, home: Home) -> Workspace:
    """A workspace that is a git repository with one commit; it has the notes `index` and `parser`."""
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "-q")
    workspace = initialise(root, None, home).workspace
    (workspace.notes_dir / "parser.md").write_text("# Parser\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Begin")
    return workspace
