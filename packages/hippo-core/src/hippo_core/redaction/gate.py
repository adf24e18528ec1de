"""Which rules are worth trying on a text: answered by a byte engine, or by looking for their literals."""

import importlib
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hippo_core.redaction.rule import LEAST_WORD, WORD_LETTERS, Rule

_RAREST_FIRST = "~$%@_-.:/=qzxjkvbwypgmfcudhlrsniotae 9876543210"
"""Characters that literals hold, the rarest in text first."""

_WORDS_APART = bytes(code if chr(code) in WORD_LETTERS else 32 for code in range(256))

Gate = Callable[[str], Iterable[int]]
"""Given a text in lower case: the ranks of the rules that may find something in it."""


def literal_gate(rules: Sequence[Rule]) -> Gate:
    """The gate that needs nothing but Python.

    Literals of one-word rules are looked for in the text's long words, the others where their rarest letter occurs.
    """
    in_words = _by_rarest_letter(rules, one_word=True)
    in_text = _by_rarest_letter(rules, one_word=False)

    def gate(lowered: str) -> Iterable[int]:
        ranks = _present(in_text, lowered)
        words = _long_words(lowered)
        if words:
            ranks |= _present(in_words, words)
        return sorted(ranks)

    return gate


_Literals = dict[str, list[tuple[str, int]]]


def _by_rarest_letter(rules: Sequence[Rule], *, one_word: bool) -> _Literals:
    literals: _Literals = {}
    for rank, rule in enumerate(rules):
        for literal in rule.literals if rule.one_word is one_word else ():
            literals.setdefault(min(literal, key=_RAREST_FIRST.find), []).append((literal, rank))
    return literals


def _present(literals: _Literals, text: str) -> set[int]:
    return {
        rank
        for letter, group in literals.items()
        if letter in text
        for literal, rank in group
        if literal in text
    }


def _long_words(lowered: str) -> str:
    """The words of `lowered` that are long enough for a token, with a space between."""
    words = lowered.encode("utf-8", "surrogatepass").translate(_WORDS_APART).split()
    return b" ".join([word for word in words if len(word) >= LEAST_WORD]).decode("ascii")


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

    def note(rank: int, _start: int, _end: int, _flags: int, _context: object) -> None:
        hits.append(rank)

    def gate(lowered: str) -> Iterable[int]:
        try:
            data = lowered.encode()
        except UnicodeEncodeError:
            return exact(lowered)
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
