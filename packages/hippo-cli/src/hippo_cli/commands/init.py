"""`hippo init`: a folder becomes a workspace."""

from pathlib import Path

import typer

from hippo_cli import environment, shapes, terminal
from hippo_core.workflows.init import initialise

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def init(
    folder: Path | None = typer.Argument(None, help="The workspace's root; this folder when left out."),
    notes_dir: str | None = typer.Option(None, "--notes-dir", help="Where its notes are or will be."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Make a folder a workspace; what is there already is kept as it is."""
    root = environment.here() / folder if folder else environment.here()
    done = initialise(root, notes_dir, environment.hippo_home())
    if as_json:
        terminal.say_json(
            {
                "workspace": shapes.text(done.workspace.root),
                "made": [shapes.text(path) for path in done.made],
                "kept": [shapes.text(path) for path in done.kept],
                "notes": done.notes,
            }
        )
        return 0
    lines = [f"made  {path}" for path in done.made] + [f"kept  {path}" for path in done.kept]
    lines.append(f"{done.workspace.root} is a workspace with notes: {done.notes}")
    terminal.say("\n".join(map(terminal.on_one_line, lines)))
    return 0
