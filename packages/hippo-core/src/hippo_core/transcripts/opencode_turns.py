"""What the messages of an OpenCode session are as turns: who spoke, what was done, and what was taken back."""

import hashlib
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from hippo_core.transcripts import loose
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.clean import clean
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Role, Tokens
from hippo_core.transcripts.opencode_message import Message, Part, Session

_SHELLS: Final = frozenset({"bash", "shell"})
_WRITERS: Final = frozenset({"write", "edit", "multiedit", "patch", "apply_patch"})
_FILE_TOOLS: Final = _WRITERS | {"read"}
_PATHS: Final = ("filePath", "path", "file_path")
_PATCHED: Final = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$", re.MULTILINE)
_BARE_QUOTE: Final = re.compile(r'(?<!\\)"')
_MEMORY: Final = re.compile(r"<hippo-memory\b[^<>]*>.*?(?:</hippo-memory>|\Z)", re.DOTALL)
_REFUSED: Final = "The user rejected permission to use this"
_UNNAMED: Final = re.compile(r"(?:New|Child) session - ")
_SILENT: Final = frozenset(
    {
        *("reasoning", "step-start", "step-finish", "snapshot", "patch", "file", "agent"),
        *("retry", "compaction", "subtask"),
    }
)
_COUNTED: Final = 4096
_LATEST: Final = 1 << 45


def session(of: Session) -> RawSession:
    """What is known of the session itself; a title nobody gave is none."""
    title = of.title if of.title and not _UNNAMED.match(of.title) else None
    return RawSession(
        native_id=of.id,
        cwd=of.directory,
        parent=of.parent,
        forked_from=of.forked_from,
        title=clean(title) if title else None,
        title_rank=1 if title else 0,
        client_version=of.version,
    )


def turns(of: Session, report: Report) -> Iterator[RawTurn]:
    """The turns of a session in order; a summary told twice counts once."""
    seen: set[str] = set()
    gone = _Gone(of)
    for number, message in enumerate(of.messages):
        for turn in _Turns(of, message, number, report).all(gone):
            # A compaction that goes in circles sums up the same over and over.
            name = turn.text if turn.kind is Kind.SUMMARY else turn.identity
            if name not in seen:
                seen.add(name)
                yield turn


class _Gone:
    """Where a session was wound back to: what comes from there on was taken back."""

    def __init__(self, of: Session) -> None:
        self._message = loose.name_of(loose.field(of.revert, "messageID"))
        self._part = loose.name_of(loose.field(of.revert, "partID"))
        self._passed = False

    def holds(self, message: Message, part: Part) -> bool:
        """Whether this part is taken back; asked in order."""
        if message.id == self._message and part.id == self._part:
            self._passed = True
        return self._passed

    def enter(self, message: Message) -> None:
        """Come to a message; asked in order."""
        if message.id == self._message and self._part is None:
            self._passed = True


class _Turns:
    """The turns of one message."""

    def __init__(self, of: Session, message: Message, number: int, report: Report) -> None:
        self._of = of
        self._message = message
        self._report = report
        self._order = min(max(message.created, 0), _LATEST) * _COUNTED * 16 + min(number, _COUNTED - 1) * 16
        self._role = loose.text_of(loose.field(message.data, "role"))
        named = loose.field(message.data, "modelID") or loose.field(message.data, "model", "modelID")
        self._model = loose.name_of(named) if self._role == "assistant" else None
        self._tokens = _tokens(loose.field(message.data, "tokens"))
        self._count = 0
        self._abandoned = False

    def all(self, gone: _Gone) -> Iterator[RawTurn]:
        """Every turn, what went wrong last."""
        gone.enter(self._message)
        for part in self._message.parts:
            self._abandoned = gone.holds(self._message, part)
            yield from self._part(part.data)
        yield from self._error(loose.field(self._message.data, "error"))

    def _part(self, data: object) -> Iterator[RawTurn]:
        kind = loose.text_of(loose.field(data, "type"))
        if kind == "text":
            yield from self._text(data)
        elif kind == "tool":
            yield from self._tool(data)
        elif kind and kind not in _SILENT:
            self._report.count_unknown(kind)

    def _text(self, data: object) -> Iterator[RawTurn]:
        text = clean(loose.text_of(loose.field(data, "text"))).strip()
        if self._role != "user":
            summary = loose.field(self._message.data, "summary") is True
            yield from self._said(Role.ASSISTANT, Kind.SUMMARY if summary else Kind.REPLY, text)
        elif loose.field(data, "synthetic") is True or loose.field(data, "ignored") is True:
            yield from self._said(Role.SYSTEM, Kind.INJECTED, text)
        else:
            for memory in _MEMORY.findall(text):
                yield from self._said(Role.SYSTEM, Kind.INJECTED, memory)
            own = _unquoted(_MEMORY.sub("", text).strip())
            yield from self._said(Role.USER, Kind.DELEGATED if self._of.parent else Kind.PROMPT, own)

    def _said(self, role: Role, kind: Kind, text: str) -> Iterator[RawTurn]:
        if text:
            yield self._turn(f"{self._message.created}:{kind}:{_hash(text)}", role, kind, text)

    def _tool(self, data: object) -> Iterator[RawTurn]:
        state = loose.field(data, "state")
        call = loose.text_of(loose.field(data, "callID"))
        tool = loose.name_of(loose.field(data, "tool"))
        asked = loose.field(state, "input")
        files = _files(tool or "", asked)
        command = loose.name_of(loose.field(asked, "command")) if tool in _SHELLS else None
        yield self._turn(
            f"{self._message.created}:call:{call}",
            Role.ASSISTANT if self._role == "assistant" else Role.USER,
            Kind.TOOL_CALL,
            clean(command or _compact(asked)),
            tool=tool,
            call=call,
            files=files,
            command=clean(command) if command else None,
        )
        if loose.field(state, "status") in ("completed", "error"):
            yield self._result(state, call, tool, files)

    def _result(self, state: object, call: str, tool: str | None, files: tuple[str, ...]) -> RawTurn:
        metadata = loose.field(state, "metadata")
        exit_status = loose.whole_number(loose.field(metadata, "exit"))
        cut_off = isinstance(metadata, dict) and "exit" in metadata and metadata["exit"] is None
        error = loose.field(state, "status") == "error"
        text = loose.text_of(loose.field(state, "output"))
        if error:
            text = loose.text_of(loose.field(state, "error")) or text
        failed = error or cut_off or bool(exit_status)
        return self._turn(
            f"{self._message.created}:result:{call}",
            Role.TOOL,
            Kind.REJECTION if error and text.startswith(_REFUSED) else Kind.TOOL_RESULT,
            clean(text),
            tool=tool,
            call=call,
            files=files,
            edited=files if tool in _WRITERS and not failed else (),
            exit_status=exit_status,
            failed=failed,
        )

    def _error(self, error: object) -> Iterator[RawTurn]:
        if not isinstance(error, dict):
            return
        name = loose.text_of(error.get("name")) or loose.text_of(error.get("type"))
        if name == "MessageAbortedError":
            identity = f"{self._message.created}:interrupt"
            yield self._turn(identity, Role.USER, Kind.INTERRUPT, "", failed=True)
            return
        told = loose.field(error, "data", "message") or error.get("message")
        text = clean(loose.text_of(told) or name)
        if text:
            identity = f"{self._message.created}:error:{_hash(text)}"
            yield self._turn(identity, Role.SYSTEM, Kind.NOTICE, text, failed=True)

    def _turn(
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
    ) -> RawTurn:
        tokens, self._tokens = (self._tokens, None) if role is Role.ASSISTANT else (None, self._tokens)
        self._count += 1
        created = self._message.created
        return RawTurn(
            identity=identity,
            session=self._of.id,
            order=self._order + min(self._count, 15),
            role=role,
            kind=kind,
            text=text,
            time_ms=created or None,
            tool=tool,
            call=call or None,
            files=files,
            edited=edited,
            command=command,
            exit_status=exit_status,
            failed=failed,
            model=self._model if role is Role.ASSISTANT else None,
            tokens=tokens,
            copied=0 < created < (self._of.created or 0),
            abandoned=self._abandoned,
        )


def _unquoted(text: str) -> str:
    """What a shell handed over as one argument, without the quotes the client put around it."""
    inner = text[1:-1]
    quoted = len(text) > 2 and text[0] == text[-1] == '"' and len(inner.split(maxsplit=1)) > 1
    if not quoted or inner.endswith("\\") or _BARE_QUOTE.search(inner):
        return text
    return inner.replace('\\"', '"').strip()


def _files(tool: str, asked: object) -> tuple[str, ...]:
    if tool not in _FILE_TOOLS:
        return ()
    named = [path for key in _PATHS if (path := loose.name_of(loose.field(asked, key)))]
    patch = loose.text_of(loose.field(asked, "patchText"))
    return tuple(dict.fromkeys([*named, *_PATCHED.findall(patch)]))


def _compact(value: object) -> str:
    return "" if value is None else msgspec.json.encode(value).decode("utf-8", "replace")


def _tokens(value: object) -> Tokens | None:
    counts = [
        loose.whole_number(loose.field(value, *keys)) or 0
        for keys in (("input",), ("output",), ("cache", "read"), ("cache", "write"))
    ]
    return Tokens(*counts) if any(counts) else None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
