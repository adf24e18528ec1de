"""What an ingest reads, keeps, withdraws and archives, on real files in a real home."""

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
import zstandard
from transcript_making import prompt, reply, write

from hippo_core.errors import BusyError, HippoError
from hippo_core.ids import Agent
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.redaction.engine import ExtraPattern, compile_rules
from hippo_core.storage import lock
from hippo_core.workflows.ingest import Root, Summary, ingest
from hippo_core.workspace.layout import Home

NOW = datetime(2026, 5, 10, tzinfo=UTC)
RULES = compile_rules()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "claude"
    folder.mkdir()
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.at(tmp_path / "home")


def run(home: Home, root: Path, **more: object) -> Summary:
    return ingest(home, [Root(Agent.CLAUDE_CODE, root)], RULES, now=NOW, **more)  # type: ignore[arg-type]


def texts(home: Home) -> list[str]:
    with Reader(IndexFiles(home.root)) as index:
        return [turn.text for session in index.sessions() for turn in index.turns(session.id)]


def count(home: Home, typed: str) -> int:
    with Reader(IndexFiles(home.root)) as index:
        return index.search(typed, NOW).total


def everything(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_what_was_said_is_found(home: Home, root: Path) -> None:
    write(root, "s1", [prompt("s1", 0, "why is the total wrong"), reply("s1", 1, "tax is missing")])
    summary = run(home, root)
    assert (summary.sessions, summary.turns, summary.read) == (1, 2, 1)
    assert texts(home) == ["why is the total wrong", "tax is missing"]


def test_a_second_ingest_with_nothing_changed_writes_no_byte(home: Home, root: Path) -> None:
    write(root, "s1", [prompt("s1", 0, "alpha")])
    run(home, root)
    before = everything(home.root)
    summary = run(home, root)
    assert (summary.read, summary.skipped, summary.turns) == (0, 1, 1)
    assert everything(home.root) == before


def test_a_file_that_only_grew_is_read_from_where_it_was_left(home: Home, root: Path) -> None:
    path = write(root, "s1", [prompt("s1", number, "filler " * 50) for number in range(2000)])
    run(home, root)
    with path.open("a", encoding="utf-8") as file:
        file.write(prompt("s1", 2000, "freshly appended") + "\n")
    summary = run(home, root)
    assert summary.bytes_read < 130_000 < path.stat().st_size
    assert count(home, "freshly appended") == 1
    assert summary.turns == 2001


def test_a_half_written_last_line_is_read_when_it_is_whole(home: Home, root: Path) -> None:
    path = write(root, "s1", [prompt("s1", 0, "alpha")])
    line = prompt("s1", 1, "bravo") + "\n"
    with path.open("a", encoding="utf-8") as file:
        file.write(line[:40])
    assert run(home, root).turns == 1
    with path.open("a", encoding="utf-8") as file:
        file.write(line[40:])
    run(home, root)
    assert texts(home) == ["alpha", "bravo"]


def test_a_rewritten_file_withdraws_what_it_no_longer_holds(home: Home, root: Path) -> None:
    write(root, "s1", [prompt("s1", 0, "alpha"), prompt("s1", 1, "bravo")])
    run(home, root)
    write(root, "s1", [prompt("s1", 5, "charlie")])
    run(home, root)
    assert texts(home) == ["charlie"]
    assert [count(home, word) for word in ("alpha", "bravo", "charlie")] == [0, 0, 1]


def test_an_edit_that_keeps_size_and_mtime_is_seen(home: Home, root: Path) -> None:
    path = write(root, "s1", [prompt("s1", 0, "alpha")])
    run(home, root)
    status = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace("alpha", "omega"), encoding="utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    run(home, root)
    assert texts(home) == ["omega"]


def test_a_gone_transcript_stays_searchable_and_is_archived(home: Home, root: Path) -> None:
    path = write(root, "s1", [prompt("s1", 0, "alpha")])
    run(home, root)
    path.unlink()
    assert run(home, root).gone == 1
    assert count(home, "alpha") == 1
    assert len(list(home.archive.rglob("*.jsonl.zst"))) == 1


def test_a_full_ingest_builds_the_index_from_transcripts_and_archive(home: Home, root: Path) -> None:
    path = write(root, "s1", [prompt("s1", 0, "alpha")])
    write(root, "s2", [prompt("s2", 0, "bravo")])
    run(home, root)
    path.unlink()
    run(home, root)
    run(home, root, full=True)
    assert sorted(texts(home)) == ["alpha", "bravo"]
    assert [count(home, word) for word in ("alpha", "bravo")] == [1, 1]


def test_a_transcript_that_comes_back_leaves_the_archive(home: Home, root: Path) -> None:
    lines = [prompt("s1", 0, "alpha")]
    path = write(root, "s1", lines)
    run(home, root)
    path.unlink()
    run(home, root)
    write(root, "s1", lines)
    run(home, root)
    assert list(home.archive.rglob("*.jsonl.zst")) == []
    assert texts(home) == ["alpha"]


def test_forget_gone_drops_turns_and_archive(home: Home, root: Path) -> None:
    path = write(root, "s1", [prompt("s1", 0, "alpha")])
    run(home, root)
    path.unlink()
    run(home, root)
    run(home, root, forget_gone=True)
    assert texts(home) == []
    assert list(home.archive.rglob("*.jsonl.zst")) == []


def test_a_source_outside_the_roots_of_this_run_is_not_taken_for_gone(
    home: Home, root: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    write(root, "s1", [prompt("s1", 0, "alpha")])
    write(other, "s2", [prompt("s2", 0, "bravo")])
    run(home, root)
    assert run(home, other).gone == 0
    assert sorted(texts(home)) == ["alpha", "bravo"]


def test_a_new_rule_reaches_text_that_was_stored_before(home: Home, root: Path) -> None:
    write(root, "s1", [prompt("s1", 0, "ticket TCK-12345678 is open")])
    run(home, root)
    rules = compile_rules([ExtraPattern("ticket", r"TCK-[0-9]{8}")])
    ingest(home, [Root(Agent.CLAUDE_CODE, root)], rules, now=NOW)
    assert texts(home) == ["ticket [redacted:ticket] is open"]


def test_a_broken_line_costs_that_line_alone(home: Home, root: Path) -> None:
    write(root, "s1", [prompt("s1", 0, "alpha"), '{"type": "user", "message": {', prompt("s1", 2, "bravo")])
    summary = run(home, root)
    assert texts(home) == ["alpha", "bravo"]
    assert len(summary.problems) == 1


def test_a_transcript_whose_name_is_no_text_is_read_like_any_other(home: Home, root: Path) -> None:
    path = write(root, "s1", [prompt("s1", 0, "alpha")])
    odd = Path(os.fsdecode(os.fsencode(path.parent) + b"/odd\xff\n.jsonl"))
    odd.write_bytes(write(root, "s2", [prompt("s2", 0, "beta")]).read_bytes() + b"{torn\n")
    summary = run(home, root)
    assert {"alpha", "beta"} <= set(texts(home))
    assert any("\ufffd" in str(each.path) for each in summary.problems)
    assert run(home, root).read == 0


def test_a_link_to_nowhere_among_transcripts_stops_nothing(home: Home, root: Path) -> None:
    path = write(root, "s1", [prompt("s1", 0, "alpha")])
    path.with_name("s2.jsonl").symlink_to(path.with_name("s2.jsonl"))
    run(home, root)
    assert texts(home) == ["alpha"]


def test_parsing_in_processes_gives_the_same_index(tmp_path: Path, root: Path) -> None:
    for number in range(12):
        name = f"s{number}"
        write(root, name, [prompt(name, 0, f"alpha {number}"), reply(name, 1, "answer")])
    alone, together = Home.at(tmp_path / "one"), Home.at(tmp_path / "two")
    assert run(alone, root).turns == run(together, root, jobs=2).turns == 24
    assert texts(alone) == texts(together)


def test_a_damaged_store_is_rebuilt_from_transcripts_and_archive_and_says_so(home: Home, root: Path) -> None:
    path = write(root, "s1", [prompt("s1", 0, "alpha")])
    write(root, "s2", [prompt("s2", 0, "bravo")])
    run(home, root)
    path.unlink()
    run(home, root)
    home.index.write_bytes(b"not a database, but long enough to be one" * 100)
    summary = run(home, root)
    assert any("built anew" in line for line in summary.healed)
    assert sorted(texts(home)) == ["alpha", "bravo"]


def test_an_ingest_that_another_one_holds_up_says_who_holds_it(home: Home, root: Path) -> None:
    write(root, "s1", [prompt("s1", 0, "alpha")])
    home.root.mkdir()
    holder = lock.Holder(4242, "hippo ingest", "2026-05-10T00:00:00.000Z")
    with lock.hold(home.lock, 0, holder), pytest.raises(BusyError, match="4242"):
        run(home, root, wait_seconds=0.05)


def test_a_home_that_cannot_be_made_is_one_clear_line(tmp_path: Path, root: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HippoError, match=str(tmp_path / "file")):
        run(Home.at(tmp_path / "file" / "home"), root)


PROGRAM = """
import sys
from datetime import datetime, UTC
from pathlib import Path
from hippo_core.ids import Agent
from hippo_core.redaction.engine import compile_rules
from hippo_core.workflows.ingest import Root, ingest
from hippo_core.workspace.layout import Home
ingest(Home.at(Path(sys.argv[1])), [Root(Agent.CLAUDE_CODE, Path(sys.argv[2]))],
       compile_rules(accelerated=False), now=datetime(2026, 5, 10, tzinfo=UTC))
"""


def start(home: Home, root: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", PROGRAM, str(home.root), str(root)])


def test_four_ingests_at_once_lose_and_double_nothing(home: Home, root: Path) -> None:
    for number in range(40):
        write(root, f"s{number}", [prompt(f"s{number}", 0, f"fescue {number}")])
    running = [start(home, root) for _ in range(4)]
    assert [process.wait() for process in running] == [0, 0, 0, 0]
    assert sorted(texts(home)) == sorted(f"fescue {number}" for number in range(40))
    assert count(home, "fescue") == 40


def test_an_ingest_killed_at_any_moment_is_made_good_by_the_next(home: Home, root: Path) -> None:
    expected: list[str] = []
    for number in range(60):
        said = [f"word{number} line{line}" for line in range(20)]
        expected.extend(said)
        write(root, f"s{number}", [prompt(f"s{number}", line, text) for line, text in enumerate(said)])
    for delay in (0.25, 0.3, 0.35, 0.4, 0.45):
        process = start(home, root)
        try:
            process.wait(timeout=delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    run(home, root)
    assert sorted(texts(home)) == sorted(expected)
    assert count(home, "line7") == 60


def test_nothing_of_a_path_with_a_secret_reaches_the_home(home: Home, tmp_path: Path) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" + "K1l2M3n4O5p6Q7r8"
    rules = compile_rules([ExtraPattern("planted", "ghp_[A-Za-z0-9]{36}")])
    root = tmp_path / "roots" / secret
    write(root, "s1", [prompt("s1", 0, f"waxwing {secret}", cwd=f"/home/dev/{secret}")])
    ingest(home, [Root(Agent.CLAUDE_CODE, root)], rules, now=NOW)
    assert count(home, "waxwing") == 1
    held = [path for path in home.root.rglob("*") if path.is_file()]
    assert [path.name for path in held if secret.encode() in path.read_bytes() or secret in str(path)] == []


def test_json_lines_stay_valid_in_the_archive(home: Home, root: Path) -> None:
    path = write(root, "s1", [prompt("s1", 0, 'quote " and\u2028separator')])
    run(home, root)
    path.unlink()
    run(home, root)
    (archived,) = home.archive.rglob("*.jsonl.zst")
    with archived.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
        lines = stream.read().split(b"\n")
    assert [json.loads(line).get("text") for line in lines if line][1] == 'quote " and\u2028separator'
    run(home, root, full=True)
    assert texts(home) == ['quote " and\u2028separator']


def test_a_root_that_is_not_there_says_nothing_of_its_sources(home: Home, root: Path) -> None:
    write(root, "s1", [prompt("s1", 0, "alpha")])
    run(home, root)
    root.rename(root.with_name("away"))
    assert run(home, root).gone == 0
    assert list(home.archive.rglob("*.jsonl.zst")) == []
    assert texts(home) == ["alpha"]
