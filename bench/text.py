"""Seeded text with the words and shapes of real work: prose, code, logs and JSON, made from the standard library."""

import json
import random
import re
import sysconfig
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{1,31}")
_SOURCE_FILES = 450
_MADE_WORDS = 60_000


class Vocabulary(NamedTuple):
    """Words with the running sums of their weights, and lines of code by file."""

    words: list[str]
    sums: list[float]
    code: list[list[str]]


@cache
def vocabulary() -> Vocabulary:
    """The words of the standard library's sources by how often they stand there, and a long tail of made ones."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    paths = [path for path in sorted(folder.rglob("*.py")) if not {"site-packages", "test"} & set(path.parts)]
    sources = [path.read_text("utf-8", "replace") for path in paths[:: max(1, len(paths) // _SOURCE_FILES)]]
    counts = Counter(word for source in sources for word in _WORD.findall(source))
    rng = random.Random(0)
    stems = [word for word, _ in counts.most_common(4_000)]
    made = {
        f"{rng.choice(stems)}{rng.choice(('_', '-', ''))}{rng.randrange(100_000)}": 0.2
        for _ in range(_MADE_WORDS)
    }
    weights: dict[str, float] = made | {word: float(count) for word, count in counts.items()}
    code = [lines for source in sources if len(lines := source.splitlines()) > 120]
    return Vocabulary(list(weights), list(accumulate(weights.values())), code)


class Texts:
    """Text of each shape; equal seeds give equal text."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self._known = vocabulary()

    def words(self, count: int) -> list[str]:
        """Words by their weight."""
        return self.rng.choices(self._known.words, cum_weights=self._known.sums, k=count)

    def prose(self, count: int) -> str:
        """About `count` words in sentences."""
        words = self.words(count)
        sentences = (" ".join(words[start : start + 14]) for start in range(0, count, 14))
        return ". ".join(sentences) + "."

    def code(self, count: int) -> str:
        """Consecutive lines of some source file."""
        lines = self.rng.choice(self._known.code)
        start = self.rng.randrange(max(1, len(lines) - count))
        return "\n".join(lines[start : start + count])

    def numbered(self, count: int) -> str:
        """The same as a file reader prints it."""
        return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(self.code(count).split("\n"), 1))

    def log(self, count: int) -> str:
        """Lines of a test run or a build."""
        rng, words = self.rng, self.words(count * 4)
        return "\n".join(
            f"2026-03-{rng.randrange(1, 29):02}T{rng.randrange(24):02}:{rng.randrange(60):02}:00Z "
            f"{rng.choice(('INFO', 'DEBUG', 'WARNING', 'ERROR'))} {' '.join(words[line * 4 : line * 4 + 4])} "
            f"{rng.getrandbits(64):016x} {rng.randrange(5000)}ms"
            for line in range(count)
        )

    def data(self, count: int) -> str:
        """A JSON document of `count` entries."""
        words = self.words(count * 3)
        entries = [
            {
                "id": self.rng.getrandbits(40),
                "name": words[each * 3],
                "tags": words[each * 3 + 1 : each * 3 + 3],
            }
            for each in range(count)
        ]
        return json.dumps(entries, indent=1)

    def output(self) -> str:
        """What a tool answers: mostly short, at times very long."""
        size = min(4_000, max(3, int(self.rng.lognormvariate(3.3, 1.2))))
        return self.rng.choice((self.numbered, self.numbered, self.log, self.data, self.code))(size)

    def secret(self) -> str:
        """A made-up secret of some kind, put together here so that none stands in this file."""
        letters = "".join(self.rng.choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=36))
        return self.rng.choice(
            (
                "ghp" + "_" + letters,
                "AK" + "IA" + letters[:16].upper(),
                f"{letters[:8].lower()}@" + "example.org",
            )
        )


def turns(count: int, seed: int) -> Iterator[str]:
    """Plain turn texts for benches of search: prose, commands and tool output, 60 words on average."""
    texts = Texts(seed)
    rng = texts.rng
    for _ in range(count):
        draw = rng.random()
        if draw < 0.55:
            yield texts.prose(max(4, int(rng.lognormvariate(3.6, 0.8))))
        elif draw < 0.85:
            yield texts.code(rng.randrange(3, 16))
        else:
            yield texts.log(rng.randrange(2, 9))
