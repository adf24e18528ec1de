"""The notes that a text names with `[[links]]`, and which of them a workspace has."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from hippo_core.storage import walk
from hippo_core.workspace.layout import Workspace

_LINK: Final = re.compile(r"\[\[([^\[\]\n|#]++)(?:#[^\[\]\n|]*+)?(?:\|[^\[\]\n]*+)?\]\]")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_TICKS: Final = re.compile(r"(\\?)(`+)")


class NoteNames(msgspec.Struct, frozen=True):
    """The notes of a workspace by what a link may call them; paths are below `notes_dir`, with `/`."""

    paths: frozenset[str]
    by_name: dict[str, tuple[str, ...]]

    def resolve(self, link: str) -> str | None:
        """The path of the one note that `link` names, or None when there is none or more than one."""
        found = self.by_name.get(_key(link.removesuffix(".md")), ())
        return found[0] if len(found) == 1 else None


def links(text: str) -> tuple[str, ...]:
    """The names that `text` links to, in order, each once; what stands in code is no link."""
    if "[[" not in text:
        return ()
    found: dict[str, None] = {}
    for paragraph in _paragraphs(text):
        for match in _LINK.finditer(_without_code(paragraph)):
            if name := match[1].strip():
                found[name] = None
    return tuple(found)


def unresolved(text: str, names: NoteNames) -> tuple[str, ...]:
    """The links in `text` that name no note, or more than one."""
    return tuple(link for link in links(text) if names.resolve(link) is None)


def note_names(workspace: Workspace) -> NoteNames:
    """The notes of `workspace` as they are now; hidden files and folders are none."""
    below = (path.relative_to(workspace.notes_dir) for path, _ in walk.files(workspace.notes_dir, (".md",)))
    return name_notes(
        path.as_posix() for path in below if not any(part.startswith(".") for part in path.parts)
    )


def name_notes(paths: Iterable[str]) -> NoteNames:
    """Notes at `paths` under each name that a link may give them: the path, and every shorter end of it."""
    ends: dict[str, list[str]] = {}
    all_paths = sorted(set(paths))
    for path in all_paths:
        parts = path.removesuffix(".md").split("/")
        for begin in range(len(parts)):
            ends.setdefault(_key("/".join(parts[begin:])), []).append(path)
    by_name = {name: tuple(found) for name, found in ends.items()}
    # A whole path names its note even where it is also the end of a longer one.
    by_name |= {_key(path.removesuffix(".md")): (path,) for path in all_paths if "/" in path}
    return NoteNames(frozenset(all_paths), by_name)


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold().strip().strip("/")


def _paragraphs(text: str) -> Iterator[str]:
    held: list[str] = []
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence) and not match[2].strip():
                fence = ""
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
            yield "\n".join(held)
            held.clear()
        elif line.strip():
            held.append(line)
        else:
            yield "\n".join(held)
            held.clear()
    yield "\n".join(held)


def _without_code(paragraph: str) -> str:
    """`paragraph` with every code span taken out; an unmatched run of ticks is text."""
    runs = [(match.start(2), match.end(2), bool(match[1])) for match in _TICKS.finditer(paragraph)]
    closers: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        closers.setdefault(runs[index][1] - runs[index][0], []).append(index)
    kept: list[str] = []
    position = index = 0
    while index < len(runs):
        begin, end, escaped = runs[index]
        begin += escaped
        waiting = closers.get(end - begin, [])
        while waiting and waiting[-1] <= index:
            waiting.pop()
        if begin < end and waiting:
            index = waiting[-1]
            kept.append(paragraph[position:begin])
            position = runs[index][1]
        index += 1
    kept.append(paragraph[position:])
    return "\0".join(kept)
