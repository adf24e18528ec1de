"""DeepSeek Harness logs that the real client wrote: every format, whole and in parts."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo_core.transcripts import deepseek
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import RawSession, RawTurn, Resume, Source

DATA = Path(__file__).parent.parent / "data" / "deepseek"
CASES = sorted(path.parent.name for path in DATA.glob("*/expected.json"))
PLAIN = sorted(DATA.glob("*/input/**/session*.jsonl"))
TORN = DATA / "torn/input/session.v4.jsonl.zstd"
_TOLD = ("tool", "files", "edited", "command", "exit_status", "failed", "model", "copied", "abandoned")


def read(path: Path, resume: Resume | None = None) -> list[RawSession | RawTurn | Resume]:
    source = Source(agent=deepseek.AGENT, path=path, key=str(path), stamp=b"")
    return list(deepseek.read(source, resume, Report()))


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
    for source in deepseek.discover(root, report):
        items = list(deepseek.read(source, None, report))
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


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1))
def test_a_log_cut_anywhere_gives_the_turns_before_the_cut(share: float) -> None:
    data = TORN.read_bytes()
    whole = [turn for turn in read(TORN) if isinstance(turn, RawTurn)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / TORN.name
        path.write_bytes(data[: max(400, round(share * len(data)))])
        cut = [turn for turn in read(path) if isinstance(turn, RawTurn)]
    assert cut == whole[: len(cut)]
    assert share < 1 or cut == whole


def test_a_log_of_several_frames_gives_no_way_back() -> None:
    assert not any(isinstance(item, Resume) for item in read(TORN))


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
