"""Ways to forge a sealed value, one a line: each must stay refused, since an ignore that is not needed fails the check."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import assert_type

import msgspec

from hippo_core.ids import Agent, SessionId
from hippo_core.index.entry import SessionEntry, TurnEntry
from hippo_core.index.writer import Writer
from hippo_core.redaction.text import EMPTY, Redacted, Scrubber, redact
from hippo_core.transcripts.model import RawSession, RawTurn
from hippo_core.workflows import sessions
from hippo_core.workspace.layout import Workspace


def keep(text: Redacted) -> None: ...


def answer(read: Callable[[], Redacted]) -> Redacted:
    return read()


def forge_redacted(raw: str, encoded: bytes) -> None:
    Redacted(raw)  # type: ignore[call-arg]
    Redacted(text=raw)  # type: ignore[call-arg]
    Redacted(raw, None)  # type: ignore[arg-type]
    Redacted(raw, seal=object())  # type: ignore[arg-type]
    Redacted(raw, True)  # type: ignore[arg-type]
    Redacted(raw, raw)  # type: ignore[arg-type]
    Redacted()  # type: ignore[call-arg]
    Redacted(*(raw,))  # type: ignore[call-arg]
    Redacted(**{"text": raw})  # type: ignore[arg-type]
    replace(EMPTY, text=raw)  # type: ignore[call-arg]
    replace(EMPTY, text=raw, seal=None)  # type: ignore[arg-type]
    keep(raw)  # type: ignore[arg-type]
    keep(EMPTY.text)  # type: ignore[arg-type]
    keep(None)  # type: ignore[arg-type]
    keep(object())  # type: ignore[arg-type]
    keep(raw.encode())  # type: ignore[arg-type]
    answer(lambda: raw)  # type: ignore[arg-type, return-value]
    msgspec.json.decode(encoded, type=Redacted).text = raw  # type: ignore[misc]
    EMPTY.text = raw  # type: ignore[misc]
    EMPTY.extra = raw  # type: ignore[attr-defined]
    EMPTY + raw  # type: ignore[operator]


def write_raw(writer: Writer, raw: str, turn: RawTurn, session: RawSession) -> None:
    writer.turn(turn)  # type: ignore[arg-type]
    writer.session(session)  # type: ignore[arg-type]
    writer.begin_source(Agent.CODEX, "root", "key", raw, whole=True)  # type: ignore[arg-type]


def enter_raw(entry: TurnEntry, session: SessionEntry, raw: str) -> None:
    entry.text = raw  # type: ignore[misc, assignment]
    session.title = raw  # type: ignore[misc, assignment]


def hand_off_raw(workspace: Workspace, session: SessionId, raw: str, now: datetime) -> None:
    sessions.end(workspace, session, raw, now)  # type: ignore[arg-type]


def make_redacted(raw: str, rules: Scrubber) -> None:
    assert_type(redact(raw, rules), Redacted)
    keep(redact(raw, rules))


class Loose(Redacted): ...  # type: ignore[misc]
