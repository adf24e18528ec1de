"""What every test runs under: an empty home, no settings of the person's own, and searches that repeat."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True, database=None)
settings.load_profile("repeatable")

MOVED_BY = (
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "HIPPO_HOME",
    "OPENCODE_DATA_DIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
)


@pytest.fixture(scope="session", autouse=True)
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with nothing in it, so that no test can read or write the person's own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for name in MOVED_BY:
            patch.delenv(name, raising=False)
        yield home
