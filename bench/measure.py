"""Runs pieces of work in child processes and says what each took."""

import json
import os
import platform
import resource
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

Facts = dict[str, Any]
_KB = 1 if sys.platform == "darwin" else 1024


class Taken(NamedTuple):
    """What a child took: CPU and wall seconds of its work alone, its peak memory, and the facts it printed."""

    cpu: float
    wall: float
    peak_bytes: int
    facts: Facts


class ChildError(Exception):
    """A child ended with an error, which it printed itself."""


class Whole(NamedTuple):
    """What a whole process took, from its start to its end."""

    wall: float
    cpu: float
    status: int


def child(script: Path, name: str, *arguments: object) -> Taken:
    """Run the piece of work `name` of `script` in a process of its own."""
    read, write = os.pipe()
    argv = [sys.executable, "-P", str(script), "--child", name, *map(str, arguments)]
    actions = [(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_CLOSE, read)]
    pid = os.posix_spawn(sys.executable, argv, _environment(script), file_actions=actions)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as answer:
        text = answer.read()
    _, status, used = os.wait4(pid, 0)
    if status != 0:
        raise ChildError(f"{name} failed: {os.waitstatus_to_exitcode(status)}")
    facts: Facts = json.loads(text.splitlines()[-1])
    return Taken(facts.pop("cpu"), facts.pop("wall"), used.ru_maxrss * _KB, facts)


def whole(argv: list[str], environment: Mapping[str, str] | None = None) -> Whole:
    """Run a command whose output nobody reads, from spawn to wait."""
    null = os.open(os.devnull, os.O_RDWR)
    try:
        actions = [
            (os.POSIX_SPAWN_DUP2, null, 0),
            (os.POSIX_SPAWN_DUP2, null, 1),
            (os.POSIX_SPAWN_DUP2, null, 2),
        ]
        begun = time.perf_counter()
        pid = os.posix_spawnp(argv[0], argv, dict(environment or os.environ), file_actions=actions)
        _, status, used = os.wait4(pid, 0)
        wall = time.perf_counter() - begun
    finally:
        os.close(null)
    return Whole(wall, used.ru_utime + used.ru_stime, os.waitstatus_to_exitcode(status))


def answer(children: Mapping[str, Callable[..., Facts]]) -> bool:
    """Do the piece of work that this process was started for and print what it took; False in the parent."""
    if sys.argv[1:2] != ["--child"]:
        return False
    work, arguments = children[sys.argv[2]], sys.argv[3:]
    before, begun = _cpu(), time.perf_counter()
    facts = work(*arguments)
    facts.setdefault("cpu", _cpu() - before)
    facts.setdefault("wall", time.perf_counter() - begun)
    print(json.dumps(facts))
    return True


def moved() -> tuple[int, int]:
    """Bytes this process has read and written through system calls so far; (0, 0) where the system does not say."""
    try:
        lines = dict(line.split(": ") for line in Path("/proc/self/io").read_text("ascii").splitlines())
    except OSError:
        return (0, 0)
    return int(lines["rchar"]), int(lines["wchar"])


class Opened:
    """Counts the files below a folder that Python opens, from when it is made."""

    def __init__(self, folder: Path) -> None:
        self._prefix = str(folder)
        self.paths: list[str] = []
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(self._prefix):
            self.paths.append(arguments[0])


def folder_bytes(folder: Path) -> int:
    """The bytes of all files below a folder, or of one file."""
    if folder.is_file():
        return folder.stat().st_size
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def machine() -> str:
    """This machine in one line."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text("utf-8").splitlines() if line.startswith("model name")]
        model = names[0].split(": ")[1] if names else model
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    python = platform.python_version()
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()}, CPython {python}"


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _environment(script: Path) -> dict[str, str]:
    return dict(os.environ) | {"PYTHONPATH": str(script.parent)}
