"""One writer at a time: a lock that the operating system frees when its holder dies."""

import contextlib
import os
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.errors import BusyError
from hippo_core.storage import faults, oslock

_LONGEST_PAUSE_SECONDS: Final = 0.2
_HOLDER_BYTES: Final = 4096
_open_here: Final[set[int]] = set()


class Holder(msgspec.Struct, frozen=True):
    """Who holds a lock: its process, the command it runs, and when it began (UTC, ISO 8601 with `Z`)."""

    pid: int
    command: str
    started: str


@contextlib.contextmanager
def hold(
    path: Path,
    wait_seconds: float,
    holder: Holder,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Generator[None]:
    """Hold the lock at `path` for the block; after `wait_seconds` raises `BusyError` naming who has it.

    The file stays behind and means nothing by itself: only a living process holds the lock.
    """
    descriptor = _open(path)
    _open_here.add(descriptor)
    try:
        _wait(descriptor, path, wait_seconds, clock, sleep)
        _sign(descriptor, msgspec.json.encode(holder) + b"\n")
        try:
            yield
        finally:
            if descriptor in _open_here:
                _sign(descriptor, b"")
    finally:
        if descriptor in _open_here:
            _open_here.remove(descriptor)
            os.close(descriptor)


def held_by(path: Path) -> Holder | None:
    """Who last signed the lock at `path`, or None when nobody did; says nothing of whether it still lives."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_HOLDER_BYTES), type=Holder)
    except (OSError, msgspec.DecodeError):
        return None


def _let_go_in_child() -> None:
    """A forked worker that outlives its parent must not hold the parent's lock."""
    while _open_here:
        os.close(_open_here.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_in_child)


def _open(path: Path) -> int:
    # Not truncated here: until the lock is ours, what is written in it is another process's name.
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        return os.open(path, flags, 0o600)
    except OSError as error:
        raise faults.explain(error, path) from error


def _wait(
    descriptor: int,
    path: Path,
    wait_seconds: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> None:
    deadline = clock() + wait_seconds
    pause_seconds = 0.01
    while not _is_taken(descriptor, path):
        left_seconds = deadline - clock()
        if left_seconds <= 0:
            raise BusyError(_busy_line(path))
        sleep(min(pause_seconds, left_seconds))
        pause_seconds = min(pause_seconds * 2, _LONGEST_PAUSE_SECONDS)


def _is_taken(descriptor: int, path: Path) -> bool:
    try:
        return oslock.try_lock(descriptor)
    except OSError as error:
        raise faults.explain(error, path) from error


def _busy_line(path: Path) -> str:
    holder = held_by(path)
    if holder is None:
        return f"{path}: another hippo process holds it; try again when it is done"
    return (
        f"{path}: held by `{holder.command}` (process {holder.pid}, since {holder.started}); "
        "try again when it is done"
    )


def _sign(descriptor: int, line: bytes) -> None:
    # The lock is what counts: on a full disk it is held all the same, without a name.
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, line)
