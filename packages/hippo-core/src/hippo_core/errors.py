"""Every error hippo raises on purpose.

HippoError             exit code 3: it cannot be done
├── UserError          what the person can mend: exit code 2
├── DataError          a file that does not hold what it should: path and problem
└── BusyError          another process holds it, and which
"""

from pathlib import Path
from typing import ClassVar


class HippoError(Exception):
    """Base of every error hippo raises on purpose; its text is one line for a person."""

    exit_code: ClassVar[int] = 3


class UserError(HippoError):
    """Something the person can put right; the text says how."""

    exit_code = 2


class DataError(HippoError):
    """A file that breaks its format's promise."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class BusyError(HippoError):
    """Another process holds what is needed; the text says who."""
