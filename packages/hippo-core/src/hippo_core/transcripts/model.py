"""What every transcript becomes, whichever agent wrote it: not yet redacted."""

from enum import StrEnum
from pathlib import Path

import msgspec

from hippo_core.ids import Agent


class Role(StrEnum):
    """Who a turn is from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Kind(StrEnum):
    """What a turn is. A person's own words are `USER`/`PROMPT` and nothing else is."""

    PROMPT = "prompt"
    REPLY = "reply"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    INJECTED = "injected"
    SUMMARY = "summary"
    INTERRUPT = "interrupt"
    REJECTION = "rejection"
    DELEGATED = "delegated"
    NOTICE = "notice"


class Tokens(msgspec.Struct, frozen=True, gc=False):
    """Tokens that one model message took, as its agent recorded them."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


class RawTurn(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One turn as its agent wrote it; its text is kept out of every repr.

    `identity` names the turn within its agent for ever: equal identities are one turn, wherever they are copied.
    `session` is the native id of the session it belongs to. `order` sorts turns within their session and
    only grows along the source (a byte offset with a block number, or a time with a count).
    `copied` marks a turn that its source holds only as a copy of another session's (fork, resume, branch).
    `files` are the paths the turn read or edited; `edited` are those of them it changed, as the agent wrote them.
    """

    identity: str
    session: str
    order: int
    role: Role
    kind: Kind
    text: str
    time_ms: int | None = None
    tool: str | None = None
    call: str | None = None
    files: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    command: str | None = None
    exit_status: int | None = None
    failed: bool = False
    model: str | None = None
    tokens: Tokens | None = None
    copied: bool = False
    abandoned: bool = False

    def __repr__(self) -> str:
        return f"RawTurn(order={self.order}, role={self.role}, kind={self.kind}, characters={len(self.text)})"


class RawSession(msgspec.Struct, frozen=True, kw_only=True):
    """What a source says of a session; absent facts are None and never undo known ones.

    `parent` is the native id of the session that delegated this one; `forked_from` of the one it continues a copy of.
    `cwd` is where it began, as the agent wrote it. `title_rank` lets a person's title (2) win over the agent's (1).
    """

    native_id: str
    cwd: str | None = None
    parent: str | None = None
    forked_from: str | None = None
    title: str | None = None
    title_rank: int = 0
    branch: str | None = None
    client_version: str | None = None

    def __repr__(self) -> str:
        return f"RawSession(parent={self.parent is not None}, title={self.title is not None})"


class Skipped(msgspec.Struct, frozen=True):
    """One thing that could not be read, and why: a value, since one bad file stops nothing."""

    path: Path
    problem: str


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to read: a transcript file, or one session inside another program's database.

    `key` is its lasting name (for a file its path; for a database row path and id). `stamp` is bytes that are equal
    only while nothing in it has moved. `size` is in bytes, 0 where unknown.
    """

    agent: Agent
    path: Path
    key: str
    stamp: bytes
    size: int = 0


class Resume(msgspec.Struct, frozen=True, kw_only=True):
    """Where a file that only grew is read on from.

    Bytes before `offset` are read and never needed again; `prefix` is the digest of the block before it (see
    `lines.prefix`). `carry` is what the adapter must remember across the cut: ids and counters only, as JSON.
    """

    offset: int
    prefix: str
    carry: str = ""
