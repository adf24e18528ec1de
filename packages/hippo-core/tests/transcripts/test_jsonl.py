"""Lines that broke, and what is saved of them."""

import json
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo_core.transcripts import jsonl
from hippo_core.transcripts.adapter import Report

FIRST = b'{"name":"first","text":"a \\" } { b","inner":{"depth":1}}'
SECOND = b'{"name":"second"}'
_DECODE = msgspec.json.Decoder(dict[str, Any]).decode


def read(path: Path, data: bytes) -> tuple[list[tuple[int, str]], list[str]]:
    path.write_bytes(data)
    report = Report()
    found = [
        (record.number, str(record.value.get("name"))) for record in jsonl.records(path, 0, _DECODE, report)
    ]
    return found, [skipped.problem for skipped in report.skipped]


@pytest.mark.parametrize(
    ("line", "names", "lost"),
    [
        (FIRST[:25] + SECOND, ["second"], 1),
        (FIRST + SECOND, ["first", "second"], 0),
        (FIRST + SECOND[:9], ["first"], 1),
        (FIRST[:25] + FIRST + SECOND, ["first", "second"], 1),
        (b"\0" * 40 + FIRST, ["first"], 0),
        (FIRST[:25] + b"\0" * 40 + SECOND, ["second"], 1),
        (b"\xef\xbb\xbf" + FIRST, ["first"], 0),
        (b"{broken", [], 1),
        (b"[]", [], 1),
        (b"null", [], 1),
        (b"   ", [], 0),
        (b"\0\0\0", [], 0),
    ],
)
def test_what_is_whole_on_a_broken_line_is_kept_and_the_line_is_named(
    tmp_path: Path, line: bytes, names: list[str], lost: int
) -> None:
    found, problems = read(tmp_path / "t.jsonl", SECOND + b"\n" + line + b"\n" + SECOND + b"\n")
    assert found == [(1, "second"), *[(2, name) for name in names], (3, "second")]
    assert len(problems) == lost
    assert all("line 2 " in problem for problem in problems)


def test_a_half_written_last_line_is_passed_over_in_silence(tmp_path: Path) -> None:
    assert read(tmp_path / "t.jsonl", SECOND + b"\n" + FIRST[:-3]) == ([(1, "second")], [])


def test_a_whole_last_line_without_its_line_feed_comes_as_not_closed(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(SECOND + b"\n" + FIRST)
    closed = [record.line.closed for record in jsonl.records(path, 0, _DECODE, Report())]
    assert closed == [True, False]


def test_records_that_share_a_line_begin_at_different_bytes(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(FIRST + SECOND + b"\n" + FIRST)
    starts = [record.start for record in jsonl.records(path, 0, _DECODE, Report())]
    assert starts == [0, len(FIRST), len(FIRST) + len(SECOND) + 1]


def test_a_lone_surrogate_becomes_the_replacement_character_and_a_pair_its_character(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"text":"a \\ud83d b \\udcb2 \\ud83c\\udf78 \\\\ud83d"}\n{"text":"\xff"}\n')
    texts = [record.value["text"] for record in jsonl.records(path, 0, _DECODE, Report())]
    assert texts == ["a \ufffd b \ufffd \U0001f378 \\ud83d", "\ufffd"]


@pytest.mark.parametrize(
    "data", [b"{" * 400_000, b'"{' * 200_000, b"}" * 400_000, b"{}" * 20_000, b"\\" * 400_000 + b'"}']
)
def test_no_line_takes_longer_than_its_length_asks(tmp_path: Path, data: bytes) -> None:
    begun = perf_counter()
    read(tmp_path / "t.jsonl", data + b"\n")
    assert perf_counter() - begun < 5


@given(
    st.lists(
        st.dictionaries(st.text(max_size=5), st.one_of(st.integers(), st.text()), min_size=1), max_size=5
    ),
    st.booleans(),
)
def test_records_glued_together_come_apart_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, values: list[dict[str, Any]], ascii_only: bool
) -> None:
    path = tmp_path_factory.mktemp("glued") / "t.jsonl"
    path.write_text("".join(json.dumps(value, ensure_ascii=ascii_only) for value in values) + "\n", "utf-8")
    report = Report()
    assert [record.value for record in jsonl.records(path, 0, _DECODE, report)] == values
    assert report.skipped == []
