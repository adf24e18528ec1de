"""What a search finds in a real index."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from index_making import build, turn

from hippo_core.errors import UserError
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.index.store import Store
from hippo_core.transcripts.model import Kind, RawSession, Role

NOW = datetime(2026, 5, 10, tzinfo=UTC)


@pytest.fixture
def files(tmp_path: Path) -> IndexFiles:
    return build(
        tmp_path,
        (
            "one",
            [
                RawSession(native_id="s1", cwd="/home/dev/shop", title="Tax"),
                turn("a", "The total in calc.py should include tax", 1),
                turn("b", "parseHTTPResponse now retries", 2, role=Role.ASSISTANT, kind=Kind.REPLY),
                turn("c", "日本語のテキスト", 3),
                turn(
                    "d",
                    "tax tax tax: get_user_name failed",
                    4,
                    role=Role.TOOL,
                    kind=Kind.TOOL_RESULT,
                    tool="Bash",
                    files=("/home/dev/shop/src/calc.py",),
                ),
            ],
        ),
        (
            "two",
            [
                RawSession(native_id="s2", cwd="/home/dev/other"),
                turn("e", "include this in the total", 1, session="s2", time_ms=1_600_000_000_000),
            ],
        ),
    )


def found(files: IndexFiles, typed: str) -> list[str]:
    with Reader(files) as index:
        return [hit.snippet for hit in index.search(typed, NOW).hits]


def test_every_word_must_stand_in_the_turn(files: IndexFiles) -> None:
    assert found(files, "total tax") == ["The total in calc.py should include tax"]


def test_the_best_match_comes_first(files: IndexFiles) -> None:
    assert found(files, "tax")[0].startswith("tax tax tax")


def test_a_phrase_is_found_only_as_it_stands(files: IndexFiles) -> None:
    assert found(files, '"include tax"') == ["The total in calc.py should include tax"]


def test_a_part_of_a_camel_case_identifier_finds_it(files: IndexFiles) -> None:
    assert found(files, "http response") == ["parseHTTPResponse now retries"]


def test_a_whole_identifier_finds_it(files: IndexFiles) -> None:
    assert found(files, "parseHTTPResponse") == ["parseHTTPResponse now retries"]
    assert found(files, "get_user_name") == ["tax tax tax: get_user_name failed"]


def test_a_beginning_with_a_star_finds_the_word(files: IndexFiles) -> None:
    assert found(files, "retri*") == ["parseHTTPResponse now retries"]


def test_chinese_and_japanese_are_found_without_spaces(files: IndexFiles) -> None:
    assert found(files, "本語") == ["日本語のテキスト"]


@pytest.mark.parametrize(
    ("narrowed", "count"),
    [
        ("tax role:tool", 1),
        ("tax kind:prompt", 1),
        ("tax tool:bash", 1),
        ("file:calc.py", 1),
        ("total project:other", 1),
        ("total session:s2", 1),
        ("total since:2021-01-01", 1),
        ("total until:2021-01-01", 1),
        ("total agent:codex", 2),
        ("total agent:opencode", 0),
        ("total session:nothing", 0),
    ],
)
def test_filters_narrow(files: IndexFiles, narrowed: str, count: int) -> None:
    with Reader(files) as index:
        assert index.search(narrowed, NOW).total == count


def test_with_no_turn_that_has_every_word_those_with_any_are_shown_and_said_so(files: IndexFiles) -> None:
    with Reader(files) as index:
        answer = index.search("retries absent", NOW)
    assert answer.any_word
    assert [hit.snippet for hit in answer.hits] == ["parseHTTPResponse now retries"]


def test_a_typing_error_is_put_right_when_nothing_matches(files: IndexFiles) -> None:
    with Reader(files) as index:
        assert index.search("retreis", NOW).suggestion == "retries"


def test_marks_show_where_the_words_stand(files: IndexFiles) -> None:
    with Reader(files) as index:
        (hit,) = index.search("total tax", NOW).hits
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["total", "tax"]


def test_a_hit_names_its_place_in_the_session(files: IndexFiles) -> None:
    with Reader(files) as index:
        (hit,) = index.search("retries", NOW).hits
        turns = index.turns(hit.session)
    assert turns[hit.position - 1].uid == hit.uid


def test_pages_go_on_where_the_last_one_ended(files: IndexFiles) -> None:
    with Reader(files) as index:
        first = index.search("total", NOW, limit=1)
        second = index.search("total", NOW, limit=1, offset=1)
    assert first.total == second.total == 2
    assert first.hits[0].uid != second.hits[0].uid


def test_a_session_is_found_by_the_beginning_of_its_id(files: IndexFiles) -> None:
    with Reader(files) as index:
        (session,) = (one for one in index.sessions() if one.native_id == "s2")
        assert index.find_session(session.id[:6]) == session
        assert index.find_session("s2") == session


def test_a_name_of_several_sessions_is_refused_with_their_ids(files: IndexFiles) -> None:
    with Reader(files) as index, pytest.raises(UserError, match="several sessions"):
        index.find_session("s")


def test_a_title_falls_back_to_the_first_prompt(files: IndexFiles) -> None:
    with Reader(files) as index:
        titles = {session.native_id: session.title for session in index.sessions()}
    assert titles == {"s1": "Tax", "s2": "include this in the total"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
@given(st.text(max_size=60))
def test_no_query_is_an_error(files: IndexFiles, typed: str) -> None:
    with Reader(files) as index:
        index.search(typed, NOW)


def test_before_the_first_commit_nothing_is_found_and_the_reason_is_said(tmp_path: Path) -> None:
    files = IndexFiles(tmp_path)
    store = Store(files.store)
    with Reader(files) as index:
        answer = index.search("total", NOW)
    store.close()
    assert (answer.total, len(answer.problems)) == (0, 1)
