"""One writer at a time."""

import os
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from hippo_core.errors import BusyError, HippoError
from hippo_core.storage import lock
from hippo_core.storage.lock import Holder

FIRST = Holder(pid=41, command="hippo ingest", started="2026-05-01T10:00:00.000Z")
SECOND = Holder(pid=42, command="hippo ingest --full", started="2026-05-01T10:00:01.000Z")

HOLD_FOR_EVER = """
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from hippo_core.storage.lock import Holder, hold
with hold(Path(sys.argv[1]), 0, Holder(7, "hippo ingest", "2026-05-01T10:00:00.000Z")):
    sys.stdout.write("held\\n")
    sys.stdout.flush()
    sys.stdin.read()
"""

FORK_AND_HOLD = """
import os, signal, sys
from pathlib import Path
from hippo_core.storage.lock import Holder, hold
with hold(Path(sys.argv[1]), 0, Holder(7, "hippo ingest", "2026-05-01T10:00:00.000Z")):
    worker = os.fork()
    if worker:
        sys.stdout.write(f"{worker}\\n")
        sys.stdout.flush()
    signal.pause()
"""


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.sleeps: list[float] = []

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.seconds += seconds


def _release(held: AbstractContextManager[None]) -> None:
    held.__exit__(None, None, None)


def test_a_second_holder_is_told_who_has_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "ingest.lock"
    with (
        lock.hold(path, 0, FIRST),
        pytest.raises(
            BusyError, match=r"held by `hippo ingest` \(process 41, since 2026-05-01T10:00:00.000Z\)"
        ),
        lock.hold(path, 0, SECOND),
    ):
        pass


def test_the_wait_is_bounded_and_spent_asleep(tmp_path: Path) -> None:
    path = tmp_path / "ingest.lock"
    clock = Clock()
    with (
        lock.hold(path, 0, FIRST),
        pytest.raises(BusyError),
        lock.hold(path, 5, SECOND, clock.now, clock.sleep),
    ):
        pass
    assert clock.seconds == pytest.approx(5)
    assert max(clock.sleeps) <= 0.2


def test_a_lock_that_comes_free_while_waiting_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "ingest.lock"
    first = lock.hold(path, 0, FIRST)
    first.__enter__()
    with lock.hold(path, 5, SECOND, Clock().now, lambda _seconds: _release(first)):
        assert lock.held_by(path) == SECOND


def test_a_lock_is_free_again_after_the_block_and_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "ingest.lock"
    with pytest.raises(ZeroDivisionError), lock.hold(path, 0, FIRST):
        raise ZeroDivisionError
    with lock.hold(path, 0, SECOND):
        assert lock.held_by(path) == SECOND
    assert lock.held_by(path) is None


def test_a_file_left_behind_by_a_killed_process_is_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "ingest.lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_FOR_EVER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(BusyError, match="process 7"), lock.hold(path, 0, SECOND):
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert path.exists()
    with lock.hold(path, 0, SECOND):
        assert lock.held_by(path) == SECOND


def test_a_worker_that_outlives_its_killed_parent_holds_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "ingest.lock"
    with subprocess.Popen(
        [sys.executable, "-c", FORK_AND_HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        process.kill()
        process.wait()
        try:
            with lock.hold(path, 0, SECOND):
                assert lock.held_by(path) == SECOND
        finally:
            os.kill(worker, signal.SIGKILL)


def test_a_lock_file_full_of_nonsense_can_be_held(tmp_path: Path) -> None:
    path = tmp_path / "ingest.lock"
    path.write_bytes(b"\xff\x00 not a holder")
    assert lock.held_by(path) is None
    with lock.hold(path, 0, FIRST):
        assert lock.held_by(path) == FIRST


def test_a_lock_in_a_missing_folder_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "ingest.lock"
    with pytest.raises(HippoError, match="ingest.lock: no such file"), lock.hold(path, 0, FIRST):
        pass
