"""Measures ingest beside plain tantivy over the same text: `python bench/ingest.py [CORPUS] [--mb 300]`.

Work is counted first (files opened, bytes read and written, rows), then CPU, then wall time, and each time is also
given as a ratio to plain tantivy in the same run.
"""

import argparse
import os
import shutil
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import generate
import tantivy
from measure import ChildError, Facts, Opened, Taken, answer, child, folder_bytes, machine, moved

from hippo_core.ids import Agent
from hippo_core.redaction.engine import compile_rules
from hippo_core.redaction.text import redact
from hippo_core.transcripts.adapter import Report
from hippo_core.transcripts.model import RawTurn
from hippo_core.transcripts.registry import ADAPTERS
from hippo_core.workflows.ingest import Summary, ingest
from hippo_core.workflows.scanning import Root
from hippo_core.workspace.layout import Home

_SCRIPT = Path(__file__).resolve()
_NOW = datetime(2026, 12, 1, tzinfo=UTC)
_LENGTH = struct.Struct("<I")
_HEAP_BYTES = 96_000_000
_FOLDERS = {Agent.CLAUDE_CODE: "claude", Agent.CODEX: "codex"}


def roots(corpus: Path) -> list[Root]:
    """Where the agents' transcripts lie in a generated corpus."""
    return [Root(agent, corpus / name) for agent, name in _FOLDERS.items() if (corpus / name).is_dir()]


def decode(corpus: str, texts: str) -> Facts:
    """Write every turn's text, once, into one file of length-prefixed strings."""
    seen: set[str] = set()
    size = 0
    with Path(texts).open("wb") as file:
        for root in roots(Path(corpus)):
            adapter, report = ADAPTERS[root.agent], Report()
            for source in adapter.discover(root.path, report):
                for item in adapter.read(source, None, report):
                    if isinstance(item, RawTurn) and item.identity not in seen:
                        seen.add(item.identity)
                        data = item.text.encode("utf-8", "surrogatepass")
                        file.write(_LENGTH.pack(len(data)) + data)
                        size += len(data)
    return {"turns": len(seen), "bytes": size}


def _texts(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        while head := file.read(_LENGTH.size):
            yield file.read(_LENGTH.unpack(head)[0]).decode("utf-8", "replace")


def plain(texts: str, folder: str) -> Facts:
    """Index the texts with tantivy and nothing else."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="default", index_option="position")
    builder.add_integer_field("number", stored=False, indexed=True, fast=True)
    Path(folder).mkdir(parents=True)
    writer = tantivy.Index(builder.build(), path=folder).writer(heap_size=_HEAP_BYTES, num_threads=1)
    rows = 0
    for rows, text in enumerate(_texts(Path(texts)), 1):
        document = tantivy.Document()
        document.add_integer("number", rows)
        document.add_text("text", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    return {"rows": rows, "bytes": folder_bytes(Path(folder))}


def scrub(texts: str, gate: str) -> Facts:
    """Redact the texts and do nothing else."""
    rules = compile_rules(accelerated=gate == "hyperscan", compile_after=0)
    return {"characters": sum(len(redact(text, rules).text) for text in _texts(Path(texts)))}


def hippo(corpus: str, home: str, gate: str, jobs: str) -> Facts:
    """Ingest with every rule on."""
    begun = time.process_time()
    rules = compile_rules(accelerated=gate == "hyperscan", compile_after=0)
    compiling = time.process_time() - begun
    opened, before = Opened(Path(corpus)), moved()
    summary = _ingest(corpus, home, rules, int(jobs))
    return _facts(summary, opened, before) | {"compiling": compiling}


def _ingest(corpus: str, home: str, rules: object, jobs: int = 1) -> Summary:
    return ingest(Home.at(Path(home)), roots(Path(corpus)), rules, now=_NOW, jobs=jobs)  # type: ignore[arg-type]


def _facts(summary: Summary, opened: Opened, before: tuple[int, int]) -> Facts:
    after = moved()
    return {
        "files": sum(1 for path in set(opened.paths) if Path(path).is_file()),
        "read": after[0] - before[0],
        "written": after[1] - before[1],
        "turns": summary.turns,
        "sources": summary.read + summary.skipped,
        "redactions": sum(summary.redactions.values()),
    }


def walk(corpus: str) -> Facts:
    """Look at every file's status and do nothing else."""
    count = 0
    for folder, _, names in os.walk(corpus):
        for name in names:
            Path(folder, name).stat()
            count += 1
    return {"files": count}


_CHILDREN: dict[str, Callable[..., Facts]] = {
    "decode": decode,
    "plain": plain,
    "scrub": scrub,
    "hippo": hippo,
    "walk": walk,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", type=Path)
    parser.add_argument("--mb", type=float, default=300)
    parser.add_argument("--session-mb", type=float, default=100)
    given = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="hippo-bench-"))
    try:
        corpus = given.corpus
        if corpus is None:
            corpus = scratch / "corpus"
            generate.write(corpus, given.mb, 7)
        print(machine())
        _first(corpus.resolve(), scratch)
        _unchanged(corpus.resolve(), scratch)
        _appended(scratch, given.session_mb)
    finally:
        shutil.rmtree(scratch)


def _first(corpus: Path, scratch: Path) -> None:
    texts, size = scratch / "texts", folder_bytes(corpus)
    decoded = child(_SCRIPT, "decode", corpus, texts)
    facts = decoded.facts
    print(
        f"corpus: {size / 1e6:.0f} MB of JSONL, {facts['turns']} turns, {facts['bytes'] / 1e6:.0f} MB of text\n"
    )
    base = child(_SCRIPT, "plain", texts, scratch / "plain")
    work, times = f"{'files':>6} {'read MB':>8} {'written':>8} {'turns':>8}", f"{'CPU s':>7} {'ratio':>6}"
    print(f"{'':36} {work} {times} {'wall s':>7} {'ratio':>6} {'JSONL MB/s':>10} {'peak MB':>8}")
    _line("reading and decoding alone", decoded, base, size)
    _line("plain tantivy, text decoded before", base, base, size)
    for gate, jobs in (("hyperscan", 1), ("python", 1), ("hyperscan", 2), ("python", 2)):
        name = f"hippo, {gate} redaction, {jobs} process{'es' * (jobs > 1)}"
        try:
            taken = child(_SCRIPT, "hippo", corpus, scratch / f"home-{gate}-{jobs}", gate, jobs)
        except ChildError as error:
            print(f"{name:36} {error}")
            continue
        _line(name, taken, base, size)
        if jobs == 1:
            alone = child(_SCRIPT, "scrub", texts, gate)
            _line(f"  redaction of the same text alone ({alone.cpu / taken.cpu:.0%})", alone, base, size)
    _sizes(scratch / "home-hyperscan-1", size, base.facts["bytes"])


def _line(name: str, taken: Taken, base: Taken, size: int) -> None:
    facts, rate = taken.facts, size / 1e6 / taken.wall
    files, turns = facts.get("files", "-"), facts.get("turns", facts.get("rows", "-"))
    read, written = (f"{facts[key] / 1e6:.0f}" if key in facts else "-" for key in ("read", "written"))
    work = f"{files:>6} {read:>8} {written:>8} {turns:>8}"
    times = f"{taken.cpu:7.1f} {taken.cpu / base.cpu:6.2f} {taken.wall:7.1f} {taken.wall / base.wall:6.2f}"
    print(f"{name:36} {work} {times} {rate:10.1f} {taken.peak_bytes / 1e6:8.0f}")


def _sizes(home: Path, size: int, plain_bytes: int) -> None:
    print("\nsize on disk beside the JSONL")
    parts = [(path.name, folder_bytes(path)) for path in sorted(home.iterdir())]
    for name, part in [*parts, ("plain tantivy", plain_bytes)]:
        if part > 100_000:
            print(f"{name:34} {part / 1e6:8.1f} MB {part / size:7.1%}")


def _unchanged(corpus: Path, scratch: Path) -> None:
    home = scratch / "home-hyperscan-1"
    again = child(_SCRIPT, "hippo", corpus, home, "hyperscan", 1)
    stats = child(_SCRIPT, "walk", corpus)
    facts = again.facts
    print("\nnothing changed")
    print(
        f"transcripts opened {facts['files']} of {facts['sources']}, bytes written {facts['written']}, ",
        end="",
    )
    print(f"bytes read {facts['read']}")
    own = again.cpu - facts["compiling"]
    compared = f"a walk with stat {stats.cpu * 1000:.0f} ms: {own / stats.cpu:.1f} times as much"
    print(
        f"CPU {own * 1000:.0f} ms after {facts['compiling'] * 1000:.0f} ms of compiling the rules, {compared}"
    )


def _appended(scratch: Path, megabytes: float) -> None:
    corpus, home = scratch / "long", scratch / "home-long"
    path = corpus / "claude" / "projects" / "-home-dev-project" / "11111111-1111-4111-8111-111111111111.jsonl"
    line = generate.long_session(path, megabytes, 11)
    first = child(_SCRIPT, "hippo", corpus, home, "hyperscan", 1)
    with path.open("a", encoding="utf-8") as file:
        file.write(line)
    again = child(_SCRIPT, "hippo", corpus, home, "hyperscan", 1)
    print(f"\none line of {len(line)} bytes appended to a session of {path.stat().st_size / 1e6:.0f} MB")
    for name, taken in (("first", first), ("appended", again)):
        facts = taken.facts
        work = f"read {facts['read'] / 1e6:9.3f} MB, written {facts['written'] / 1e6:8.3f} MB, turns {facts['turns']}"
        times = f"CPU {taken.cpu:.3f} s, wall {taken.wall:.3f} s, peak {taken.peak_bytes / 1e6:.0f} MB"
        print(f"{name:9} {work}, {times}")


if __name__ == "__main__" and not answer(_CHILDREN):
    main()
