"""The wire shapes of Claude Code's transcripts, as far as they are read."""

from typing import Final, TypeVar

import msgspec

from hippo_core.transcripts import jsonl
from hippo_core.transcripts.model import Tokens

T = TypeVar("T")
SYNTHETIC: Final = "<synthetic>"
_NOTHING: Final = msgspec.Raw()

CONVERSATION: Final = frozenset({"user", "assistant", "system", "attachment"})
TITLES: Final = {"custom-title": 2, "ai-title": 1}
BOOKKEEPING: Final = frozenset(
    [
        "progress",
        "file-history-snapshot",
        "file-history-delta",
        "last-prompt",
        "continued-in",
        "resume-head-vouch",
        "content-replacement",
        "data-flow-records",
        "data-flow-incomplete",
        "derived-from",
        "api-request",
        "api-request-shape",
        "api-request-blob",
        "api-request-resumed",
        "fork-context-ref",
        "frame-link",
        "summary",
        "ended-by-model",
        "tag",
        "relocated",
        "agent-name",
        "agent-color",
        "agent-setting",
        "pr-link",
        "artifact-comment-monitor",
        "artifact-autoreact-ledger",
        "bridge-session",
        "history-suppression",
        "attribution-snapshot",
        "mode",
        "permission-mode",
        "isolation-latch",
        "session-owner",
        "dev-mods",
        "memory-mode",
        "atis-latch",
        "tools-used",
        "worktree-state",
        "cost-state",
        "queue-operation",
        "observer-ref",
        "host-row",
        "repl-mode",
        "hybrid-organization",
    ]
)


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Who a user row says it came from."""

    kind: str | None = None


class Fork(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """The row that a copied row was copied from."""

    session_id: str | None = None


class Row(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """One record; only rows of the conversation fill more than the first few fields."""

    type: str | None = None
    session_id: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    is_sidechain: bool | None = None
    agent_id: str | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None
    cwd: str | None = None
    version: str | None = None
    git_branch: str | None = None
    timestamp: str | int | float | None = None
    request_id: str | None = None
    request_session_id: str | None = None
    forked_from: Fork | None = None
    cost: msgspec.Raw = msgspec.field(default=_NOTHING, name="costUSD")
    api_block_index: int | None = None
    origin: Origin | None = None
    user_feedback: str | None = None
    message: msgspec.Raw = _NOTHING
    tool_use_result: msgspec.Raw = _NOTHING
    attachment: msgspec.Raw = _NOTHING
    content: msgspec.Raw = _NOTHING
    subtype: str | None = None
    custom_title: str | None = None
    ai_title: str | None = None


class Usage(msgspec.Struct, frozen=True, gc=False):
    """What the service counted for one message."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None

    def tokens(self) -> Tokens:
        return Tokens(
            input=self.input_tokens or 0,
            output=self.output_tokens or 0,
            cache_read=self.cache_read_input_tokens or 0,
            cache_write=self.cache_creation_input_tokens or 0,
        )


class Block(msgspec.Struct, frozen=True, gc=False):
    """One block of a message, of whatever type."""

    type: str | None = None
    text: str | None = None
    id: str | None = None
    name: str | None = None
    tool_name: str | None = None
    input: msgspec.Raw = _NOTHING
    tool_use_id: str | None = None
    content: msgspec.Raw = _NOTHING
    is_error: bool | None = None
    title: str | None = None
    url: str | None = None


class Message(msgspec.Struct, frozen=True, gc=False):
    """The message inside a user or assistant row."""

    content: str | list[Block]
    id: str | None = None
    model: str | None = None
    usage: Usage | None = None


class MessageParts(msgspec.Struct, frozen=True, gc=False):
    """A message whose blocks are taken one by one."""

    content: list[msgspec.Raw]
    id: str | None = None
    model: str | None = None


class Head(msgspec.Struct, frozen=True, gc=False):
    """The name of a message and of the model that wrote it, for when nothing else of it is needed."""

    id: str | None = None
    model: str | None = None


class ChangedFile(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """One file that a command changed."""

    file_path: str | None = None


class CommandChanges(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """What a command changed, where the client looked."""

    files: list[ChangedFile] = []
    changed_files: list[str] = []

    def paths(self) -> tuple[str, ...]:
        named = [file.file_path for file in self.files if file.file_path]
        return tuple(dict.fromkeys([*self.changed_files, *named]))


class Outcome(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """The client's own account of a tool's result, beside what the model was shown."""

    file_path: str | None = None
    notebook_path: str | None = msgspec.field(default=None, name="notebook_path")
    persisted_output_path: str | None = None
    background_task_id: str | None = None
    interrupted: bool | None = None
    answers: dict[str, str | list[str]] | None = None
    bash_edit_diff: CommandChanges | None = None


class Attachment(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """What the client put beside a prompt."""

    type: str | None = None
    prompt: str | list[Block] | None = None
    command_mode: str | None = None
    content: msgspec.Raw = _NOTHING
    stdout: str | None = None
    stderr: str | None = None
    filename: str | None = None
    snippet: str | None = None


def is_notice(row: Row, model: str | None) -> bool:
    """Whether an assistant row holds the client's own words: an error of the service, or a filler."""
    return bool(row.is_api_error_message) or model == SYNTHETIC


_ROW: Final = msgspec.json.Decoder(Row)
_FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ROW_FIELDS: Final = [
    (field.name, field.encode_name, msgspec.json.Decoder(field.type)) for field in msgspec.structs.fields(Row)
]
_MESSAGE: Final = msgspec.json.Decoder(Message)
_PARTS: Final = msgspec.json.Decoder(MessageParts)
_BLOCK: Final = msgspec.json.Decoder(Block)
HEAD: Final = msgspec.json.Decoder(Head)
OUTCOME: Final = msgspec.json.Decoder(Outcome)
ATTACHMENT: Final = msgspec.json.Decoder(Attachment)
CONTENT: Final = msgspec.json.Decoder(str | list[Block])


def decode(decoder: msgspec.json.Decoder[T], raw: msgspec.Raw) -> T | None:
    """What `raw` holds, or None when it is of another shape."""
    data = bytes(raw)
    try:
        return decoder.decode(data)
    except msgspec.ValidationError:
        return None
    except jsonl.UNREADABLE:
        pass
    try:
        return decoder.decode(jsonl.mended(data))
    except jsonl.UNREADABLE:
        return None


def row(data: bytes) -> Row:
    """One record; a field of a type that it never had before is left out, and costs nothing else."""
    try:
        return _ROW.decode(data)
    except msgspec.ValidationError:
        fields = _FIELDS.decode(data)
    known = {name: decode(decoder, fields[wire]) for name, wire, decoder in _ROW_FIELDS if wire in fields}
    return msgspec.structs.replace(
        Row(), **{name: value for name, value in known.items() if value is not None}
    )


def message(raw: msgspec.Raw) -> Message | None:
    """The message of a row; a block of a shape that it never had before costs itself alone."""
    whole = decode(_MESSAGE, raw)
    if whole is not None:
        return whole
    parts = decode(_PARTS, raw)
    if parts is None:
        return None
    blocks = [decode(_BLOCK, block) or Block("of no known shape") for block in parts.content]
    return Message(blocks, id=parts.id, model=parts.model)
