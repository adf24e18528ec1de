"""Where everything lies: hippo's home on this machine, and a workspace."""

from pathlib import Path
from typing import Final

import msgspec

from hippo_core.errors import HippoError
from hippo_core.storage import faults

HIPPO_DIR: Final = ".hippo"
SETTINGS_NAME: Final = "hippo.toml"


class Home(msgspec.Struct, frozen=True):
    """The folder that holds what belongs to this machine; a name only, until `make` is called."""

    root: Path

    @classmethod
    def at(cls, path: Path) -> "Home":
        """The home at `path`, which must be absolute so that it means the same wherever hippo is run."""
        if not path.is_absolute():
            raise HippoError(f"{path}: hippo's home must be an absolute path; set HIPPO_HOME to one")
        if any("\ud800" <= letter <= "\udfff" for letter in str(path)):
            raise HippoError(f"{path}: hippo's home must have a name that is UTF-8; set HIPPO_HOME to one")
        return cls(path)

    @property
    def config(self) -> Path:
        """This machine's settings."""
        return self.root / "config.toml"

    @property
    def index(self) -> Path:
        """Sources, sessions and turns: a cache."""
        return self.root / "index.sqlite"

    @property
    def fulltext(self) -> Path:
        """The folder of full-text segments beside the index: a cache."""
        return self.root / "index.fulltext"

    @property
    def archive(self) -> Path:
        """Redacted turns of sessions whose transcripts are gone: kept."""
        return self.root / "archive"

    @property
    def rollup(self) -> Path:
        """Facts of each session, from rules: a cache."""
        return self.root / "rollup.sqlite"

    @property
    def usage(self) -> Path:
        """Usage figures."""
        return self.root / "usage"

    @property
    def lessons(self) -> Path:
        """Candidates and drafts that wait in the Inbox."""
        return self.root / "lessons"

    @property
    def trust(self) -> Path:
        """Which workspaces this machine trusts."""
        return self.root / "trust.toml"

    @property
    def models(self) -> Path:
        """The warmed embedding model."""
        return self.root / "models"

    @property
    def model_runs(self) -> Path:
        """Scratch folders of model runs, which are never ingested."""
        return self.root / "model-runs"

    @property
    def logs(self) -> Path:
        """What hooks and scheduled runs did."""
        return self.root / "logs"

    @property
    def lock(self) -> Path:
        """Held by whoever writes the index."""
        return self.root / "ingest.lock"


class Workspace(msgspec.Struct, frozen=True):
    """A folder with notes in it: its root with every link resolved, and where its notes are."""

    root: Path
    notes_dir: Path

    @property
    def hippo_dir(self) -> Path:
        """Settings, packs, and why notes changed."""
        return self.root / HIPPO_DIR

    @property
    def settings(self) -> Path:
        """The workspace's settings; a folder is a workspace because this file is there."""
        return self.hippo_dir / SETTINGS_NAME

    @property
    def sessions(self) -> Path:
        """Session records, one person's own."""
        return self.hippo_dir / "sessions"

    @property
    def session_log(self) -> Path:
        """One line for each start and end of a declared session, one person's own."""
        return self.hippo_dir / "session-log.jsonl"


def make(home: Home) -> None:
    """Have the home there, for this user alone; raises `HippoError` that names the path and the mend."""
    make_folder(home.root)


def make_folder(folder: Path) -> None:
    """Have `folder` there with its parents, for this user alone; raises `HippoError` when it cannot be."""
    if folder.is_dir():
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise HippoError(f"{folder}: a file stands where hippo's folder should be; move it away") from error
    except OSError as error:
        raise faults.explain(error, folder) from error


def require(home: Home) -> None:
    """Raise `HippoError` unless the home is there to be read."""
    if not home.root.exists():
        raise HippoError(f"{home.root}: hippo has no home here yet; run `hippo ingest` to make it")
    if not home.root.is_dir():
        raise HippoError(f"{home.root}: a file stands where hippo's home should be; move it away")
