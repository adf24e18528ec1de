"""Everything an adapter reads below a folder, in the form that the expected files hold."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from hippo_core.transcripts.adapter import Adapter, Report
from hippo_core.transcripts.model import RawSession, RawTurn, Source

_TOLD = ("tool", "files", "edited", "command", "exit_status", "failed", "model", "copied", "abandoned")


def sources(adapter: Adapter, root: Path, report: Report | None = None) -> list[Source]:
    """Every source below `root`."""
    return list(adapter.discover(root, report or Report()))


def items(adapter: Adapter, root: Path, report: Report | None = None) -> Iterator[RawSession | RawTurn]:
    """Every session and turn below `root`."""
    report = report or Report()
    for source in adapter.discover(root, report):
        for item in adapter.read(source, None, report):
            assert isinstance(item, RawSession | RawTurn)
            yield item


def turns(adapter: Adapter, root: Path, report: Report | None = None) -> list[RawTurn]:
    """Every turn below `root`."""
    return [item for item in items(adapter, root, report) if isinstance(item, RawTurn)]


def sessions(adapter: Adapter, root: Path) -> list[RawSession]:
    """Every session below `root`."""
    return [item for item in items(adapter, root) if isinstance(item, RawSession)]


def everything(adapter: Adapter, root: Path) -> dict[str, Any]:
    """Sessions by id and turns in order; nothing may be skipped or unknown."""
    report = Report()
    found = list(items(adapter, root, report))
    assert report.skipped == []
    assert report.unknown == {}
    told = sorted(
        (item for item in found if isinstance(item, RawTurn)), key=lambda turn: (turn.session, turn.order)
    )
    return {
        "sessions": {item.native_id: _session(item) for item in found if isinstance(item, RawSession)},
        "turns": [_turn(turn) for turn in told],
    }


def fingerprint(root: Path) -> dict[str, tuple[str, int, int]]:
    """What every file below `root` holds and when it last changed."""
    return {
        str(path.relative_to(root)): (
            sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
            path.stat().st_mtime_ns,
            path.stat().st_mode,
        )
        for path in [root, *root.rglob("*")]
    }


def _session(item: RawSession) -> dict[str, Any]:
    return {name: value for name in item.__struct_fields__[1:] if (value := getattr(item, name))}


def _turn(turn: RawTurn) -> dict[str, Any]:
    told: dict[str, Any] = {
        "session": turn.session,
        "role": turn.role.value,
        "kind": turn.kind.value,
        "text": turn.text[:100],
        "time_ms": turn.time_ms,
    }
    for name in _TOLD:
        value = getattr(turn, name)
        if value or (value == 0 and value is not False):
            told[name] = list(value) if isinstance(value, tuple) else value
    if turn.tokens:
        tokens = turn.tokens
        told["tokens"] = [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write]
    return told
