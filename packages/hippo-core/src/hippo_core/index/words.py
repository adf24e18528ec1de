"""How text becomes the words that are searched: the same for what is indexed and for what is asked."""

import re
from functools import lru_cache
from typing import Final

_HUMP: Final = re.compile("[a-z][A-Z]")
_REST_OF_WORD: Final = re.compile(r"[A-Za-z0-9]*")
_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CJK: Final = re.compile(
    "[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002fa1f]+"
)
_WORD: Final = re.compile(r"[^\W_]+")
LONGEST_WORD: Final = 39


def parts(text: str) -> str:
    """The parts of camel-case identifiers and the single characters of CJK runs in `text`, apart by spaces."""
    found = [_parts_of(word) for word in _camel_words(text)]
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


def _camel_words(text: str) -> set[str]:
    """Words with a hump, found from the hump outwards: most text has none and costs one scan."""
    found: set[str] = set()
    end = 0
    for hump in _HUMP.finditer(text):
        at = hump.start()
        if at < end:
            continue
        start, lowest = at, max(end, at - LONGEST_WORD)
        while start > lowest and text[start - 1].isalnum():
            start -= 1
        rest = _REST_OF_WORD.match(text, at, at + LONGEST_WORD)
        end = rest.end() if rest else at + 1
        found.add(text[start:end])
    return found


@lru_cache(maxsize=1 << 16)
def _parts_of(word: str) -> str:
    return " ".join(_PART.findall(word))


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
