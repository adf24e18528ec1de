"""What each kind of OpenCode record becomes, on small stores written here."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import opencode_making as making
import pytest
from adapter_reading import fingerprint, sessions, sources, turns
from opencode_making import START, text

from hippo_core.transcripts import opencode
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import Kind, RawTurn, Role


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "opencode"


@pytest.fixture
def store(root: Path) -> Iterator[sqlite3.Connection]:
    with closing(making.store(root / "opencode.db")) as connection:
        yield connection


def said(root: Path) -> list[tuple[Kind, str]]:
    return [(turn.kind, turn.text) for turn in turns(opencode, root)]


def tool(**state: Any) -> dict[str, Any]:
    return {"type": "tool", "tool": "bash", "callID": "call_1", "state": state}


def test_the_newest_rows_are_read_from_the_log_alone(
    root: Path, store: sqlite3.Connection, tmp_path: Path
) -> None:
    making.session(store, "ses_a")
    making.message(store, "ses_a", "msg_a", "user", START, text("folded in"))
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    making.message(store, "ses_a", "msg_b", "user", START + 1, text("in the log"))
    copy = tmp_path / "copy"
    shutil.copytree(root, copy)
    before = fingerprint(copy)
    assert said(copy) == [(Kind.PROMPT, "folded in"), (Kind.PROMPT, "in the log")]
    assert fingerprint(copy) == before


def test_a_store_at_rest_in_a_read_only_folder_is_read_and_stays_alone(root: Path) -> None:
    with closing(making.store(root / "opencode.db")) as store:
        making.session(store, "ses_a")
        making.message(store, "ses_a", "msg_a", "user", START, text("at rest"))
    (root / "opencode.db").chmod(0o444)
    root.chmod(0o555)
    before = fingerprint(root)
    assert said(root) == [(Kind.PROMPT, "at rest")]
    assert fingerprint(root) == before
    assert [path.name for path in root.iterdir()] == ["opencode.db"]
    root.chmod(0o755)


def test_a_session_in_database_and_tree_counts_once_and_a_stranded_one_is_read(
    root: Path, store: sqlite3.Connection
) -> None:
    making.session(store, "ses_a")
    making.message(store, "ses_a", "msg_a", "user", START, text("in both"))
    making.tree(root, "ses_a", "in both")
    making.tree(root, "ses_b", "in the tree alone")
    assert said(root) == [(Kind.PROMPT, "in both"), (Kind.PROMPT, "in the tree alone")]


def test_a_prompt_has_one_identity_in_database_and_tree(tmp_path: Path) -> None:
    with closing(making.store(tmp_path / "database/opencode.db")) as store:
        making.session(store, "ses_a")
        making.message(store, "ses_a", "msg_a", "user", START, text("moved over"))
    making.tree(tmp_path / "tree", "ses_a", "moved over")
    [first], [second] = turns(opencode, tmp_path / "database"), turns(opencode, tmp_path / "tree")
    assert first.identity == second.identity


def test_a_part_changed_in_place_moves_the_stamp_though_its_session_did_not(
    root: Path, store: sqlite3.Connection
) -> None:
    making.session(store, "ses_a")
    making.message(store, "ses_a", "msg_a", "assistant", START, text(""))
    [before] = sources(opencode, root)
    assert turns(opencode, root) == []
    store.execute("UPDATE part SET data = ?, time_updated = time_updated + 1", (json.dumps(text("filled")),))
    store.commit()
    [after] = sources(opencode, root)
    assert (after.key, after.stamp == before.stamp) == (before.key, False)
    assert said(root) == [(Kind.REPLY, "filled")]


def test_a_change_in_one_session_leaves_the_stamps_of_others(root: Path, store: sqlite3.Connection) -> None:
    for name in ("ses_a", "ses_b"):
        making.session(store, name)
        making.message(store, name, f"msg_{name}", "user", START, text(f"words of {name}"))
    before = {source.key: source.stamp for source in sources(opencode, root)}
    making.message(store, "ses_b", "msg_more", "user", START + 5, text("more"))
    after = {source.key: source.stamp for source in sources(opencode, root)}
    moved = [key.rpartition("#")[2] for key in after if after[key] != before[key]]
    assert moved == ["ses_b"]


def test_a_running_tool_is_a_call_and_gets_its_result_later(root: Path, store: sqlite3.Connection) -> None:
    making.session(store, "ses_a")
    running = tool(status="running", input={"command": "make"})
    making.message(store, "ses_a", "msg_a", "assistant", START, running)
    [call] = turns(opencode, root)
    assert (call.kind, call.command, call.text) == (Kind.TOOL_CALL, "make", "make")
    done = tool(status="completed", input={"command": "make"}, output="stopped", metadata={"exit": 3})
    store.execute("UPDATE part SET data = ?", (json.dumps(done),))
    store.commit()
    again, result = turns(opencode, root)
    assert again == call
    assert (result.kind, result.exit_status, result.failed) == (Kind.TOOL_RESULT, 3, True)


def test_a_fork_counts_its_copied_turns_once(root: Path, store: sqlite3.Connection) -> None:
    for name, created in (("ses_a", START), ("ses_fork", START + 100)):
        making.session(store, name, created=created)
        making.message(store, name, f"msg_{name}", "user", START + 1, text("asked once"))
        making.message(
            store, name, f"msg_{name}2", "assistant", START + 2, text("summed up once"), summary=True
        )
    found = turns(opencode, root)
    originals, copies = found[:2], found[2:]
    assert [turn.identity for turn in originals] == [turn.identity for turn in copies]
    assert [turn.copied for turn in found] == [False, False, True, True]


def test_what_a_session_was_wound_back_over_is_marked(root: Path, store: sqlite3.Connection) -> None:
    making.session(store, "ses_a", revert=json.dumps({"messageID": "msg_b"}))
    for number, name in enumerate(("msg_a", "msg_b", "msg_c")):
        making.message(store, "ses_a", name, "user", START + number, text(name))
    assert [(turn.text, turn.abandoned) for turn in turns(opencode, root)] == [
        ("msg_a", False),
        ("msg_b", True),
        ("msg_c", True),
    ]


def test_a_childs_prompt_is_delegated(root: Path, store: sqlite3.Connection) -> None:
    making.session(store, "ses_child", parent_id="ses_a", title="Look around (@general subagent)")
    making.message(store, "ses_child", "msg_a", "user", START, text("list the files"))
    assert said(root) == [(Kind.DELEGATED, "list the files")]
    [session] = sessions(opencode, root)
    assert (session.parent, session.title, session.title_rank) == (
        "ses_a",
        "Look around (@general subagent)",
        1,
    )


def test_what_the_client_and_plugins_add_is_not_a_persons(root: Path, store: sqlite3.Connection) -> None:
    making.session(store, "ses_a")
    parts = (
        text("Called the Read tool", synthetic=True),
        text("<hippo-memory>\nold words\n</hippo-memory>\nmine"),
    )
    making.message(store, "ses_a", "msg_a", "user", START, *parts)
    assert [(turn.role, turn.kind, turn.text) for turn in turns(opencode, root)] == [
        (Role.SYSTEM, Kind.INJECTED, "Called the Read tool"),
        (Role.SYSTEM, Kind.INJECTED, "<hippo-memory>\nold words\n</hippo-memory>"),
        (Role.USER, Kind.PROMPT, "mine"),
    ]


@pytest.mark.parametrize(
    ("stored", "meant"),
    [
        ('"fix it"\n', "fix it"),
        ('"say \\"q\\" x"', 'say "q" x'),
        ('A "b c" d', 'A "b c" d'),
        ('"a b" "c d"', '"a b" "c d"'),
        ('"word"', '"word"'),
    ],
)
def test_only_a_whole_quoted_argument_loses_its_quotes(
    root: Path, store: sqlite3.Connection, stored: str, meant: str
) -> None:
    making.session(store, "ses_a")
    making.message(store, "ses_a", "msg_a", "user", START, text(stored))
    assert said(root) == [(Kind.PROMPT, meant)]


def test_a_compaction_that_goes_in_circles_gives_one_summary(root: Path, store: sqlite3.Connection) -> None:
    making.session(store, "ses_a")
    for number in range(3):
        making.message(
            store, "ses_a", f"msg_{number}", "assistant", START + number, text("so far"), summary=True
        )
    assert said(root) == [(Kind.SUMMARY, "so far")]


def test_an_aborted_answer_and_a_failing_provider_are_told(root: Path, store: sqlite3.Connection) -> None:
    making.session(store, "ses_a")
    aborted: dict[str, Any] = {"name": "MessageAbortedError", "data": {}}
    refused = {"name": "APIError", "data": {"message": "payment required"}}
    making.message(store, "ses_a", "msg_a", "assistant", START, error=aborted)
    making.message(store, "ses_a", "msg_b", "assistant", START + 1, error=refused)
    assert said(root) == [(Kind.INTERRUPT, ""), (Kind.NOTICE, "payment required")]


@pytest.mark.parametrize("key", ["filePath", "path", "file_path"])
def test_an_edited_file_is_named_whatever_its_argument_is_called(
    root: Path, store: sqlite3.Connection, key: str
) -> None:
    making.session(store, "ses_a")
    part = tool(status="completed", input={key: "src/a.py"}, output="done") | {"tool": "edit"}
    making.message(store, "ses_a", "msg_a", "assistant", START, part)
    call, result = turns(opencode, root)
    assert (call.files, call.edited) == (("src/a.py",), ())
    assert (result.files, result.edited) == (("src/a.py",), ("src/a.py",))


def test_a_refused_edit_is_a_rejection_and_edits_nothing(root: Path, store: sqlite3.Connection) -> None:
    making.session(store, "ses_a")
    refused = "The user rejected permission to use this specific tool call."
    part = tool(status="error", input={"filePath": "src/a.py"}, error=refused) | {"tool": "edit"}
    making.message(store, "ses_a", "msg_a", "assistant", START, part)
    _, result = turns(opencode, root)
    assert (result.kind, result.failed, result.edited) == (Kind.REJECTION, True, ())


def test_an_unknown_part_is_counted_and_an_attachment_is_not_kept(
    root: Path, store: sqlite3.Connection
) -> None:
    making.session(store, "ses_a")
    picture = {"type": "file", "mime": "image/png", "url": "data:image/png;base64," + "A" * (5 << 20)}
    making.message(store, "ses_a", "msg_a", "user", START, picture, {"type": "hologram"}, text("look"))
    report = Report()
    assert [turn.text for turn in turns(opencode, root, report)] == ["look"]
    assert (report.unknown, report.skipped) == ({"hologram": 1}, [])


def test_a_very_long_text_keeps_its_beginning(root: Path, store: sqlite3.Connection) -> None:
    making.session(store, "ses_a")
    making.message(store, "ses_a", "msg_a", "user", START, text("word " * (1 << 20)))
    [turn] = turns(opencode, root)
    assert (turn.kind, turn.text[:9], len(turn.text) <= 1 << 20) == (Kind.PROMPT, "word word", True)


def test_messages_come_in_order_of_time_though_their_ids_began_anew(
    root: Path, store: sqlite3.Connection
) -> None:
    making.session(store, "ses_a")
    making.message(store, "ses_a", "msg_zzz", "user", START, text("before"))
    making.message(store, "ses_a", "msg_000", "user", START + 1, text("after"))
    found: list[RawTurn] = turns(opencode, root)
    assert [turn.text for turn in found] == ["before", "after"]
    assert found[0].order < found[1].order


def test_a_store_being_made_and_a_file_that_is_none_stop_nothing(root: Path) -> None:
    root.mkdir()
    (root / "opencode.db").write_bytes(b"")
    (root / "opencode-dev.db").write_bytes(b"not a database at all" * 100)
    making.tree(root, "ses_a", "still read")
    report = Report()
    assert [turn.text for turn in turns(opencode, root, report)] == ["still read"]
    assert [skipped.path.name for skipped in report.skipped] == ["opencode-dev.db"]


def test_a_session_in_two_databases_is_read_from_the_one_that_moved_last(root: Path) -> None:
    for name, at, words in (("opencode.db", START, "older"), ("opencode-dev.db", START + 9, "newer")):
        with closing(making.store(root / name)) as store:
            making.session(store, "ses_a")
            making.message(store, "ses_a", "msg_a", "user", at, text(words))
    assert said(root) == [(Kind.PROMPT, "newer")]


def test_a_session_that_is_gone_yields_nothing(root: Path, store: sqlite3.Connection) -> None:
    making.session(store, "ses_a")
    making.message(store, "ses_a", "msg_a", "user", START, text("soon deleted"))
    [source] = sources(opencode, root)
    store.execute("DELETE FROM message")
    store.commit()
    assert list(opencode.read(source, None, Report())) == []


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "/home/dev/.local/share/opencode"),
        ({"XDG_DATA_HOME": "/data"}, "/data/opencode"),
        ({"XDG_DATA_HOME": "/data", "OPENCODE_DATA_DIR": "/moved"}, "/moved"),
    ],
)
def test_the_data_folder_follows_its_variables(environment: dict[str, str], expected: str) -> None:
    assert opencode.default_roots(Path("/home/dev"), environment) == (Path(expected),)
