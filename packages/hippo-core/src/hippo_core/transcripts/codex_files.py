"""The files of a Codex home: which rollouts there are, what they are called, how they are opened."""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from hippo_core.storage import stamp as stamps
from hippo_core.transcripts.adapter import Report

_ROLLOUT: Final = re.compile(r"rollout-.+\.jsonl(\.zst)?\Z")
_KEPT_IN: Final = ("sessions", "archived_sessions")
_INDEX_BYTES: Final = 4 << 20


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One line of the index of names."""

    id: Any = None
    thread_name: Any = None


_ENTRY: Final = msgspec.json.Decoder(Entry)


def rollouts(root: Path, report: Report) -> Iterator[Path]:
    """Paths of rollouts in a stable order; of copies of one rollout in one home only the best."""
    best: dict[tuple[str, str], Path] = {}
    for path in _found(root, report):
        name = (_home_of(path), path.name.removesuffix(".zst"))
        known = best.get(name)
        if known is None or _rank(path) < _rank(known):
            best[name] = path
    yield from sorted(best.values(), key=lambda path: (path.name, os.fspath(path)))


def status(path: Path, report: Report) -> os.stat_result | None:
    """What the file system says of `path`, or a skip."""
    try:
        return path.stat()
    except OSError as error:
        report.skip(path, error.strerror or "cannot be read")
        return None


def stamp(path: Path, found: os.stat_result) -> bytes:
    """Bytes that are equal while neither the file nor its thread's name has changed."""
    title, _ = title_of(path)
    named = hashlib.sha256(title.encode("utf-8", "surrogatepass")).digest()[:8] if title else b""
    return stamps.of(found) + named


def title_of(path: Path) -> tuple[str | None, int]:
    """The name of the rollout's thread and its rank: a second name is one the person gave."""
    home = _home(path)
    if home is None:
        return None, 0
    thread = path.name.removesuffix(".zst").removesuffix(".jsonl").removeprefix("rollout-")[20:56]
    names = _names(home / "session_index.jsonl", thread)
    if not names:
        return None, 0
    return names[-1], 2 if len(set(names)) > 1 else 1


def base_of(path: Path, base: str) -> Path | None:
    """The rollout whose name ends in `base`, which `path` continues."""
    for folder in _folders_near(path):
        for candidate in sorted(folder.glob(f"rollout-*{base}.jsonl*")):
            if _ROLLOUT.match(candidate.name):
                return candidate
    return None


def _folders_near(path: Path) -> Iterator[Path]:
    yield path.parent
    if (home := _home(path)) is not None:
        yield from sorted((home / "sessions").glob("*/*/*"), reverse=True)
        yield home / "archived_sessions"


def _found(root: Path, report: Report) -> Iterator[Path]:
    kept = [root / name for name in _KEPT_IN if (root / name).is_dir()]
    for start in kept or [root]:
        for folder, folders, files in os.walk(start, onerror=lambda error: _unreadable(error, report)):
            folders.sort()
            yield from (Path(folder, name) for name in sorted(files) if _ROLLOUT.match(name))


def _unreadable(error: OSError, report: Report) -> None:
    report.skip(Path(os.fsdecode(error.filename or "")), error.strerror or "cannot be read")


def _home(path: Path) -> Path | None:
    return next((parent.parent for parent in path.parents if parent.name in _KEPT_IN), None)


def _home_of(path: Path) -> str:
    return os.fspath(_home(path) or path.parent)


def _rank(path: Path) -> tuple[bool, bool]:
    archived = any(parent.name == "archived_sessions" for parent in path.parents)
    return path.suffix == ".zst", archived


def _names(index: Path, thread: str) -> list[str]:
    try:
        with index.open("rb") as file:
            data = file.read(_INDEX_BYTES)
    except OSError:
        return []
    lines = (line for line in data.split(b"\n") if thread.encode() in line)
    return [name for line in lines if (name := _name(line, thread))]


def _name(line: bytes, thread: str) -> str | None:
    try:
        entry = _ENTRY.decode(line)
    except (msgspec.DecodeError, UnicodeError):
        return None
    matches = entry.id == thread and isinstance(entry.thread_name, str)
    return entry.thread_name if matches else None
