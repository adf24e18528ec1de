"""Which agents delete their own transcripts, and when: said before the first ingest, while it can still help."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.ids import Agent
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.registry import ADAPTERS
from hippo_core.workflows.scanning import Root

DEFAULT_DAYS: Final = 30
_DAY_MS: Final = 86_400_000
_SETTINGS: Final = ("settings.json", "settings.local.json")
_HABITS: Final = {
    Agent.CODEX: "keeps its transcripts; it compresses old ones and moves archived ones aside",
    Agent.OPENCODE: "keeps its transcripts until a session is deleted or a revert is followed by a new prompt",
    Agent.DEEPSEEK_HARNESS: "keeps its transcripts",
    Agent.MUSE_CODE: "was not seen to delete transcripts",
    Agent.COMMAND_CODE: "deletes a session's file when the session is deleted",
}


class Retention(msgspec.Struct, frozen=True):
    """What one agent does with its transcripts below one root.

    `days` is after how many it deletes them, None when it does not by itself; `is_set` tells a person's setting
    from the agent's default. `oldest_ms` is when the oldest transcript last changed.
    """

    agent: Agent
    root: Path
    transcripts: int
    days: int | None
    is_set: bool
    oldest_ms: int


def of_roots(roots: Iterable[Root]) -> list[Retention]:
    """What happens to the transcripts below each root that has any; those that get deleted come first."""
    found = [kept for root in roots if (kept := of_root(root)) is not None]
    return sorted(found, key=lambda kept: kept.days is None)


def of_root(root: Root) -> Retention | None:
    """What happens to the transcripts below one root; None when it has none."""
    times = list(_changed(root))
    if not times:
        return None
    setting = _cleanup_days(root.path) if root.agent is Agent.CLAUDE_CODE else None
    days = (setting or DEFAULT_DAYS) if root.agent is Agent.CLAUDE_CODE else None
    return Retention(root.agent, root.path, len(times), days, setting is not None, min(times))


def sentence(kept: Retention, now: datetime) -> str:
    """One line that tells a person what will happen, and how old the oldest transcript is."""
    age = max(0, int(now.timestamp() * 1000) - kept.oldest_ms) // _DAY_MS
    oldest = f"the oldest of {kept.transcripts:,} in {kept.root} last changed {age} {'day' if age == 1 else 'days'} ago"
    if kept.days is None:
        return f"{kept.agent} {_HABITS[kept.agent]}; {oldest}"
    source = (
        "cleanupPeriodDays in its settings" if kept.is_set else "its default; cleanupPeriodDays changes it"
    )
    days = f"{kept.days:,} {'day' if kept.days == 1 else 'days'}"
    return f"{kept.agent} deletes transcripts after {days} ({source}); {oldest}"


def _changed(root: Root) -> Iterator[int]:
    for source in ADAPTERS[root.agent].discover(root.path, Report()):
        try:
            yield source.path.stat().st_mtime_ns // 1_000_000
        except OSError:
            continue


def _cleanup_days(root: Path) -> int | None:
    """The person's setting, or None; the local file wins, and one that cannot be read says nothing."""
    found: int | None = None
    for name in _SETTINGS:
        try:
            settings = msgspec.json.decode((root / name).read_bytes())
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            continue
        days = settings.get("cleanupPeriodDays") if isinstance(settings, dict) else None
        if isinstance(days, int) and not isinstance(days, bool) and days > 0:
            found = days
    return found
