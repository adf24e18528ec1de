"""`hippo config`: this machine's settings, where they are and whether they hold."""

from pathlib import Path
from typing import Any

import msgspec
import typer

from hippo_cli import environment, shapes, terminal
from hippo_core.workspace import find
from hippo_core.workspace.layout import HIPPO_DIR, SETTINGS_NAME
from hippo_core.workspace.settings import check_config, check_workspace, load_config
from hippo_core.workspace.toml import Problem

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Show, find and check this machine's settings.",
)


@app.command()
def show(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> int:
    """Show every setting with the value in force."""
    values = msgspec.to_builtins(load_config(environment.hippo_home()))
    if as_json:
        terminal.say_json(values)
    else:
        terminal.say("\n".join(_lines(values, "")))
    return 0


@app.command()
def path() -> int:
    """Print where this machine's settings are read from."""
    terminal.say(terminal.on_one_line(str(environment.hippo_home().config)))
    return 0


@app.command()
def check(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> int:
    """Check this machine's settings and those of the workspace here; exit code 1 when anything is wrong."""
    config = environment.hippo_home().config
    found = [(config, problem) for problem in check_config(config)]
    if (root := find.workspace_root(environment.here())) is not None:
        settings = root / HIPPO_DIR / SETTINGS_NAME
        found += [(settings, problem) for problem in check_workspace(settings)]
    if as_json:
        terminal.say_json([_shape(file, problem) for file, problem in found])
    else:
        lines = [terminal.on_one_line(f"{file}:{problem}") for file, problem in found]
        terminal.say("\n".join(lines or ["nothing is wrong"]))
    return 1 if found else 0


def _lines(values: dict[str, Any], above: str) -> list[str]:
    lines: list[str] = []
    for key, value in values.items():
        if isinstance(value, dict) and value:
            lines += _lines(value, f"{above}{key}.")
        else:
            lines.append(terminal.on_one_line(f"{above}{key} = {msgspec.json.encode(value).decode()}"))
    return lines


def _shape(file: Path, problem: Problem) -> dict[str, Any]:
    return {
        "path": shapes.text(file),
        "line": problem.line,
        "key": problem.key,
        "message": problem.message,
        "harmless": problem.harmless,
    }
