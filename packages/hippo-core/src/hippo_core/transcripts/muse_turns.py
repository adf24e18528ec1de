"""The records of one Muse Code session as turns: each prompt once, and each result with what it came to."""

import hashlib
import re
from collections.abc import Callable
from typing import Final

import msgspec

from hippo_core.transcripts import loose
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.clean import clean
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Role, Tokens

_SHELLS: Final = frozenset({"bash"})
_WRITERS: Final = frozenset({"write_file", "edit_file"})
_FILE_TOOLS: Final = _WRITERS | {"read_file"}
_FAILED: Final = "tool failed:"
_MEMORY: Final = re.compile(r"<hippo-memory\b[^<>]*>.*?(?:</hippo-memory>|\Z)", re.DOTALL)
_SILENT: Final = frozenset(
    {
        *("user_prompt_display", "reasoning_summary_delta", "reasoning_summary_committed"),
        *("reasoning_committed", "goal_usage_attribution", "todo_snapshot_updated"),
        *("memory_reminder_child_session_linked",),
        *("runtime.session.permission_format_declared", "run.model.configured", "session.end"),
    }
)
_SILENT_PREFIXES: Final = ("runtime.session.permission", "runtime.approval", "session.permission")
_ANY: Final[msgspec.json.Decoder[object]] = msgspec.json.Decoder(object)
_BLOCKS: Final = 64


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One record: where it stands, whose stream it is of, and what it says."""

    place: int
    stream: str | None
    value: object


class Reader:
    """Takes the records of one session in order and holds its turns until all are known."""

    def __init__(self, native: str, parent: str | None, report: Report) -> None:
        self.workspace: str | None = None
        self._native = native
        self._parent = parent
        self._report = report
        self._turns: list[tuple[str | None, RawTurn]] = []
        self._retracted: set[str | None] = set()
        self._title: tuple[str, int] | None = None
        self._branch: str | None = None
        self._version: str | None = None
        self._copied = False
        self._model: str | None = None
        self._tokens: Tokens | None = None
        self._calls: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._prompted: dict[str, str] = {}
        self._waiting: dict[str, str] = {}
        self._seen: set[str] = set()
        self._entry = Entry(place=0, stream=None, value=None)
        self._run: str | None = None
        self._block = 0
        self._events: dict[str, Callable[[object], None]] = {
            "started": self._started,
            "model_request_configured": self._configured,
            "assistant_message_committed": self._replied,
            "assistant_tool_calls_committed": self._called,
            "tool_result_batch_committed": self._answered,
            "model_completed": self._completed,
            "inbox_item_queued": self._queued,
            "terminal": self._ended,
            "run_retracted": self._taken_back,
            "context_compaction_installed": self._compacted,
        }

    def session(self, workspace: str | None) -> RawSession:
        """What is known of the session; `workspace` is where it works if it does not say so itself."""
        title = self._title or (None, 0)
        return RawSession(
            native_id=self._native,
            cwd=self.workspace or workspace,
            parent=self._parent,
            title=title[0],
            title_rank=title[1],
            branch=self._branch,
            client_version=self._version,
        )

    def turns(self) -> list[RawTurn]:
        """Every turn taken, those of a retracted run marked."""
        return [
            msgspec.structs.replace(turn, abandoned=True) if run in self._retracted else turn
            for run, turn in self._turns
        ]

    def take(self, entry: Entry) -> None:
        """Take one record."""
        self._entry, self._block, self._run = entry, 0, None
        kind = loose.text_of(loose.field(entry.value, "payload_type"))
        payload = loose.field(entry.value, "payload")
        if kind == "runtime.session":
            self._runtime(payload)
        elif kind == "runtime.user_intent.accepted":
            self._intended(payload)
        elif kind == "runtime.session.metadata":
            self._metadata(payload)
        elif kind == "session.workspace_branch.observed":
            self._branch = loose.name_of(loose.field(payload, "record", "reference", "name")) or self._branch
        elif kind == "session.name.changed":
            self._named(payload)
        elif kind not in _SILENT and not kind.startswith(_SILENT_PREFIXES):
            self._report.count_unknown(kind or "untyped")

    def _runtime(self, payload: object) -> None:
        if loose.field(payload, "kind") not in ("run", None):
            return
        event = loose.field(payload, "event")
        kind = loose.text_of(loose.field(event, "kind"))
        self._run = loose.name_of(loose.field(payload, "run_id"))
        if kind in self._events:
            self._events[kind](event)
        elif kind not in _SILENT:
            self._report.count_unknown(kind or "untyped")

    def _metadata(self, payload: object) -> None:
        record = loose.field(payload, "record")
        record = payload if record is None else record
        self.workspace = self.workspace or loose.name_of(loose.field(record, "workspace_root"))
        self._version = self._version or loose.name_of(loose.field(record, "build", "semver"))
        self._model = loose.name_of(loose.field(record, "model_id")) or self._model
        self._copied = self._copied or loose.field(record, "specstorySourceSessionId") is not None

    def _named(self, payload: object) -> None:
        name = loose.name_of(loose.field(payload, "new_name"))
        if name is not None:
            rank = 1 if loose.field(payload, "source") == "automatic" else 2
            if self._title is None or rank >= self._title[1]:
                self._title = (clean(name), rank)

    def _intended(self, payload: object) -> None:
        """A prompt as it was accepted; the run that it starts says it again."""
        self._run = loose.name_of(loose.field(payload, "intent_id"))
        if loose.field(payload, "semantic_kind", "kind") not in ("chat", None):
            return
        messages = loose.items(loose.field(payload, "model_messages"))
        text = "\n".join(
            part for message in messages for part in loose.parts(loose.field(message, "content"))
        )
        if text.strip() and self._run:
            self._waiting[text.strip()] = self._run
            self._prompt(text, self._run)

    def _started(self, event: object) -> None:
        text = loose.text_of(loose.field(event, "prompt"))
        intent = self._waiting.pop(text.strip(), None)
        if intent is None:
            self._prompt(text, self._run or str(self._entry.place))

    def _prompt(self, text: str, run: str) -> None:
        if run not in self._prompted:
            self._prompted[run] = run
            self._person(text, f"prompt:{run}")

    def _person(self, text: str, name: str | None = None) -> None:
        text = clean(text)
        for memory in _MEMORY.findall(text):
            self._say(Role.SYSTEM, Kind.INJECTED, memory)
        kind = Kind.DELEGATED if self._parent is not None else Kind.PROMPT
        self._say(Role.USER, kind, _MEMORY.sub("", text), name)

    def _configured(self, event: object) -> None:
        for message in loose.items(loose.field(event, "run_context_messages")):
            text = loose.text_of(loose.field(message, "text"))
            name = f"context:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:20]}"
            # The same context goes along with every request.
            if name not in self._seen:
                self._seen.add(name)
                self._say(Role.SYSTEM, Kind.INJECTED, text, name)

    def _replied(self, event: object) -> None:
        self._say(Role.ASSISTANT, Kind.REPLY, loose.text_of(loose.field(event, "text")))

    def _called(self, event: object) -> None:
        for made in loose.items(loose.field(event, "tool_calls")):
            self._call(made)

    def _call(self, made: object) -> None:
        call = loose.text_of(loose.field(made, "call_id"))
        tool = loose.text_of(loose.field(made, "name"))
        raw = loose.field(made, "args")
        asked = _decoded(raw)
        command = loose.name_of(loose.field(asked, "command")) if tool in _SHELLS else None
        path = loose.name_of(loose.field(asked, "path")) or loose.name_of(loose.field(asked, "file_path"))
        files = (path,) if path and tool in _FILE_TOOLS else ()
        self._calls[call] = (tool, files)
        text = clean(command or (raw if isinstance(raw, str) else _compact(asked)))
        self._add(
            RawTurn(
                identity=self._identity(None),
                session=self._native,
                order=self._order(),
                role=Role.ASSISTANT,
                kind=Kind.TOOL_CALL,
                text=text,
                time_ms=self._time(),
                tool=tool or None,
                call=call or None,
                files=files,
                command=text if command else None,
                model=self._model,
                tokens=self._spent(),
                copied=self._copied,
            )
        )

    def _answered(self, event: object) -> None:
        for result in loose.items(loose.field(event, "results")):
            self._result(result)

    def _result(self, result: object) -> None:
        call = loose.text_of(loose.field(result, "tool_call_id"))
        tool, files = self._calls.get(call) or (None, ())
        text = loose.text_of(loose.field(result, "text"))
        told = _decoded(text) if tool in _SHELLS or tool is None else None
        exit_status = loose.whole_number(loose.field(told, "exit_code"))
        output = loose.field(told, "output")
        failed = bool(exit_status) or text.startswith(_FAILED)
        self._add(
            RawTurn(
                identity=self._identity(None),
                session=self._native,
                order=self._order(),
                role=Role.TOOL,
                kind=Kind.TOOL_RESULT,
                text=clean(output if isinstance(output, str) else text),
                time_ms=self._time(),
                tool=tool,
                call=call or None,
                files=files,
                edited=files if tool in _WRITERS and not failed else (),
                exit_status=exit_status,
                failed=failed,
                copied=self._copied,
            )
        )

    def _completed(self, event: object) -> None:
        self._model = loose.name_of(loose.field(event, "model")) or self._model
        usage = loose.field(event, "usage")
        names = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
        counts = [loose.whole_number(loose.field(usage, name)) or 0 for name in names]
        self._tokens = Tokens(*counts) if any(counts) else None

    def _queued(self, event: object) -> None:
        text = loose.text_of(loose.field(event, "payload", "prompt"))
        if loose.field(event, "source", "source") == "user_steer":
            self._person(text)
        else:
            self._say(Role.SYSTEM, Kind.INJECTED, text)

    def _ended(self, event: object) -> None:
        how = loose.field(event, "terminal")
        if how == "cancelled":
            self._say(Role.USER, Kind.INTERRUPT, "", empty=True)
        elif how == "failed":
            reason = loose.text_of(loose.field(event, "reason")) or "failed"
            self._say(Role.SYSTEM, Kind.NOTICE, reason, failed=True)

    def _taken_back(self, event: object) -> None:
        named = loose.name_of(loose.field(event, "retracted_run_id")) or self._run
        if named is not None:
            self._retracted.add(named)

    def _compacted(self, event: object) -> None:
        text = loose.text_of(loose.field(event, "summary")) or loose.text_of(loose.field(event, "text"))
        self._say(Role.SYSTEM, Kind.SUMMARY, text)

    def _say(
        self,
        role: Role,
        kind: Kind,
        text: str,
        name: str | None = None,
        *,
        failed: bool = False,
        empty: bool = False,
    ) -> None:
        text = clean(text).strip()
        if not text and not empty:
            return
        self._add(
            RawTurn(
                identity=self._identity(name),
                session=self._native,
                order=self._order(),
                role=role,
                kind=kind,
                text=text,
                time_ms=self._time(),
                failed=failed,
                model=self._model if role is Role.ASSISTANT else None,
                tokens=self._spent() if role is Role.ASSISTANT else None,
                copied=self._copied,
            )
        )

    def _add(self, turn: RawTurn) -> None:
        self._turns.append((self._run, turn))
        self._block += 1

    def _spent(self) -> Tokens | None:
        tokens, self._tokens = self._tokens, None
        return tokens

    def _identity(self, name: str | None) -> str:
        """Record ids repeat from session to session, so that the session is part of the name."""
        record = loose.name_of(loose.field(self._entry.value, "id")) or f"at {self._entry.place}"
        return f"{self._native}:{name or f'{record}:{self._block}'}"

    def _order(self) -> int:
        return self._entry.place * _BLOCKS + min(self._block, _BLOCKS - 1)

    def _time(self) -> int | None:
        recorded = loose.whole_number(loose.field(self._entry.value, "recorded_at"))
        return None if recorded is None else recorded // 1000


def _decoded(value: object) -> object:
    """Arguments and results that are JSON inside a text; what is none stays as it is."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        return _ANY.decode(value)
    except (msgspec.DecodeError, UnicodeError):
        return value


def _compact(value: object) -> str:
    return "" if value is None else msgspec.json.encode(value).decode("utf-8", "replace")
