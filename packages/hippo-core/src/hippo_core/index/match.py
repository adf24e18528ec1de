"""From parsed queries to tantivy's: user text never reaches a query parser."""

from collections.abc import Iterable, Sequence
from typing import Final

import tantivy

from hippo_core.index.fulltext import SCHEMA
from hippo_core.index.query import Query, Term

_MUST: Final = tantivy.Occur.Must
_SHOULD: Final = tantivy.Occur.Should
_SPECIAL: Final = frozenset(".+*?()|[]{}^$\\")


def every(terms: Iterable[Term], narrowed: Sequence[tantivy.Query]) -> tantivy.Query:
    """Turns that hold every term, within the filters."""
    return _all([*(_term("text", term) for term in terms), *narrowed])


def some(terms: Iterable[Term], narrowed: Sequence[tantivy.Query]) -> tantivy.Query:
    """Turns that hold at least one word of the terms, within the filters."""
    found = {word for term in terms for word in term.words}
    return _all([_any([_word("text", word) for word in sorted(found)]), *narrowed])


def narrow(asked: Query, sessions: Sequence[int]) -> list[tantivy.Query]:
    """The filters of `asked`, each as one query that only narrows and never scores."""
    by_name: dict[str, list[tantivy.Query]] = {}
    for name, value in asked.filters:
        if name != "session":
            by_name.setdefault(name, []).append(_filter(name, value))
    if sessions:
        by_name["session"] = [_between("session", number, number) for number in sessions]
    if asked.since_ms is not None or asked.until_ms is not None:
        by_name["time"] = [_between("time", asked.since_ms, asked.until_ms)]
    return [tantivy.Query.const_score_query(_any(queries), 0.0) for queries in by_name.values()]


def _filter(name: str, value: str) -> tantivy.Query:
    """A path is named by any part of it, everything else by how it begins."""
    anywhere = ".*" if name in ("file", "project") else ""
    return tantivy.Query.regex_query(SCHEMA, name, f"{anywhere}{_literal(value.lower())}.*")


def _literal(text: str) -> str:
    """`text` for tantivy's regular expressions, whose engine refuses needless escapes."""
    return "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in text)


def _term(field: str, term: Term) -> tantivy.Query:
    if term.prefix:
        last = tantivy.Query.regex_query(SCHEMA, field, f"{term.words[-1]}.*")
        return _all([*(_word(field, word) for word in term.words[:-1]), last])
    if len(term.words) == 1:
        return _word(field, term.words[0])
    return tantivy.Query.phrase_query(SCHEMA, field, list(term.words))


def _word(field: str, word: str) -> tantivy.Query:
    return tantivy.Query.term_query(SCHEMA, field, word, index_option="freq")


def _all(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.boolean_query([(_MUST, one) for one in queries])


def _between(field: str, lowest: int | None, highest: int | None) -> tantivy.Query:
    return tantivy.Query.range_query(SCHEMA, field, tantivy.FieldType.Integer, lowest, highest)


def _any(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.boolean_query([(_SHOULD, one) for one in queries])
