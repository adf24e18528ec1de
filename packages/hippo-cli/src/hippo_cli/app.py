"""Every command by name; a command's module loads when it is called."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from hippo_cli import terminal

COMMANDS: Final = {
    "ingest": "ingest",
    "search": "search_help",
    "show": "show",
    "sessions": "sessions",
    "status": "status",
    "redact": "redact",
    "init": "init",
    "session": "session",
    "config": "config",
    "doctor": "doctor",
    "demo": "demo",
}
_STOPPED: Final = 130


class _Lazy(TyperGroup):
    """A group that knows its commands' names and loads one when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names in the order of help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name, or None."""
        if cmd_name not in COMMANDS:
            return None
        command = get_command(import_module(f"hippo_cli.commands.{COMMANDS[cmd_name]}").app)
        command.name = cmd_name
        return command


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit code is what the command returns."""
    try:
        # Not standalone: the way in turns errors and interrupts into lines and codes for every command alike.
        result = get_command(_app).main(list(arguments), prog_name="hippo", standalone_mode=False)
    except TyperException as error:
        return _misused(error)
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    if result == _STOPPED:
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _misused(error: TyperException) -> int:
    """Say in one line what is wrong with the command line; a bare command that needs more shows its help."""
    message = error.format_message()
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        terminal.warn(message)
        return error.exit_code
    path = context.command_path if context is not None else "hippo"
    terminal.warn(terminal.on_one_line(f"hippo: {message} See `{path} --help`."))
    return error.exit_code


_app = typer.Typer(
    cls=_Lazy,
    help="Reads what your coding agents said and did on this machine, and finds any of it.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@_app.callback()
def _hippo(
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
) -> None:
    """Declared for help and completion; the way in has already acted on both."""
