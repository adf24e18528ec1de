"""Writes the synthetic history of all six agents, each in the format that the agent itself writes."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from hippo_cli.demo import claude_code, codex, command_code, deepseek, muse_code, opencode, story
from hippo_cli.demo.pen import Pen
from hippo_cli.demo.steps import Episode
from hippo_core.ids import Agent

_Writer = Callable[[Path, Episode, Pen, str], None]
_WRITERS: Final[Mapping[Agent, tuple[str, _Writer]]] = {
    Agent.CLAUDE_CODE: (".claude", claude_code.write),
    Agent.CODEX: (".codex", codex.write),
    Agent.OPENCODE: (".local/share/opencode", opencode.write),
    Agent.DEEPSEEK_HARNESS: (".dsh", deepseek.write),
    Agent.MUSE_CODE: (".local/share/muse", muse_code.write),
    Agent.COMMAND_CODE: (".commandcode", command_code.write),
}


def write(folder: Path, now: datetime) -> dict[Agent, Path]:
    """Write the story below `folder`, its last session shortly before `now`; returns the root of each agent."""
    roots = {agent: folder / place for agent, (place, _) in _WRITERS.items()}
    for episode in story.episodes():
        _, writer = _WRITERS[episode.agent]
        pen = Pen(episode.title, now - timedelta(hours=episode.hours_ago))
        writer(roots[episode.agent], episode, pen, story.PROJECT)
    return roots
