"""Text made fit to be read, stored and searched."""

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo_core.transcripts.clean import clean


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("plain\ttext\nwith lines", "plain\ttext\nwith lines"),
        ("\x1b[2mdim\x1b[0m and \x1b[38;5;12mblue", "dim and blue"),
        ("\x1b]0;title\x07prompt", "prompt"),
        ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("10%\r20%\rdone\nnext", "done\nnext"),
        ("last\r", "last"),
        ("nul\0 bell\x07 del\x7f", "nul bell del"),
        ("left\x1cright\x0cnext", "left right next"),
        ("high \ud83d low \udcb2", "high \ufffd low \ufffd"),
        ("\u2028 \u202e \uffff caf\u00e9 \U0001f378", "\u2028 \u202e \uffff caf\u00e9 \U0001f378"),
    ],
)
def test_control_codes_go_and_words_stay(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


@given(st.text(st.characters(codec=None)))
def test_clean_text_can_be_written_and_stays_as_it_is(raw: str) -> None:
    once = clean(raw)
    once.encode("utf-8")
    assert clean(once) == once


@pytest.mark.parametrize("part", ["\x1b", "\x1b[", "\x1b]", "a\r", "\r", "\x9b1;", "\0"])
def test_cleaning_takes_time_in_step_with_length(part: str) -> None:
    begun = perf_counter()
    clean(part * 100_000)
    assert perf_counter() - begun < 3
