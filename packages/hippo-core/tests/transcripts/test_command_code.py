"""Command Code sessions that real clients wrote, and what each kind of entry becomes."""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import adapter_reading
import pytest
from adapter_reading import sessions, sources, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo_core.transcripts import command_code
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import Kind, RawTurn, Source

DATA = Path(__file__).parent.parent / "data" / "command-code"
CASES = sorted(path.parent.name for path in DATA.glob("*/expected.json"))
FILES = [path for path in sorted(DATA.glob("*/input/**/*.jsonl")) if ".checkpoints." not in path.name]
HEADER = {"type": "session", "version": 3, "id": "one", "cwd": "/home/dev/project"}


def message(
    name: str, parent: str | None, words: object, source: str | None = "user", **more: Any
) -> dict[str, Any]:
    """An entry of the tree format."""
    content = [{"type": "text", "text": words}] if isinstance(words, str) else words
    meta = {"messageId": f"message-{name}"} | ({"source": source} if source else {}) | more
    role = "assistant" if source == "model" else "user"
    return {
        "type": "message",
        "id": name,
        "parentId": parent,
        "timestamp": "2026-05-01T09:00:00.000Z",
        "message": {"role": role, "content": content, "meta": meta},
    }


def flat(role: str, content: object) -> dict[str, Any]:
    """An entry of the flat format."""
    return {
        "id": f"{role}{content}",
        "role": role,
        "content": content,
        "metadata": {"source": "cli", "version": 2},
    }


def write(folder: Path, name: str, *entries: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), "utf-8")
    return path


def said(root: Path) -> list[tuple[Kind, str]]:
    return [(turn.kind, turn.text) for turn in turns(command_code, root)]


@pytest.mark.parametrize("case", CASES)
def test_a_real_home_reads_as_expected(case: str) -> None:
    expected = json.loads((DATA / case / "expected.json").read_text("utf-8"))
    assert adapter_reading.everything(command_code, DATA / case / "input") == expected


@settings(max_examples=60)
@given(st.sampled_from(FILES), st.floats(0, 1))
def test_a_file_cut_anywhere_is_read_without_a_problem_as_far_as_it_goes(path: Path, share: float) -> None:
    data = path.read_bytes()
    whole = _texts(path, data)
    part = _texts(path, data[: round(share * len(data))])
    assert part == whole[: len(part)]


def _texts(path: Path, data: bytes) -> list[str]:
    with TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        copy.write_bytes(data)
        source = Source(agent=command_code.AGENT, path=copy, key=str(copy), stamp=b"")
        report = Report()
        read = [item.text for item in command_code.read(source, None, report) if isinstance(item, RawTurn)]
        assert report.skipped == []
        return read


def test_a_fork_counts_its_copied_turns_once() -> None:
    root = DATA / "rewound-and-forked" / "input"
    found = turns(command_code, root)
    copies = {turn.identity for turn in found if turn.copied}
    originals = {turn.identity for turn in found if not turn.copied}
    assert copies
    assert copies <= originals


def test_a_branch_that_was_wound_back_is_marked(tmp_path: Path) -> None:
    write(
        tmp_path,
        "one",
        HEADER,
        message("a", None, "first"),
        message("b", "a", "dropped"),
        message("c", "a", "kept"),
    )
    assert [(turn.text, turn.abandoned) for turn in turns(command_code, tmp_path)] == [
        ("first", False),
        ("dropped", True),
        ("kept", False),
    ]


def test_parents_that_go_in_a_circle_or_are_missing_end(tmp_path: Path) -> None:
    write(tmp_path, "one", HEADER, message("a", "b", "first"), message("b", "a", "second"))
    write(tmp_path, "two", HEADER | {"id": "two"}, message("a", "nobody", "third"))
    assert [turn.text for turn in turns(command_code, tmp_path)] == ["first", "second", "third"]


def test_a_file_rewritten_with_new_ids_keeps_its_identities(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, "one", flat("user", "again"), flat("user", "again"))
    before = [turn.identity for turn in turns(command_code, root)]
    renamed = [entry | {"id": f"new{number}"} for number, entry in enumerate([flat("user", "again")] * 3)]
    write(root, "one", *renamed)
    after = [turn.identity for turn in turns(command_code, root)]
    assert len(set(after)) == 3
    assert after[:2] == before


def test_a_migrated_file_tells_its_history_once_under_the_old_identities(tmp_path: Path) -> None:
    write(tmp_path / "old", "one", flat("user", "asked"), flat("assistant", "answered"))
    old = [turn.identity for turn in turns(command_code, tmp_path / "old")]
    history = [message("a", None, "asked", "cli"), message("b", "a", "answered", "model")]
    for entry in history:
        del entry["message"]["meta"]["messageId"]
    again = [message("c", "b", "asked", "cli"), message("d", "c", "answered", "model")]
    write(tmp_path / "new", "one", HEADER, *history, *again, message("e", "d", "went on"))
    found = turns(command_code, tmp_path / "new")
    assert [turn.text for turn in found] == ["asked", "answered", "went on"]
    assert [turn.identity for turn in found[:2]] == old


@pytest.mark.parametrize(
    ("source", "more", "kind"),
    [
        ("user", {}, Kind.PROMPT),
        ("steering", {}, Kind.PROMPT),
        ("stop_hook", {}, Kind.INJECTED),
        ("mod:review", {}, Kind.INJECTED),
        (None, {}, Kind.INJECTED),
        ("user", {"isMeta": True}, Kind.INJECTED),
        ("user", {"isAutomated": True}, Kind.INJECTED),
        ("user", {"isSummary": True}, Kind.SUMMARY),
        ("branch-summary", {}, Kind.SUMMARY),
        ("model", {}, Kind.REPLY),
    ],
)
def test_only_what_a_person_typed_is_a_prompt(
    tmp_path: Path, source: str | None, more: dict[str, Any], kind: Kind
) -> None:
    write(tmp_path, "one", HEADER, message("a", None, "words", source, **more))
    assert said(tmp_path) == [(kind, "words")]


def test_what_a_hook_added_and_remembered_words_are_injected(tmp_path: Path) -> None:
    injected = {"sessionStartHookContext": "from a hook"}
    words = "<hippo-memory>old</hippo-memory> new"
    write(tmp_path, "one", HEADER, message("a", None, words, injected=injected))
    assert said(tmp_path) == [
        (Kind.INJECTED, "from a hook"),
        (Kind.INJECTED, "<hippo-memory>old</hippo-memory>"),
        (Kind.PROMPT, "new"),
    ]


def test_a_failing_command_is_told_by_its_text_alone(tmp_path: Path) -> None:
    use = {"type": "tool_use", "id": "t", "name": "shell_command", "input": {"command": "exit 3"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "Exit code: 3\nno"}
    write(tmp_path, "one", HEADER, message("a", None, [use], "model"), message("b", "a", [result], "cli"))
    call, outcome = turns(command_code, tmp_path)
    assert (call.kind, call.command, call.text) == (Kind.TOOL_CALL, "exit 3", "exit 3")
    assert (outcome.kind, outcome.tool, outcome.exit_status, outcome.failed) == (
        Kind.TOOL_RESULT,
        "shell_command",
        3,
        True,
    )


def test_a_newer_format_is_left_alone_with_a_word(tmp_path: Path) -> None:
    write(tmp_path, "one", HEADER | {"version": 4}, message("a", None, "words"))
    report = Report()
    assert turns(command_code, tmp_path, report) == []
    assert [skipped.problem for skipped in report.skipped] == ["has format 4, this hippo reads 3"]


def test_an_unknown_entry_is_counted_and_costs_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, "one", HEADER, {"type": "hologram", "id": "x"}, message("a", "x", "words"))
    report = Report()
    assert [turn.text for turn in turns(command_code, tmp_path, report)] == ["words"]
    assert report.unknown == {"hologram": 1}


def test_files_beside_a_session_are_no_sessions(tmp_path: Path) -> None:
    projects = tmp_path / "projects" / "home-dev-project"
    for name in ("one", "one.checkpoints", "one.prompts"):
        write(projects, name, HEADER, message("a", None, name))
    (projects / "one.v2.bak").write_text(json.dumps(flat("user", "kept aside")))
    write(tmp_path, "history", {"p": "typed", "t": 1})
    assert said(tmp_path) == [(Kind.PROMPT, "one")]


def test_a_title_given_beside_a_session_moves_its_stamp(tmp_path: Path) -> None:
    write(tmp_path, "one", HEADER, message("a", None, "words"))
    [before] = sources(command_code, tmp_path)
    (tmp_path / "one.meta.json").write_text('{"title": "named", "userRenamed": true}', "utf-8")
    [after] = sources(command_code, tmp_path)
    assert before.stamp != after.stamp
    [session] = sessions(command_code, tmp_path)
    assert (session.title, session.title_rank, session.cwd) == ("named", 2, "/home/dev/project")


def test_the_folder_is_always_the_same() -> None:
    assert command_code.default_roots(Path("/home/dev"), {}) == (Path("/home/dev/.commandcode"),)


def test_discovery_takes_a_folder_of_sessions_too(tmp_path: Path) -> None:
    shutil.copytree(DATA / "flat" / "input" / "projects" / "home-dev-other", tmp_path / "anywhere")
    assert [source.path.name for source in sources(command_code, tmp_path)] == [
        "12b055e7-2489-4078-a764-8bd3bee2f3ae.jsonl"
    ]
