"""What a person types into search, parsed: words, phrases, prefixes and filters. Nothing typed is an error."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from hippo_core.index import words

FILTERS: Final = ("agent", "project", "role", "kind", "tool", "file", "session", "since", "until")
_TOKEN: Final = re.compile(r'(?:(?P<filter>[a-z]+):)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))|"')
_SPAN: Final = re.compile(r"(\d+)\s*(s|sec|m|min|h|d|w|mo|y)[a-z]*")
_SECONDS: Final = {
    "s": 1,
    "sec": 1,
    "m": 60,
    "min": 60,
    "h": 3600,
    "d": 86_400,
    "w": 604_800,
    "mo": 2_592_000,
    "y": 31_536_000,
}


class Term(msgspec.Struct, frozen=True):
    """One thing to find: words that stand together, the last of them perhaps only a beginning."""

    words: tuple[str, ...]
    prefix: bool = False


class Query(msgspec.Struct, frozen=True):
    """A parsed query: every term must be found, within every filter; filters of one name are alternatives."""

    terms: tuple[Term, ...] = ()
    filters: tuple[tuple[str, str], ...] = ()
    since_ms: int | None = None
    until_ms: int | None = None
    problems: tuple[str, ...] = ()


def parse(typed: str, now: datetime) -> Query:
    """Parse what a person typed at `now` (aware); what cannot be a filter is searched for as words."""
    terms: list[Term] = []
    filters: list[tuple[str, str]] = []
    bounds: dict[str, int] = {}
    problems: list[str] = []
    for token in _TOKEN.finditer(typed):
        name, phrase, word = token.group("filter"), token.group("phrase"), token.group("word")
        value = phrase if phrase is not None else word or ""
        if name in ("since", "until"):
            moment = time_of(value, now)
            if moment is None:
                problems.append(f"{name}:{value} is not a time; write 7d, 3h, yesterday or 2026-05-01")
            else:
                bounds[name] = moment if name == "since" else _end_of(value, moment)
        elif name in FILTERS and value:
            filters.append((str(name), value))
        elif name:
            terms.extend(_terms(f"{name} {value}", prefix=False))
        else:
            terms.extend(_terms(value, prefix=phrase is None and value.endswith("*")))
    return Query(
        tuple(dict.fromkeys(terms)), tuple(filters), bounds.get("since"), bounds.get("until"), tuple(problems)
    )


def time_of(text: str, now: datetime) -> int | None:
    """The start of the time that `7d`, `yesterday` or `2026-05-01` names, in ms since 1970; None for anything else."""
    plain = text.strip().lower().removesuffix(" ago")
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    named = {
        "now": now,
        "today": midnight,
        "yesterday": midnight - timedelta(days=1),
        "week": now - timedelta(days=7),
        "month": now - timedelta(days=30),
    }
    moment = named.get(plain.removeprefix("last ").removeprefix("this "))
    if moment is None and (span := _SPAN.fullmatch(plain)):
        seconds = int(span[1]) * _SECONDS[span[2]]
        if seconds > 10**11:
            return None
        return int(now.timestamp() * 1000) - seconds * 1000
    if moment is None:
        moment = _iso(plain, now)
    return None if moment is None else int(moment.timestamp() * 1000)


def _iso(text: str, now: datetime) -> datetime | None:
    if re.fullmatch(r"\d{4}-\d{2}", text):
        text += "-01"
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo or UTC)


def _end_of(text: str, start_ms: int) -> int:
    """`until:` a bare day means through its last moment."""
    plain = text.strip().lower()
    whole_day = plain in ("today", "yesterday") or re.fullmatch(r"\d{4}-\d{2}-\d{2}", plain)
    return start_ms + 86_400_000 - 1 if whole_day else start_ms


def _terms(value: str, *, prefix: bool) -> list[Term]:
    """One term for what stands without a space between: `parse_http(x)` is the words parse, http, x together."""
    split = words.split(value)
    return [Term(tuple(split), prefix)] if split else []
