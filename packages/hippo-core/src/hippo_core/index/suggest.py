"""What a person may have meant when nothing matches: the nearest words that the index does hold."""

import re
from collections.abc import Callable
from typing import Final

import tantivy

from hippo_core.index import words
from hippo_core.index.fulltext import SCHEMA
from hippo_core.index.query import Term

_SHORTEST: Final = 4
_LOOKED_AT: Final = 8
_CHARACTERS: Final = 20_000


def correct(
    typed: str, terms: tuple[Term, ...], searcher: tantivy.Searcher, text_of: Callable[[int], str]
) -> str | None:
    """`typed` with each word that no turn holds replaced by the nearest that one does, or None."""
    corrected = typed
    for word in dict.fromkeys(word for term in terms for word in term.words):
        nearest = _nearest(word, searcher, text_of)
        if nearest is not None:
            corrected = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", nearest, corrected, flags=re.IGNORECASE)
    return None if corrected == typed else corrected


def _nearest(word: str, searcher: tantivy.Searcher, text_of: Callable[[int], str]) -> str | None:
    if len(word) < _SHORTEST or _held(word, searcher):
        return None
    # 20 ms that only a query without an answer pays.
    from rapidfuzz import process  # noqa: PLC0415
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    for distance in (1, 2):
        fuzzy = tantivy.Query.fuzzy_term_query(
            SCHEMA, "text", word, distance=distance, transposition_cost_one=True
        )
        hits = searcher.search(fuzzy, limit=_LOOKED_AT, count=False).hits
        if not hits:
            continue
        numbers = searcher.fast_field_values("number", [address for _, address in hits])
        near = {other for number in numbers if number for other in _words_of(text_of(int(number)))}
        best = process.extractOne(word, sorted(near), scorer=OSA.distance, score_cutoff=distance)
        if best is not None:
            return str(best[0])
    return None


def _words_of(text: str) -> list[str]:
    shown = text[:_CHARACTERS]
    return words.split(f"{shown} {words.parts(shown)}")


def _held(word: str, searcher: tantivy.Searcher) -> bool:
    query = tantivy.Query.term_query(SCHEMA, "text", word)
    return bool(searcher.search(query, limit=1, count=False).hits)
