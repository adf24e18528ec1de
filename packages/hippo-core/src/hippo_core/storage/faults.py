"""What the operating system refused, as one line that names the path and the mend."""

import contextlib
import errno
import sqlite3
from collections.abc import Generator
from pathlib import Path
from typing import Final

from hippo_core.errors import HippoError

_MENDS: Final = {
    errno.ENOSPC: "the disk is full: free some space and run it again",
    errno.EDQUOT: "the disk quota is used up: free some space and run it again",
    errno.EROFS: "it is on a read-only file system: choose a writable place",
    errno.EACCES: "permission denied: make it writable for this user",
    errno.EPERM: "not permitted: make it writable for this user",
    errno.ENOTDIR: "a file stands where a folder is needed: move it away",
    errno.EEXIST: "something else stands in its place: move it away",
    errno.EISDIR: "a folder stands where a file is needed: move it away",
    errno.EIO: "the disk reported an error: check it",
}


def explain(error: OSError, path: Path) -> HippoError:
    """The error to raise `from error` when `path` could not be made, read or written."""
    return HippoError(f"{path}: {mend(error)}")


def mend(error: OSError) -> str:
    """What was refused and what a person can do about it, without the path."""
    return _MENDS.get(error.errno or 0) or (error.strerror or type(error).__name__).lower()


@contextlib.contextmanager
def explained(path: Path) -> Generator[None]:
    """Raise what the operating system or SQLite refuses in the block as one line that names `path` and the mend."""
    try:
        yield
    except OSError as error:
        raise explain(error, Path(error.filename) if error.filename else path) from error
    except sqlite3.OperationalError as error:
        problem = str(error)
        mended = (
            _MENDS[errno.ENOSPC] if "full" in problem else f"{problem}: make it writable and run it again"
        )
        raise HippoError(f"{path}: {mended}") from error
