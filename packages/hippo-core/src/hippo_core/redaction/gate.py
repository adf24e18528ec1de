"""Which rules are worth trying on a text: answered by a byte engine, or by looking for their literals."""

import importlib
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hippo_core.redaction.rule import Rule

_RAREST_FIRST = "~$%@0123456789=:/_-qzxjkvbwypgmfcudhlrsniotae. "
"""Characters that literals hold, the rarest in text first."""

Gate = Callable[[str, str], Iterable[int]]
"""Given a text and the same in lower case: the ranks of the rules that may find something in it."""


def literal_gate(rules: Sequence[Rule]) -> Gate:
    """The gate that needs nothing but Python: literals are looked for only where their rarest letter occurs."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for rank, rule in enumerate(rules):
        for literal in rule.literals:
            groups.setdefault(min(literal, key=_RAREST_FIRST.find), []).append((literal, rank))

    def gate(text: str, lowered: str) -> Iterable[int]:
        return sorted(
            {
                rank
                for letter, literals in groups.items()
                if letter in lowered
                for literal, rank in literals
                if literal in lowered
            }
        )

    return gate


def scanning_gate(rules: Sequence[Rule]) -> Gate | None:
    """The gate that scans each text once with hyperscan, or nothing where that is not installed."""
    try:
        hyperscan = importlib.import_module("hyperscan")
    except ImportError:
        return None
    database = _database(hyperscan, rules)
    hits: list[int] = []
    lock = threading.Lock()
    exact = literal_gate(rules)

    def note(rank: int, start: int, end: int, flags: int, context: object) -> None:
        hits.append(rank)

    def gate(text: str, lowered: str) -> Iterable[int]:
        try:
            data = text.encode()
        except UnicodeEncodeError:
            return exact(text, lowered)
        with lock:
            hits.clear()
            database.scan(data, match_event_handler=note)
            return sorted(hits)

    return gate


def _database(hyperscan: Any, rules: Sequence[Rule]) -> Any:
    flags = hyperscan.HS_FLAG_SINGLEMATCH | hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_UTF8
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[rule.gate_expression().encode() for rule in rules],
        ids=list(range(len(rules))),
        flags=[flags] * len(rules),
    )
    return database
