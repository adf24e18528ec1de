"""What the Status panel shows: what is held of each agent, how large it is, and what to do next."""

from datetime import datetime

import msgspec

from hippo_core.index.values import AgentStatus, Status
from hippo_core.records import times
from hippo_view import wording


class AgentView(msgspec.Struct, frozen=True, kw_only=True):
    """What is held of one agent; `unknown` counts records of types that hippo does not know."""

    agent: str
    sources: int
    gone: int
    sessions: int
    turns: int
    bytes: int
    size: str
    unknown: dict[str, int]


class StatusView(msgspec.Struct, frozen=True, kw_only=True):
    """What the index holds in all; `empty` says what to do when it holds nothing."""

    agents: tuple[AgentView, ...]
    sessions: int
    turns: int
    store_bytes: int
    fulltext_bytes: int
    archive_bytes: int
    index_size: str
    archive_size: str
    ingested: str | None
    when: str
    empty: str


def status_view(status: Status, *, now: datetime) -> StatusView:
    """Agents with anything held, and the sums over them."""
    agents = tuple(_agent(agent) for agent in status.agents if agent.sources or agent.gone or agent.sessions)
    turns = sum(agent.turns for agent in agents)
    return StatusView(
        agents=agents,
        sessions=sum(agent.sessions for agent in agents),
        turns=turns,
        store_bytes=status.store_bytes,
        fulltext_bytes=status.fulltext_bytes,
        archive_bytes=status.archive_bytes,
        index_size=wording.size(status.store_bytes + status.fulltext_bytes),
        archive_size=wording.size(status.archive_bytes),
        ingested=times.of_milliseconds(status.ingested_ms),
        when=wording.when(status.ingested_ms, now),
        empty="" if turns else "nothing is indexed yet; run `hippo ingest`",
    )


def _agent(agent: AgentStatus) -> AgentView:
    return AgentView(
        agent=agent.agent.value,
        sources=agent.sources,
        gone=agent.gone,
        sessions=agent.sessions,
        turns=agent.turns,
        bytes=agent.bytes,
        size=wording.size(agent.bytes),
        unknown=agent.unknown,
    )
