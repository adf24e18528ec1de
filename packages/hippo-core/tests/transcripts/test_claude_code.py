"""Claude Code transcripts that the real client wrote: many versions, whole and in parts."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo_core.errors import DataError
from hippo_core.transcripts import claude_code
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Resume, Source

DATA = Path(__file__).parent.parent / "data" / "claude-code"
CASES = sorted(path.parent.name for path in DATA.glob("*/expected.json"))
RESUMED_IN_PLACE = sorted(
    path
    for path in DATA.glob("*/input/**/*.jsonl")
    if not {"resume-that-copies", "first-versions", "inline-sub-agent"} & set(path.parts)
)
_TOLD = ("tool", "files", "edited", "command", "exit_status", "failed", "model", "copied", "abandoned")
_MOST_READ_AGAIN = 128 * 1024


def read(path: Path, resume: Resume | None = None) -> list[RawSession | RawTurn | Resume]:
    source = Source(agent=claude_code.AGENT, path=path, key=str(path), stamp=b"")
    return list(claude_code.read(source, resume, Report()))


def last_of_each(items: list[RawSession | RawTurn | Resume]) -> dict[str, RawTurn]:
    return {item.identity: item for item in items if isinstance(item, RawTurn)}


def told(turn: RawTurn) -> dict[str, Any]:
    told: dict[str, Any] = {
        "session": turn.session,
        "role": turn.role.value,
        "kind": turn.kind.value,
        "text": turn.text[:100],
    }
    for name in _TOLD:
        value = getattr(turn, name)
        if value or (value == 0 and value is not False):
            told[name] = list(value) if isinstance(value, tuple) else value
    if turn.tokens:
        tokens = turn.tokens
        told["tokens"] = [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write]
    return told


def everything(root: Path) -> dict[str, Any]:
    report = Report()
    sessions: dict[str, dict[str, Any]] = {}
    turns: dict[str, RawTurn] = {}
    for source in claude_code.discover(root, report):
        for item in claude_code.read(source, None, report):
            if isinstance(item, RawTurn):
                known = turns.get(item.identity)
                if known is None or known.copied or not item.copied:
                    turns[item.identity] = item
            elif isinstance(item, RawSession):
                names = item.__struct_fields__[1:]
                facts = {name: value for name in names if (value := getattr(item, name))}
                sessions.setdefault(item.native_id, {}).update(facts)
    assert report.skipped == []
    assert report.unknown == {}
    ordered = sorted(turns.values(), key=lambda turn: (turn.session, turn.order))
    return {"sessions": sessions, "turns": [told(turn) for turn in ordered]}


@pytest.mark.parametrize("case", CASES)
def test_a_real_home_reads_as_expected(case: str) -> None:
    expected = json.loads((DATA / case / "expected.json").read_text("utf-8"))
    assert everything(DATA / case / "input") == expected


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(RESUMED_IN_PLACE), st.floats(0, 1), st.sampled_from([0, 1, 40]))
def test_a_file_read_in_two_parts_gives_what_one_reading_gives(path: Path, share: float, back: int) -> None:
    data = path.read_bytes()
    line_end = data.find(b"\n", round(share * (len(data) - 1))) + 1
    cut = max(0, line_end - back)
    with TemporaryDirectory() as folder:
        growing = Path(folder) / path.name
        growing.write_bytes(data[:cut])
        first = read(growing)
        resume = first[-1] if first and isinstance(first[-1], Resume) else None
        growing.write_bytes(data)
        second = read(growing, resume)
        whole = read(growing)
    assert cut - (resume.offset if resume else 0) <= _MOST_READ_AGAIN
    assert last_of_each(first) | last_of_each(second) == last_of_each(whole)
    assert sessions(first + second) == sessions(whole)


def sessions(items: list[RawSession | RawTurn | Resume]) -> dict[str, dict[str, Any]]:
    known: dict[str, dict[str, Any]] = {}
    for item in items:
        if isinstance(item, RawSession):
            facts = {name: value for name in item.__struct_fields__ if (value := getattr(item, name))}
            known[item.native_id] = facts | known.get(item.native_id, {}) | _titled(facts)
    return known


def _titled(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: facts[name] for name in ("title", "title_rank") if name in facts}


@pytest.mark.parametrize(
    ("case", "original"),
    [
        ("resume-that-copies", "216f132c-087b-469b-b38d-6bfb149b4d9c"),
        ("fork-with-two-ids", "213e32a9-7e57-4e2d-bc7c-74a57dcc62a5"),
        ("fork-without-a-trace", "b6ec668c-1e57-4b85-ac8a-ced7bae697a5"),
        ("rewind-and-branch", "3bab6795-c303-40bd-8eb0-61b2d6907e91"),
        ("first-versions", "849d76a9-7fb8-4b94-b9e3-aa52f4f50a29"),
    ],
)
def test_of_every_copied_turn_one_source_alone_holds_the_original(case: str, original: str) -> None:
    holders: dict[str, list[tuple[str, bool]]] = {}
    for source in claude_code.discover(DATA / case / "input", Report()):
        for turn in last_of_each(read(source.path)).values():
            holders.setdefault(turn.identity, []).append((source.path.stem, turn.copied))
    shared = [held for held in holders.values() if len(held) > 1]
    assert any((original, False) in held for held in shared)
    assert all(sum(not copied for _, copied in held) == 1 for held in shared)


def test_a_rewind_marks_what_it_left_behind_even_when_the_reading_had_passed_it(tmp_path: Path) -> None:
    path = next((DATA / "rewind-and-branch").rglob("3bab6795*.jsonl"))
    data = path.read_bytes()
    growing = tmp_path / path.name
    growing.write_bytes(data[: data.rindex(b"\n", 0, data.index(b"Say hello after rewind")) + 1])
    before = read(growing)
    assert not any(turn.abandoned for turn in last_of_each(before).values())
    growing.write_bytes(data)
    resume = before[-1]
    assert isinstance(resume, Resume)
    after = last_of_each(before) | last_of_each(read(growing, resume))
    left = [turn.text for turn in after.values() if turn.abandoned and turn.kind is Kind.PROMPT]
    assert left == ["Say hello with an edited prompt"]


def test_a_file_that_was_written_anew_is_read_from_its_beginning(tmp_path: Path) -> None:
    path = next((DATA / "sub-agent-file").rglob("f245ffac*.jsonl"))
    growing = tmp_path / path.name
    growing.write_bytes(path.read_bytes())
    resume = read(growing)[-1]
    assert isinstance(resume, Resume)
    other = next((DATA / "spilled-result").rglob("206ce0bd*.jsonl")).read_bytes()
    growing.write_bytes(other)
    assert last_of_each(read(growing, resume)) == last_of_each(read(growing))


def test_a_file_that_cannot_be_opened_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError):
        read(tmp_path / "gone.jsonl")


def test_the_configured_folder_wins_over_the_one_at_home() -> None:
    home = Path("/home/dev")
    assert claude_code.default_roots(home, {}) == (home / ".claude",)
    assert claude_code.default_roots(home, {"CLAUDE_CONFIG_DIR": "/srv/claude"}) == (Path("/srv/claude"),)


@pytest.mark.parametrize("root", [".", "projects", "projects/-home-dev-project"])
def test_a_root_may_be_the_clients_folder_its_projects_or_one_project(tmp_path: Path, root: str) -> None:
    folder = tmp_path / "projects" / "-home-dev-project"
    kept = ["s1.jsonl", "s1/subagents/agent-a1.jsonl", "agent-b2.jsonl"]
    passed_over = ["s1/tool-results/x.jsonl", "memory/m.jsonl", "agent-acompact-1.jsonl", "s1/notes.txt"]
    for name in kept + passed_over:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}\n")
    found = [
        str(source.path.relative_to(folder)) for source in claude_code.discover(tmp_path / root, Report())
    ]
    assert found == ["agent-b2.jsonl", "s1.jsonl", "s1/subagents/agent-a1.jsonl"]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([path for path in RESUMED_IN_PLACE if path.stat().st_size < 40_000]),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=3)), max_size=12),
)
def test_a_damaged_file_is_read_as_far_as_it_goes(path: Path, damage: list[tuple[float, bytes]]) -> None:
    data = bytearray(path.read_bytes())
    for share, replaced in damage:
        place = int(share * len(data))
        data[place : place + len(replaced)] = replaced
    with TemporaryDirectory() as folder:
        damaged = Path(folder) / path.name
        damaged.write_bytes(data)
        for turn in last_of_each(read(damaged)).values():
            "".join((turn.identity, turn.session, turn.text, *turn.files, *turn.edited)).encode("utf-8")
