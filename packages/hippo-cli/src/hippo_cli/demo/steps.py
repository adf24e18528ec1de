"""What happens in a session, before any agent's format: the steps that each writer puts down in its own way."""

from dataclasses import dataclass

from hippo_core.ids import Agent


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the person typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What the agent answered."""

    text: str


@dataclass(frozen=True, slots=True)
class Shell:
    """A command the agent ran, what it printed and its exit status."""

    command: str
    output: str
    status: int = 0


@dataclass(frozen=True, slots=True)
class Edit:
    """A change the agent made to a file, whose path is relative to the project."""

    path: str
    before: str
    after: str


Step = Prompt | Reply | Shell | Edit


@dataclass(frozen=True, slots=True)
class Delegation:
    """A piece of the work that a sub-agent did: its task, its own steps and the report that came back."""

    task: str
    steps: tuple[Step, ...]
    report: str


@dataclass(frozen=True, slots=True)
class Episode:
    """One session of the story; `fork` holds what was tried on a copy of it, `hours_ago` is when it began."""

    agent: Agent
    title: str
    hours_ago: float
    steps: tuple[Step, ...]
    delegation: Delegation | None = None
    fork: tuple[Step, ...] = ()
