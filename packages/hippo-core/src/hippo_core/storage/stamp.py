"""What tells that a file has moved without opening it."""

import os
import struct

_FIELDS = struct.Struct("<qqqq")


def of(status: os.stat_result) -> bytes:
    """Size, mtime, ctime and inode: equal bytes mean that the file need not be opened."""
    inode = status.st_ino & 0x7FFF_FFFF_FFFF_FFFF
    return _FIELDS.pack(status.st_size, status.st_mtime_ns, status.st_ctime_ns, inode)
