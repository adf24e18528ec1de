"""What a line of a Codex rollout looks like, as loosely as its many versions need."""

from typing import Any, Final

import msgspec

ENVELOPES: Final = frozenset(
    {
        "session_meta",
        "response_item",
        "event_msg",
        "turn_context",
        "compacted",
        "world_state",
        "token_usage_record",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
    }
)
QUIET: Final = frozenset(
    {
        *("token_count", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break"),
        *("thread_settings_applied", "context_compacted", "thread_rolled_back", "session_configured"),
        *("exec_command_begin", "exec_command_output_delta", "patch_apply_begin", "turn_diff", "plan_update"),
        *(
            "exec_approval_request",
            "apply_patch_approval_request",
            "mcp_tool_call_begin",
            "mcp_tool_call_end",
        ),
        *(
            "web_search_begin",
            "web_search_end",
            "view_image_tool_call",
            "background_event",
            "shutdown_complete",
        ),
        *(
            "entered_review_mode",
            "exited_review_mode",
            "thread_name_updated",
            "undo_started",
            "undo_completed",
        ),
        *("item_started", "thread_goal_updated", "warning", "deprecation_notice", "collab_agent_spawn_end"),
        *("reasoning", "additional_tools", "ghost_snapshot", "compaction", "context_compaction", "other"),
        *("tool_search_output", "security_risk_score", "realtime_item", "compaction_summary"),
        *(
            "Reasoning",
            "ContextCompaction",
            "SubAgentActivity",
            "CollabAgentToolCall",
            "ImageView",
            "HookPrompt",
        ),
        *("Plan", "McpToolCall", "ImageGeneration", "EnteredReviewMode", "ExitedReviewMode"),
    }
)


class Payload(msgspec.Struct, frozen=True, gc=False):
    """The fields that are read, of every record, event and item; what is not named here is never decoded."""

    type: Any = None
    id: Any = None
    role: Any = None
    content: Any = None
    name: Any = None
    namespace: Any = None
    arguments: Any = None
    input: Any = None
    call_id: Any = None
    output: Any = None
    message: Any = None
    info: Any = None
    reason: Any = None
    turn_id: Any = None
    num_turns: Any = None
    item: Any = None
    error: Any = None
    usage: Any = None
    thread_token_usage: Any = None
    cwd: Any = None
    model: Any = None
    git: Any = None
    cli_version: Any = None
    timestamp: Any = None
    forked_from_id: Any = None
    parent_thread_id: Any = None
    source: Any = None
    thread_source: Any = None
    history_base: Any = None
    subagent_history_start_ordinal: Any = None
    changes: Any = None
    success: Any = None
    status: Any = None
    action: Any = None
    exit_code: Any = None
    aggregated_output: Any = None
    formatted_output: Any = None
    command: Any = None
    stdout: Any = None
    stderr: Any = None
    parsed_cmd: Any = None
    query: Any = None


class Record(msgspec.Struct, frozen=True, gc=False):
    """One line: an envelope with a payload, or a bare item whose fields lie at the top."""

    type: Any = None
    record_type: Any = None
    timestamp: Any = None
    ordinal: Any = None
    id: Any = None
    payload: Payload | None = None


RECORD = msgspec.json.Decoder(Record)
BARE = msgspec.json.Decoder(Payload)


def payload_of(value: object) -> Payload:
    """Read a nested object by the same field names; anything but an object has none of them."""
    return msgspec.convert(value, Payload, strict=False) if isinstance(value, dict) else Payload()
