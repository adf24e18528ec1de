"""What is typed after options, read into values; what cannot be is a `UserError` that says what can."""

import difflib
from datetime import datetime
from pathlib import Path

from hippo_core.errors import UserError
from hippo_core.ids import Agent
from hippo_core.index.query import time_of
from hippo_core.transcripts.registry import ADAPTERS
from hippo_core.workflows.scanning import Root


def agent(name: str) -> Agent:
    """The agent of this name."""
    try:
        return Agent(name)
    except ValueError as error:
        near = difflib.get_close_matches(name, list(Agent), 1)
        hint = f"did you mean {near[0]}?" if near else f"one of {', '.join(Agent)}"
        raise UserError(f"no agent {name!r}; {hint}") from error


def readable_agent(name: str) -> Agent:
    """The agent of this name, whose transcripts can be read."""
    found = agent(name)
    if found not in ADAPTERS:
        raise UserError(f"transcripts of {found} cannot be read yet")
    return found


def root(written: str, here: Path) -> Root:
    """The folder of transcripts that `AGENT=PATH` names."""
    name, equals, path = written.partition("=")
    if not equals or not path:
        raise UserError(f"--root {written}: write AGENT=PATH, such as codex=/data/codex")
    found = Root(readable_agent(name), here / path)
    if not found.path.exists():
        raise UserError(f"--root {written}: {found.path} is not there")
    return found


def time(written: str | None, option: str, now: datetime) -> int | None:
    """The moment that an option names, in ms since 1970; None when it was left out."""
    if written is None:
        return None
    moment = time_of(written, now)
    if moment is None:
        raise UserError(f"{option} {written}: write 7d, 3h, yesterday or 2026-05-01")
    return moment
