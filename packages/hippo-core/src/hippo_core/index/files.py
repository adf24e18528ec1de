"""Where the parts of the index lie."""

import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class IndexFiles:
    """The parts of one index below its folder."""

    folder: Path

    @property
    def store(self) -> Path:
        """The SQLite file: sources, sessions, turns."""
        return self.folder / "index.sqlite"

    @property
    def fulltext(self) -> Path:
        """The tantivy folder."""
        return self.folder / "index.fulltext"

    @property
    def seal(self) -> Path:
        """What the parts looked like when they were last known to be whole."""
        return self.folder / "index.seal"

    def store_parts(self) -> tuple[Path, ...]:
        """The SQLite file and its side files."""
        return (self.store, Path(f"{self.store}-wal"), Path(f"{self.store}-shm"))

    def remove_store(self) -> None:
        """Delete the store; it is a cache."""
        for path in self.store_parts():
            path.unlink(missing_ok=True)

    def remove(self) -> None:
        """Delete every part; all of it is a cache."""
        self.remove_store()
        self.seal.unlink(missing_ok=True)
        shutil.rmtree(self.fulltext, ignore_errors=True)

    def replace_with(self, other: "IndexFiles") -> None:
        """Put another index in the place of this one; a crash between the parts is healed at the next open."""
        self.seal.unlink(missing_ok=True)
        self.remove_store()
        other.store.replace(self.store)
        shutil.rmtree(self.fulltext, ignore_errors=True)
        other.fulltext.replace(self.fulltext)
        shutil.rmtree(other.folder, ignore_errors=True)
