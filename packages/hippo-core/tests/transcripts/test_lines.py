"""Lines of a file that its agent may be writing."""

import io
import json

from hypothesis import given
from hypothesis import strategies as st

from hippo_core.transcripts import lines
from hippo_core.transcripts.lines import Line, TooLong


def read(data: bytes, start: int = 0) -> list[Line | TooLong]:
    return list(lines.read(io.BytesIO(data), start))


@given(
    st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\n", b" ")), max_size=20), st.booleans()
)
def test_lines_come_back_as_they_were_written(written: list[bytes], closed: bool) -> None:
    data = b"\n".join(written) + (b"\n" if closed and written else b"")
    found = read(data)
    assert b"".join(data[line.start : line.end] for line in found) == data
    assert [line.data for line in found if isinstance(line, Line)] == data.split(b"\n")[: len(found)]


def test_only_a_line_feed_ends_a_line() -> None:
    text = "a\u2028b\u2029c\u0085d\x0be\x0cf"
    assert [line.data.decode() for line in read(text.encode() + b"\n") if isinstance(line, Line)] == [text]


def test_a_last_line_without_a_line_feed_is_not_closed() -> None:
    assert [line.closed for line in read(b"one\ntwo") if isinstance(line, Line)] == [True, False]


def test_reading_on_from_an_offset_gives_the_rest() -> None:
    assert read(b"one\ntwo\n", 4) == [Line(4, 8, b"two", True)]


def test_an_encoded_image_in_a_long_line_is_left_out_and_the_rest_stays_json() -> None:
    image = "iVBORw0KGgo" * 400_000
    record = {"before": "kept\n", "image": image, "after": "jademoor"}
    (line,) = read(json.dumps(record).encode() + b"\n")
    assert isinstance(line, Line)
    kept = json.loads(line.data)
    assert (kept["before"], kept["after"]) == ("kept\n", "jademoor")
    assert len(line.data) < 10_000


def test_a_run_right_after_an_escape_leaves_the_escape_whole() -> None:
    record = json.dumps({"text": "\n" + "A" * 100_000 + "é" + "B" * 100_000}).encode()
    (line,) = read(record)
    assert isinstance(line, Line)
    assert json.loads(line.data)["text"].startswith("\n")


def test_prose_in_a_long_line_is_kept_to_the_letter() -> None:
    text = ("plain words, and a path /usr/lib/x " * 5000).encode()
    assert read(text) == [Line(0, len(text), text, False)]
