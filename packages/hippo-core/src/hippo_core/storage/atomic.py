"""Files that are never seen half-written and never lost half-way."""

import contextlib
import os
from pathlib import Path
from typing import Final

PRIVATE: Final = 0o600
SHARED: Final = 0o666
_TEMPORARY_SUFFIX: Final = ".hippo-tmp"


def replace(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Make `path` hold exactly `data`, durably: a reader sees the old bytes or the new, also after a crash.

    `mode` is narrowed by the umask; a link at `path` is replaced, not followed.
    Raises the `OSError` that stopped it, with the old file untouched and nothing left beside it.
    """
    temporary = _temporary(path)
    try:
        _write_durably(temporary, data, mode)
        temporary.replace(path)
    except BaseException:
        _discard(temporary)
        raise
    sync_folder(path.parent)


def create(path: Path, data: bytes, mode: int = PRIVATE) -> bool:
    """Make `path` hold `data` unless something is there already, and tell whether it was made.

    Whatever stands at `path`, a dangling link included, stays as it is.
    """
    temporary = _temporary(path)
    try:
        _write_durably(temporary, data, mode)
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        _discard(temporary)
    sync_folder(path.parent)
    return True


def append(path: Path, line: bytes, mode: int = PRIVATE) -> None:
    """Put `line`, which ends in a line feed, at the end of `path`; a half-written line before it is closed first."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, mode)
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        if size:
            os.lseek(descriptor, size - 1, os.SEEK_SET)
            line = line if os.read(descriptor, 1) == b"\n" else b"\n" + line
        os.write(descriptor, line)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Make renames and new names in `folder` durable, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems refuse to sync a folder; the file itself is already safe.
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_temporary(name: str) -> bool:
    """Whether `name` is one that `replace` gives a file it has not finished."""
    return name.startswith(".") and name.endswith(_TEMPORARY_SUFFIX)


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name[:100]}.{os.getpid()}-{os.urandom(4).hex()}{_TEMPORARY_SUFFIX}")


def _discard(temporary: Path) -> None:
    with contextlib.suppress(OSError):
        temporary.unlink(missing_ok=True)


def _write_durably(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
