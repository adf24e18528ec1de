"""Codex rollouts that the real client wrote: every era, whole and in parts."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo_core.transcripts import codex
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import RawSession, RawTurn, Resume, Source

DATA = Path(__file__).parent.parent / "data" / "codex"
CASES = sorted(path.parent.name for path in DATA.glob("*/expected.json"))
PLAIN = sorted(DATA.glob("*/input/**/rollout-*.jsonl"))
PAGINATED = next((DATA / "paginated").rglob("rollout-*"))
_TOLD = ("tool", "files", "edited", "command", "exit_status", "failed", "model", "copied", "abandoned")


def read(path: Path, resume: Resume | None = None) -> list[RawSession | RawTurn | Resume]:
    source = Source(agent=codex.AGENT, path=path, key=str(path), stamp=b"")
    return list(codex.read(source, resume, Report()))


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
    for source in codex.discover(root, report):
        items = list(codex.read(source, None, report))
        turns.update(last_of_each(items))
        for item in items:
            if isinstance(item, RawSession):
                names = item.__struct_fields__[1:]
                known = {name: value for name in names if (value := getattr(item, name))}
                sessions.setdefault(item.native_id, {}).update(known)
    assert report.skipped == []
    assert report.unknown == {}
    ordered = sorted(turns.values(), key=lambda turn: (turn.session, turn.order))
    return {"sessions": sessions, "turns": [told(turn) for turn in ordered]}


@pytest.mark.parametrize("case", CASES)
def test_a_real_home_reads_as_expected(case: str) -> None:
    expected = json.loads((DATA / case / "expected.json").read_text("utf-8"))
    assert everything(DATA / case / "input") == expected


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PLAIN), st.floats(0, 1), st.booleans())
def test_a_file_read_in_two_parts_gives_what_one_reading_gives(
    path: Path, share: float, at_line: bool
) -> None:
    data = path.read_bytes()
    cut = round(share * len(data))
    if at_line:
        cut = data.rfind(b"\n", 0, cut) + 1
    with TemporaryDirectory() as folder:
        alone = Path(folder) / path.name
        alone.write_bytes(data)
        whole = last_of_each(read(alone))
        assert _in_two_parts(alone, data, cut) == whole


def _in_two_parts(growing: Path, data: bytes, cut: int) -> dict[str, RawTurn]:
    growing.write_bytes(data[:cut])
    first = read(growing)
    resume = first[-1] if first and isinstance(first[-1], Resume) else None
    with growing.open("ab") as file:
        file.write(data[cut:])
    return {**last_of_each(first), **last_of_each(read(growing, resume))}


def test_reading_on_from_the_end_gives_nothing_new(tmp_path: Path) -> None:
    path = tmp_path / PAGINATED.name
    path.write_bytes(PAGINATED.read_bytes())
    resume = read(path)[-1]
    assert isinstance(resume, Resume)
    assert resume.offset == path.stat().st_size
    assert last_of_each(read(path, resume)) == {}


def test_a_rewritten_file_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / PAGINATED.name
    path.write_bytes(PAGINATED.read_bytes())
    resume = read(path)[-1]
    assert isinstance(resume, Resume)
    path.write_bytes(path.read_bytes().replace(b"calc.py", b"kalk.py"))
    assert last_of_each(read(path, resume)) == last_of_each(read(path))


def test_turns_of_a_fork_and_of_its_origin_have_the_same_identities() -> None:
    origin, fork = sorted((DATA / "fork-and-rollback/input").rglob("rollout-*"))
    of_origin, of_fork = last_of_each(read(origin)), last_of_each(read(fork))
    copied = {name for name, turn in of_fork.items() if turn.copied}
    own = [turn.text for name, turn in of_fork.items() if name not in copied and turn.kind.value == "prompt"]
    assert copied == of_origin.keys()
    assert own == ["Say hello in the fork"]


def test_a_migrated_rollout_keeps_the_identities_of_its_prompts_and_answers() -> None:
    before = last_of_each(read(next((DATA / "fork-and-rollback/input").rglob("*00-06-56*"))))
    after = last_of_each(read(next((DATA / "migrated/input").rglob("*00-06-56*"))))
    said = {name for name, turn in after.items() if turn.kind.value in ("prompt", "reply", "tool_call")}
    assert said <= before.keys()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "id"]), inner)
    ),
    max_leaves=5,
)


def with_something_else(value: Any, at: int, instead: Any) -> tuple[Any, int]:
    if at == 0:
        return instead, -1
    at -= 1
    if isinstance(value, dict):
        changed: dict[str, Any] = {}
        for key, inner in value.items():
            changed[key], at = with_something_else(inner, at, instead) if at >= 0 else (inner, at)
        return changed, at
    return value, at


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(PLAIN), st.integers(1, 300), st.integers(0, 40), ANYTHING)
def test_a_field_of_any_type_costs_at_most_its_own_line(
    path: Path, number: int, at: int, instead: Any
) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    number = min(number, len(lines) - 1)
    changed, _ = with_something_else(json.loads(lines[number]), at, instead)
    with TemporaryDirectory() as folder:
        odd = Path(folder) / path.name
        odd.write_bytes(
            b"".join([*lines[:number], json.dumps(changed).encode() + b"\n", *lines[number + 1 :]])
        )
        assert isinstance(read(odd)[-1], Resume)
