"""What each kind of DeepSeek Harness event becomes, on small logs written here."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import zstandard

from hippo_core.errors import DataError
from hippo_core.transcripts import deepseek
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Resume, Role, Source, Tokens

OWN, PARENT = "session-own", "session-parent"


def header(**more: Any) -> dict[str, Any]:
    return {
        "type": "session",
        "version": 4,
        "id": OWN,
        "createdAt": 1796082377272,
        "cwd": "/home/dev/p",
        **more,
    }


def event(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "time": 1796082377300, "data": data}


def user(text: str, kind: str = "user", name: str | None = None, **source: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return event(
        "user/message", content=content, source={"kind": kind, **source}, role="user", id=name or text
    )


def answer(*parts: Mapping[str, Any], step: int = 1, **more: Any) -> dict[str, Any]:
    message = {
        "role": "assistant",
        "content": list(parts),
        "source": {"kind": "model", "model": "deepseek-flash"},
    }
    return event("assistant/message", turn=1, step=step, message=message, **more)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def asks(name: str, call: str = "call-1", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool-call", "id": call, "name": name, "arguments": json.dumps(arguments)}


def gives(words: str, call: str = "call-1", *, error: bool = False, **more: Any) -> dict[str, Any]:
    message = {
        "role": "tool",
        "toolCallId": call,
        "content": [text(words)],
        "isError": error,
        "id": f"r-{call}",
    }
    return event("tool/result", turn=1, step=1, message=message, **more)


def write(folder: Path, *lines: Mapping[str, Any], name: str = "session.v4.jsonl") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    return path


def read(path: Path, report: Report | None = None) -> list[RawSession | RawTurn | Resume]:
    source = Source(agent=deepseek.AGENT, path=path, key=str(path), stamp=b"")
    return list(deepseek.read(source, None, report or Report()))


def turns(path: Path, report: Report | None = None) -> list[RawTurn]:
    return [each for each in read(path, report) if isinstance(each, RawTurn)]


def session(path: Path) -> RawSession:
    return next(each for each in read(path) if isinstance(each, RawSession))


def said(path: Path) -> list[tuple[Kind, str]]:
    return [(each.kind, each.text) for each in turns(path)]


@pytest.mark.parametrize(
    ("source", "role", "kind"),
    [
        ({"kind": "user"}, Role.USER, Kind.PROMPT),
        ({"kind": "runtime-context"}, Role.SYSTEM, Kind.INJECTED),
        ({"kind": "agent-instructions"}, Role.SYSTEM, Kind.INJECTED),
        ({"kind": "plugin", "plugin": "hooks-claude-code"}, Role.SYSTEM, Kind.INJECTED),
        ({"kind": "something-new"}, Role.SYSTEM, Kind.INJECTED),
        ({"kind": "plugin", "plugin": "compact"}, Role.SYSTEM, Kind.SUMMARY),
        ({"kind": "compact-checkpoint"}, Role.SYSTEM, Kind.SUMMARY),
        ({"kind": "subagent-settled"}, Role.SYSTEM, Kind.NOTICE),
        ({"kind": "coordinator"}, Role.USER, Kind.DELEGATED),
    ],
)
def test_only_a_user_message_whose_source_is_the_user_is_a_prompt(
    tmp_path: Path, source: dict[str, str], role: Role, kind: Kind
) -> None:
    (turn,) = turns(write(tmp_path, header(), user("words", **source)))
    assert (turn.role, turn.kind) == (role, kind)


def test_a_prompt_waiting_in_the_inbox_is_not_a_second_prompt(tmp_path: Path) -> None:
    prompt = user("list the files")
    path = write(tmp_path, header(), event("agent/inbox/spliced", inserted=[prompt["data"]]), prompt)
    assert said(path) == [(Kind.PROMPT, "list the files")]


def test_an_attachment_is_named_and_its_bytes_are_not_kept(tmp_path: Path) -> None:
    picture = {"type": "image", "attachment": {"attachmentId": "sha256:1", "mediaType": "image/png"}}
    prompt = event("user/message", content=[text("look"), picture], source={"kind": "user"}, id="u")
    assert said(write(tmp_path, header(), prompt)) == [(Kind.PROMPT, "look\n[attachment: image/png]")]


def test_reasoning_is_dropped_and_tokens_are_counted_once(tmp_path: Path) -> None:
    usage = {"inputTokens": 110, "outputTokens": 20, "cacheReadTokens": 10, "cacheWriteTokens": 1}
    path = write(
        tmp_path, header(), answer({"type": "reasoning", "text": "hm"}, text("hi"), asks("x"), usage=usage)
    )
    reply, call = turns(path)
    assert (reply.text, reply.tokens, reply.model) == ("hi", Tokens(110, 20, 10, 1), "deepseek-flash")
    assert call.tokens is None


def test_a_call_that_is_told_again_is_one_call(tmp_path: Path) -> None:
    again = event("tool/call", turn=1, step=1, callId="call-1", name="bash", arguments='{"command":"ls"}')
    (call,) = turns(write(tmp_path, header(), answer(asks("bash", command="ls")), again))
    assert (call.tool, call.command, call.text) == ("bash", "ls", "$ ls")


def test_an_exit_status_other_than_0_is_a_failure_though_no_error_is_marked(tmp_path: Path) -> None:
    path = write(tmp_path, header(), answer(asks("bash", command="x")), gives("[stderr]\nno\n[exit code: 3]"))
    result = turns(path)[-1]
    assert (result.exit_status, result.failed, result.tool) == (3, True, "bash")


def test_a_file_is_edited_only_where_its_writing_succeeded(tmp_path: Path) -> None:
    asked = answer(asks("write", "call-1", file_path="/a"), asks("edit", "call-2", file_path="/b"))
    path = write(tmp_path, header(), asked, gives("done"), gives("not found", "call-2", error=True))
    results = [each for each in turns(path) if each.kind is Kind.TOOL_RESULT]
    assert [(each.files, each.edited) for each in results] == [(("/a",), ("/a",)), (("/b",), ())]


def test_a_file_that_was_read_is_not_edited(tmp_path: Path) -> None:
    path = write(tmp_path, header(), answer(asks("read", file_path="/a")), gives("1: x"))
    assert [(each.files, each.edited) for each in turns(path)] == [(("/a",), ()), (("/a",), ())]


def test_a_tool_result_of_the_oldest_format_is_no_prompt(tmp_path: Path) -> None:
    block = {"type": "tool-result", "toolCallId": "call-1", "content": [text("out")], "isError": False}
    message = {"role": "user", "source": {"kind": "tool", "callId": "call-1"}, "content": [block], "id": "r"}
    path = write(tmp_path, header(version=0), event("tool/result", turn=1, step=1, message=message))
    assert said(path) == [(Kind.TOOL_RESULT, "out")]


def test_a_call_the_person_refused_is_a_rejection(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        answer(asks("bash", command="rm -rf build")),
        event("approval/asked", id="a", callId="call-1"),
        event("approval/decided", id="a", outcome="rejected"),
        gives("Error: rejected", error=True),
    )
    assert turns(path)[-1].kind is Kind.REJECTION


def test_arguments_that_were_cut_are_kept_as_they_are(tmp_path: Path) -> None:
    cut = {"type": "tool-call", "id": "call-1", "name": "write", "arguments": '{"file_path": "/a", "con'}
    (call,) = turns(write(tmp_path, header(), answer(cut)))
    assert (call.text, call.files) == ('{"file_path": "/a", "con', ())


def test_chunks_and_their_message_are_one_answer(tmp_path: Path) -> None:
    chunks = event("text-chunks", turn=1, step=1, texts=["par", "tial"])
    delta = event("assistant/chunk", turn=1, step=1, chunk={"type": "text-delta", "text": " answer"})
    path = write(
        tmp_path, header(), event("turn/start", turn=1), chunks, delta, answer(text("partial answer"))
    )
    assert said(path) == [(Kind.REPLY, "partial answer")]


def test_an_answer_that_was_cut_off_is_kept_and_marked_and_the_turn_is_interrupted(tmp_path: Path) -> None:
    chunks = event("text-chunks", turn=1, step=1, texts=["par", "tial"])
    end = event("turn/end", turn=1, reason={"kind": "aborted", "reason": {"kind": "user"}})
    reply, interrupt = turns(write(tmp_path, header(), event("turn/start", turn=1), chunks, end))
    assert (reply.text, reply.failed, interrupt.kind) == ("partial", True, Kind.INTERRUPT)


def test_a_failed_turn_is_a_notice(tmp_path: Path) -> None:
    failed = event("turn/end", turn=1, reason={"kind": "error", "error": {"message": "HTTP 401"}})
    assert said(write(tmp_path, header(), failed)) == [(Kind.NOTICE, "HTTP 401")]


def test_a_subagent_is_its_own_session_and_its_task_is_delegated(tmp_path: Path) -> None:
    path = write(tmp_path, header(origin="subagent", parentSession=PARENT), user("look around"))
    assert said(path) == [(Kind.DELEGATED, "look around")]
    assert (session(path).parent, session(path).forked_from) == (PARENT, None)


@pytest.mark.parametrize("seed", [{"isSeeded": True}, {"seedLength": 2, "version": 0}])
def test_the_seed_of_a_fork_has_the_identities_of_its_origin(tmp_path: Path, seed: dict[str, Any]) -> None:
    history = (user("remember it"), answer(text("noted")))
    origin = turns(write(tmp_path / "a", {**header(), "id": PARENT}, *history))
    again = (event("session/end-seed"), user("what was it?"))
    path = write(tmp_path / "b", header(parentSession=PARENT, **seed), *history, *again)
    fork = turns(path)
    assert [each.identity for each in fork if each.copied] == [each.identity for each in origin]
    assert [each.text for each in fork if not each.copied] == ["what was it?"]
    assert session(path).forked_from == PARENT


def test_the_end_of_a_seed_in_a_resumed_session_makes_nothing_a_copy(tmp_path: Path) -> None:
    path = write(tmp_path, header(isSeeded=False), user("one"), event("session/end-seed"), user("two"))
    assert [each.copied for each in turns(path)] == [False, False]


def test_the_last_title_wins_and_a_cut_prompt_is_none(tmp_path: Path) -> None:
    fallback = event("session/title", title="list the fi", source={"kind": "fallback"})
    title = event("session/title", title="Files", source={"kind": "provider"})
    path = write(tmp_path, header(), user("list the files"), fallback, title, answer(text("done")))
    titles = [
        (each.title, each.title_rank) for each in read(path) if isinstance(each, RawSession) and each.title
    ]
    assert titles == [("Files", 1)]


def test_a_header_alone_is_no_session(tmp_path: Path) -> None:
    assert not any(isinstance(each, RawSession) for each in read(write(tmp_path, header())))


def test_unknown_events_are_counted_and_cost_nothing_else(tmp_path: Path) -> None:
    report = Report()
    path = write(tmp_path, header(), {**event("dream/start"), "ignorable": False}, user("still here"))
    assert [each.text for each in turns(path, report)] == ["still here"]
    assert report.unknown == {"event dream/start": 1}


def test_events_without_number_and_time_are_read(tmp_path: Path) -> None:
    prompt = user("hello")
    del prompt["time"]
    (turn,) = turns(write(tmp_path, header(), prompt))
    assert turn.time_ms is None


def test_a_log_of_another_agent_yields_nothing(tmp_path: Path) -> None:
    report = Report()
    foreign = {"type": "session", "version": 3, "id": "x", "timestamp": "2026-01-01T00:00:00Z"}
    assert read(write(tmp_path, foreign, user("hello")), report) == []
    assert len(report.skipped) == 1


def test_every_frame_of_a_compressed_log_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, header(), user("one"), user("two"))
    packed = path.with_name("session.v4.jsonl.zstd")
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    packed.write_bytes(
        b"".join(compressor.compress(each) for each in path.read_bytes().splitlines(keepends=True))
    )
    assert read(packed) == read(path)[:-1]


def test_a_log_that_is_no_compressed_data_costs_itself_alone(tmp_path: Path) -> None:
    path = tmp_path / "session.v4.jsonl.zstd"
    path.write_bytes(b"not compressed at all")
    with pytest.raises(DataError):
        read(path)


def test_of_several_formats_in_one_folder_the_newest_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "sessions" / "--home-dev-p--" / "0b2c"
    for name in ("session.jsonl", "session.v3.jsonl", "session.v10.jsonl", "session.v10.jsonl.zstd"):
        write(folder, header(), name=name)
    write(folder, header(), name="notes.jsonl")
    for root in (tmp_path, tmp_path / "sessions", folder):
        assert [source.path.name for source in deepseek.discover(root, Report())] == ["session.v10.jsonl"]


def test_the_root_is_where_the_environment_says(tmp_path: Path) -> None:
    assert deepseek.default_roots(tmp_path, {}) == (tmp_path / ".dsh",)
    assert deepseek.default_roots(tmp_path, {"DSH_HOME": "/elsewhere"}) == (Path("/elsewhere"),)
