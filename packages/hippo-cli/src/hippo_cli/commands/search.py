"""`hippo search`: words in, one page of the turns that have them out."""

from collections.abc import Sequence
from typing import Final

import msgspec

from hippo_cli import environment, shapes, terminal
from hippo_core.errors import UserError
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_view.search import HitView, SearchView, search_view

PAGE_SIZE: Final = 10
_NUMBERS: Final = {"-n": "limit", "--limit": "limit", "--page": "page", "--context": "context"}
_LARGEST: Final = 1000


class Asked(msgspec.Struct, frozen=True):
    """One search as asked for on the command line."""

    words: str
    limit: int = PAGE_SIZE
    page: int = 1
    context: int = 0
    as_json: bool = False


def parse(arguments: Sequence[str]) -> Asked | None:
    """The command line without typer's start-up; None for whatever is for typer to explain."""
    words: list[str] = []
    numbers: dict[str, int] = {}
    as_json = False
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            words.extend(rest)
        elif argument == "--json":
            as_json = True
        elif argument.startswith("-") and argument != "-":
            name, equals, written = argument.partition("=")
            value = written if equals else next(rest, "")
            if name not in _NUMBERS or not (value.isascii() and value.isdigit()):
                return None
            numbers[_NUMBERS[name]] = int(value)
        else:
            words.append(argument)
    asked = Asked(" ".join(words), as_json=as_json, **numbers)
    return asked if words and in_range(asked) else None


def in_range(asked: Asked) -> bool:
    """Whether its numbers are ones that typer's declaration allows."""
    return 1 <= asked.limit <= _LARGEST and 1 <= asked.page <= _LARGEST and asked.context <= _LARGEST


def run(asked: Asked) -> int:
    """Search and print; finding nothing is an answer like any other, with exit code 0."""
    # What is no UTF-8 on the command line cannot be in the index either.
    words = asked.words.encode("utf-8", "replace").decode()
    if not words.strip():
        raise UserError("nothing to search for; give one word or more")
    now = environment.now()
    with Reader(IndexFiles(environment.hippo_home().root)) as index:
        offset = (asked.page - 1) * asked.limit
        found = index.search(words, now, limit=asked.limit, offset=offset)
        view = search_view(found, asked=words, now=now, page=asked.page, page_size=asked.limit)
        around = _around(index, view, asked.context) if asked.context else {}
    if asked.as_json:
        terminal.say_json(shapes.search(view, around))
    else:
        _print(view, around)
    return 0


def _around(index: Reader, view: SearchView, context: int) -> dict[str, list[tuple[int, str, str]]]:
    """The neighbouring turns of each hit, by its target: position, role and the beginning of the text."""
    found: dict[str, list[tuple[int, str, str]]] = {}
    for hit in view.hits:
        turns = index.turns(index.find_session(hit.session).id)
        near = turns[max(0, hit.position - 1 - context) : hit.position + context]
        found[hit.target] = [(turn.position, turn.role.value, turn.text[:400]) for turn in near]
    return found


def _print(view: SearchView, around: dict[str, list[tuple[int, str, str]]]) -> None:
    colored = environment.is_colored()
    lines = [terminal.on_one_line(problem) for problem in view.problems]
    for hit in view.hits:
        lines += _hit_lines(hit, around.get(hit.target, []), colored=colored)
    lines.append(terminal.on_one_line(view.lead) + _paging(view))
    if view.suggestion:
        lines.append(f"did you mean: hippo search {terminal.on_one_line(view.suggestion)}")
    terminal.say("\n".join(lines))


def _hit_lines(hit: HitView, near: list[tuple[int, str, str]], *, colored: bool) -> list[str]:
    who = f"{hit.who} ({hit.tool})" if hit.tool else hit.who
    facts = [hit.agent, hit.project, hit.when, who]
    about = "  ".join(terminal.on_one_line(fact) for fact in facts if fact)
    lines = [f"{terminal.bold(hit.target, colored=colored)}  {terminal.dim(about, colored=colored)}"]
    if not near:
        lines.append(f"  {terminal.marked(hit.snippet, hit.marks, colored=colored)}")
    for position, role, text in near:
        if position == hit.position:
            lines.append(f"> {position} {terminal.marked(hit.snippet, hit.marks, colored=colored)}")
        else:
            lines.append(terminal.dim(f"  {position} {role}: {terminal.on_one_line(text)}", colored=colored))
    return [*lines, ""]


def _paging(view: SearchView) -> str:
    if view.pages < 2 or not view.hits:
        return ""
    more = f", --page {view.page + 1} for more" if view.page < view.pages else ""
    return f"; page {view.page} of {view.pages}{more}"
