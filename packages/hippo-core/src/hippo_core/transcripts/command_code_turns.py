"""The entries of a Command Code session as turns, whichever of its two formats they are in."""

import hashlib
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from hippo_core.transcripts import loose
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.clean import clean
from hippo_core.transcripts.model import Kind, RawTurn, Role, Tokens

_TYPED: Final = frozenset({"user", "cli", "steering"})
_WRITERS: Final = frozenset({"write_file", "edit_file", "multi_edit", "notebook_edit"})
_FILE_TOOLS: Final = _WRITERS | {"read_file"}
_SHELLS: Final = frozenset({"shell_command", "bash"})
_PATHS: Final = ("file_path", "filePath", "absolutePath", "path")
_EXIT: Final = re.compile(r"(?:Exit code:|ERROR: Command failed with exit code) (-?\d{1,6})\b")
_USAGE: Final = re.compile(r"\s*<usage>[^<]*</usage>\s*\Z")
_MEMORY: Final = re.compile(r"<hippo-memory\b[^<>]*>.*?(?:</hippo-memory>|\Z)", re.DOTALL)
_SILENT: Final = frozenset({"session", "effort_change", "custom", "label", "session_info"})


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as it stands in the file: where, in which format, and whether it was wound back."""

    start: int
    value: dict[object, object]
    flat: bool
    abandoned: bool

    @property
    def message(self) -> object:
        """The message in it, None where the entry is something else."""
        return self.value if self.flat else self.value.get("message")

    @property
    def meta(self) -> object:
        """What the client noted of the message."""
        return self.value.get("metadata") if self.flat else loose.field(self.message, "meta")


def turns(session: str, entries: list[tuple[Entry, bool]], report: Report) -> Iterator[RawTurn]:
    """The turns of all entries, in order."""
    reader = _Reader(session, report)
    for entry, copied in entries:
        yield from reader.take(entry, copied)


class _Reader:
    """What is remembered from entry to entry: the model, the tools called, and how often a text has come."""

    def __init__(self, session: str, report: Report) -> None:
        self._session = session
        self._report = report
        self._model: str | None = None
        self._calls: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._times: dict[str, int] = {}
        self._entry = Entry(start=0, value={}, flat=False, abandoned=False)
        self._copied = False
        self._tokens: Tokens | None = None
        self._block = 0

    def take(self, entry: Entry, copied: bool) -> Iterator[RawTurn]:
        """The turns of one entry."""
        self._entry, self._copied, self._block = entry, copied, 0
        kind = "message" if entry.flat else loose.text_of(entry.value.get("type"))
        if kind == "message":
            self._tokens = _tokens(entry.value.get("usage"))
            yield from self._message(entry.message)
        elif kind in ("compaction", "branch_summary"):
            yield from self._said(Role.SYSTEM, Kind.SUMMARY, entry.value.get("summary"))
        elif kind == "custom_message":
            for text in loose.parts(entry.value.get("content")):
                yield from self._said(Role.SYSTEM, Kind.INJECTED, text)
        elif kind == "model_change":
            self._model = loose.name_of(entry.value.get("model")) or self._model
        elif kind not in _SILENT:
            self._report.count_unknown(kind or "untyped")

    def _message(self, message: object) -> Iterator[RawTurn]:
        self._model = loose.name_of(self._entry.value.get("model")) or self._model
        meta = self._entry.meta
        yield from self._said(
            Role.SYSTEM, Kind.INJECTED, loose.field(meta, "injected", "sessionStartHookContext")
        )
        role = loose.text_of(loose.field(message, "role"))
        content = loose.field(message, "content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else loose.items(content)
        for block in blocks:
            yield from self._one(role, block)
        contexts = loose.field(meta, "hookContexts")
        for context in contexts.values() if isinstance(contexts, dict) else ():
            for text in context.values() if isinstance(context, dict) else ():
                yield from self._said(Role.SYSTEM, Kind.INJECTED, text)

    def _one(self, role: str, block: object) -> Iterator[RawTurn]:
        kind = loose.text_of(loose.field(block, "type"))
        if kind == "text":
            yield from self._text(role, clean(loose.text_of(loose.field(block, "text"))).strip())
        elif kind in ("tool_use", "tool-call"):
            yield self._call(block)
        elif kind in ("tool_result", "tool-result"):
            yield self._result(block)
        elif kind not in ("thinking", "reasoning", "image"):
            self._report.count_unknown(kind or "untyped")

    def _text(self, role: str, text: str) -> Iterator[RawTurn]:
        meta = self._entry.meta
        if loose.field(meta, "isSummary") is True or loose.field(meta, "source") == "branch-summary":
            yield from self._said(Role.SYSTEM, Kind.SUMMARY, text)
        elif role == "assistant":
            yield from self._said(Role.ASSISTANT, Kind.REPLY, text)
        elif role == "user" and self._typed(meta):
            for memory in _MEMORY.findall(text):
                yield from self._said(Role.SYSTEM, Kind.INJECTED, memory)
            yield from self._said(Role.USER, Kind.PROMPT, _MEMORY.sub("", text).strip())
        else:
            yield from self._said(Role.SYSTEM, Kind.INJECTED, text)

    def _typed(self, meta: object) -> bool:
        """Whether a person wrote it: the client says where a text came from, but for its first format."""
        if loose.field(meta, "isMeta") is True or loose.field(meta, "isAutomated") is True:
            return False
        source = loose.field(meta, "source")
        return source in _TYPED or (source is None and self._entry.flat)

    def _said(self, role: Role, kind: Kind, text: object) -> Iterator[RawTurn]:
        if isinstance(text, str) and text.strip():
            yield self._turn(role, kind, clean(text).strip())

    def _call(self, block: object) -> RawTurn:
        call = loose.text_of(loose.field(block, "id") or loose.field(block, "toolCallId"))
        tool = loose.text_of(loose.field(block, "name") or loose.field(block, "toolName"))
        asked = loose.field(block, "input")
        command = loose.name_of(loose.field(asked, "command")) if tool in _SHELLS else None
        named = (loose.name_of(loose.field(asked, key)) for key in _PATHS)
        files = tuple(path for path in named if path) if tool in _FILE_TOOLS else ()
        self._calls[call] = (tool, files)
        text = clean(
            command or ("" if asked is None else msgspec.json.encode(asked).decode("utf-8", "replace"))
        )
        return self._turn(
            Role.ASSISTANT,
            Kind.TOOL_CALL,
            text,
            tool=tool,
            call=call,
            files=files,
            command=text if command else None,
        )

    def _result(self, block: object) -> RawTurn:
        call = loose.text_of(loose.field(block, "tool_use_id") or loose.field(block, "toolCallId"))
        tool, files = self._calls.get(call) or (loose.text_of(loose.field(block, "toolName")), ())
        output = loose.field(block, "output")
        content = loose.field(output, "value") if isinstance(output, dict) else output
        text = clean("\n".join(loose.parts(loose.field(block, "content") or content)))
        if tool == "agent":
            text = _USAGE.sub("", text)
        found = _EXIT.match(text)
        exit_status = int(found[1]) if found else None
        wrong = loose.field(block, "is_error") is True or loose.field(output, "type") == "error-text"
        failed = wrong or bool(exit_status)
        return self._turn(
            Role.TOOL,
            Kind.TOOL_RESULT,
            text,
            tool=tool,
            call=call,
            files=files,
            edited=files if tool in _WRITERS and not failed else (),
            exit_status=exit_status,
            failed=failed,
        )

    def _turn(
        self,
        role: Role,
        kind: Kind,
        text: str,
        *,
        tool: str = "",
        call: str = "",
        files: tuple[str, ...] = (),
        edited: tuple[str, ...] = (),
        command: str | None = None,
        exit_status: int | None = None,
        failed: bool = False,
    ) -> RawTurn:
        tokens, self._tokens = (self._tokens, None) if role is Role.ASSISTANT else (None, self._tokens)
        self._block += 1
        return RawTurn(
            identity=self._identity(kind, call, text),
            session=self._session,
            order=self._entry.start * 256 + min(self._block, 255),
            role=role,
            kind=kind,
            text=text,
            time_ms=_time(self._entry),
            tool=tool or None,
            call=call or None,
            files=files,
            edited=edited,
            command=command,
            exit_status=exit_status,
            failed=failed,
            model=self._model if role is Role.ASSISTANT else None,
            tokens=tokens,
            copied=self._copied,
            abandoned=self._entry.abandoned,
        )

    def _identity(self, kind: Kind, call: str, text: str) -> str:
        """By the message's lasting id; where it has none, ids change with every run and only its words stay."""
        named = loose.name_of(loose.field(self._entry.meta, "messageId"))
        if named is not None and not self._entry.flat:
            return f"{named}:{self._block}"
        said = hashlib.sha256(f"{kind}\0{call}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
        self._times[said] = self._times.get(said, 0) + 1
        return f"{self._session}:{said}:{self._times[said]}"


def _time(entry: Entry) -> int | None:
    created = loose.whole_number(loose.field(entry.meta, "createdAt"))
    if created is not None:
        return created
    return loose.milliseconds(entry.value.get("timestamp"))


def _tokens(value: object) -> Tokens | None:
    names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
    counts = [loose.whole_number(loose.field(value, name)) or 0 for name in names]
    return Tokens(*counts) if any(counts) else None
