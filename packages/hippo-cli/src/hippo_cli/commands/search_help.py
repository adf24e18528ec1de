"""How `hippo search` is declared to typer: its help, its completion and its complaints."""

import typer

from hippo_cli.commands import search

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(no_args_is_help=True)
def find(
    words: list[str] = typer.Argument(..., help='Words, "phrases", begin*, agent:codex, since:7d, file:x.py'),
    limit: int = typer.Option(search.PAGE_SIZE, "-n", "--limit", min=1, max=1000, help="Hits on a page."),
    page: int = typer.Option(1, "--page", min=1, max=1000, help="Which page."),
    context: int = typer.Option(0, "--context", min=0, max=1000, help="Neighbouring turns of each hit."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Find turns that have all the words; filters are agent project role kind tool file session since until."""
    return search.run(search.Asked(" ".join(words), limit, page, context, as_json))
