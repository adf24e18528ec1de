"""`hippo demo`: the loop on a made-up history, in a scratch place that touches nothing of the person's."""

import shutil
import tempfile
from pathlib import Path

import typer

from hippo_cli import environment, terminal
from hippo_cli.demo import tour

app = typer.Typer(rich_markup_mode=None)


@app.command()
def demo(
    keep: bool = typer.Option(False, "--keep", help="Leave the scratch place behind to look into."),
) -> int:
    """Show on a made-up history what hippo does: read, redact, find and show."""
    scratch = Path(tempfile.mkdtemp(prefix="hippo-demo-"))
    try:
        for paragraph in tour.walk(scratch, environment.now()):
            terminal.say(f"{terminal.harmless(paragraph)}\n")
    finally:
        if not keep:
            shutil.rmtree(scratch, ignore_errors=True)
    terminal.say(f"Everything is left in {scratch}" if keep else "The scratch place is removed again.")
    return 0
