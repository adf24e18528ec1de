"""TOML files against typed settings: every problem a value that names key, line and mend."""

import difflib
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from hippo_core.errors import UserError
from hippo_core.storage import faults

_TABLE: Final = re.compile(r"\s*\[\[?\s*([^\[\]#]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY: Final = re.compile(r"\s*([A-Za-z0-9_\-.\"' ]+?)\s*=")
_ERROR_LINE: Final = re.compile(r"\s*\(at line (\d+), column \d+\)$")
_LARGEST_BYTES: Final = 1 << 20


class Problem(msgspec.Struct, frozen=True):
    """One thing wrong in a settings file; `harmless` when hippo can go on as if the line were not there."""

    key: str
    line: int | None
    message: str
    harmless: bool = False

    def __str__(self) -> str:
        where = f"{self.line}: " if self.line else " "
        return f"{where}`{self.key}` {self.message}" if self.key else f"{where}{self.message}"


class Document(msgspec.Struct, frozen=True):
    """A TOML file as read: its values, and the line of every key."""

    values: dict[str, Any]
    lines: dict[str, int]

    def problem(self, key: str, message: str, *, harmless: bool = False) -> Problem:
        """A problem with `key`, on the line where it stands."""
        return Problem(key, self.lines.get(key), message, harmless)


def read(path: Path) -> Document | None:
    """The file at `path`, None when it is not there; raises `UserError` when it cannot be read as TOML."""
    document = _parse(path)
    if isinstance(document, Problem):
        raise UserError(f"{path}:{document}")
    return document


def problems(path: Path, judge: Callable[[Document], list[Problem]]) -> list[Problem]:
    """What `judge` finds in the file at `path`, or the one thing that keeps it from being read."""
    document = _parse(path)
    if document is None:
        return []
    if isinstance(document, Problem):
        return [document]
    return sorted(judge(document), key=lambda problem: problem.line or 0)


def check(
    document: Document, shape: type[msgspec.Struct], *, harmless_unknown: bool, prefix: str = ""
) -> list[Problem]:
    """Keys that `shape` does not have, each with the nearest it has, and values of the wrong kind."""
    values: dict[str, Any] = document.values
    for part in prefix.split(".")[:-1]:
        values = values[part]
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(shape)}
    found: list[Problem] = []
    for key, value in values.items():
        name = prefix + key
        if key not in fields:
            found.append(document.problem(name, _unknown(key, list(fields)), harmless=harmless_unknown))
        elif isinstance(value, dict) and _is_struct(fields[key]):
            found += check(document, fields[key], harmless_unknown=harmless_unknown, prefix=f"{name}.")
        elif (said := _type_problem(value, fields[key])) is not None:
            found.append(document.problem(name, said))
    return found


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _type_problem(value: Any, kind: Any) -> str | None:
    try:
        msgspec.convert(value, type=kind)
    except msgspec.ValidationError as error:
        right = _description(kind)
        return f"must be {right}" if right else f"is not right: {error}"
    return None


def _description(kind: Any) -> str:
    told = [meta.description for meta in get_args(kind)[1:] if isinstance(meta, msgspec.Meta)]
    if _is_struct(kind):
        return "a table"
    return next((description for description in told if description), "")


def _unknown(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    return (
        f"is not a key hippo knows; did you mean `{near[0]}`?"
        if near
        else (f"is not a key hippo knows; it knows {', '.join(known)}")
    )


def _parse(path: Path) -> Document | Problem | None:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Problem("", None, faults.mend(error))
    if len(data) > _LARGEST_BYTES:
        return Problem("", None, f"larger than a settings file can be ({_LARGEST_BYTES} bytes)")
    try:
        text = data.decode("utf-8-sig")
        return Document(tomllib.loads(text), _lines_of_keys(text))
    except UnicodeDecodeError as error:
        return Problem("", None, f"not UTF-8 from byte {error.start} on; save it as UTF-8")
    except tomllib.TOMLDecodeError as error:
        return _syntax_problem(str(error))
    except RecursionError:
        return Problem("", None, "nested too deeply")


def _syntax_problem(said: str) -> Problem:
    found = _ERROR_LINE.search(said)
    return Problem("", int(found[1]) if found else None, f"not TOML: {_ERROR_LINE.sub('', said)}")


def _lines_of_keys(text: str) -> dict[str, int]:
    # Only to point at a line in a message: a text that spans lines may fool it, never the values.
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _TABLE.match(line):
            table = _plain(header[1]) + "."
            lines.setdefault(table[:-1], number)
        elif key := _KEY.match(line):
            name = table + _plain(key[1])
            lines.setdefault(name, number)
            parent = name.rpartition(".")[0]
            lines.setdefault(parent, number)
    return lines


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))
