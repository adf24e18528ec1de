"""Rows of a Claude Code transcript, one at a time, made sessions and turns."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.transcripts import claude_code_attachments as attachments
from hippo_core.transcripts import claude_code_person as person
from hippo_core.transcripts import claude_code_records as wire
from hippo_core.transcripts import claude_code_tools as tools
from hippo_core.transcripts import loose
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.claude_code_records import Block, Message, Row
from hippo_core.transcripts.claude_code_scan import PATIENCE_BYTES, Scan, is_early
from hippo_core.transcripts.claude_code_state import State, Told
from hippo_core.transcripts.clean import clean
from hippo_core.transcripts.jsonl import Record
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Role

_WARMUP: Final = "Warmup"
_SUBAGENTS: Final = "subagents"
_COMPACTOR: Final = "acompact-"
_SESSION_NAME: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LASTING_ID: Final = 16
_BLOCKS_PER_ROW: Final = 1024
_CALLS: Final = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_THOUGHT: Final = frozenset({"thinking", "redacted_thinking"})
_DATA: Final = frozenset({"image", "document"})
_QUIET_SYSTEM: Final = frozenset({"compact_boundary", "stop_hook_summary", "turn_duration"})


class Place(msgspec.Struct, frozen=True):
    """Where a row stands: its session, its time, and what holds for every turn in it."""

    session: str
    prefix: str
    name: str
    order: int
    time_ms: int | None
    copied: bool
    abandoned: bool
    sidechain: bool
    early: bool


class Reader:
    """Turns rows into sessions and turns; `state` is all it knows of earlier rows that a later reading needs."""

    def __init__(self, path: Path, state: State, scan: Scan, report: Report) -> None:
        self.path = path
        self.state = state
        self.scan = scan
        self.report = report
        self.home = path.parent.parent.name if path.parent.name == _SUBAGENTS else path.stem
        self.agent = path.stem.removeprefix("agent-") if path.stem.startswith("agent-") else None
        self.files: dict[str, tuple[str, ...]] = {}
        self.titles: dict[str, RawSession] = {}
        self.open: Told | None = None
        self.open_end = 0
        self.first: RawTurn | None = None

    def items(self, record: Record[Row]) -> Iterator[RawSession | RawTurn]:
        """What one record says."""
        row = record.value
        if row.type in wire.CONVERSATION:
            yield from self._row(row, record)
        elif row.type in wire.TITLES:
            yield from self._title(row, wire.TITLES[row.type])
        elif row.type == "queue-operation":
            self._queue(row)
        elif row.type not in wire.BOOKKEEPING:
            self.report.count_unknown(f"record:{row.type or 'untyped'}")

    def _queue(self, row: Row) -> None:
        """A file that begins with a queued prompt began then: whatever is older was copied into it."""
        if not self.state.sessions and self.state.began is None and isinstance(row.timestamp, str):
            self.state.began = row.timestamp

    def _title(self, row: Row, rank: int) -> Iterator[RawSession]:
        session = row.session_id or self.home
        title = row.custom_title or row.ai_title
        if title:
            named = RawSession(native_id=session, title=clean(title), title_rank=rank)
            if session in self.state.sessions:
                yield named
            elif session not in self.titles or rank >= self.titles[session].title_rank:
                self.titles[session] = named

    def _row(self, row: Row, record: Record[Row]) -> Iterator[RawSession | RawTurn]:
        if record.start - self.open_end > PATIENCE_BYTES:
            self.open = self.first = None
        message = wire.message(row.message) if row.message else None
        if message is None and row.type in {"user", "assistant"}:
            self.report.skip(self.path, f"line {record.number} holds a {row.type} row of no known shape")
            return
        if message is None and not (row.session_id or row.uuid):
            return
        self.state.time = row.timestamp if isinstance(row.timestamp, str) else None
        place = self._place(row, record.start)
        if self._is_idle(row, message, place):
            return
        yield from self._session(row, place)
        if message is None:
            turns = self._system(row, place) if row.type == "system" else self._attachment(row, place)
        elif row.type == "assistant":
            turns = self._assistant(row, message, place, record.line.end)
        else:
            turns = self._user(row, message, place)
        yield from turns

    def _is_idle(self, row: Row, message: Message | None, place: Place) -> bool:
        """Some agents only fill the service's cache or retell the session for compaction; they say nothing."""
        if (row.agent_id or "").startswith(_COMPACTOR):
            return True
        warmups = self.state.warmups
        begins = place.sidechain and row.parent_uuid is None and row.type == "user"
        if begins and message is not None and message.content == _WARMUP and place.session not in warmups:
            warmups.append(place.session)
        return place.session in warmups

    def _place(self, row: Row, start: int) -> Place:
        owner = row.session_id or self.home
        session, prefix = owner, ""
        agent = row.agent_id if row.is_sidechain or self.agent else None
        agent = agent or self.agent
        if agent:
            session = f"{owner}/{agent}"
            prefix = f"{session}:"
        elif row.is_sidechain:
            session = f"{owner}/{self.state.sidechain(row.uuid or '', row.parent_uuid)[:8]}"
        began = self.state.began if row.message else None
        older = isinstance(row.timestamp, str) and row.timestamp < (began or "")
        return Place(
            session=session,
            prefix=prefix,
            name=row.uuid or f"{self.path.stem}@{start}",
            order=start * _BLOCKS_PER_ROW,
            time_ms=loose.milliseconds(row.timestamp),
            copied=older or self.scan.copied(start) or self._is_elsewhere(owner),
            abandoned=start in self.scan.abandoned,
            sidechain=bool(row.is_sidechain or agent),
            early=is_early(row.version),
        )

    def _is_elsewhere(self, owner: str) -> bool:
        """Whether the file is another session's; a file under a name of a person's choosing is nobody's."""
        return self.agent is None and owner != self.home and _SESSION_NAME.fullmatch(self.home) is not None

    def _session(self, row: Row, place: Place) -> Iterator[RawSession]:
        owner = row.session_id or self.home
        forked = self._forked_from(row, owner)
        if place.session in self.state.sessions and not (forked and self.state.foreign != forked):
            return
        if place.session not in self.state.sessions:
            self.state.sessions.append(place.session)
        if forked:
            self.state.foreign = forked
        yield RawSession(
            native_id=place.session,
            cwd=row.cwd or None,
            parent=owner if place.sidechain else None,
            forked_from=None if place.sidechain else forked,
            branch=row.git_branch or None,
            client_version=row.version or None,
        )
        if place.session in self.titles:
            yield self.titles.pop(place.session)
        elif self.agent is not None and (task := tools.task(self.path)):
            yield RawSession(native_id=place.session, title=clean(task), title_rank=1)

    def _forked_from(self, row: Row, owner: str) -> str | None:
        origin = (row.forked_from.session_id if row.forked_from else None) or row.request_session_id
        if origin and origin != owner:
            return origin
        if self._is_elsewhere(owner):
            self.state.foreign = owner
            return None
        return self.state.foreign if self.state.foreign != owner else None

    def _assistant(self, row: Row, message: Message, place: Place, end: int) -> Iterator[RawTurn]:
        if wire.is_notice(row, message.model):
            yield from self._notices(tools.texts(message.content), place)
            return
        self.open_end = end
        key = _lasting(message.id, place, place.session) if message.id else f"{place.prefix}{place.name}"
        told = self.state.told(key, row.request_id)
        self.state.anchor, self.state.repeats = key, {}
        self._count(told, message)
        blocks = message.content if isinstance(message.content, list) else [Block("text", message.content)]
        emitted = False
        for number, block in enumerate(blocks[:_BLOCKS_PER_ROW]):
            turn = self._block(block, row, told, place, number)
            if turn is None:
                continue
            if told.first is None:
                told.first = turn.identity
            if turn.identity == told.first:
                turn = msgspec.structs.replace(turn, tokens=told.tokens)
                self.first, emitted = turn, True
            yield msgspec.structs.replace(turn, model=message.model)
        if not emitted and self.first is not None and self.first.tokens != told.tokens:
            self.first = msgspec.structs.replace(self.first, tokens=told.tokens)
            yield msgspec.structs.replace(self.first, model=message.model)

    def _count(self, told: Told, message: Message) -> None:
        """Take the last count of a message while it is being told; a line that comes after its end counts nothing."""
        counts = told is self.open or told.first is None
        if told is not self.open:
            self.open, self.first = told, None
        if counts and message.usage is not None:
            told.tokens = message.usage.tokens()

    def _block(self, block: Block, row: Row, told: Told, place: Place, number: int) -> RawTurn | None:
        if block.type == "text":
            text = clean(block.text or "")
            if not text.strip():
                return None
            identity, seen = told.text(text, row.api_block_index if number == 0 else None)
            if seen:
                return None
            return _turn(place, f"message:{identity}", Role.ASSISTANT, Kind.REPLY, text, number)
        told.growing = False
        if block.type in _CALLS:
            return self._call(block, place, number)
        if block.type and block.type.endswith("_tool_result"):
            return self._result(block, row, place, number)
        if block.type not in _THOUGHT and block.type not in _DATA:
            self.report.count_unknown(f"block:{block.type}")
        return None

    def _call(self, block: Block, place: Place, number: int) -> RawTurn:
        tool = block.name or ""
        asked = tools.asked(tool, block.input)
        joint = f"{place.prefix}{block.id or f'{place.name}/{number}'}"
        self.state.call(joint, tool)
        self.files[joint] = asked.files
        identity = _lasting(block.id, place, place.session) if block.id else joint
        turn = _turn(place, f"call:{identity}", Role.ASSISTANT, Kind.TOOL_CALL, clean(asked.text), number)
        return msgspec.structs.replace(
            turn, tool=tool or None, call=block.id, files=asked.files, command=asked.command
        )

    def _user(self, row: Row, message: Message, place: Place) -> Iterator[RawTurn]:
        texts: list[str] = []
        number = 0
        blocks = message.content if isinstance(message.content, list) else [Block("text", message.content)]
        for block in blocks[: _BLOCKS_PER_ROW // 4]:
            if block.type == "tool_result":
                for turn in self._answered(block, row, place, number):
                    yield turn
                    number += 1
            elif block.type == "text":
                texts.append(block.text or "")
            elif block.type not in _DATA:
                self.report.count_unknown(f"block:{block.type}")
        yield from self._said(row, texts, place, number)

    def _said(self, row: Row, texts: list[str], place: Place, number: int) -> Iterator[RawTurn]:
        texts = [text for raw in texts if (text := clean(raw)).strip()]
        if not texts:
            return
        identity = self._row_name(place, "\n".join(texts))
        for part, piece in enumerate(self._pieces(row, texts)):
            name = identity if part == 0 else f"{identity}/{part}"
            yield _turn(place, name, piece.role, piece.kind, piece.text, number + part)

    def _pieces(self, row: Row, texts: list[str]) -> list[person.Piece]:
        if row.is_compact_summary or person.is_summary(texts[0]):
            return [person.Piece(Role.SYSTEM, Kind.SUMMARY, "\n".join(texts))]
        if row.is_meta:
            return [person.Piece(Role.SYSTEM, Kind.INJECTED, "\n".join(texts))]
        if row.origin is not None and row.origin.kind not in {None, "human"}:
            return [person.Piece(Role.SYSTEM, Kind.NOTICE, "\n".join(texts))]
        found = person.pieces(texts)
        if not row.is_sidechain and self.agent is None:
            return found
        return [
            piece._replace(kind=Kind.DELEGATED) if piece.kind is Kind.PROMPT else piece for piece in found
        ]

    def _row_name(self, place: Place, text: str) -> str:
        if place.early:
            if self.state.anchor is None and self.scan.first_message is not None:
                self.state.anchor = f"<{self.scan.first_message}"
            anchored = self.state.anchored(text)
            if anchored is not None:
                return anchored
        return f"row:{place.prefix}{place.name}"

    def _answered(self, block: Block, row: Row, place: Place, number: int) -> Iterator[RawTurn]:
        turn = self._result(block, row, place, number)
        refused, words = person.rejection(turn.text) if turn.failed else (False, None)
        given = [row.user_feedback or words] if refused else []
        if refused:
            turn = msgspec.structs.replace(turn, kind=Kind.REJECTION)
        elif turn.tool == tools.ASKING and not turn.failed:
            given = list(tools.answers(tools.outcome(row.tool_use_result), turn.text))
        yield turn
        said = clean("\n".join(answer for answer in given if answer))
        if said.strip() and not place.sidechain:
            name = f"answer:{place.prefix}{block.tool_use_id or place.name}"
            yield _turn(place, name, Role.USER, Kind.PROMPT, said, number + 1)

    def _result(self, block: Block, row: Row, place: Place, number: int) -> RawTurn:
        call = f"{place.prefix}{block.tool_use_id or f'{place.name}/{number}'}"
        tool = self.state.calls.get(call, "")
        files = self.files.pop(call, ())
        known = tools.outcome(row.tool_use_result)
        failed = bool(block.is_error)
        identity = _lasting(block.tool_use_id, place, f"{place.name}/{number}") if block.tool_use_id else call
        text = tools.unspilled(tools.result_text(block), known, self._spill_folder(row))
        edited = tools.edited(tool, failed, files, known)
        turn = _turn(
            place,
            f"result:{identity}",
            Role.TOOL,
            Kind.TOOL_RESULT,
            clean(tools.unnumbered(tool, text)),
            number,
        )
        return msgspec.structs.replace(
            turn,
            tool=tool or None,
            call=block.tool_use_id,
            files=tuple(dict.fromkeys([*files, *edited])),
            edited=edited,
            exit_status=tools.exit_status(tool, text, failed, known),
            failed=failed,
        )

    def _spill_folder(self, row: Row) -> Path:
        folder = self.path.parent
        session = row.session_id or self.home
        if session in folder.parts:
            while folder.name != session:
                folder = folder.parent
            return folder / "tool-results"
        return folder / session / "tool-results"

    def _attachment(self, row: Row, place: Place) -> Iterator[RawTurn]:
        attachment = wire.decode(wire.ATTACHMENT, row.attachment) if row.attachment else None
        if attachment is None or attachment.type in attachments.SILENT:
            return
        if attachment.type == "queued_command":
            texts = tools.texts(attachment.prompt)
            if attachment.command_mode in {None, "prompt"}:
                yield from self._said(row, texts, place, 0)
            else:
                yield from self._notices(texts, place)
            return
        if attachment.type not in attachments.SHOWN:
            self.report.count_unknown(f"attachment:{attachment.type}")
        text = clean(attachments.text(attachment))
        if text.strip():
            turn = _turn(place, f"row:{place.prefix}{place.name}", Role.SYSTEM, Kind.INJECTED, text, 0)
            files = (attachment.filename,) if attachment.filename else ()
            yield msgspec.structs.replace(turn, files=files)

    def _system(self, row: Row, place: Place) -> Iterator[RawTurn]:
        if row.subtype not in _QUIET_SYSTEM and row.content:
            yield from self._notices(tools.texts(wire.decode(wire.CONTENT, row.content)), place)

    def _notices(self, texts: list[str], place: Place) -> Iterator[RawTurn]:
        text = clean("\n".join(texts))
        if text.strip():
            yield _turn(place, f"row:{place.prefix}{place.name}", Role.SYSTEM, Kind.NOTICE, text, 0)


def _lasting(id_: str, place: Place, within: str) -> str:
    """The service's own ids name a thing for ever; short ones, as other services give them, only `within` something."""
    return f"{place.prefix}{id_}" if len(id_) >= _LASTING_ID else f"{within}:{id_}"


def _turn(place: Place, identity: str, role: Role, kind: Kind, text: str, number: int) -> RawTurn:
    return RawTurn(
        identity=identity,
        session=place.session,
        order=place.order + number,
        role=role,
        kind=kind,
        text=text,
        time_ms=place.time_ms,
        copied=place.copied,
        abandoned=place.abandoned,
    )
