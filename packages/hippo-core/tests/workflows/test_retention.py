"""What the first ingest says about transcripts that their agents will delete."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from transcript_making import prompt, write

from hippo_core.ids import Agent
from hippo_core.workflows import retention
from hippo_core.workflows.scanning import Root

NOW = datetime(2026, 5, 10, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Root:
    for name, days in (("young", 2), ("old", 29)):
        path = write(tmp_path, name, [prompt(name, 0, "hello")])
        changed = (NOW - timedelta(days=days)).timestamp()
        os.utime(path, (changed, changed))
    return Root(Agent.CLAUDE_CODE, tmp_path)


def test_without_a_setting_the_agents_default_and_the_oldest_file_are_told(root: Root) -> None:
    (kept,) = retention.of_roots([root])

    assert (kept.days, kept.is_set, kept.transcripts) == (30, False, 2)
    assert retention.sentence(kept, NOW) == (
        "claude-code deletes transcripts after 30 days (its default; cleanupPeriodDays changes it); "
        f"the oldest of 2 in {root.path} last changed 29 days ago"
    )


def test_the_persons_setting_is_told_and_the_local_file_wins(root: Root) -> None:
    (root.path / "settings.json").write_text('{"cleanupPeriodDays": 99999}')
    (root.path / "settings.local.json").write_text('{"cleanupPeriodDays": 1}')

    (kept,) = retention.of_roots([root])

    assert (kept.days, kept.is_set) == (1, True)
    assert "after 1 day (cleanupPeriodDays in its settings)" in retention.sentence(kept, NOW)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"cleanupPeriodDays": "7"}', '{"cleanupPeriodDays": true}', "\xff"]
)
def test_settings_that_say_nothing_leave_the_default(root: Root, text: str) -> None:
    (root.path / "settings.json").write_bytes(text.encode("latin-1"))

    assert [(kept.days, kept.is_set) for kept in retention.of_roots([root])] == [(30, False)]


def test_a_root_without_transcripts_is_not_spoken_of(tmp_path: Path) -> None:
    assert retention.of_roots([Root(Agent.CODEX, tmp_path), Root(Agent.CODEX, tmp_path / "absent")]) == []


def test_an_agent_that_keeps_its_transcripts_is_told_after_those_that_delete(
    root: Root, tmp_path: Path
) -> None:
    rollout = (
        tmp_path / "codex" / "sessions" / "2026" / "05" / "01" / "rollout-2026-05-01T09-00-00-0a000000.jsonl"
    )
    rollout.parent.mkdir(parents=True)
    rollout.write_text("{}\n")

    found = retention.of_roots([Root(Agent.CODEX, tmp_path / "codex"), root])

    assert [kept.agent for kept in found] == [Agent.CLAUDE_CODE, Agent.CODEX]
    assert retention.sentence(found[1], NOW).startswith("codex keeps its transcripts; ")
