"""What windows are given: every field worked out, JSON-able, the same for the same values."""

from datetime import UTC, datetime

import msgspec
import pytest

from hippo_core.ids import Agent, SessionId, TurnUid
from hippo_core.index.values import AgentStatus, Found, Hit, Session, Status, Turn
from hippo_core.transcripts.model import Kind, Role
from hippo_view import wording
from hippo_view.api import SearchView, SessionView, search_view, session_view, sessions_view, status_view

NOW = datetime(2026, 5, 10, 12, 0, tzinfo=UTC)
START_MS = int(datetime(2026, 5, 10, 9, 30, tzinfo=UTC).timestamp() * 1000)
SESSION = Session(
    id=SessionId("0123456789abcdef"),
    agent=Agent.CODEX,
    native_id="native",
    cwd="/home/dev/project/",
    parent=None,
    forked_from=None,
    title="Mend the parser",
    branch="main",
    started_ms=START_MS,
    ended_ms=None,
    turns=5,
)
HIT = Hit(
    uid=TurnUid("u"),
    session=SESSION.id,
    position=3,
    agent=Agent.CODEX,
    role=Role.TOOL,
    kind=Kind.TOOL_RESULT,
    time_ms=START_MS,
    cwd="/home/dev/project",
    tool="shell",
    title="Mend the parser",
    score=1.23456,
    snippet="a brace",
    marks=((2, 7),),
)


def turn(position: int, **more: object) -> Turn:
    fields: dict[str, object] = {
        "uid": TurnUid(f"u{position}"),
        "position": position,
        "time_ms": START_MS,
        "role": Role.TOOL,
        "kind": Kind.TOOL_RESULT,
        "text": f"text {position}",
        "tool": "shell",
        "call": None,
        "files": (),
        "edited": (),
        "command": "make",
        "exit_status": None,
        "failed": False,
        "copied": False,
        "abandoned": False,
        "model": None,
        "tokens": None,
        **more,
    }
    return Turn(**fields)  # type: ignore[arg-type]


TURNS = [turn(position) for position in range(1, 6)]


def test_a_hit_names_what_opens_it_and_who_said_it() -> None:
    view = search_view(Found(hits=(HIT,), total=21), asked="brace", now=NOW, page=2)

    (hit,) = view.hits
    assert (hit.target, hit.who, hit.project) == ("0123456789abcdef:3", "tool", "project")
    assert (hit.when, hit.time) == ("today 09:30", "2026-05-10T09:30:00.000Z")
    assert (view.state, view.lead, view.page, view.pages) == ("found", "21 turns", 2, 3)


@pytest.mark.parametrize(
    ("found", "lead"),
    [
        (Found(hits=(), total=0), "no turn matches brace"),
        (Found(hits=(), total=3), "page 1 is past the last of 3 turns"),
        (Found(hits=(HIT,), total=1, any_word=True), "no turn has every word; 1 turn with any word"),
    ],
)
def test_why_a_page_is_as_it_is_stands_in_one_line(found: Found, lead: str) -> None:
    assert search_view(found, asked="brace", now=NOW).lead == lead


def test_a_session_is_shown_whole_or_around_a_turn() -> None:
    whole = session_view(SESSION, TURNS, now=NOW)
    around = session_view(SESSION, TURNS, now=NOW, at=4, context=1)

    assert [each.position for each in whole.turns] == [1, 2, 3, 4, 5]
    assert ([each.position for each in around.turns], around.before, around.after) == ([3, 4, 5], 2, 0)


def test_a_call_that_ended_badly_says_how() -> None:
    turns = [turn(1, exit_status=2), turn(2, failed=True), turn(3, exit_status=0)]

    assert [each.outcome for each in session_view(SESSION, turns, now=NOW).turns] == ["exit 2", "failed", ""]


def test_one_session_more_than_a_page_means_that_there_is_a_next() -> None:
    view = sessions_view([SESSION, SESSION, SESSION], now=NOW, page_size=2)

    assert (len(view.rows), view.more, view.empty) == (2, True, "")
    assert sessions_view([], now=NOW).empty == "no sessions here"
    assert sessions_view([], now=NOW, page=2).empty == "no more sessions"


def test_status_leaves_out_agents_of_which_nothing_is_held() -> None:
    held = AgentStatus(agent=Agent.CODEX, sources=2, gone=1, sessions=2, turns=9, bytes=2500, unknown={})
    none = AgentStatus(agent=Agent.OPENCODE, sources=0, gone=0, sessions=0, turns=0, bytes=0, unknown={})
    status = Status(
        agents=(held, none), store_bytes=1000, fulltext_bytes=500, archive_bytes=0, ingested_ms=START_MS
    )

    view = status_view(status, now=NOW)

    assert [(agent.agent, agent.size) for agent in view.agents] == [("codex", "2.5 kB")]
    assert (view.sessions, view.turns, view.index_size, view.empty) == (2, 9, "1.5 kB", "")


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        (datetime(2026, 5, 10, 9, 5, tzinfo=UTC), "today 09:05"),
        (datetime(2026, 5, 9, 23, 59, tzinfo=UTC), "yesterday 23:59"),
        (datetime(2026, 1, 2, 3, 4, tzinfo=UTC), "2 Jan 03:04"),
        (datetime(2024, 1, 2, 3, 4, tzinfo=UTC), "2 Jan 2024"),
    ],
)
def test_a_time_is_told_as_seen_from_now(moment: datetime, told: str) -> None:
    assert wording.when(int(moment.timestamp() * 1000), NOW) == told


@pytest.mark.parametrize("time_ms", [None, 10**18, -(10**18)])
def test_no_time_and_an_impossible_one_are_told_as_nothing(time_ms: int | None) -> None:
    assert wording.when(time_ms, NOW) == ""


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (9_960, "10 kB"),
        (999_600, "1.0 MB"),
        (5 * 10**15, "5000 TB"),
    ],
)
def test_a_size_is_told_in_the_unit_that_suits_it(count: int, told: str) -> None:
    assert wording.size(count) == told


def test_views_are_json_and_come_back_from_it() -> None:
    search = search_view(Found(hits=(HIT,), total=1), asked="brace", now=NOW)
    session = session_view(SESSION, TURNS, now=NOW)

    assert msgspec.json.decode(msgspec.json.encode(search), type=SearchView) == search
    assert msgspec.json.decode(msgspec.json.encode(session), type=SessionView) == session
