"""A fake secret of every format, in every place of every agent's transcripts: none may reach what hippo wrote."""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from smoke_secrets import NAMED, TOKENS, private_key

from hippo_cli.demo import claude_code, codex, command_code, deepseek, muse_code, opencode
from hippo_cli.demo.pen import Pen
from hippo_cli.demo.steps import Delegation, Edit, Episode, Prompt, Reply, Shell
from hippo_core.ids import Agent
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.redaction.engine import compile_rules
from hippo_core.workflows.ingest import Root, ingest
from hippo_core.workspace.layout import Home

NOW = datetime(2026, 5, 10, tzinfo=UTC)
RULES = compile_rules()
WRITERS = {
    Agent.CLAUDE_CODE: claude_code.write,
    Agent.CODEX: codex.write,
    Agent.OPENCODE: opencode.write,
    Agent.DEEPSEEK_HARNESS: deepseek.write,
    Agent.MUSE_CODE: muse_code.write,
    Agent.COMMAND_CODE: command_code.write,
}


class Planter:
    """Makes fresh secrets, place by place, and remembers each."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)
        self.planted: list[tuple[str, str, str]] = []

    def text(self, place: str) -> str:
        """Words of `place` around a secret of every format, each on a line of its own."""
        lines = [f"{place}first"]
        for kind, make in TOKENS.items():
            lines.append(f"use {self._note(kind, place, make(self._chance))} here")
        for form, make in NAMED:
            lines.append(form.format(self._note(form, place, make(self._chance))))
        key, rows = private_key(self._chance)
        for row in rows:
            self._note("private-key", place, row)
        return "\n".join([*lines, key, f"{place}last"])

    def nested(self, place: str) -> str:
        """The same inside JSON inside JSON."""
        return json.dumps({"outer": json.dumps({"inner": [self.text(place)]})})

    def name(self, place: str) -> str:
        """One token that may stand in a path."""
        return self._note("github", place, next(iter(TOKENS.values()))(self._chance))

    def _note(self, kind: str, place: str, secret: str) -> str:
        self.planted.append((kind, place, secret))
        return secret


def planted(agent: Agent, planter: Planter) -> tuple[Episode, str]:
    steps = (
        Prompt(planter.text("prompt")),
        Reply(planter.text("reply")),
        Shell(f"cat <<X\n{planter.text('toolinput')}\nX", planter.text("tooloutput")),
        Shell("./deploy", planter.text("failure"), status=3),
        Edit(f"src/{planter.name('filepath')}/keys.py", planter.text("before"), planter.nested("nested")),
        Reply("done"),
    )
    within = (Shell("env", planter.text("suboutput")), Reply(planter.text("subreply")))
    episode = Episode(
        agent,
        planter.text("title").replace("\n", " "),
        3.0,
        steps,
        Delegation(planter.text("task"), within, planter.text("report")),
        (Prompt(planter.text("forkprompt")), Reply("ok")),
    )
    return episode, f"/home/dev/{planter.name('cwd')}"


def held(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        yield str(path.relative_to(folder)), path.read_bytes() if path.is_file() else b""


@pytest.mark.parametrize("agent", list(WRITERS), ids=str)
def test_no_planted_secret_reaches_the_home(agent: Agent, tmp_path: Path) -> None:
    planter = Planter(agent)
    episode, project = planted(agent, planter)
    root = tmp_path / planter.name("root")
    WRITERS[agent](root, episode, Pen("planted", NOW), project)
    home = Home.at(tmp_path / "home")
    ingest(home, [Root(agent, root)], RULES, now=NOW)
    everything = list(held(home.root))
    leaks = {
        (kind, place)
        for kind, place, secret in planter.planted
        for name, data in everything
        if secret.encode() in data or json.dumps(secret)[1:-1].encode() in data or secret in name
    }
    assert leaks == set()


@pytest.mark.parametrize("agent", list(WRITERS), ids=str)
def test_the_words_around_planted_secrets_stay_findable(agent: Agent, tmp_path: Path) -> None:
    episode, project = planted(agent, Planter(agent))
    WRITERS[agent](tmp_path / "root", episode, Pen("planted", NOW), project)
    home = Home.at(tmp_path / "home")
    ingest(home, [Root(agent, tmp_path / "root")], RULES, now=NOW)
    with Reader(IndexFiles(home.root)) as index:
        missing = [
            word
            for place in ("prompt", "reply", "toolinput", "tooloutput", "failure")
            for word in (f"{place}first", f"{place}last")
            if not index.search(word, NOW).total
        ]
    assert missing == []
