"""A program of somebody else's, on the public names alone."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
from transcript_making import prompt, write

from hippo_core.api import Agent, Home, IndexFiles, Reader, Root, compile_rules, ingest
from hippo_view.api import search_view

NOW = datetime(2026, 5, 10, tzinfo=UTC)


def search_as_json(home: Home, words: str) -> bytes:
    """What a window would fetch: one page of hits, ready to draw."""
    with Reader(IndexFiles(home.root)) as index:
        return msgspec.json.encode(search_view(index.search(words, NOW), asked=words, now=NOW))


def test_twenty_lines_make_a_search_of_ones_own(tmp_path: Path) -> None:
    write(tmp_path / "claude", "s1", [prompt("s1", 0, "where is the elephant")])
    home = Home.at(tmp_path / "home")
    ingest(home, [Root(Agent.CLAUDE_CODE, tmp_path / "claude")], compile_rules(), now=NOW)

    page = msgspec.json.decode(search_as_json(home, "elephant"))

    assert [(hit["agent"], hit["who"]) for hit in page["hits"]] == [("claude-code", "you")]
