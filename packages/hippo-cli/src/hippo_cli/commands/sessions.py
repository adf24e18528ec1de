"""`hippo sessions`: a table of sessions, the latest first."""

import typer

from hippo_cli import choices, environment, shapes, terminal
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_view.session import SessionRow, SessionsView, sessions_view

app = typer.Typer(rich_markup_mode=None, add_completion=False)
_PAGE_SIZE = 20


@app.command()
def sessions(
    agent: str | None = typer.Option(None, "--agent", help="Only this agent's."),
    project: str | None = typer.Option(None, "--project", help="Only where the folder has this in its path."),
    since: str | None = typer.Option(
        None, "--since", help="Only those later than 7d, yesterday, 2026-05-01."
    ),
    until: str | None = typer.Option(None, "--until", help="Only those earlier."),
    limit: int | None = typer.Option(None, "-n", "--limit", min=1, help="Sessions on a page."),
    page: int = typer.Option(1, "--page", min=1, max=1_000_000, help="Which page."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON: all of them unless -n is given."),
) -> int:
    """List sessions, the latest first."""
    now = environment.now()
    size = limit if as_json else limit or _PAGE_SIZE
    with Reader(IndexFiles(environment.hippo_home().root)) as index:
        found = index.sessions(
            agent=None if agent is None else choices.agent(agent),
            project=None if project is None else project.encode("utf-8", "replace").decode(),
            since_ms=choices.time(since, "--since", now),
            until_ms=choices.time(until, "--until", now),
            limit=None if size is None else size + 1,
            offset=0 if size is None else (page - 1) * size,
        )
    view = sessions_view(found, now=now, page=page, page_size=size)
    if as_json:
        terminal.say_json(shapes.sessions(view))
    else:
        terminal.say("\n".join(_lines(view)))
    return 0


def _lines(view: SessionsView) -> list[str]:
    if view.empty:
        return [view.empty]
    agents = max(len(row.agent) for row in view.rows)
    times = max(len(row.when) for row in view.rows)
    projects = min(20, max(len(row.project) for row in view.rows))
    left = environment.width() - (16 + agents + times + projects + 6 + 10)
    lines = [_row(row, (agents, times, projects, max(12, left))) for row in view.rows]
    return [*lines, f"--page {view.page + 1} for more"] if view.more else lines


def _row(row: SessionRow, widths: tuple[int, int, int, int]) -> str:
    agents, times, projects, titles = widths
    project = _fit(row.project, projects)
    title = _fit(row.title, titles)
    facts = (row.id, row.agent.ljust(agents), row.when.ljust(times), project.ljust(projects))
    return "  ".join((*facts, f"{row.turns:>6}", title)).rstrip()


def _fit(text: str, width: int) -> str:
    shown = terminal.on_one_line(text)
    return shown if len(shown) <= width else f"{shown[: width - 1]}…"
