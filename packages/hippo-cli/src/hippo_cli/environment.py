"""What the process was given: environment, home folder, clock and terminal; read here and nowhere else."""

import os
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from hippo_core.errors import UserError
from hippo_core.workspace.layout import Home

VARIABLES: Final[Mapping[str, str]] = os.environ


def person_home() -> Path:
    """The home folder of whoever runs this; `UserError` when there is none."""
    try:
        return Path.home()
    except RuntimeError as error:
        raise UserError("there is no home folder; set HOME, or HIPPO_HOME and --root") from error


def hippo_home() -> Home:
    """Where hippo keeps what belongs to this machine: HIPPO_HOME, else `.hippo` in the person's home."""
    named = VARIABLES.get("HIPPO_HOME")
    return Home.at(Path(named) if named else person_home() / ".hippo")


def now() -> datetime:
    """This moment, in the machine's time zone."""
    return datetime.now().astimezone()


def here() -> Path:
    """The folder that hippo was started in."""
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise UserError("the folder that hippo was started in is gone; go to another") from error


def is_terminal() -> bool:
    """Whether a person reads what is printed."""
    return sys.stdout.isatty()


def is_colored() -> bool:
    """Whether what is printed may carry colours."""
    return is_terminal() and not VARIABLES.get("NO_COLOR") and VARIABLES.get("TERM") != "dumb"


def width() -> int:
    """How many columns there are to print in."""
    try:
        columns = int(VARIABLES.get("COLUMNS", ""))
    except ValueError:
        columns = 0
    if columns <= 0 and is_terminal():
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    return max(40, columns) if columns > 0 else 100


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
