"""The files of a Codex home: which rollouts there are, what they are called, how they are opened."""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from hippo_core.storage import stamp as stamps
from hippo_core.transcripts import loose
from hippo_core.transcripts.adapter import Report, walked

_ROLLOUT: Final = re.compile(r"rollout-.+\.jsonl(\.zst)?\Z")
_MAY_BE: Final = re.compile(r"(?!session_index|history).+\.jsonl(\.zst)?\Z")
_KEPT_IN: Final = ("sessions", "archived_sessions")
_INDEX_BYTES: Final = 4 << 20


Names = dict[str, list[str]]


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One line of the index of names."""

    id: Any = None
    thread_name: Any = None


_ENTRY: Final = msgspec.json.Decoder(Entry)


def rollouts(root: Path, report: Report) -> Iterator[Path]:
    """Paths of rollouts in a stable order; of copies of one rollout in one home only the best."""
    best: dict[tuple[str, str], Path] = {}
    for path in _found(root, report):
        name = (_group(path), path.name.removesuffix(".zst"))
        known = best.get(name)
        if known is None or _rank(path) < _rank(known):
            best[name] = path
    yield from sorted(best.values(), key=lambda path: (path.name, os.fspath(path)))


def stamp(path: Path, found: os.stat_result, names: Names) -> bytes:
    """Bytes that are equal while neither the file nor its thread's name has changed."""
    given = "\0".join(names.get(_thread(path), ()))
    named = hashlib.sha256(given.encode("utf-8", "surrogatepass")).digest()[:8] if given else b""
    return stamps.of(found) + named


def title_of(path: Path) -> tuple[str | None, int]:
    """The name of the rollout's thread and its rank: a second name is one the person gave."""
    home = home_of(path)
    names = names_in(home).get(_thread(path), []) if home else []
    return (names[-1], 2 if len(set(names)) > 1 else 1) if names else (None, 0)


def names_in(home: Path) -> Names:
    """The names each thread of `home` was given, in the order they were given."""
    names: Names = {}
    try:
        with (home / "session_index.jsonl").open("rb") as file:
            lines = file.read(_INDEX_BYTES).split(b"\n")
    except OSError:
        return names
    for line in lines:
        if (entry := _entry(line)) is not None:
            names.setdefault(entry[0], []).append(entry[1])
    return names


def base_of(path: Path, base: str) -> Path | None:
    """The rollout whose name ends in `base`, which `path` continues."""
    for folder in _folders_near(path):
        for candidate in sorted(folder.glob(f"rollout-*{base}.jsonl*")):
            if _ROLLOUT.match(candidate.name):
                return candidate
    return None


def _folders_near(path: Path) -> Iterator[Path]:
    yield path.parent
    if (home := home_of(path)) is not None:
        yield from sorted((home / "sessions").glob("*/*/*"), reverse=True)
        yield home / "archived_sessions"


def _found(root: Path, report: Report) -> list[Path]:
    """Rollouts by name; in a folder that is no home and holds none by name, whatever its records may tell to be one."""
    kept = [root / name for name in _KEPT_IN if (root / name).is_dir()]
    found = [
        path
        for start in kept or [root]
        for folder, _, names in walked(start, report)
        for path in map(folder.joinpath, names)
    ]
    named = [path for path in found if _ROLLOUT.match(path.name)]
    return named if named or kept else [path for path in found if _MAY_BE.match(path.name)]


def home_of(path: Path) -> Path | None:
    """The home whose live or archived sessions `path` is among."""
    return next((parent.parent for parent in path.parents if parent.name in _KEPT_IN), None)


def _group(path: Path) -> str:
    return os.fspath(home_of(path) or path.parent)


def _rank(path: Path) -> tuple[bool, bool]:
    archived = any(parent.name == "archived_sessions" for parent in path.parents)
    return path.suffix == ".zst", archived


def _thread(path: Path) -> str:
    return path.name.removeprefix("rollout-")[20:56]


def _entry(line: bytes) -> tuple[str, str] | None:
    try:
        entry = _ENTRY.decode(line)
    except (msgspec.DecodeError, UnicodeError):
        return None
    thread, name = loose.name_of(entry.id), loose.name_of(entry.thread_name)
    return (thread, name) if thread and name else None
