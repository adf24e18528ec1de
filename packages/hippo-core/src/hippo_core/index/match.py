"""From parsed queries to tantivy's: user text never reaches a query parser."""

import re
from collections.abc import Iterable, Sequence

import tantivy

from hippo_core.index import words
from hippo_core.index.fulltext import SCHEMA
from hippo_core.index.query import Query, Term
from hippo_core.transcripts.model import Kind, Role

_MUST = tantivy.Occur.Must
_SHOULD = tantivy.Occur.Should


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
        if name != "session" and (one := _filter(name, value)) is not None:
            by_name.setdefault(name, []).append(one)
    if sessions:
        by_name["session"] = [tantivy.Query.term_set_query(SCHEMA, "session", list(sessions))]
    if asked.since_ms is not None or asked.until_ms is not None:
        span = tantivy.Query.range_query(
            SCHEMA, "time", tantivy.FieldType.Integer, asked.since_ms, asked.until_ms
        )
        by_name["time"] = [span]
    return [tantivy.Query.const_score_query(_any(queries), 0.0) for queries in by_name.values()]


def _filter(name: str, value: str) -> tantivy.Query | None:
    if name in ("file", "project"):
        split = words.split(value)
        return _term(name, Term(tuple(split))) if split else None
    known = {"role": tuple(Role), "kind": tuple(Kind)}.get(name)
    lowered = value.lower()
    if known is not None or name == "agent":
        return _prefix(name, lowered)
    return _prefix(name, lowered)


def _prefix(field: str, value: str) -> tantivy.Query:
    return tantivy.Query.regex_query(SCHEMA, field, f"{re.escape(value)}.*")


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


def _any(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.boolean_query([(_SHOULD, one) for one in queries])
