"""What the index answers with."""

import msgspec

from hippo_core.ids import Agent, SessionId, TurnUid
from hippo_core.transcripts.model import Kind, Role, Tokens


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One session, redacted. Times are ms since 1970 UTC; `title` falls back to the first prompt's first line."""

    id: SessionId
    agent: Agent
    native_id: str
    cwd: str | None
    parent: SessionId | None
    forked_from: SessionId | None
    title: str
    branch: str | None
    started_ms: int | None
    ended_ms: int | None
    turns: int


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn, redacted; `position` counts from 1 within its session."""

    uid: TurnUid
    position: int
    time_ms: int | None
    role: Role
    kind: Kind
    text: str
    tool: str | None
    call: str | None
    files: tuple[str, ...]
    edited: tuple[str, ...]
    command: str | None
    exit_status: int | None
    failed: bool
    copied: bool
    abandoned: bool
    model: str | None
    tokens: Tokens | None


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """One turn that a search found. `snippet` is plain text; `marks` are the [start, end) of its hits in it."""

    uid: TurnUid
    session: SessionId
    position: int
    agent: Agent
    role: Role
    kind: Kind
    time_ms: int | None
    cwd: str | None
    tool: str | None
    title: str
    score: float
    snippet: str
    marks: tuple[tuple[int, int], ...]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found: `total` counts all matches; `any_word` says that no turn had every word.

    `suggestion` is the query with its likely typing errors put right, only when nothing matched as typed.
    """

    hits: tuple[Hit, ...]
    total: int
    any_word: bool = False
    suggestion: str | None = None
    problems: tuple[str, ...] = ()


class AgentStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What the index holds of one agent."""

    agent: Agent
    sources: int
    gone: int
    sessions: int
    turns: int
    bytes: int
    unknown: dict[str, int]


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """What the index holds, in all; sizes in bytes; `ingested_ms` is when the last ingest ended."""

    agents: tuple[AgentStatus, ...]
    store_bytes: int
    fulltext_bytes: int
    archive_bytes: int
    ingested_ms: int | None
