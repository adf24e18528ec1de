"""Measures search beside raw tantivy, SQLite FTS5 and ripgrep: `python bench/search.py [CORPUS] [--turns 1000000]`."""

import argparse
import os
import random
import re
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import generate
import tantivy
from ingest import roots
from measure import Facts, answer, child, folder_bytes, machine, whole
from text import turns

from hippo_core.ids import Agent
from hippo_core.index.entry import Redactor
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.index.store import Progress
from hippo_core.index.writer import Writer
from hippo_core.redaction.engine import compile_rules
from hippo_core.redaction.text import Tally
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Role
from hippo_core.workflows.ingest import ingest
from hippo_core.workspace.layout import Home

_SCRIPT = Path(__file__).resolve()
_NOW = datetime(2026, 12, 1, tzinfo=UTC)
_SEED = 7
_PER_SESSION = 80
_SAMPLE = 20_000
_REPEATS = 5
_QUERIES = 8
_WORD = re.compile(r"[a-z]{3,20}")
_BANDS = {"frequent": (0.15, 1.0), "common": (0.01, 0.08), "rare": (0.0001, 0.001)}
_SHAPES = (
    ("frequent",),
    ("common",),
    ("rare",),
    ("frequent", "frequent"),
    ("frequent", "common"),
    ("frequent", "frequent", "common"),
    ("frequent", "frequent", "common", "common"),
    ("frequent", "common", "rare"),
)


class _Plain:
    """No redaction: the texts here hold no secrets, and search does not redact."""

    def scrub(self, raw: str, tally: Tally | None) -> str:  # noqa: ARG002
        return raw


def build_hippo(count: str, folder: str) -> Facts:
    """Put so many turns into an index of hippo's."""
    files, redactor, agent = IndexFiles(Path(folder)), Redactor(_Plain()), Agent.CLAUDE_CODE
    files.folder.mkdir(parents=True)
    with Writer(files) as writer:
        for number, texts in enumerate(_batches(int(count))):
            name = f"session-{number}"
            writer.begin_source(agent, "root", name, redactor.text(name), whole=True)
            writer.session(redactor.session(agent, RawSession(native_id=name, cwd="/home/dev/project")))
            for order, text in enumerate(texts):
                raw = RawTurn(
                    identity=f"{number}-{order}",
                    session=name,
                    order=order,
                    role=Role.ASSISTANT,
                    kind=Kind.REPLY,
                    text=text,
                    time_ms=1_780_000_000_000 + order,
                )
                writer.turn(redactor.turn(agent, raw))
            writer.end_source(Progress(b"", 0, 0, "", ""), {}, complete=True)
        writer.commit()
    return {"bytes": folder_bytes(Path(folder))}


def _batches(count: int) -> Iterator[list[str]]:
    texts = turns(count, _SEED)
    while batch := list(islice(texts, _PER_SESSION)):
        yield batch


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="default", index_option="position")
    builder.add_integer_field("number", stored=False, indexed=True, fast=True)
    return builder.build()


def build_tantivy(count: str, folder: str) -> Facts:
    """Put the same turns into tantivy alone."""
    Path(folder).mkdir(parents=True)
    writer = tantivy.Index(_schema(), path=folder).writer(heap_size=96_000_000, num_threads=1)
    for number, text in enumerate(turns(int(count), _SEED)):
        document = tantivy.Document()
        document.add_integer("number", number)
        document.add_text("text", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    return {"bytes": folder_bytes(Path(folder))}


def build_fts5(count: str, path: str) -> Facts:
    """Put the same turns into FTS5, without their texts."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE VIRTUAL TABLE texts USING fts5(text, content='')")
    rows = enumerate(turns(int(count), _SEED))
    connection.executemany("INSERT INTO texts(rowid, text) VALUES(?, ?)", rows)
    connection.commit()
    connection.execute("INSERT INTO texts(texts) VALUES('optimize')")
    connection.commit()
    connection.close()
    return {"bytes": folder_bytes(Path(path))}


def _queries() -> dict[str, list[list[str]]]:
    """Queries of every shape, from words by how many of a sample of turns hold them."""
    held = Counter(word for text in turns(_SAMPLE, _SEED) for word in set(_WORD.findall(text)))
    bands = {
        band: sorted(word for word, count in held.items() if low <= count / _SAMPLE < high)
        for band, (low, high) in _BANDS.items()
    }
    rng = random.Random(_SEED)
    return {
        " + ".join(shape): [[rng.choice(bands[band]) for band in shape] for _ in range(_QUERIES)]
        for shape in _SHAPES
    }


def ask(folder: str) -> Facts:
    """Ask every query of each engine, in turn, and give the median time of each shape in milliseconds."""
    place = Path(folder)
    asked = _queries()
    raw = tantivy.Index(_schema(), path=str(place / "tantivy"), reuse=True)
    connection = sqlite3.connect(place / "fts5.sqlite")
    with Reader(IndexFiles(place / "hippo")) as reader:
        searches: dict[str, Callable[[list[str]], int]] = {
            "tantivy": lambda words: _ask_tantivy(raw, words),
            "tantivy+count": lambda words: _ask_tantivy(raw, words, count=True),
            "hippo": lambda words: len(reader.search(" ".join(words), _NOW, snippets=False).hits),
            "hippo+snippets": lambda words: len(reader.search(" ".join(words), _NOW).hits),
            "fts5": lambda words: _ask_fts5(connection, words),
        }
        times = {
            shape: {name: _median(search, queries, name) for name, search in searches.items()}
            for shape, queries in asked.items()
        }
    return {"times": times}


def _ask_tantivy(index: tantivy.Index, words: list[str], *, count: bool = False) -> int:
    """The best turns with every word, or with any when none has all: the same question that hippo answers."""
    schema, searcher = index.schema, index.searcher()
    terms = [tantivy.Query.term_query(schema, "text", word, index_option="freq") for word in words]
    for occur in (tantivy.Occur.Must, tantivy.Occur.Should):
        asked = tantivy.Query.boolean_query([(occur, term) for term in terms])
        addresses = [address for _, address in searcher.search(asked, limit=10, count=count).hits]
        if addresses:
            return len(searcher.fast_field_values("number", addresses))
    return 0


def _ask_fts5(connection: sqlite3.Connection, words: list[str]) -> int:
    statement = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10"
    for joined in (" ", " OR "):
        match = joined.join(f'"{word}"' for word in words)
        if found := connection.execute(statement, (match,)).fetchall():
            return len(found)
    return 0


def _median(search: Callable[[list[str]], int], queries: list[list[str]], name: str) -> float:
    """Milliseconds, the median over the queries of each one's best time."""
    repeats = 2 if name == "fts5" else _REPEATS
    best: list[float] = []
    for words in queries:
        search(words)
        taken: list[float] = []
        for _ in range(repeats):
            begun = time.perf_counter()
            search(words)
            taken.append(time.perf_counter() - begun)
        best.append(min(taken))
    return statistics.median(best) * 1000


def fill(corpus: str, home: str) -> Facts:
    """Ingest a corpus, for the whole-process searches."""
    summary = ingest(Home.at(Path(home)), roots(Path(corpus)), compile_rules(), now=_NOW)
    return {"turns": summary.turns}


_CHILDREN: dict[str, Callable[..., Facts]] = {
    "hippo": build_hippo,
    "tantivy": build_tantivy,
    "fts5": build_fts5,
    "ask": ask,
    "fill": fill,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", type=Path)
    parser.add_argument("--mb", type=float, default=300)
    parser.add_argument("--turns", nargs="*", type=int, default=[200_000, 1_000_000])
    given = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="hippo-bench-"))
    try:
        print(machine())
        for count in given.turns:
            _in_process(count, scratch / str(count))
        corpus = given.corpus
        if corpus is None:
            corpus = scratch / "corpus"
            generate.write(corpus, given.mb, _SEED)
        _whole_process(corpus.resolve(), scratch)
    finally:
        shutil.rmtree(scratch)


def _in_process(count: int, folder: Path) -> None:
    folder.mkdir()
    built = {
        name: child(_SCRIPT, name, count, folder / place)
        for name, place in (("hippo", "hippo"), ("tantivy", "tantivy"), ("fts5", "fts5.sqlite"))
    }
    sizes = ", ".join(f"{name} {one.facts['bytes'] / 1e6:.0f} MB" for name, one in built.items())
    print(f"\n{count:,} turns, top 10, ms; on disk: {sizes}")
    times = child(_SCRIPT, "ask", folder).facts["times"]
    names = list(next(iter(times.values())))
    print(f"{'words':42}", *(f"{name:>14}" for name in names), f"{'hippo/tantivy':>14}")
    for shape, row in times.items():
        ratio = f"{row['hippo'] / row['tantivy']:14.2f}"
        print(f"{shape:42}", *(f"{row[name]:14.3f}" for name in names), ratio)
    shutil.rmtree(folder)


def _whole_process(corpus: Path, scratch: Path) -> None:
    size, home = folder_bytes(corpus), scratch / "home"
    bare = _best([sys.executable, "-I", "-S", "-c", "pass"])
    print(f"\nwhole process over {size / 1e6:.0f} MB of JSONL, warm, best of 9, ms")
    print(f"{'python -I -S -c pass':30} {bare:9.1f}")
    words = [queries[0][0] for shape, queries in _queries().items() if " " not in shape]
    if shutil.which("rg"):
        for word in words:
            print(f"{f'rg -F {word}':30} {_best(['rg', '-F', word, str(corpus)], 3):9.1f}")
    else:
        print("rg is not installed")
    _searches(words, bare, corpus, home)


def _searches(words: list[str], bare: float, corpus: Path, home: Path) -> None:
    child(_SCRIPT, "fill", corpus, home)
    environment = {"PATH": os.defpath, "HOME": str(home.parent), "HIPPO_HOME": str(home)}
    for word in words:
        argv = [str(Path(sys.executable).with_name("hippo")), "search", word, "--json"]
        if (status := whole(argv, environment).status) != 0:
            print(f"{f'hippo search {word} --json':30} ended with {status}")
            continue
        taken = _best(argv, 9, environment)
        print(f"{f'hippo search {word} --json':30} {taken:9.1f} {taken / bare:6.1f} times a bare interpreter")


def _best(argv: list[str], repeats: int = 9, environment: dict[str, str] | None = None) -> float:
    """Milliseconds of the fastest run after one that warms up."""
    whole(argv, environment)
    return min(whole(argv, environment).wall for _ in range(repeats)) * 1000


if __name__ == "__main__" and not answer(_CHILDREN):
    main()
