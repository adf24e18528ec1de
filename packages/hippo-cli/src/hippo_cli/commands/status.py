"""`hippo status`: what the index holds."""

import typer

from hippo_cli import environment, shapes, terminal
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.index.values import Status
from hippo_view import wording
from hippo_view.status import AgentView, StatusView, status_view

app = typer.Typer(rich_markup_mode=None, add_completion=False)
_NOTHING = Status(agents=(), store_bytes=0, fulltext_bytes=0, archive_bytes=0, ingested_ms=None)


@app.command()
def status(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> int:
    """Show what is held of each agent, how large it is, and when it was last brought up to date."""
    files = IndexFiles(environment.hippo_home().root)
    held = _NOTHING
    if files.store.exists():
        with Reader(files) as index:
            held = index.status()
    view = status_view(held, now=environment.now())
    if as_json:
        terminal.say_json(shapes.status(view))
    else:
        terminal.say("\n".join(_lines(view)))
    return 0


def _lines(view: StatusView) -> list[str]:
    if view.empty:
        return [view.empty]
    lines = [_agent(agent) for agent in view.agents]
    lines += [_unknown(agent) for agent in view.agents if agent.unknown]
    held = f"{wording.counted(view.sessions, 'session')}, {wording.counted(view.turns, 'turn')}"
    lines.append(f"{held}; index {view.index_size}, archive {view.archive_size}; last ingest {view.when}")
    return lines


def _agent(agent: AgentView) -> str:
    gone = f", {agent.gone} gone" if agent.gone else ""
    held = f"{wording.counted(agent.sessions, 'session')}, {wording.counted(agent.turns, 'turn')}"
    return f"{agent.agent:<17}{held} from {wording.counted(agent.sources, 'transcript')}{gone}, {agent.size}"


def _unknown(agent: AgentView) -> str:
    kinds = ", ".join(
        f"{count} {terminal.on_one_line(kind)}" for kind, count in sorted(agent.unknown.items())
    )
    return f"{agent.agent}: records of unknown types: {kinds}"
