"""The synthetic history reads like what the agents themselves write."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippo_cli.demo import history, steps, story, tour
from hippo_core.ids import Agent
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Role
from hippo_core.transcripts.registry import ADAPTERS

NOW = datetime(2026, 5, 4, 18, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def roots(home: Path) -> dict[Agent, Path]:
    return history.write(home, NOW)


def items(agent: Agent, root: Path, report: Report) -> Iterator[RawSession | RawTurn]:
    adapter = ADAPTERS[agent]
    for source in adapter.discover(root, report):
        for item in adapter.read(source, None, report):
            if isinstance(item, RawSession | RawTurn):
                yield item


def turns(agent: Agent, root: Path) -> list[RawTurn]:
    return [item for item in items(agent, root, Report()) if isinstance(item, RawTurn)]


def sessions(agent: Agent, root: Path) -> list[RawSession]:
    return [item for item in items(agent, root, Report()) if isinstance(item, RawSession)]


def prompts_told(agent: Agent) -> set[str]:
    return {
        step.text
        for episode in story.episodes()
        if episode.agent == agent
        for step in (*episode.steps, *episode.fork)
        if isinstance(step, steps.Prompt)
    }


def test_every_agent_has_a_part_in_the_story(roots: dict[Agent, Path]) -> None:
    assert set(roots) == set(Agent)
    assert all(root.is_dir() for root in roots.values())


def test_every_root_is_where_its_agent_keeps_transcripts(roots: dict[Agent, Path], home: Path) -> None:
    for agent, adapter in ADAPTERS.items():
        assert roots[agent] in adapter.default_roots(home, {})


@pytest.mark.parametrize("agent", list(Agent))
def test_a_history_is_read_without_a_problem_or_an_unknown_record(
    agent: Agent, roots: dict[Agent, Path]
) -> None:
    report = Report()

    assert list(items(agent, roots[agent], report))
    assert (report.unknown, report.skipped) == ({}, [])


@pytest.mark.parametrize("agent", list(Agent))
def test_the_prompts_are_what_the_story_lets_the_person_say(agent: Agent, roots: dict[Agent, Path]) -> None:
    said = {turn.text for turn in turns(agent, roots[agent]) if turn.kind is Kind.PROMPT}

    assert said == prompts_told(agent)


@pytest.mark.parametrize("agent", list(Agent))
def test_every_session_ran_in_the_project_within_the_week_before(
    agent: Agent, roots: dict[Agent, Path]
) -> None:
    times = [turn.time_ms for turn in turns(agent, roots[agent]) if turn.time_ms is not None]

    assert {session.cwd for session in sessions(agent, roots[agent])} - {None} == {story.PROJECT}
    assert all(0 < NOW.timestamp() * 1000 - time < 7 * 86_400_000 for time in times)
    assert times


@pytest.mark.parametrize("agent", list(Agent))
def test_commands_keep_their_exit_status_and_edits_their_file(agent: Agent, roots: dict[Agent, Path]) -> None:
    read = turns(agent, roots[agent])
    failing = any(
        isinstance(step, steps.Shell) and step.status
        for episode in story.episodes()
        if episode.agent == agent
        for step in episode.steps
    )
    edits = any(
        isinstance(step, steps.Edit)
        for episode in story.episodes()
        if episode.agent == agent
        for step in episode.steps
    )

    assert any(turn.exit_status == 1 for turn in read) == failing
    assert any(turn.edited for turn in read) == edits


def test_the_fork_copies_the_session_and_goes_on_alone(roots: dict[Agent, Path]) -> None:
    agent = Agent.CLAUDE_CODE
    forks = {
        session.native_id for session in sessions(agent, roots[agent]) if session.forked_from is not None
    }
    of_fork = [turn for turn in turns(agent, roots[agent]) if turn.session in forks]
    others = {turn.identity for turn in turns(agent, roots[agent]) if turn.session not in forks}

    assert len(forks) == 1
    assert {turn.identity for turn in of_fork if turn.copied} < others
    assert [turn.text for turn in of_fork if turn.role is Role.USER and not turn.copied] == [
        "On this copy try zoneinfo for the harbour at Saint-Malo, whose file is in local time."
    ]


def test_the_sub_agent_has_a_session_of_its_own(roots: dict[Agent, Path]) -> None:
    agent = Agent.CLAUDE_CODE
    children = [session for session in sessions(agent, roots[agent]) if session.parent is not None]
    own = [turn for turn in turns(agent, roots[agent]) if turn.session == children[0].native_id]

    assert len(children) == 1
    assert (own[0].role, own[0].kind) == (Role.USER, Kind.DELEGATED)


def test_the_secret_stands_in_a_transcript_but_in_no_source_file(roots: dict[Agent, Path]) -> None:
    token = story.fake_token()
    written = [path.read_text("utf-8") for path in roots[Agent.CLAUDE_CODE].rglob("*.jsonl")]
    sources = Path(story.__file__).parent.glob("*.py")

    assert any(token in text for text in written)
    assert not any(token in path.read_text("utf-8") for path in sources)


def test_the_database_has_its_rows_in_the_log_of_a_live_writer(
    roots: dict[Agent, Path], tmp_path: Path
) -> None:
    root = roots[Agent.OPENCODE]
    assert sorted(path.name for path in root.iterdir()) == ["opencode.db", "opencode.db-wal"]

    copy = tmp_path / "copy.db"
    copy.write_bytes((root / "opencode.db").read_bytes())
    Path(f"{copy}-wal").write_bytes((root / "opencode.db-wal").read_bytes())
    connection = sqlite3.connect(copy)
    try:
        found = connection.execute("SELECT count(*), count(parent_id) FROM session").fetchone()
    finally:
        connection.close()
    assert found == (2, 1)


def test_equal_times_give_equal_histories(tmp_path: Path) -> None:
    first, second = history.write(tmp_path / "a", NOW), history.write(tmp_path / "b", NOW)

    for agent in Agent:
        if agent != Agent.OPENCODE:
            assert contents(first[agent]) == contents(second[agent])


def contents(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }


def test_the_tour_finds_the_fix_and_keeps_the_secret_off_the_disk(tmp_path: Path) -> None:
    told = "\n".join(tour.walk(tmp_path, NOW))
    secrets = (story.fake_token(), story.fake_address())
    written = [path for path in (tmp_path / "hippo").rglob("*") if path.is_file()]

    assert "9 sessions" in told
    assert "github-token" in told
    assert "High water is an hour off after the clock change" in told
    assert "Did you mean 'changelog'?" in told
    assert "it stands in none of them" in told
    assert not [secret for secret in secrets if secret in told]
    assert written
    assert not [path for path in written for secret in secrets if secret.encode() in path.read_bytes()]


def run_demo(scratch: Path, *arguments: str) -> str:
    code = "from hippo_cli.main import main; main()"
    environment = {"HOME": str(scratch / "nobody"), "TMPDIR": str(scratch)}
    argv = [sys.executable, "-c", code, "demo", *arguments]
    return subprocess.run(argv, env=environment, check=True, capture_output=True, text=True).stdout


def test_the_demo_removes_its_scratch_place_and_touches_no_home(tmp_path: Path) -> None:
    told = run_demo(tmp_path)

    assert told.endswith("The scratch place is removed again.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_kept_demo_says_where_it_lies(tmp_path: Path) -> None:
    told = run_demo(tmp_path, "--keep")
    (kept,) = tmp_path.iterdir()

    assert told.endswith(f"Everything is left in {kept}\n")
    assert (kept / "hippo" / "index.sqlite").exists()
