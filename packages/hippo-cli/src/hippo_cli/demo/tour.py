"""The loop shown on the synthetic history: write, ingest, search, show, and what never reached the disk."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from hippo_cli.demo import history, story
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.index.values import Found, Hit, Turn
from hippo_core.records import times
from hippo_core.redaction.engine import compile_rules
from hippo_core.transcripts.model import Kind
from hippo_core.workflows.ingest import Summary, ingest
from hippo_core.workflows.scanning import Root
from hippo_core.workspace.layout import Home

QUESTION: Final = "clock change UTC"
MISTYPED: Final = "changlog"
_SHOWN_HITS: Final = 4
_SHOWN_CHARACTERS: Final = 150
_SAID: Final = {Kind.PROMPT: "you", Kind.REPLY: "agent", Kind.TOOL_CALL: "runs", Kind.TOOL_RESULT: "gets"}


def walk(scratch: Path, now: datetime) -> Iterator[str]:
    """Go through the loop in `scratch`, which must be empty, and yield what to tell, paragraph by paragraph."""
    roots = history.write(scratch / "person", now)
    home = Home.at(scratch / "hippo")
    yield _told_of_history(len(roots))
    summary = ingest(home, [Root(agent, path) for agent, path in roots.items()], compile_rules(), now=now)
    yield _told_of_ingest(summary)
    with Reader(IndexFiles(home.root)) as index:
        found = index.search(QUESTION, now, limit=_SHOWN_HITS)
        yield _told_of_search(found)
        if found.hits:
            yield _told_of_session(found.hits[0], index.turns(found.hits[0].session))
        yield _told_of_correction(index.search(MISTYPED, now))
    yield _told_of_secret(home.root)


def _told_of_history(agents: int) -> str:
    return (
        f"A person has worked on {story.PROJECT} for a week, with {agents} agents that do not know of each other.\n"
        "Each wrote down what was said and done in a format of its own: lines of JSON, a database, packed frames."
    )


def _told_of_ingest(summary: Summary) -> str:
    secrets = ", ".join(f"{count} {kind}" for kind, count in summary.redactions.items()) or "none"
    return (
        f"$ hippo ingest\n{summary.sessions} sessions, {summary.turns} turns from {summary.read} transcripts.\n"
        f"Secrets replaced before anything was written: {secrets}."
    )


def _told_of_search(found: Found) -> str:
    lines = [f"$ hippo search {QUESTION}", f"{found.total} turns, the best of them:"]
    lines += (
        f"  {hit.agent:16} {times.of_milliseconds(hit.time_ms)}  {hit.title}\n    {hit.snippet}"
        for hit in found.hits
    )
    return "\n".join(lines)


def _told_of_session(hit: Hit, turns: list[Turn]) -> str:
    lines = [f"$ hippo show {hit.session}"]
    lines += (f"  {_SAID[turn.kind]:>6}  {_short(turn)}" for turn in turns if turn.kind in _SAID)
    return "\n".join(lines)


def _told_of_correction(found: Found) -> str:
    meant = f"Did you mean {found.suggestion!r}?" if found.suggestion else f"{found.total} turns."
    return f"$ hippo search {MISTYPED}\n{meant}"


def _told_of_secret(home: Path) -> str:
    token = story.fake_token().encode()
    files = [path for path in home.rglob("*") if path.is_file()]
    held = [path.name for path in files if token in path.read_bytes()]
    where = f"IT STANDS IN {', '.join(held)}" if held else "it stands in none of them"
    return f"One prompt held a token. Of the {len(files)} files that hippo wrote, {where}."


def _short(turn: Turn) -> str:
    status = f" (exit {turn.exit_status})" if turn.exit_status else ""
    return " ".join(turn.text.split())[:_SHOWN_CHARACTERS] + status
