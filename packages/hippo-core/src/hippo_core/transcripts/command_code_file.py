"""One Command Code session file: its entries, which of them are the conversation, and what was told twice."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from hippo_core.transcripts import command_code_turns, jsonl, loose
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.clean import clean
from hippo_core.transcripts.command_code_turns import Entry
from hippo_core.transcripts.model import RawSession, RawTurn

_NEWEST_VERSION: Final = 3
_ANY: Final[msgspec.json.Decoder[object]] = msgspec.json.Decoder(object)
_MIGRATIONS: Final = 8
_FACTS_BYTES: Final = 1 << 20


def facts(path: Path) -> Path:
    """The file beside a session in which the client keeps its title and where it was forked from."""
    return path.with_name(f"{path.stem}.meta.json")


def read(path: Path, report: Report) -> Iterator[RawSession | RawTurn]:
    """The session and its turns in file order; a file that is no session yields nothing."""
    values = [(record.start, record.value) for record in jsonl.records(path, 0, _ANY.decode, report)]
    if not values:
        return
    header = values[0][1] if loose.field(values[0][1], "type") == "session" else None
    version = loose.whole_number(loose.field(header, "version")) or 0
    if version > _NEWEST_VERSION:
        report.skip(path, f"has format {version}, this hippo reads {_NEWEST_VERSION}")
        return
    entries = _entries(path, header, values, report)
    found = list(command_code_turns.turns(path.stem, entries, report))
    if found:
        yield _session(path, header, values, report)
        yield from found


def _entries(
    path: Path, header: object, values: list[tuple[int, object]], report: Report
) -> list[tuple[Entry, bool]]:
    """The entries worth reading, each with whether it was only copied here."""
    forked = header is not None and loose.field(header, "id") != path.stem
    spoken = _conversation([value for _, value in values]) if header is not None else None
    entries: list[tuple[Entry, bool]] = []
    for start, value in values:
        if value is header or not isinstance(value, dict):
            continue
        if header is None and "role" not in value:
            report.count_unknown(loose.text_of(value.get("type")) or "untyped")
            continue
        abandoned = spoken is not None and value.get("id") not in spoken
        copied = forked and loose.field(value, "sessionId") == path.stem
        entries.append((Entry(start=start, value=value, flat=header is None, abandoned=abandoned), copied))
    return _told_once(entries) if header is not None else entries


def _conversation(values: list[object]) -> set[object]:
    """The ids on the way from the last entry back to the first; everything else was wound back."""
    parents: dict[str, object] = {}
    last: object = None
    for value in values:
        entry_id = loose.name_of(loose.field(value, "id"))
        if entry_id is not None and loose.field(value, "type") != "session":
            parents[entry_id] = loose.field(value, "parentId")
            last = entry_id
    spoken: set[object] = {None}
    while isinstance(last, str) and last not in spoken:
        spoken.add(last)
        last = parents.get(last)
    return spoken


def _told_once(entries: list[tuple[Entry, bool]]) -> list[tuple[Entry, bool]]:
    """Without the second telling of a history that the client took over from its older format."""
    said = [number for number, (entry, _) in enumerate(entries) if entry.message is not None]
    if not said or loose.field(entries[said[0]][0].meta, "messageId") is not None:
        return entries
    marks = [_mark(entries[number][0]) for number in said]
    again = [number for number in range(1, len(marks)) if marks[number] == marks[0]][:_MIGRATIONS]
    for count in again:
        if marks[:count] == marks[count : 2 * count]:
            twice = set(said[count : 2 * count])
            return [entry for number, entry in enumerate(entries) if number not in twice]
    return entries


def _mark(entry: Entry) -> bytes:
    content = loose.field(entry.message, "content")
    said = msgspec.json.encode([loose.field(entry.message, "role"), content], order="sorted")
    return hashlib.sha256(said).digest()


def _session(path: Path, header: object, values: list[tuple[int, object]], report: Report) -> RawSession:
    beside = _facts(path, report)
    named = [value for _, value in values if loose.field(value, "type") == "session_info"]
    own_names = _names([value for value in named if loose.field(value, "sessionId") is None])
    given = loose.name_of(loose.field(beside, "title"))
    title = next(iter([*own_names[-1:], *([given] if given else []), *_names(named)[-1:]]), None)
    chosen = title != given or loose.field(beside, "userRenamed") is True
    branches = [name for _, value in values if (name := loose.name_of(loose.field(value, "gitBranch")))]
    own = loose.name_of(loose.field(header, "id"))
    return RawSession(
        native_id=path.stem,
        cwd=loose.name_of(loose.field(header, "cwd")),
        forked_from=loose.name_of(loose.field(beside, "parentSessionId"))
        or (own if own != path.stem else None),
        title=clean(title) if title else None,
        title_rank=(2 if chosen else 1) if title else 0,
        branch=branches[-1] if branches else None,
    )


def _names(entries: list[object]) -> list[str]:
    return [name for entry in entries if (name := loose.name_of(loose.field(entry, "name")))]


def _facts(path: Path, report: Report) -> object:
    try:
        with facts(path).open("rb") as file:
            return _ANY.decode(file.read(_FACTS_BYTES))
    except FileNotFoundError:
        return None
    except OSError as error:
        report.refused(facts(path), error)
    except (msgspec.DecodeError, UnicodeError):
        report.skip(facts(path), "is broken or not yet whole")
    return None
