"""Muse Code logs of the published shape, and what each kind of record becomes."""

import json
from pathlib import Path
from typing import Any

import adapter_reading
import pytest
from adapter_reading import sessions, turns

from hippo_core.transcripts import muse
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import Kind, Tokens

DATA = Path(__file__).parent.parent / "data" / "muse"
CASES = sorted(path.parent.name for path in DATA.glob("*/expected.json"))
SESSION = "01a0f000-0000-7000-8000-000000000001"


def record(number: int, kind: str, payload: object, stream: str = SESSION) -> dict[str, Any]:
    return {
        "id": f"record-{number}",
        "stream": {"kind": "session", "id": stream},
        "recorded_at": 1_790_845_200_000_000 + number * 1000,
        "payload_type": kind,
        "payload": payload,
    }


def run(number: int, kind: str, stream: str = SESSION, run_id: str = "run", **event: Any) -> dict[str, Any]:
    payload = {"kind": "run", "run_id": run_id, "event": {"kind": kind} | event}
    return record(number, "runtime.session", payload, stream)


def write(root: Path, *records: object, below: str = "") -> None:
    path = root / "sessions/2026/10/01" / SESSION / below / "session.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(value) + "\n" for value in records), "utf-8")


def said(root: Path) -> list[tuple[Kind, str]]:
    return [(turn.kind, turn.text) for turn in turns(muse, root)]


@pytest.mark.parametrize("case", CASES)
def test_a_made_up_home_of_the_published_shape_reads_as_expected(case: str) -> None:
    expected = json.loads((DATA / case / "expected.json").read_text("utf-8"))
    assert adapter_reading.everything(muse, DATA / case / "input") == expected


def test_times_are_millionths_of_a_second(tmp_path: Path) -> None:
    write(tmp_path, run(0, "started", prompt="words"))
    [turn] = turns(muse, tmp_path)
    assert turn.time_ms == 1_790_845_200_000


def test_a_prompt_accepted_and_started_is_one(tmp_path: Path) -> None:
    content = {"content": [{"kind": "text", "text": "words"}]}
    accepted = {"intent_id": "run", "model_messages": [content], "semantic_kind": {"kind": "chat"}}
    write(
        tmp_path,
        record(0, "runtime.user_intent.accepted", accepted),
        run(1, "started", prompt="words"),
        run(2, "started", run_id="other", prompt="words"),
    )
    assert said(tmp_path) == [(Kind.PROMPT, "words"), (Kind.PROMPT, "words")]


def test_a_retracted_run_is_marked(tmp_path: Path) -> None:
    write(
        tmp_path,
        run(0, "started", prompt="dropped"),
        run(1, "started", run_id="kept", prompt="kept"),
        run(2, "run_retracted"),
    )
    assert [(turn.text, turn.abandoned) for turn in turns(muse, tmp_path)] == [
        ("dropped", True),
        ("kept", False),
    ]


def test_a_mirrored_child_is_a_session_of_its_own_and_counts_once(tmp_path: Path) -> None:
    mirrored = run(1, "started", "child", "child", prompt="do a part")
    write(tmp_path, run(0, "started", prompt="words"), mirrored)
    assert said(tmp_path) == [(Kind.PROMPT, "words"), (Kind.DELEGATED, "do a part")]
    write(tmp_path, mirrored, below="subagent/child")
    assert said(tmp_path) == [(Kind.PROMPT, "words"), (Kind.DELEGATED, "do a part")]
    assert [(session.native_id, session.parent) for session in sessions(muse, tmp_path)] == [
        (SESSION, None),
        ("child", SESSION),
    ]


def test_a_child_works_where_its_parent_does(tmp_path: Path) -> None:
    record_of = {"record": {"workspace_root": "/home/dev/project"}}
    write(tmp_path, record(0, "runtime.session.metadata", record_of), run(1, "started", prompt="words"))
    write(tmp_path, run(0, "started", "child", prompt="a part"), below="subagent/child")
    assert {session.cwd for session in sessions(muse, tmp_path)} == {"/home/dev/project"}


def test_a_command_that_failed_is_told_by_its_json(tmp_path: Path) -> None:
    call = {"call_id": "c", "name": "bash", "args": '{"command": "exit 5"}'}
    outcome = {"tool_call_id": "c", "text": '{"exit_code": 5, "output": "boom"}'}
    usage = {"input_tokens": 7, "output_tokens": 2}
    write(
        tmp_path,
        run(0, "model_completed", model="muse-test", usage=usage),
        run(1, "assistant_tool_calls_committed", tool_calls=[call]),
        run(2, "tool_result_batch_committed", results=[outcome]),
    )
    asked, result = turns(muse, tmp_path)
    assert (asked.command, asked.model, asked.tokens) == ("exit 5", "muse-test", Tokens(7, 2))
    assert (result.text, result.exit_status, result.failed, result.tool) == ("boom", 5, True, "bash")


def test_arguments_that_are_no_json_are_kept_as_they_are(tmp_path: Path) -> None:
    call = {"call_id": "c", "name": "bash", "args": '{"command": "cut of'}
    write(tmp_path, run(0, "assistant_tool_calls_committed", tool_calls=[call]))
    assert said(tmp_path) == [(Kind.TOOL_CALL, '{"command": "cut of')]


@pytest.mark.parametrize(
    ("source", "kind"), [("user_steer", Kind.PROMPT), ("subagent_completed", Kind.INJECTED)]
)
def test_only_a_person_steers(tmp_path: Path, source: str, kind: Kind) -> None:
    write(tmp_path, run(0, "inbox_item_queued", source={"source": source}, payload={"prompt": "words"}))
    assert said(tmp_path) == [(kind, "words")]


def test_frames_are_unwrapped_and_markers_are_nothing(tmp_path: Path) -> None:
    inside = json.dumps(run(0, "started", prompt="inside"))
    write(
        tmp_path,
        {"retained_frame": "x", "children": [{"child_index": 0, "record_json": inside}]},
        {"retained_marker": "omitted_live_only"},
    )
    assert said(tmp_path) == [(Kind.PROMPT, "inside")]


def test_reasoning_and_repeated_context_are_not_told_again(tmp_path: Path) -> None:
    context = [{"text": "use tabs"}]
    write(
        tmp_path,
        run(0, "model_request_configured", run_context_messages=context),
        run(1, "reasoning_summary_committed", text="thinking"),
        run(2, "model_request_configured", run_context_messages=context),
    )
    assert said(tmp_path) == [(Kind.INJECTED, "use tabs")]


def test_a_failed_and_a_cancelled_run_are_told(tmp_path: Path) -> None:
    write(
        tmp_path,
        run(0, "terminal", terminal="failed", reason="payment required"),
        run(1, "terminal", terminal="cancelled"),
    )
    assert said(tmp_path) == [(Kind.NOTICE, "payment required"), (Kind.INTERRUPT, "")]


def test_an_unknown_event_is_counted(tmp_path: Path) -> None:
    write(tmp_path, run(0, "hologram"), record(1, "runtime.novelty", {}), run(2, "started", prompt="words"))
    report = Report()
    assert [turn.text for turn in turns(muse, tmp_path, report)] == ["words"]
    assert report.unknown == {"hologram": 1, "runtime.novelty": 1}


def test_the_data_folder_follows_its_variable() -> None:
    home = Path("/home/dev")
    assert muse.default_roots(home, {}) == (home / ".local/share/muse",)
    assert muse.default_roots(home, {"XDG_DATA_HOME": "/data"}) == (Path("/data/muse"),)
