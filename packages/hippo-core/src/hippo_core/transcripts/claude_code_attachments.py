"""What Claude Code puts beside a prompt: which of it says anything, and what it says."""

from typing import Final

import msgspec

from hippo_core.transcripts import claude_code_records as wire
from hippo_core.transcripts.claude_code_records import Attachment

SILENT: Final = frozenset(
    [
        "prompt_snapshot",
        "skill_listing",
        "environment",
        "model",
        "deferred_tools_delta",
        "agent_listing_delta",
        "auto_mode",
        "date",
        "remote_session_change",
        "total_tokens_reminder",
        "command_permissions",
        "session_context",
        "task_reminder",
        "plan_mode",
        "plan_mode_exit",
        "plan_mode_reentry",
        "todo_reminder",
        "todo",
        "mcp_instructions_delta",
    ]
)
SHOWN: Final = frozenset(
    [
        "queued_command",
        "hook_success",
        "hook_additional_context",
        "hook_system_message",
        "hook_non_blocking_error",
        "hook_blocking_error",
        "hook_cancelled",
        "hook_error_during_execution",
        "hook_stopped_continuation",
        "file",
        "already_read_file",
        "edited_text_file",
        "compact_file_reference",
        "pdf_reference",
        "directory",
        "nested_memory",
        "selected_lines_in_ide",
        "opened_file_in_ide",
        "diagnostics",
        "invoked_skills",
        "plan_file_reference",
    ]
)


def text(attachment: Attachment) -> str:
    """What an attachment says, with the name of the file that it shows."""
    content = wire.decode(_CONTENT, attachment.content) if attachment.content else None
    parts: list[str | None] = [attachment.filename, attachment.snippet]
    if isinstance(content, str):
        parts.append(content)
    elif isinstance(content, list):
        parts.extend(content)
    elif content is not None and content.file is not None:
        parts.append(content.file.content)
    for stream in (attachment.stdout, attachment.stderr):
        if stream and stream not in parts:
            parts.append(stream)
    return "\n".join(part for part in parts if part)


class _File(msgspec.Struct, frozen=True):
    content: str | None = None


class _Shown(msgspec.Struct, frozen=True):
    file: _File | None = None


_CONTENT: Final = msgspec.json.Decoder(str | list[str] | _Shown)
