"""The events of one session log as turns: each message once, and what was cut off kept as far as it came."""

import re
from typing import Final

import msgspec

from hippo_core.transcripts import deepseek_wire as wire
from hippo_core.transcripts import loose
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.clean import clean
from hippo_core.transcripts.deepseek_state import OpenCall, State
from hippo_core.transcripts.deepseek_wire import Data
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Role, Tokens

_EXIT: Final = re.compile(r"\[exit code: (-?\d+)\]\s*\Z")
_EDITING: Final = frozenset({"write", "edit", "multi_edit", "multiedit", "apply_patch", "notebook_edit"})
_PARTIAL_CHARACTERS: Final = 1 << 20
_TOLD: Final = frozenset({"subagent-settled", "subagent-report", "job-settled"})
_QUIET: Final = frozenset(
    {
        *(
            "agent/inbox/spliced",
            "step/start",
            "request/header",
            "system/message",
            "session/title-llm-request",
        ),
        *(
            "session-log-deepseek/delivery-accepted",
            "compaction/start",
            "compaction/summary",
            "compaction/end",
        ),
        *(
            "permission/preset",
            "sandbox/mode",
            "approval/policy",
            "job/registered",
            "job/settled",
            "todo/write",
        ),
        *("subagent/catalog", "subagent/descriptor", "reasoning-chunks", "tool-call-chunks", "hook/invoked"),
        *("hook/result", "llm/retry-started", "tool/code-dispatch-start", "tool-workflow/run-start"),
        *("tool-workflow/run-end", "tool-workflow/agent-start", "tool-workflow/agent-end"),
    }
)


class Reader:
    """Turns events into turns; the text of an answer still being written is held until its message comes."""

    def __init__(self, state: State, report: Report) -> None:
        self.state = state
        self.session: RawSession | None = None
        self.foreign = False
        self.partial: list[str] = []
        self._held = 0
        self._report = report
        self._out: list[RawTurn] = []
        self._start = 0
        self._time: int | None = None
        self._place = ""

    def take(self, start: int, event: wire.Event) -> list[RawTurn]:
        """The turns that one record adds."""
        self._out = []
        self._start = start
        self._time = loose.whole_number(event.time) or loose.whole_number(event.time0)
        if not self.state.native:
            self._header(event)
        elif event.type != "session":
            self._event(event, event.data or wire.NO_DATA)
        return self._out

    def unfinished(self) -> list[RawTurn]:
        """What is held of an answer whose message has not come."""
        self._out = []
        self._give_partial()
        return self._out

    def _header(self, event: wire.Event) -> None:
        named = loose.name_of(event.id)
        if event.type != "session" or named is None or loose.whole_number(event.createdAt) is None:
            self.foreign = True
            return
        state = self.state
        state.native = named
        state.parent = loose.name_of(event.parentSession)
        state.delegated = event.origin == "subagent"
        state.seed_length = loose.whole_number(event.seedLength) or 0
        state.seeded = event.isSeeded is True or state.seed_length > 0
        self.session = RawSession(
            native_id=named,
            cwd=loose.name_of(event.cwd),
            parent=state.parent if state.delegated else None,
            forked_from=None if state.delegated else state.parent,
        )

    def _event(self, event: wire.Event, data: Data) -> None:
        seq = loose.whole_number(event.seq)
        if self.state.seeded and 0 < self.state.seed_length <= (seq if seq is not None else -1):
            self.state.seeded = False
        step = f"{loose.whole_number(data.turn) or self.state.turns}.{loose.whole_number(data.step) or 0}"
        self._place = str(seq) if seq is not None else f"at {self._start}"
        kind = event.type
        if kind == "assistant/message":
            self.state.enter(step)
            self._assistant(data)
        elif kind == "user/message":
            self._user(data)
        elif kind == "tool/call":
            self.state.enter(step)
            self._call(loose.name_of(data.callId) or self._place, loose.text_of(data.name), data.arguments)
        elif kind == "tool/result":
            self._result(data)
        elif kind == "tool/code-dispatch":
            self.state.enter(step)
            self._dispatched(data)
        elif kind in ("assistant/chunk", "text-chunks"):
            self.state.enter(step)
            self._chunk(data)
        else:
            self._mark(kind, data)

    def _mark(self, kind: object, data: Data) -> None:
        if kind == "turn/start":
            self._give_partial()
            self.state.turns = loose.whole_number(data.turn) or self.state.turns + 1
        elif kind == "turn/end":
            self._give_partial()
            self._turn_end(data.reason)
        elif kind == "step/end":
            self._give_partial()
        elif kind == "session/end-seed":
            self._give_partial()
            self.state.seeded = False
        elif kind == "session/title":
            self._title(data)
        elif kind == "request/context":
            self.state.model = loose.name_of(data.model) or self.state.model
        elif kind == "llm/retry":
            self._drop_partial()
        elif kind == "approval/asked":
            self.state.asked[loose.text_of(data.id)] = loose.text_of(data.callId)
        elif kind == "approval/decided":
            if data.outcome in ("rejected", "denied"):
                self.state.refuse(loose.text_of(data.id))
            self.state.asked.pop(loose.text_of(data.id), None)
        elif not isinstance(kind, str) or kind not in _QUIET:
            self._report.count_unknown(f"event {kind}"[:80])

    def _title(self, data: Data) -> None:
        source = loose.field(data.source, "kind")
        title = loose.name_of(data.title)
        if title and source != "fallback":
            rank = 1 if source == "provider" else 2
            self.session = RawSession(native_id=self.state.native, title=title, title_rank=rank)

    def _user(self, data: Data) -> None:
        text = _text(data.content)
        source = loose.text_of(loose.field(data.source, "kind"))
        role, kind = Role.SYSTEM, Kind.INJECTED
        if source == "user":
            delegated = self.state.delegated and not self.state.seeded
            role, kind = Role.USER, Kind.DELEGATED if delegated else Kind.PROMPT
        elif source == "coordinator":
            role, kind = Role.USER, Kind.DELEGATED
        elif source == "compact-checkpoint" or loose.field(data.source, "plugin") == "compact":
            kind = Kind.SUMMARY
        elif source in _TOLD:
            kind = Kind.NOTICE
        self._emit(self._named(data.id, "user"), role, kind, text)

    def _assistant(self, data: Data) -> None:
        self._drop_partial()
        content = loose.field(data.message, "content")
        self.state.model = loose.name_of(loose.field(data.message, "source", "model")) or self.state.model
        text = "\n".join(
            loose.text_of(loose.field(part, "text"))
            for part in loose.items(content)
            if loose.field(part, "type") == "text"
        )
        tokens = _tokens(data.usage)
        if text:
            cut_off = data.interrupted is True
            self._emit(
                self._in_step("reply"), Role.ASSISTANT, Kind.REPLY, text, tokens=tokens, failed=cut_off
            )
            tokens = None
        for part in loose.items(content):
            if loose.field(part, "type") == "tool-call":
                call = loose.name_of(loose.field(part, "id")) or self._place
                name = loose.text_of(loose.field(part, "name"))
                self._call(call, name, loose.field(part, "arguments"), tokens)
                tokens = None

    def _call(self, call: str, name: str, arguments: object, tokens: Tokens | None = None) -> None:
        given = _decoded(arguments)
        path = loose.name_of(loose.field(given, "file_path")) or loose.name_of(loose.field(given, "path"))
        if not self.state.open_call(call, OpenCall(name, path)):
            return
        command = loose.name_of(loose.field(given, "command"))
        text = f"$ {command}" if command else _shown(given)
        self._emit(
            self._in_step(f"call:{call}"),
            Role.ASSISTANT,
            Kind.TOOL_CALL,
            text,
            tool=name or None,
            call=call,
            files=(path,) if path else (),
            command=command,
            tokens=tokens,
        )

    def _result(self, data: Data) -> None:
        message = data.message
        block: object = message
        for part in loose.items(loose.field(message, "content")):
            if loose.field(part, "type") == "tool-result":
                block = part
        call = loose.name_of(loose.field(block, "toolCallId")) or loose.name_of(
            loose.field(message, "source", "callId")
        )
        text = _text(loose.field(block, "content"))
        identity = self._named(loose.field(message, "id"), f"result:{call}")
        self._answer(identity, call, text, loose.field(block, "isError") is True, data.meta)

    def _dispatched(self, data: Data) -> None:
        call = loose.name_of(data.subCallId) or self._place
        self._call(call, loose.text_of(data.name), data.arguments)
        identity = self._in_step(f"result:{call}")
        self._answer(identity, call, _text(data.content), data.isError is True, data.meta)

    def _answer(self, identity: str, call: str | None, text: str, error: bool, meta: object) -> None:
        opened = self.state.calls.pop(call, None) if call else None
        found = _EXIT.search(text)
        exit_status = int(found[1]) if found else None
        failed = error or exit_status not in (None, 0)
        changed = tuple(
            path
            for diff in loose.items(loose.field(meta, "diffs"))
            if (path := loose.name_of(loose.field(diff, "path")))
        )
        if opened and opened.path and opened.tool in _EDITING:
            changed = (opened.path,)
        files = changed or ((opened.path,) if opened and opened.path else ())
        self._emit(
            identity,
            Role.TOOL,
            Kind.REJECTION if opened and opened.refused else Kind.TOOL_RESULT,
            text,
            tool=opened.tool if opened else None,
            call=call,
            files=files,
            edited=() if failed else changed,
            exit_status=exit_status,
            failed=failed,
        )

    def _turn_end(self, reason: object) -> None:
        kind = loose.field(reason, "kind")
        if kind in ("aborted", "interrupted"):
            self._emit(f"{self._turn}:interrupt", Role.USER, Kind.INTERRUPT, "")
        elif kind == "error":
            text = loose.text_of(loose.field(reason, "error", "message"))
            self._emit(f"{self._turn}:error", Role.SYSTEM, Kind.NOTICE, text, failed=True)

    def _chunk(self, data: Data) -> None:
        texts = data.texts
        if loose.field(data.chunk, "type") == "text-delta":
            texts = [loose.field(data.chunk, "text")]
        for text in loose.items(texts):
            if self._held < _PARTIAL_CHARACTERS:
                self.partial.append(loose.text_of(text))
                self._held += len(self.partial[-1])

    def _give_partial(self) -> None:
        text = "".join(self.partial)
        if text.strip():
            self._emit(self._in_step("reply"), Role.ASSISTANT, Kind.REPLY, text, failed=True)
        self._drop_partial()

    def _drop_partial(self) -> None:
        self.partial.clear()
        self._held = 0

    @property
    def _turn(self) -> str:
        return f"{self.state.owner}:{self.state.turns}"

    def _in_step(self, name: str) -> str:
        return f"{self.state.owner}:{self.state.step}:{name}"

    def _named(self, identifier: object, name: str) -> str:
        return loose.name_of(identifier) or f"{self.state.owner}:{self._place}:{name}"

    def _emit(
        self,
        identity: str,
        role: Role,
        kind: Kind,
        text: str,
        *,
        tool: str | None = None,
        call: str | None = None,
        files: tuple[str, ...] = (),
        edited: tuple[str, ...] = (),
        command: str | None = None,
        exit_status: int | None = None,
        failed: bool = False,
        tokens: Tokens | None = None,
    ) -> None:
        self._out.append(
            RawTurn(
                identity=identity,
                session=self.state.native,
                order=(self._start << 8) + min(len(self._out), 255),
                role=role,
                kind=kind,
                text=clean(text),
                time_ms=self._time,
                tool=tool,
                call=call,
                files=files,
                edited=edited,
                command=command,
                exit_status=exit_status,
                failed=failed,
                model=self.state.model if role is Role.ASSISTANT else None,
                tokens=tokens,
                copied=self.state.seeded,
            )
        )


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(shown for part in loose.items(content) if (shown := _part(part)))


def _part(part: object) -> str:
    if loose.field(part, "type") in ("text", None):
        return loose.text_of(loose.field(part, "text"))
    attachment = loose.field(part, "attachment")
    if attachment is None:
        return ""
    named = loose.name_of(loose.field(attachment, "name")) or loose.name_of(
        loose.field(attachment, "mediaType")
    )
    return f"[attachment: {named or loose.text_of(loose.field(part, 'type'))}]"


def _tokens(usage: object) -> Tokens | None:
    names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
    counts = [loose.whole_number(loose.field(usage, name)) or 0 for name in names]
    return Tokens(*counts) if any(counts) else None


def _decoded(arguments: object) -> object:
    if not isinstance(arguments, str):
        return arguments
    try:
        return msgspec.json.decode(arguments)
    except (msgspec.DecodeError, UnicodeError):
        return arguments


def _shown(given: object) -> str:
    return given if isinstance(given, str) else msgspec.json.encode(given).decode("utf-8")
