"""Small real indexes for tests: entries pass through the real redaction, files are real files."""

from collections.abc import Iterable
from pathlib import Path

from hippo_core.ids import Agent
from hippo_core.index.entry import Redactor
from hippo_core.index.files import IndexFiles
from hippo_core.index.store import Progress
from hippo_core.index.writer import Writer
from hippo_core.redaction.engine import compile_rules
from hippo_core.redaction.text import EMPTY
from hippo_core.transcripts.model import Kind, RawSession, RawTurn, Role

RULES = compile_rules()
DONE = Progress(b"stamp", 1, 0, "", "")


def turn(identity: str, text: str, order: int = 0, **more: object) -> RawTurn:
    fields: dict[str, object] = {
        "identity": identity,
        "session": "s1",
        "order": order,
        "role": Role.USER,
        "kind": Kind.PROMPT,
        "text": text,
        "time_ms": 1_700_000_000_000 + order,
        **more,
    }
    return RawTurn(**fields)  # type: ignore[arg-type]


def put(
    writer: Writer,
    source: str,
    items: Iterable[RawTurn | RawSession],
    *,
    whole: bool = True,
    agent: Agent = Agent.CODEX,
) -> None:
    redactor = Redactor(RULES)
    writer.begin_source(agent, "root", source, EMPTY, whole=whole)
    for item in items:
        if isinstance(item, RawTurn):
            writer.turn(redactor.turn(agent, item))
        else:
            writer.session(redactor.session(agent, item))
    writer.end_source(DONE, {}, complete=True)


def build(folder: Path, *sources: tuple[str, list[RawTurn | RawSession]]) -> IndexFiles:
    folder.mkdir(exist_ok=True)
    files = IndexFiles(folder)
    with Writer(files) as writer:
        for name, items in sources:
            put(writer, name, items)
        writer.commit()
    return files
