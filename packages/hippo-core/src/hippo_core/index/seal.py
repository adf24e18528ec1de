"""Whether the parts of the index are as they were last left, and what to check when they are not."""

import sqlite3
import zlib
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.errors import DataError
from hippo_core.index.files import IndexFiles
from hippo_core.storage import atomic

_FOOTER_MAGIC: Final = 1337
_SUFFIXES: Final = (".idx", ".pos", ".term", ".store", ".fast", ".fieldnorm")
_DAMAGED: Final = "is damaged; run `hippo ingest` to rebuild it"


def stamps(files: IndexFiles) -> dict[str, list[int]]:
    """Size, mtime and inode of every part that decides an answer."""
    found: dict[str, list[int]] = {}
    parts = [path for path in files.store_parts()[:2] if path.exists() and path.stat().st_size]
    parts.extend(path for path in sorted(files.fulltext.glob("*/*")) if not path.name.endswith(".lock"))
    for path in parts:
        status = path.stat()
        found[str(path.relative_to(files.folder))] = [status.st_size, status.st_mtime_ns, status.st_ino]
    return found


def write(files: IndexFiles) -> None:
    """Remember the parts as they now stand."""
    atomic.replace(files.seal, msgspec.json.encode(stamps(files)) + b"\n")


def holds(files: IndexFiles) -> bool:
    """Whether the parts stand as they were sealed; only then need nothing be checked."""
    try:
        return bool(msgspec.json.decode(files.seal.read_bytes()) == stamps(files))
    except (OSError, ValueError):
        return False


def check_store(path: Path) -> None:
    """Raise DataError when SQLite finds the store damaged; a missing store is whole."""
    if not path.exists():
        return
    try:
        connection = sqlite3.connect(path, timeout=10.0)
        try:
            verdict = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        raise DataError(path, _DAMAGED) from error
    if verdict != "ok":
        raise DataError(path, _DAMAGED)


def check_fulltext(folder: Path) -> None:
    """Raise DataError when a segment file is gone or does not match its checksum; a missing folder is whole."""
    if (gone := _first_gone(folder)) is not None:
        raise DataError(gone, _DAMAGED)
    for path in folder.glob("*"):
        if path.suffix and path.suffix not in {".json", ".lock"} and not _sound(path):
            raise DataError(path, _DAMAGED)


def _first_gone(folder: Path) -> Path | None:
    """The first segment file that the folder's own list of segments asks for and that is not there."""
    try:
        listed = msgspec.json.decode((folder / "meta.json").read_bytes())["segments"]
        names = [str(each["segment_id"]).replace("-", "") for each in listed]
    except (OSError, ValueError, KeyError, TypeError):
        # No list, or no readable one: opening the folder says so.
        return None
    wanted = (folder / f"{name}{suffix}" for name in names for suffix in _SUFFIXES)
    return next((path for path in wanted if not path.exists()), None)


def _sound(path: Path) -> bool:
    """A segment ends with a JSON footer (crc of the body), the footer's length and a magic number."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        # Merged away by a writer since the folder was listed.
        return True
    if len(data) < 8 or int.from_bytes(data[-4:], "little") != _FOOTER_MAGIC:
        return False
    length = int.from_bytes(data[-8:-4], "little")
    body = len(data) - 8 - length
    if body < 0:
        return False
    try:
        crc = msgspec.json.decode(data[body : len(data) - 8])["crc"]
    except (ValueError, KeyError, TypeError):
        return False
    return bool(crc == zlib.crc32(memoryview(data)[:body]))
