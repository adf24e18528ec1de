"""What each kind of Codex line becomes, on small rollouts written here."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import zstandard

from hippo_core.errors import DataError
from hippo_core.transcripts import codex
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Resume, Role, Source, Tokens

OWN = "019e5001-0000-7000-8000-000000000001"
PARENT = "019e4001-0000-7000-8000-000000000001"
EARLIER, LATER = "019e4001-1111-7000-8000-000000000001", "019e5001-1111-7000-8000-000000000001"
NAME = f"rollout-2026-05-01T09-00-00-{OWN}.jsonl"


def line(kind: str, payload: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"timestamp": "2026-05-01T09:00:05.000Z", "type": kind, "payload": payload, **more}


def meta(name: str = OWN, **more: Any) -> dict[str, Any]:
    return line("session_meta", {"id": name, "cwd": "/home/dev/project", "cli_version": "0.171.0", **more})


def event(kind: str, **more: Any) -> dict[str, Any]:
    return line("event_msg", {"type": kind, **more})


def item(kind: str, **more: Any) -> dict[str, Any]:
    return line("response_item", {"type": kind, **more})


def message(role: str, *texts: str) -> dict[str, Any]:
    return item("message", role=role, content=[{"type": "input_text", "text": text} for text in texts])


def turn(name: str) -> dict[str, Any]:
    return event("task_started", turn_id=name)


def write(folder: Path, *lines: Mapping[str, Any], name: str = NAME) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    return path


def read(path: Path, report: Report | None = None) -> list[RawSession | RawTurn | Resume]:
    source = Source(agent=codex.AGENT, path=path, key=str(path), stamp=b"")
    return list(codex.read(source, None, report or Report()))


def turns(path: Path, report: Report | None = None) -> list[RawTurn]:
    return [each for each in read(path, report) if isinstance(each, RawTurn)]


def session(path: Path) -> RawSession:
    return next(each for each in read(path) if isinstance(each, RawSession))


def said(path: Path) -> list[tuple[Kind, str]]:
    return [(each.kind, each.text) for each in turns(path)]


def test_a_prompt_that_event_and_item_both_hold_is_one_prompt(tmp_path: Path) -> None:
    path = write(
        tmp_path, meta(), message("user", "add a cache"), event("user_message", message="add a cache")
    )
    assert said(path) == [(Kind.PROMPT, "add a cache")]


def test_a_prompt_that_only_an_item_or_only_an_event_holds_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, meta(), message("user", "first"), event("user_message", message="second"))
    assert said(path) == [(Kind.PROMPT, "first"), (Kind.PROMPT, "second")]


def test_the_same_words_said_twice_are_two_prompts(tmp_path: Path) -> None:
    once = (message("user", "go on"), event("user_message", message="go on"))
    path = write(tmp_path, meta(), *once, message("assistant", "done"), *once)
    prompts = [each for each in turns(path) if each.kind is Kind.PROMPT]
    assert len(prompts) == 2
    assert prompts[0].identity != prompts[1].identity


def test_an_answer_shown_but_never_sent_back_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, meta(), event("agent_message", message="I will remove it."), event("turn_aborted"))
    assert said(path) == [(Kind.REPLY, "I will remove it."), (Kind.INTERRUPT, "")]


def test_an_answer_that_event_and_item_word_differently_is_one_by_its_id(tmp_path: Path) -> None:
    shown = {"type": "AgentMessage", "id": "msg_1", "content": [{"type": "Text", "text": "done"}]}
    sent = {**message("assistant", "done [with a mark]")}
    sent["payload"]["id"] = "msg_1"
    path = write(tmp_path, meta(), turn(LATER), event("item_completed", item=shown), sent)
    assert said(path) == [(Kind.REPLY, "done")]


def test_an_interrupt_told_twice_is_one(tmp_path: Path) -> None:
    told = message("user", "<turn_aborted>\nThe user interrupted.\n</turn_aborted>")
    path = write(tmp_path, meta(), turn(LATER), told, event("turn_aborted", reason="interrupted"))
    assert [kind for kind, _ in said(path)] == [Kind.INTERRUPT]


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
        "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nrun tests\n</INSTRUCTIONS>",
        "<user_instructions>\nrun tests\n</user_instructions>",
        '<hook_prompt hook_run_id="1">again</hook_prompt>',
        "<hippo-memory>what was learned</hippo-memory>",
        "<subagent_notification>done</subagent_notification>",
    ],
)
def test_what_the_client_puts_in_is_injected_even_beside_the_prompt(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, meta(), message("user", text, "fix it"))
    assert said(path) == [(Kind.INJECTED, text), (Kind.PROMPT, "fix it")]


def test_developer_messages_are_injected(tmp_path: Path) -> None:
    path = write(tmp_path, meta(), message("developer", "context from a hook"))
    assert said(path) == [(Kind.INJECTED, "context from a hook")]


def test_of_an_ide_wrapper_only_the_request_is_the_prompt(tmp_path: Path) -> None:
    wrapped = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nfix a.py\n"
    path = write(tmp_path, meta(), message("user", wrapped), event("user_message", message=wrapped))
    assert said(path) == [(Kind.PROMPT, "fix a.py")]


def test_picture_marks_are_no_words(tmp_path: Path) -> None:
    path = write(
        tmp_path, meta(), message("user", '<image name=[Image #1] path="a.png">', "</image>", "look")
    )
    assert said(path) == [(Kind.PROMPT, "look")]


def test_a_command_the_person_ran_is_a_notice_with_its_exit_status(tmp_path: Path) -> None:
    ran = (
        "<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 2\nDuration: 0.1 seconds\n"
        "Output:\nnot there\n</result>\n</user_shell_command>"
    )
    (notice,) = turns(write(tmp_path, meta(), message("user", ran)))
    assert (notice.kind, notice.command, notice.exit_status) == (Kind.NOTICE, "ls", 2)
    assert notice.text == "$ ls\nnot there"


@pytest.mark.parametrize(
    ("output", "text", "status"),
    [
        ('{"output":"one\\n","metadata":{"exit_code":0,"duration_seconds":0.0}}', "one\n", 0),
        ("Exit code: 3\nWall time: 0 seconds\nOutput:\none\n", "one\n", 3),
        ("Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\none\n", "one\n", 1),
        ([{"type": "input_text", "text": "one"}, {"type": "input_image", "image_url": "data:"}], "one", None),
        ("Plan updated", "Plan updated", None),
    ],
)
def test_exit_statuses_are_read_from_every_style_of_output(
    tmp_path: Path, output: object, text: str, status: int | None
) -> None:
    call = item("function_call", name="exec_command", arguments='{"cmd": "x"}', call_id="call_1")
    path = write(tmp_path, meta(), call, item("function_call_output", call_id="call_1", output=output))
    result = turns(path)[-1]
    assert (result.text, result.exit_status, result.failed) == (text, status, status not in (None, 0))


PATCH = """*** Begin Patch
*** Add File: a.py
+1
*** Update File: b.py
*** Move to: c.py
@@
-1
+2
*** Delete File: d.py
*** End Patch"""


@pytest.mark.parametrize(
    "call",
    [
        item("custom_tool_call", name="apply_patch", input=PATCH, call_id="call_1"),
        item("function_call", name="apply_patch", arguments=json.dumps({"input": PATCH}), call_id="call_1"),
        item(
            "function_call",
            name="shell",
            arguments=json.dumps({"command": ["apply_patch", PATCH]}),
            call_id="call_1",
        ),
        item(
            "function_call",
            name="exec_command",
            arguments={"cmd": f"apply_patch <<'EOF'\n{PATCH}\nEOF"},
            call_id="call_1",
        ),
    ],
)
def test_a_patch_in_any_clothing_names_the_same_files(tmp_path: Path, call: dict[str, Any]) -> None:
    done = item(
        "custom_tool_call_output", call_id="call_1", output='{"output":"Success.","metadata":{"exit_code":0}}'
    )
    asked, result = turns(write(tmp_path, meta(), call, done))
    assert asked.tool == "apply_patch"
    assert asked.files == result.edited == ("a.py", "b.py", "c.py", "d.py")
    assert asked.edited == ()


def test_a_patch_that_failed_changed_nothing(tmp_path: Path) -> None:
    call = item("custom_tool_call", name="apply_patch", input=PATCH, call_id="call_1")
    failed = item("custom_tool_call_output", call_id="call_1", output="apply_patch verification failed: x")
    result = turns(write(tmp_path, meta(), call, failed))[-1]
    assert result.failed
    assert result.edited == ()


def test_arguments_that_are_no_json_are_kept_as_they_are(tmp_path: Path) -> None:
    call = item("function_call", name="odd", arguments='{"cut": "of', call_id="call_1")
    (asked,) = turns(write(tmp_path, meta(), call))
    assert asked.text == '{"cut": "of'


def test_an_execution_gives_the_whole_output_and_its_item_adds_nothing(tmp_path: Path) -> None:
    name = "call_00000000000000000001"
    ran = {"type": "CommandExecution", "id": name, "command": ["bash", "-lc", "seq 9"], "status": "completed"}
    path = write(
        tmp_path,
        meta(),
        item("function_call", name="exec_command", arguments='{"cmd": "seq 9"}', call_id=name),
        event("item_completed", item={**ran, "aggregated_output": "1\n2\n3\n", "exit_code": 0}),
        item("function_call_output", call_id=name, output="Exit code: 0\nOutput:\n1\n[truncated]"),
    )
    call, result = turns(path)
    assert (call.command, result.text, result.exit_status) == ("seq 9", "1\n2\n3\n", 0)


def test_commands_and_changes_of_code_mode_are_found_in_what_was_executed(tmp_path: Path) -> None:
    ran = {"type": "CommandExecution", "id": "exec-1", "command": ["bash", "-lc", "ls"], "status": "failed"}
    change = {"type": "update", "unified_diff": "@@\n-1\n+2\n", "move_path": None}
    path = write(
        tmp_path,
        meta(),
        item(
            "custom_tool_call", name="exec", input="await tools.exec_command({cmd: 'ls'})", call_id="call_1"
        ),
        event("item_completed", item={**ran, "aggregated_output": "no\n", "exit_code": 2}),
        event("item_completed", item={"type": "FileChange", "id": "exec-2", "changes": {"/x/a.py": change}}),
    )
    found = turns(path)
    assert [each.command for each in found if each.command] == ["ls"]
    assert [each.exit_status for each in found if each.failed] == [2]
    assert found[-1].edited == ("/x/a.py",)


def test_an_api_error_is_a_notice_and_no_answer(tmp_path: Path) -> None:
    path = write(
        tmp_path, meta(), event("task_complete", last_agent_message=None, error={"message": "bad request"})
    )
    (notice,) = turns(path)
    assert (notice.kind, notice.role, notice.failed) == (Kind.NOTICE, Role.SYSTEM, True)


def test_a_compaction_is_one_summary_and_its_history_is_not_repeated(tmp_path: Path) -> None:
    summary = "Another language model started to solve this problem.\nWe fixed total()."
    path = write(
        tmp_path,
        meta(),
        message("assistant", "We fixed total()."),
        line("compacted", {"message": summary, "replacement_history": [{"type": "message", "role": "user"}]}),
        message("user", summary),
    )
    assert said(path) == [(Kind.SUMMARY, summary)]


def test_encrypted_content_and_reasoning_are_never_given_out(tmp_path: Path) -> None:
    secret = {"type": "encrypted_content", "encrypted_content": "hidden-words"}
    path = write(
        tmp_path,
        meta(),
        item(
            "reasoning",
            summary=[{"type": "summary_text", "text": "thinking"}],
            encrypted_content="hidden-words",
        ),
        item("agent_message", content=[{"type": "input_text", "text": "Message Type: NEW_TASK"}, secret]),
    )
    assert said(path) == [(Kind.DELEGATED, "Message Type: NEW_TASK")]


def test_tokens_are_the_growth_of_the_total_counted_once(tmp_path: Path) -> None:
    def count(given: int, put_out: int) -> dict[str, Any]:
        total = {"input_tokens": given, "cached_input_tokens": 10, "output_tokens": put_out}
        return event("token_count", info={"total_token_usage": total, "last_token_usage": total})

    path = write(
        tmp_path,
        meta(),
        event("token_count", info=None),
        event("agent_message", message="one"),
        count(100, 5),
        count(100, 5),
        event("agent_message", message="two"),
        count(250, 9),
    )
    assert [each.tokens for each in turns(path)] == [Tokens(90, 5, 10, 0), Tokens(150, 4, 0, 0)]


def test_turns_that_were_rolled_back_are_abandoned(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        meta(),
        turn(LATER),
        event("user_message", message="first"),
        turn(LATER[:-1] + "2"),
        event("user_message", message="second"),
        event("agent_message", message="answer"),
        event("thread_rolled_back", num_turns=1),
        turn(LATER[:-1] + "3"),
        event("user_message", message="third"),
    )
    assert [each.text for each in turns(path) if each.abandoned] == ["second", "answer"]


def test_a_fork_counts_its_copied_turns_once(tmp_path: Path) -> None:
    copied = (
        turn(EARLIER),
        event("user_message", message="add a cache"),
        event("agent_message", message="added"),
    )
    parent = turns(write(tmp_path, meta(PARENT), *copied, name=f"rollout-2026-04-01T09-00-00-{PARENT}.jsonl"))
    path = write(
        tmp_path,
        meta(forked_from_id=PARENT),
        meta(PARENT),
        *copied,
        turn(LATER),
        event("user_message", message="make it optional"),
    )
    fork = turns(path)
    assert [each.identity for each in fork if each.copied] == [each.identity for each in parent]
    assert [(each.text, each.session) for each in fork if not each.copied] == [("make it optional", OWN)]
    assert session(path).forked_from == PARENT


def test_copies_without_turn_ids_end_with_the_moment_they_were_written_in(tmp_path: Path) -> None:
    later = {**event("user_message", message="own"), "timestamp": "2026-05-01T09:01:00.000Z"}
    path = write(tmp_path, meta(), meta(PARENT), event("user_message", message="copied"), later)
    assert [(each.text, each.copied) for each in turns(path)] == [("copied", True), ("own", False)]


def test_a_subagent_has_its_parent_and_a_task_and_nothing_of_the_replay(tmp_path: Path) -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}
    path = write(
        tmp_path,
        {**meta(source=spawned, subagent_history_start_ordinal=4), "ordinal": 0},
        {**meta(PARENT), "ordinal": 1},
        {**message("user", "the parent's prompt"), "ordinal": 2},
        {**message("developer", "you are a child"), "ordinal": 3},
        {**turn(LATER), "ordinal": 4},
        {**message("user", "list every file"), "ordinal": 5},
    )
    assert said(path) == [(Kind.DELEGATED, "list every file")]
    assert (session(path).parent, session(path).forked_from) == (PARENT, None)


def test_unknown_types_are_counted_and_cost_nothing_else(tmp_path: Path) -> None:
    report = Report()
    odd = (
        line("dream", {}),
        event("dreamt"),
        item("dreaming"),
        event("item_completed", item={"type": "Dream"}),
    )
    found = turns(write(tmp_path, meta(), *odd, message("user", "still here")), report)
    assert [each.text for each in found] == ["still here"]
    assert report.unknown == {
        "record dream": 1,
        "event dreamt": 1,
        "item dreaming": 1,
        "completed item Dream": 1,
    }


def test_lone_surrogates_become_replacement_characters(tmp_path: Path) -> None:
    path = write(tmp_path, meta())
    with path.open("ab") as file:
        file.write(rb'{"type":"event_msg","payload":{"type":"user_message","message":"a\ud83d b"}}' + b"\n")
    assert said(path) == [(Kind.PROMPT, "a\ufffd b")]


@pytest.mark.parametrize(
    "first", [{"type": "thread.started", "thread_id": "1"}, {"role": "user", "content": "x"}]
)
def test_a_file_that_is_no_rollout_yields_nothing(tmp_path: Path, first: dict[str, Any]) -> None:
    report = Report()
    assert read(write(tmp_path, first, first), report) == []
    assert len(report.skipped) == 1


def test_a_line_still_being_written_is_left_for_the_next_reading(tmp_path: Path) -> None:
    path = write(tmp_path, meta(), event("user_message", message="one"))
    whole = path.stat().st_size
    with path.open("ab") as file:
        file.write(b'{"type":"event_msg","payload":{"type":"user_mess')
    resume = read(path)[-1]
    assert isinstance(resume, Resume)
    assert resume.offset == whole
    assert said(path) == [(Kind.PROMPT, "one")]


def compressed(path: Path) -> Path:
    target = path.with_name(path.name + ".zst")
    target.write_bytes(zstandard.ZstdCompressor().compress(path.read_bytes()))
    return target


def test_a_compressed_rollout_reads_the_same_and_gives_no_way_back(tmp_path: Path) -> None:
    path = write(tmp_path, meta(), event("user_message", message="one"))
    packed = read(compressed(path))
    assert packed == read(path)[:-1]


def test_of_copies_in_one_home_the_live_and_the_plain_one_is_found(tmp_path: Path) -> None:
    live = write(tmp_path / "sessions/2026/05/01", meta())
    write(tmp_path / "archived_sessions", meta())
    compressed(live)
    assert [source.path for source in codex.discover(tmp_path, Report())] == [live]


@pytest.mark.parametrize("data", [b"", b"not compressed at all"])
def test_a_damaged_compressed_rollout_costs_itself_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / (NAME + ".zst")
    path.write_bytes(data)
    with pytest.raises(DataError):
        read(path)


def test_sessions_and_any_other_folder_are_roots_too(tmp_path: Path) -> None:
    path = write(tmp_path / "sessions/2026/05/01", meta())
    for root in (tmp_path, tmp_path / "sessions", path.parent):
        assert [source.path for source in codex.discover(root, Report())] == [path]


def test_a_thread_renamed_in_the_index_bears_the_last_name_and_another_stamp(tmp_path: Path) -> None:
    path = write(tmp_path / "sessions/2026/05/01", meta(), event("user_message", message="one"))
    index = tmp_path / "session_index.jsonl"
    index.write_text(json.dumps({"id": OWN, "thread_name": "one"}) + "\n")
    (before,) = codex.discover(tmp_path, Report())
    with index.open("a") as file:
        file.write(json.dumps({"id": OWN, "thread_name": "The cache"}) + "\n")
    (after,) = codex.discover(tmp_path, Report())
    titles = [each.title for each in read(path) if isinstance(each, RawSession) and each.title]
    assert titles == ["The cache"]
    assert before.stamp != after.stamp


def test_the_root_is_where_the_environment_says(tmp_path: Path) -> None:
    assert codex.default_roots(tmp_path, {}) == (tmp_path / ".codex",)
    assert codex.default_roots(tmp_path, {"CODEX_HOME": "/elsewhere"}) == (Path("/elsewhere"),)


def test_the_beginning_of_a_rollout_whose_compressed_end_is_damaged_is_kept(tmp_path: Path) -> None:
    lines = (event("user_message", message=f"prompt {number} {number**9:x}") for number in range(40_000))
    path = write(tmp_path, meta(), *lines)
    packed = compressed(path)
    data = bytearray(packed.read_bytes())
    data[-2000:-1000] = bytes(1000)
    packed.write_bytes(data)
    report = Report()
    found = turns(packed, report)
    assert found[0].text == "prompt 0 0"
    assert [skipped.path for skipped in report.skipped] == [packed]


def test_going_back_into_another_file_abandons_what_the_first_one_held_after_that(tmp_path: Path) -> None:
    folder = tmp_path / "sessions/2026/05"
    first = {**turn(LATER), "ordinal": 1}
    kept = {**event("user_message", message="kept"), "ordinal": 2}
    dropped = {**event("user_message", message="dropped"), "ordinal": 3}
    earlier = write(folder / "01", {**meta(), "ordinal": 0}, first, kept, dropped)
    base = {"thread_id": OWN, "end_ordinal_exclusive": 3, "end_byte_offset": earlier.stat().st_size}
    name = NAME.replace(".jsonl", "_019e5001-2222-7000-8000-000000000001.jsonl").replace("-05-01T", "-05-02T")
    later = write(
        folder / "02",
        {**meta(history_base=base), "ordinal": 3},
        event("user_message", message="instead"),
        name=name,
    )
    found = {each.text: each for each in turns(earlier) + turns(later)}
    assert [text for text, each in found.items() if each.abandoned] == ["dropped"]
    assert found["instead"].order > found["kept"].order
    assert {each.session for each in found.values()} == {OWN}


def test_turns_of_the_oldest_rollouts_bear_the_time_they_began_at(tmp_path: Path) -> None:
    head = {
        "id": OWN,
        "timestamp": "2026-05-01T09:00:00.000Z",
        "instructions": None,
        "git": {"branch": "main"},
    }
    said_bare = {
        "type": "message",
        "id": None,
        "role": "user",
        "content": [{"type": "input_text", "text": "hello"}],
    }
    path = write(tmp_path, head, {"record_type": "state"}, said_bare)
    (turn,) = turns(path)
    assert (turn.text, turn.time_ms) == ("hello", 1777626000000)
    assert (session(path).native_id, session(path).branch) == (OWN, "main")
