"""Where the parts of the index lie."""

from pathlib import Path

import msgspec


def remove_folder(folder: Path) -> None:
    """Delete a folder of a cache with what is in it; what cannot be deleted stays."""
    # A search never deletes anything and should not wait for what deleting needs.
    import shutil  # noqa: PLC0415

    shutil.rmtree(folder, ignore_errors=True)


class IndexFiles(msgspec.Struct, frozen=True):
    """The parts of one index below its folder."""

    folder: Path

    @property
    def store(self) -> Path:
        """The SQLite file: sources, sessions, turns."""
        return self.folder / "index.sqlite"

    @property
    def fulltext(self) -> Path:
        """The folder of tantivy folders; the one in use bears the name of its store."""
        return self.folder / "index.fulltext"

    def segments(self, store: str) -> Path:
        """The tantivy folder of the store with this name, so that putting a store in place brings its text with it."""
        return self.fulltext / store

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
        remove_folder(self.fulltext)

    def replace_with(self, other: "IndexFiles") -> None:
        """Put another index in the place of this one: readers see the old until the one moment they see the new."""
        self.fulltext.mkdir(mode=0o700, exist_ok=True)
        for segments in other.fulltext.iterdir():
            segments.replace(self.fulltext / segments.name)
        for side in self.store_parts()[1:]:
            side.unlink(missing_ok=True)
        other.store.replace(self.store)
        remove_folder(other.folder)

    def remove_other_segments(self, store: str) -> None:
        """Delete the tantivy folders of stores that are no longer in place."""
        for folder in self.fulltext.iterdir() if self.fulltext.is_dir() else ():
            if folder.name != store:
                remove_folder(folder)
