"""Kills ingests at random moments and compares what is left with a clean index: `python bench/kill.py [--kills 200]`.

The corpus changes between the kills (files touched and grown, `--full` now and then), so that every ingest has work.
After the last kill one ingest runs to its end; sessions, turns and searches must equal those of an index made of the
same transcripts that nobody ever killed.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import generate
import msgspec

from hippo_core.ids import Agent
from hippo_core.index import writer
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.redaction.engine import compile_rules
from hippo_core.workflows.ingest import ingest
from hippo_core.workflows.scanning import Root
from hippo_core.workspace.layout import Home

_SCRIPT = Path(__file__).resolve()
_NOW = datetime(2026, 12, 1, tzinfo=UTC)
# So small a corpus would be one commit: with the engine alone, commits come often, and kills fall between them.
_COMMIT_CHARACTERS = 150_000
_WORDS = ("self", "return", "import", "ERROR", "name", "value", "one more prompt", "os path join", "zzznever")


class _Program:
    """How an ingest is started: the command line, or the engine alone when that is asked for."""

    def __init__(self, corpus: Path, engine: bool) -> None:
        self._corpus = corpus
        self._engine = engine

    def start(self, home: Path, *, full: bool) -> subprocess.Popen[bytes]:
        roots = [f"claude-code={self._corpus / 'claude'}", f"codex={self._corpus / 'codex'}"]
        given = [part for root in roots for part in ("--root", root)] + ["--full"] * full
        if self._engine:
            argv = [sys.executable, "-P", str(_SCRIPT), "--engine-child", *given]
        else:
            argv = [str(Path(sys.executable).with_name("hippo")), "ingest", *given, "--json"]
        environment = {"PATH": os.defpath, "HOME": str(home.parent), "HIPPO_HOME": str(home)}
        environment["PYTHONPATH"] = str(_SCRIPT.parent)
        return subprocess.Popen(
            argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, start_new_session=True
        )

    def finish(self, home: Path, *, full: bool = False) -> dict[str, Any]:
        """Run an ingest to its end and return what it printed."""
        process = self.start(home, full=full)
        out, err = process.communicate()
        if process.returncode != 0:
            raise SystemExit(f"ingest ended with {process.returncode}: {err.decode('utf-8', 'replace')}")
        summary: dict[str, Any] = json.loads(out)
        return summary


def _engine_child(arguments: list[str]) -> None:
    named = [value.split("=", 1) for value in arguments if "=" in value]
    roots = [Root(Agent(name), Path(path)) for name, path in named]
    home = Home.at(Path(os.environ["HIPPO_HOME"]))
    full = "--full" in arguments
    setattr(writer, "COMMIT_CHARACTERS", _COMMIT_CHARACTERS)  # noqa: B010
    summary = ingest(home, roots, compile_rules(), now=_NOW, full=full, restricted=not full)
    print(json.dumps(msgspec.to_builtins(summary) | {"problems": len(summary.problems)}))


def main() -> None:
    """Kill, heal, compare, and say how it went; ends with 1 when anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--mb", type=float, default=6)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--engine", action="store_true", help="start the engine alone, not the command line")
    given = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="hippo-kill-"))
    try:
        alike = _run(scratch, given)
    finally:
        shutil.rmtree(scratch)
    raise SystemExit(0 if alike else 1)


def _run(scratch: Path, given: argparse.Namespace) -> bool:
    corpus, home, clean = scratch / "corpus", scratch / "home", scratch / "clean"
    generate.write(corpus, given.mb, given.seed)
    program, rng = _Program(corpus, given.engine), random.Random(given.seed)
    begun = time.perf_counter()
    program.finish(scratch / "warm")
    longest = time.perf_counter() - begun
    ended: Counter[str] = Counter()
    for _ in range(given.kills):
        ended.update(_one_kill(program, home, corpus, rng, longest))
    last = program.finish(home)
    program.finish(clean)
    mine, theirs = _export(home), _export(clean)
    same = {name: mine[name] == theirs[name] for name in mine}
    print(
        f"kills {ended['killed']} of {given.kills}, ended before the kill {ended['done']}, failed {ended['failed']}"
    )
    healed = ended + Counter(last.get("healed", ()))
    told = {name: count for name, count in healed.items() if name not in ("killed", "done", "failed")}
    print(f"healed, as told by the ingests that ended: {told}")
    print(f"sessions {mine['sessions_count']}, turns {mine['turns_count']}; alike: {same}")
    return all(same.values()) and not ended["failed"]


def _one_kill(program: _Program, home: Path, corpus: Path, rng: random.Random, longest: float) -> list[str]:
    _change(corpus, rng)
    process = program.start(home, full=rng.random() < 0.25)
    try:
        process.wait(rng.uniform(0.02, longest * 1.05))
    except subprocess.TimeoutExpired:
        # The program dies at once and cannot end its workers, so they are ended here, by its process group.
        process.send_signal(signal.SIGKILL)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return ["killed"]
    out, err = process.communicate()
    if process.returncode != 0:
        print(
            f"an ingest after a kill ended with {process.returncode}: {err.decode('utf-8', 'replace').strip()}"
        )
        return ["failed"]
    return ["done", *json.loads(out).get("healed", ())]


def _change(corpus: Path, rng: random.Random) -> None:
    """Touch some transcripts, so that they are read again, and let some grow by a prompt."""
    paths = sorted(corpus.rglob("*.jsonl"))
    for path in rng.sample(paths, len(paths) // 2):
        os.utime(path)
    sessions = [path for path in paths if "-home-dev-project" in path.parts and "subagents" not in path.parts]
    for path in rng.sample(sessions, min(2, len(sessions))):
        last = json.loads(path.read_bytes().splitlines()[-1])
        identity = hashlib.sha256(f"{last.get('uuid')}{rng.random()}".encode()).hexdigest()[:32]
        row = last | {"type": "user", "parentUuid": last.get("uuid"), "uuid": identity}
        row["message"] = {"role": "user", "content": f"One more prompt {rng.randrange(10_000)}"}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({key: row[key] for key in row if key != "requestId"}) + "\n")


def _export(home: Path) -> dict[str, Any]:
    """Everything the index answers with: digests of its sessions and turns, and what searches find."""
    with Reader(IndexFiles(home)) as reader:
        sessions = sorted(reader.sessions(), key=lambda session: session.id)
        turns = {session.id: msgspec.to_builtins(reader.turns(session.id)) for session in sessions}
        found = {words: reader.search(words, _NOW, limit=5, snippets=False).total for words in _WORDS}
    return {
        "sessions_count": len(sessions),
        "turns_count": sum(map(len, turns.values())),
        "sessions": _digest(msgspec.to_builtins(sessions)),
        "turns": _digest(turns),
        "found": found,
    }


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--engine-child"]:
        _engine_child(sys.argv[2:])
    else:
        main()
