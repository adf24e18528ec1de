"""What a person types becomes words, phrases and filters, and is never an error."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo_core.index import query
from hippo_core.index.query import Term

NOW = datetime(2026, 5, 10, 12, 0, tzinfo=UTC)
DAY_MS = 86_400_000


def ms(*date: int) -> int:
    return int(datetime(*date, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type, misc]


def test_words_apart_are_terms_of_their_own() -> None:
    assert query.parse("Total tax", NOW).terms == (Term(("total",)), Term(("tax",)))


def test_what_stands_without_a_space_stays_together() -> None:
    assert query.parse("parse_http(x)", NOW).terms == (Term(("parse", "http", "x")),)


def test_a_phrase_in_quotes_is_one_term() -> None:
    assert query.parse('"include tax" now', NOW).terms == (Term(("include", "tax")), Term(("now",)))


def test_a_star_makes_the_last_word_a_beginning() -> None:
    assert query.parse("get_us*", NOW).terms == (Term(("get", "us"), prefix=True),)


def test_known_filters_narrow_and_unknown_ones_are_words() -> None:
    asked = query.parse("agent:codex file:src/x.py colour:red", NOW)
    assert asked.filters == (("agent", "codex"), ("file", "src/x.py"))
    assert asked.terms == (Term(("colour", "red")),)


@pytest.mark.parametrize(
    ("typed", "since"),
    [
        ("7d", ms(2026, 5, 3, 12)),
        ("2h", ms(2026, 5, 10, 10)),
        ("yesterday", ms(2026, 5, 9)),
        ("2026-05-01", ms(2026, 5, 1)),
        ("2026-04", ms(2026, 4, 1)),
        ("2026-05-01T10:00:00Z", ms(2026, 5, 1, 10)),
    ],
)
def test_since_takes_times_in_plain_words(typed: str, since: int) -> None:
    assert query.parse(f"since:{typed}", NOW).since_ms == since


def test_until_a_day_means_through_its_end() -> None:
    assert query.parse("until:2026-05-01", NOW).until_ms == ms(2026, 5, 2) - 1


def test_a_time_that_is_none_is_named_and_narrows_nothing() -> None:
    asked = query.parse("since:soon tax", NOW)
    assert asked.since_ms is None
    assert asked.problems == ("since:soon is not a time; write 7d, 3h, yesterday or 2026-05-01",)


def test_chinese_and_japanese_are_searched_by_character() -> None:
    assert query.parse("日本語", NOW).terms == (Term(("日", "本", "語")),)


@given(st.text(max_size=200))
def test_nothing_typed_is_an_error(typed: str) -> None:
    asked = query.parse(typed, NOW)
    assert all(term.words for term in asked.terms)


@given(
    st.sampled_from(['"', ":", "AND", "NOT", "(", "*", "since:", "agent:", "\\", "-", "a"]).flatmap(
        lambda part: st.lists(st.just(part) | st.sampled_from(['"', ":", " ", "x"]), max_size=30)
    )
)
def test_odd_punctuation_is_never_an_error(parts: list[str]) -> None:
    query.parse("".join(parts), NOW)
