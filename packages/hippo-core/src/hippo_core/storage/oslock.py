"""The operating system's own lock on an open file, freed when the process that holds it ends."""

import sys
from typing import Final

# Far behind what is written in the file, which others must be able to read while it is locked.
_LOCKED_BYTE: Final = 1 << 30

if sys.platform == "win32":
    import msvcrt
    import os

    def try_lock(descriptor: int) -> bool:
        """Take the lock if nobody has it, and tell; it stays with the descriptor until that is closed."""
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Take the lock if nobody has it, and tell; it stays with the descriptor until that is closed."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
