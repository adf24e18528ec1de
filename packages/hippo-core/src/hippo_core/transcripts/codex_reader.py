"""The lines of one rollout as turns: everything said once, whichever of its two sources says it."""

from pathlib import Path
from typing import Final

from hippo_core.ids import Agent
from hippo_core.transcripts import codex_tools as tools
from hippo_core.transcripts import codex_wire as wire
from hippo_core.transcripts import codex_words as words
from hippo_core.transcripts import loose
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.codex_state import State
from hippo_core.transcripts.codex_turns import EVENT, ITEM, Place, Turns
from hippo_core.transcripts.codex_wire import Payload
from hippo_core.transcripts.model import Kind, RawSession, Role

AGENT: Final = Agent.CODEX
_COMPACTED_NOTICE: Final = "Compact task completed"


class Reader:
    """Turns records into turns and holds back those that the next lines may still complete."""

    def __init__(self, path: Path, state: State, report: Report) -> None:
        self.state = state
        self.turns = Turns(state)
        self.foreign = False
        self._path = path
        self._report = report
        self._complete = False

    def take(self, start: int, record: wire.Record, payload: Payload) -> bool:
        """Read one record; True when the turns held back are complete."""
        self._complete = False
        time_ms = loose.milliseconds(record.timestamp) or self.state.began
        self.turns.move_to(Place(start, loose.whole_number(record.ordinal), time_ms))
        if not self.state.recognised and not self._recognise(record):
            return False
        if self.turns.place.ordinal is not None and self.turns.place.ordinal < self.state.skip_below:
            return False
        self.state.pass_time(time_ms)
        self._dispatch(record, payload)
        return self._complete

    def _recognise(self, record: wire.Record) -> bool:
        kind = record.type
        head = kind is None and loose.name_of(record.id) and loose.name_of(record.timestamp)
        enveloped = isinstance(kind, str) and kind in wire.ENVELOPES and record.payload is not None
        if head or enveloped:
            self.state.recognised = True
            self.state.bare = not enveloped
            if enveloped and kind != "session_meta":
                self._name_session(Payload())
            return True
        self.foreign = self.foreign or record.payload is None
        return False

    def _dispatch(self, record: wire.Record, payload: Payload) -> None:
        kind = record.type
        if record.payload is None:
            if kind is None and not self.state.native and loose.name_of(record.id):
                self._name_session(payload)
            elif isinstance(kind, str):
                self._item(payload)
            elif record.record_type is None:
                self._report.count_unknown("bare record")
        elif kind == "response_item":
            self._item(payload)
        elif kind == "event_msg":
            self._event(payload)
        elif kind == "session_meta":
            self._session_meta(payload)
        elif kind == "turn_context":
            self._turn_context(payload)
        elif kind == "compacted":
            self._summary(loose.text_of(payload.message), EVENT)
        elif kind == "token_usage_record":
            self.turns.pay(payload.thread_token_usage, payload.usage)
        elif not isinstance(kind, str) or kind not in wire.ENVELOPES:
            self._report.count_unknown(f"record {kind}"[:80])

    # Sessions

    def _session_meta(self, payload: Payload) -> None:
        named = loose.name_of(payload.id)
        if not self.state.native:
            self._name_session(payload)
        elif named and named != self.state.native:
            self.state.begin_copies(named, self.turns.place.time_ms)
            if not self.state.delegated:
                self.turns.sessions.append(RawSession(native_id=self.state.native, forked_from=named))

    def _name_session(self, payload: Payload) -> None:
        state = self.state
        state.native = loose.name_of(payload.id) or native_id(self._path)
        state.origin = state.native
        state.began = loose.milliseconds(payload.timestamp)
        spawned = loose.field(payload.source, "subagent")
        parent = loose.name_of(payload.parent_thread_id) or loose.name_of(
            loose.field(loose.field(spawned, "thread_spawn"), "parent_thread_id")
        )
        state.delegated = bool(spawned or parent or payload.thread_source == "subagent")
        state.skip_below = loose.whole_number(payload.subagent_history_start_ordinal) or 0
        state.cwd = loose.name_of(payload.cwd)
        base = payload.history_base
        if loose.field(base, "thread_id") is not None and payload.forked_from_id is None:
            state.order_base = loose.whole_number(loose.field(base, "end_byte_offset")) or 0
        self.turns.sessions.append(
            RawSession(
                native_id=state.native,
                cwd=state.cwd,
                parent=parent,
                forked_from=None if state.delegated else loose.name_of(payload.forked_from_id),
                branch=loose.name_of(loose.field(payload.git, "branch")),
                client_version=loose.name_of(payload.cli_version),
            )
        )

    def _turn_context(self, payload: Payload) -> None:
        self.state.begin_turn(loose.name_of(payload.turn_id), self.turns.place.time_ms)
        self.state.model = loose.name_of(payload.model) or self.state.model
        self._learn_cwd(loose.name_of(payload.cwd))

    def _learn_cwd(self, cwd: str | None) -> None:
        if cwd and self.state.cwd is None:
            self.state.cwd = cwd
            self.turns.sessions.append(RawSession(native_id=self.state.native, cwd=cwd))

    # Items: what the model was sent and what it sent back

    def _item(self, payload: Payload) -> None:
        kind = payload.type
        if kind == "message" or (kind is None and payload.role is not None):
            self._message(payload)
        elif kind in ("function_call", "custom_tool_call", "tool_search_call", "local_shell_call"):
            self._call(payload)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            self._output(payload)
        elif kind in ("web_search_call", "image_generation_call"):
            query = loose.text_of(loose.field(payload.action, "query")) or loose.text_of(payload.query)
            self._web_search(loose.name_of(payload.id), query, str(kind).removesuffix("_call"))
        elif kind == "agent_message":
            self._agent_message(payload)
        elif not isinstance(kind, str) or kind not in wire.QUIET:
            self._report.count_unknown(f"item {kind}"[:80])

    def _message(self, payload: Payload) -> None:
        texts = loose.parts(payload.content)
        if payload.role == "assistant":
            self._reply("\n".join(texts), ITEM, loose.name_of(payload.id))
        elif payload.role == "user":
            self._user(texts, ITEM)
        elif payload.role in ("developer", "system"):
            if texts and texts[0].lstrip().startswith("<turn_aborted>"):
                self._interrupt("")
            else:
                self.turns.said("injected", "\n".join(texts), ITEM, Role.SYSTEM, Kind.INJECTED)
        else:
            self._report.count_unknown("message role")

    def _call(self, payload: Payload) -> None:
        name = loose.name_of(payload.name) or loose.text_of(payload.type).removesuffix("_call")
        given = payload.arguments if payload.arguments is not None else payload.input
        if given is None:
            given = payload.action
        call = tools.call(name, given)
        identifier = (
            loose.name_of(payload.call_id) or loose.name_of(payload.id) or f"at {self.turns.place.start}"
        )
        self._tool_call(identifier, name, call)

    def _tool_call(self, identifier: str, name: str, call: tools.Call) -> None:
        tool = "apply_patch" if call.patched and name != "exec" else name
        key = self.state.open_call(identifier, tool, call.patched, abandoned=self.turns.is_abandoned())
        self.turns.emit(
            f"call:{key}",
            Role.ASSISTANT,
            Kind.TOOL_CALL,
            call.text,
            tool=tool,
            call=identifier,
            files=call.patched or call.viewed,
            command=call.command,
        )

    def _output(self, payload: Payload) -> None:
        identifier = loose.name_of(payload.call_id) or f"at {self.turns.place.start}"
        opened = self.state.calls.get(identifier)
        if opened is None or not opened.answered:
            self._result(identifier, tools.output(payload.output))
        else:
            del self.state.calls[identifier]

    def _result(self, identifier: str, output: tools.Output, changed: tuple[str, ...] = ()) -> None:
        opened = self.state.calls.get(identifier)
        patched = changed or (tuple(opened.patched) if opened else ())
        self.turns.emit(
            f"result:{self.state.call_key(identifier)}",
            Role.TOOL,
            Kind.REJECTION if output.refused else Kind.TOOL_RESULT,
            output.text,
            tool=opened.tool if opened else None,
            call=identifier,
            files=patched,
            edited=() if output.failed else patched,
            exit_status=output.exit_status,
            failed=output.failed,
            abandoned=opened.abandoned if opened else None,
        )

    def _agent_message(self, payload: Payload) -> None:
        text = "\n".join(loose.parts(payload.content)).strip()
        if "Message Type: NEW_TASK" in text[:200]:
            self.turns.said("task", text, ITEM, Role.USER, Kind.DELEGATED)
        else:
            self.turns.said("agent", text, ITEM, Role.SYSTEM, Kind.NOTICE)

    def _web_search(self, identifier: str | None, query: str, tool: str) -> None:
        self.turns.emit(
            f"call:{self.state.call_key(identifier or f'search {query}')}",
            Role.ASSISTANT,
            Kind.TOOL_CALL,
            query,
            tool=tool,
            call=identifier,
        )

    # Events: what the person was shown

    def _event(self, payload: Payload) -> None:
        kind = payload.type
        if kind == "user_message":
            text = payload.message if payload.message is not None else payload.content
            self._user(loose.parts(text) or [""], EVENT)
        elif kind == "agent_message":
            self._reply(loose.text_of(payload.message), EVENT)
        elif kind == "item_completed":
            self._completed(wire.payload_of(payload.item))
        elif kind == "token_count":
            self.turns.pay(
                loose.field(payload.info, "total_token_usage"), loose.field(payload.info, "last_token_usage")
            )
        elif kind in ("task_started", "turn_started"):
            self._complete = True
            self.state.begin_turn(loose.name_of(payload.turn_id), self.turns.place.time_ms)
        elif kind in ("task_complete", "turn_complete"):
            self._complete = True
            self._error(loose.field(payload.error, "message"))
        elif kind == "turn_aborted":
            self._complete = True
            self._interrupt(loose.text_of(payload.reason))
        elif kind == "exec_command_end":
            self._execution(payload, loose.name_of(payload.call_id))
        elif kind == "patch_apply_end":
            self._change(payload, loose.name_of(payload.call_id))
        elif kind in ("error", "stream_error"):
            self._error(payload.message)
        elif not isinstance(kind, str) or kind not in wire.QUIET:
            self._report.count_unknown(f"event {kind}"[:80])

    def _completed(self, item: Payload) -> None:
        kind = item.type
        if kind == "UserMessage":
            self._user(loose.parts(item.content) or [""], EVENT)
        elif kind == "AgentMessage":
            self._reply("\n".join(loose.parts(item.content)), EVENT, loose.name_of(item.id))
        elif kind == "CommandExecution":
            self._execution(item, loose.name_of(item.id))
        elif kind == "FileChange":
            self._change(item, loose.name_of(item.id))
        elif kind == "WebSearch":
            self._web_search(loose.name_of(item.id), loose.text_of(item.query), "web_search")
        elif not isinstance(kind, str) or kind not in wire.QUIET:
            self._report.count_unknown(f"completed item {kind}"[:80])

    def _execution(self, item: Payload, identifier: str | None) -> None:
        if identifier is None or item.source == "user_shell":
            return
        own = identifier not in self.state.calls
        if own:
            command = tools.shell_command(item.command)
            self._tool_call(identifier, "exec_command", tools.call("exec_command", {"cmd": command or ""}))
        text = loose.text_of(item.aggregated_output) or loose.text_of(item.stdout) + loose.text_of(
            item.stderr
        )
        output = tools.finished(text, loose.whole_number(item.exit_code), loose.text_of(item.status))
        self._result(identifier, output)
        self._answered(identifier, own=own, whole=bool(text))

    def _change(self, item: Payload, identifier: str | None) -> None:
        if identifier is None:
            return
        changed = tools.changed_files(item.changes)
        own = identifier not in self.state.calls
        if own:
            text = tools.change_text(item.changes)
            self._tool_call(identifier, "apply_patch", tools.Call(text, patched=changed))
        text = loose.text_of(item.stdout) + loose.text_of(item.stderr)
        status = "failed" if item.success is False else loose.text_of(item.status)
        self._result(identifier, tools.finished(text, None, status), changed)
        self._answered(identifier, own=own, whole=True)

    def _answered(self, identifier: str, *, own: bool, whole: bool) -> None:
        """An execution that no item asked for gets no output either; for another, the output adds nothing to it."""
        if own:
            del self.state.calls[identifier]
        else:
            self.state.calls[identifier].answered = whole

    def _error(self, message: object) -> None:
        if text := loose.text_of(message):
            self.turns.said("error", text, EVENT, Role.SYSTEM, Kind.NOTICE, failed=True)

    def _interrupt(self, reason: str) -> None:
        if not self.state.interrupted or self.state.turn is None:
            self.turns.emit(f"{self.state.turn_key}:interrupt", Role.USER, Kind.INTERRUPT, reason)
        self.state.interrupted = True

    # What is said by either source

    def _user(self, texts: list[str], source: int) -> None:
        parts = words.take_apart(texts)
        if parts.injected:
            self._learn_cwd(words.working_directory(parts.injected))
            self.turns.said("injected", parts.injected, source, Role.SYSTEM, Kind.INJECTED)
        if parts.shell:
            self._shell(parts.shell, source)
        if parts.summary:
            self._summary(parts.summary, ITEM)
        if parts.aborted:
            self._interrupt("")
        if parts.prompt is not None and (parts.prompt or source == EVENT):
            self._complete = True
            kind = Kind.DELEGATED if self.state.delegated else Kind.PROMPT
            self.turns.said("prompt", parts.prompt, source, Role.USER, kind)

    def _shell(self, text: str, source: int) -> None:
        command, output, exit_status = words.shell(text)
        shown = f"$ {command}\n{output}" if command else output
        self.turns.said(
            "shell", shown, source, Role.USER, Kind.NOTICE, command=command or None, exit_status=exit_status
        )

    def _reply(self, text: str, source: int, name: str | None = None) -> None:
        if text == _COMPACTED_NOTICE:
            self.turns.said("notice", text, source, Role.SYSTEM, Kind.NOTICE)
        elif text:
            new = name is None or self.state.first_shown(name, source)
            identity = self.state.first_sight("reply", text, source)
            if new and identity:
                self.turns.emit(identity, Role.ASSISTANT, Kind.REPLY, text)

    def _summary(self, text: str, source: int) -> None:
        """A summary is first written as if it were an answer, which no event shows: that turn becomes the summary."""
        identity = self.state.first_sight("summary", text, source) if text.strip() else None
        if identity and not self.turns.become_summary(text):
            self.turns.emit(identity, Role.SYSTEM, Kind.SUMMARY, text)


def native_id(path: Path) -> str:
    """The thread id in a rollout's file name, or its stem where it has none."""
    stem = path.name.removesuffix(".zst").removesuffix(".jsonl")
    thread = stem.removeprefix("rollout-")[20:].partition("_")[0]
    return thread if len(thread) == 36 else stem
