"""Claude Code's transcripts: one JSON object a line, a file a session, sub-agents in files of their own."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.errors import DataError
from hippo_core.ids import Agent
from hippo_core.storage import stamp, walk
from hippo_core.transcripts import claude_code_records as wire
from hippo_core.transcripts import jsonl, lines
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.claude_code_rows import Reader
from hippo_core.transcripts.claude_code_scan import scan
from hippo_core.transcripts.claude_code_state import State
from hippo_core.transcripts.model import RawSession, RawTurn, Resume, Source

AGENT: Final = Agent.CLAUDE_CODE
_NO_SESSIONS: Final = frozenset(
    {"tool-results", "memory", "file-history", "tasks", "sessions", "plugins", "hooks"}
)
_NO_SESSION: Final = frozenset({"history.jsonl", "journal.jsonl"})
_COMPACTION: Final = "agent-acompact-"


def default_roots(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Claude Code's own folder: where `CLAUDE_CONFIG_DIR` says, else `.claude` in the person's home."""
    configured = environment.get("CLAUDE_CONFIG_DIR")
    return (Path(configured) if configured else home / ".claude",)


def discover(root: Path, report: Report) -> Iterator[Source]:
    """Every session and sub-agent file below `root`, which is Claude Code's folder or any folder of transcripts."""
    projects = root / "projects"
    folder = projects if projects.is_dir() else root
    for path, status in walk.files(
        folder, (".jsonl",), lambda path, _: report.skip(path, "cannot be looked at")
    ):
        inner = path.relative_to(folder).parts
        if (
            path.name in _NO_SESSION
            or path.name.startswith(_COMPACTION)
            or not _NO_SESSIONS.isdisjoint(inner)
        ):
            continue
        yield Source(agent=AGENT, path=path, key=str(path), stamp=stamp.of(status), size=status.st_size)


def read(source: Source, resume: Resume | None, report: Report) -> Iterator[RawSession | RawTurn | Resume]:
    """Sessions and turns of one file.

    A branch that the person left by going back to an earlier prompt is marked once the new prompt is written; if it
    began before `resume`, the file is read whole again, so that its turns come once more with the mark. A file of
    which every byte is still needed has no `Resume`.
    """
    try:
        yield from _read(source.path, resume, report)
    except OSError as error:
        raise DataError(source.path, "cannot be read") from error


def _read(path: Path, resume: Resume | None, report: Report) -> Iterator[RawSession | RawTurn | Resume]:
    start = lines.starting_point(path, resume)
    state = _state(resume) if start else State()
    found = scan(path, start or 0, state.recent, state.time)
    if found.whole:
        start, state = 0, State()
        found = scan(path, 0)
    reader = Reader(path, state, found, report)
    carry: bytes | None = None
    for record in jsonl.records(path, start or 0, wire.row, report, state.line):
        if record.start >= found.end:
            break
        if carry is None and record.start >= found.cut:
            state.line = record.number
            carry = _carry(state, found.recent)
        yield from reader.items(record)
    if found.cut == 0:
        return
    with path.open("rb") as file:
        before = lines.prefix(file, found.cut)
    yield Resume(offset=found.cut, prefix=before, carry=(carry or _carry(state, found.recent)).decode())


def _state(resume: Resume | None) -> State:
    return msgspec.json.decode(resume.carry, type=State) if resume is not None else State()


def _carry(state: State, recent: tuple[int, ...]) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(state, recent=recent))
