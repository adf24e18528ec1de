"""What the Search panel shows: one page of hits, or why there are none."""

from datetime import datetime
from typing import Final, Literal

import msgspec

from hippo_core.index.values import Found, Hit
from hippo_core.records import times
from hippo_core.transcripts.model import Kind
from hippo_view import wording

State = Literal["found", "nothing"]
WHO: Final = {
    Kind.PROMPT: "you",
    Kind.REPLY: "agent",
    Kind.TOOL_CALL: "runs",
    Kind.TOOL_RESULT: "tool",
    Kind.INJECTED: "harness",
    Kind.SUMMARY: "summary",
    Kind.INTERRUPT: "you stopped it",
    Kind.REJECTION: "you said no",
    Kind.DELEGATED: "delegated",
    Kind.NOTICE: "notice",
}


class HitView(msgspec.Struct, frozen=True, kw_only=True):
    """One hit. `target` is what `hippo show` takes; `marks` are the [start, end) of the found words in `snippet`."""

    uid: str
    session: str
    position: int
    target: str
    agent: str
    role: str
    kind: str
    who: str
    tool: str | None
    cwd: str | None
    project: str
    title: str
    time: str | None
    when: str
    score: float
    snippet: str
    marks: tuple[tuple[int, int], ...]


class SearchView(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a search: `lead` is the line that sums it up, `suggestion` the query to try instead."""

    state: State
    asked: str
    lead: str
    hits: tuple[HitView, ...]
    total: int
    page: int
    pages: int
    any_word: bool
    suggestion: str | None
    problems: tuple[str, ...]


def search_view(found: Found, *, asked: str, now: datetime, page: int = 1, page_size: int = 10) -> SearchView:
    """The page that `found` is; `page` counts from 1."""
    return SearchView(
        state="found" if found.hits else "nothing",
        asked=asked,
        lead=_lead(found, asked, page),
        hits=tuple(_hit(hit, now) for hit in found.hits),
        total=found.total,
        page=page,
        pages=-(-found.total // page_size),
        any_word=found.any_word,
        suggestion=found.suggestion,
        problems=found.problems,
    )


def _lead(found: Found, asked: str, page: int) -> str:
    if not asked.strip():
        return "type words to search for"
    if not found.hits and found.total:
        return f"page {page} is past the last of {wording.counted(found.total, 'turn')}"
    if not found.hits:
        return f"no turn matches {asked}"
    if found.any_word:
        return f"no turn has every word; {wording.counted(found.total, 'turn')} with any word"
    return wording.counted(found.total, "turn")


def _hit(hit: Hit, now: datetime) -> HitView:
    return HitView(
        uid=hit.uid,
        session=hit.session,
        position=hit.position,
        target=f"{hit.session}:{hit.position}",
        agent=hit.agent.value,
        role=hit.role.value,
        kind=hit.kind.value,
        who=WHO[hit.kind],
        tool=hit.tool,
        cwd=hit.cwd,
        project=wording.project(hit.cwd),
        title=hit.title,
        time=times.of_milliseconds(hit.time_ms),
        when=wording.when(hit.time_ms, now),
        score=round(hit.score, 4),
        snippet=hit.snippet,
        marks=hit.marks,
    )
