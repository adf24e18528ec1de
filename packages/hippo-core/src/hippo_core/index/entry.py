"""What the index accepts: sessions and turns whose every text is `Redacted`."""

from typing import Final

import msgspec

from hippo_core.ids import Agent, SessionId, TurnUid, session_id, turn_uid
from hippo_core.redaction.text import EMPTY, Redacted, Scrubber, redact
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Role, Tokens

_MEMO_CHARACTERS: Final = 256
_MEMO_ENTRIES: Final = 20_000


class TurnEntry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One redacted turn; `files` and `edited` hold one path a line."""

    uid: TurnUid
    session: SessionId
    order: int
    time_ms: int | None
    role: Role
    kind: Kind
    text: Redacted
    tool: Redacted
    call: Redacted
    files: Redacted
    edited: Redacted
    command: Redacted
    model: Redacted
    exit_status: int | None
    failed: bool
    copied: bool
    abandoned: bool
    tokens: Tokens | None


class SessionEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one session, redacted; an empty text is an unknown one."""

    id: SessionId
    agent: Agent
    native_id: Redacted
    cwd: Redacted
    parent: SessionId | None
    forked_from: SessionId | None
    title: Redacted
    title_rank: int
    branch: Redacted
    client_version: Redacted


class Tally:
    """Secrets replaced so far, by kind."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def add(self, kind: str, count: int) -> None:
        """Count `count` more replacements of `kind`."""
        self.counts[kind] = self.counts.get(kind, 0) + count


class Redactor:
    """Makes entries of raw turns and sessions with one set of rules, counting what it replaced."""

    def __init__(self, rules: Scrubber) -> None:
        self._rules = rules
        self._memo: dict[str, Redacted] = {}
        self.tally = Tally()

    def text(self, raw: str | None) -> Redacted:
        """`raw` redacted; an absent text is empty."""
        return redact(raw, self._rules, self.tally) if raw else EMPTY

    def turn(self, agent: Agent, raw: RawTurn) -> TurnEntry:
        """The turn as the index may hold it."""
        return TurnEntry(
            uid=turn_uid(agent, raw.identity),
            session=session_id(agent, raw.session),
            order=raw.order,
            time_ms=raw.time_ms,
            role=raw.role,
            kind=raw.kind,
            text=self.text(raw.text),
            tool=self._short(raw.tool),
            call=self._short(raw.call),
            files=self._paths(raw.files),
            edited=self._paths(raw.edited),
            command=self.text(raw.command),
            model=self._short(raw.model),
            exit_status=raw.exit_status,
            failed=raw.failed,
            copied=raw.copied,
            abandoned=raw.abandoned,
            tokens=raw.tokens,
        )

    def session(self, agent: Agent, raw: RawSession) -> SessionEntry:
        """The session as the index may hold it."""
        return SessionEntry(
            id=session_id(agent, raw.native_id),
            agent=agent,
            native_id=self._short(raw.native_id),
            cwd=self._short(raw.cwd),
            parent=session_id(agent, raw.parent) if raw.parent else None,
            forked_from=session_id(agent, raw.forked_from) if raw.forked_from else None,
            title=self.text(raw.title),
            title_rank=raw.title_rank if raw.title else 0,
            branch=self._short(raw.branch),
            client_version=self._short(raw.client_version),
        )

    def _paths(self, paths: tuple[str, ...]) -> Redacted:
        return self._short("\n".join(paths)) if paths else EMPTY

    def _short(self, raw: str | None) -> Redacted:
        """Names and paths come again and again: each is scrubbed once."""
        if not raw:
            return EMPTY
        known = self._memo.get(raw)
        if known is None:
            known = self.text(raw)
            if len(raw) <= _MEMO_CHARACTERS and len(self._memo) < _MEMO_ENTRIES:
                self._memo[raw] = known
        return known
