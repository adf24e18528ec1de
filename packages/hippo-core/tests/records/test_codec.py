"""Records to bytes and back."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo_core.errors import DataError
from hippo_core.records import codec
from hippo_core.records.wire import SessionEvent, SessionRecord

GOLDEN = Path(__file__).parent.parent / "data" / "records" / "session-1.json"
HERE = Path("0123456789abcdef.json")
PLAIN = SessionRecord(id="0123456789abcdef", agent="codex", origin="derived")

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
records = st.builds(
    SessionRecord,
    id=texts,
    agent=texts,
    origin=st.sampled_from(["declared", "derived"]),
    reason=texts,
    task=texts,
    context_bytes=st.integers(0, 2**53),
    notes=st.lists(texts, max_size=3).map(tuple),
    handoff=texts,
    started=st.none() | texts,
    ended=st.none() | texts,
    parent=st.none() | texts,
    cwd=texts,
    extra=st.dictionaries(
        texts.filter(lambda key: key not in SessionRecord.__struct_fields__ or key == "extra").filter(
            lambda key: key != "format"
        ),
        values,
        max_size=3,
    ),
)


def test_the_first_published_shape_decodes_and_is_written_back_to_the_byte() -> None:
    data = GOLDEN.read_bytes()
    record = codec.decode_session(data, GOLDEN)
    assert record.task == "Write the parser"
    assert record.notes == ("parser.md", "ways/tests.md")
    assert record.extra == {"mood": {"calm": True}}
    assert codec.encode_session(record) == data


@given(records)
def test_a_record_survives_the_way_to_disk_and_back(record: SessionRecord) -> None:
    data = codec.encode_session(record)
    assert codec.decode_session(data, HERE) == record
    assert codec.encode_session(codec.decode_session(data, HERE)) == data
    assert data.endswith(b"}\n")


def test_a_field_of_the_name_that_holds_unknown_fields_is_unknown_itself() -> None:
    data = codec.encode_session(PLAIN)[:-3] + b',"extra":{"a":1}}\n'
    assert codec.decode_session(data, HERE).extra == {"extra": {"a": 1}}


def test_a_newer_format_is_refused_with_what_can_be_read() -> None:
    data = codec.encode_session(PLAIN).replace(b"session/1", b"session/2")
    with pytest.raises(
        DataError, match=r"0123456789abcdef.json: its format is not one .* \(hippo.session/1\)"
    ):
        codec.decode_session(data, HERE)


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{", b"\xff", b"{}", b'{"format":1}', b'{"format":"hippo.session/1"}', b"[" * 100_000],
)
def test_what_is_no_record_is_a_data_error_that_names_the_file(data: bytes) -> None:
    with pytest.raises(DataError, match="0123456789abcdef.json"):
        codec.decode_session(data, HERE)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_record_or_a_data_error(data: bytes) -> None:
    with pytest.raises(DataError):
        codec.decode_session(data, HERE)


def test_an_event_is_one_line_even_when_its_task_is_many() -> None:
    event = SessionEvent(
        event="start", session="0123456789abcdef", agent="codex", time="t", task="a\nb\u2028c"
    )
    data = codec.encode_event(event)
    assert data.count(b"\n") == 1
    assert msgspec.json.decode(data, type=SessionEvent) == event
