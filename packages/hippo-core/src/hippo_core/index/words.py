"""How text becomes the words that are searched: the same for what is indexed and for what is asked."""

import re
from collections.abc import Iterator
from typing import Final

_HUMP: Final = re.compile(r"[a-z][A-Z]|[A-Z][A-Z][a-z]")
_REST_OF_WORD: Final = re.compile(r"[A-Za-z0-9]*")
_CAMEL_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CJK: Final = re.compile(
    "[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002fa1f]+"
)
_WORD: Final = re.compile(r"[^\W_]+")
LONGEST_WORD: Final = 39


def parts(text: str) -> str:
    """The parts of camel-case identifiers and the single characters of CJK runs in `text`, apart by spaces."""
    found: list[str] = []
    for word in dict.fromkeys(_camel_words(text)):
        found.extend(_CAMEL_PART.findall(word))
    if not text.isascii():
        found.extend(" ".join(run) for run in _CJK.findall(text))
    return " ".join(found)


def split(text: str) -> list[str]:
    """The words of `text` as the index holds them: lower case, cut at all punctuation; CJK runs by character."""
    words: list[str] = []
    for word in _WORD.findall(text):
        if word.isascii():
            words.append(word.lower())
        else:
            words.extend(_split_cjk(word))
    return [word for word in words if len(word.encode()) <= LONGEST_WORD]


def _camel_words(text: str) -> Iterator[str]:
    """Words with a hump, found from the hump outwards: most text has none and costs one scan."""
    end = 0
    for hump in _HUMP.finditer(text):
        start = hump.start()
        if start < end:
            continue
        lowest = max(end, start - 2 * LONGEST_WORD)
        while start > lowest and text[start - 1].isalnum():
            start -= 1
        end = _REST_OF_WORD.match(text, hump.start(), hump.start() + 2 * LONGEST_WORD).end()  # type: ignore[union-attr]
        yield text[start:end]


def _split_cjk(word: str) -> list[str]:
    found: list[str] = []
    at = 0
    for run in _CJK.finditer(word):
        if run.start() > at:
            found.append(word[at : run.start()].lower())
        found.extend(run.group())
        at = run.end()
    if at < len(word):
        found.append(word[at:].lower())
    return found
