"""`hippo doctor`: one line a check, with what mends it."""

from collections import Counter
from collections.abc import Iterator
from typing import Literal

import msgspec
import typer

from hippo_cli import environment, rules, shapes, terminal
from hippo_core.errors import HippoError
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.workspace.layout import Home
from hippo_core.workspace.settings import check_config

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Check(msgspec.Struct, frozen=True):
    """What one check found; `mend` is empty unless there is something to do."""

    name: str
    state: Literal["ok", "note", "problem"]
    message: str
    mend: str = ""


class _Tally:
    """Kinds of secrets with counts."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()

    def add(self, kind: str, count: int) -> None:
        self.kinds[kind] += count


@app.command()
def doctor(
    secrets: bool = typer.Option(
        False, "--secrets", help="Look through the whole index with today's rules, too."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Check settings and index; exit code 1 when there is a problem."""
    checks = list(_checks(environment.hippo_home(), secrets=secrets))
    if as_json:
        terminal.say_json(checks)
    else:
        terminal.say("\n".join(map(_line, checks)))
    return 1 if any(check.state == "problem" for check in checks) else 0


def _checks(home: Home, *, secrets: bool) -> Iterator[Check]:
    faults = check_config(home.config)
    yield from (
        Check("config", "problem", shapes.text(f"{home.config}:{fault}"), "mend that line")
        for fault in faults
    )
    if not faults:
        yield Check("config", "ok", shapes.text(home.config) if home.config.exists() else "defaults")
    files = IndexFiles(home.root)
    if not files.store.exists():
        yield Check("index", "note", "nothing is indexed yet", "hippo ingest")
        return
    try:
        with Reader(files) as index:
            yield from _index_checks(index)
            if secrets and not faults:
                yield _secrets(index, home)
    except HippoError as error:
        yield Check("index", "problem", shapes.text(error), "hippo ingest")


def _index_checks(index: Reader) -> Iterator[Check]:
    sessions, turns = index.totals()
    held = f"{sessions:,} sessions, {turns:,} turns"
    if index.is_behind():
        yield Check("index", "problem", f"{held}; a search does not find all of them", "hippo ingest")
    else:
        yield Check("index", "ok", held)
    unread = index.problems()
    yield from (Check("transcript", "problem", f"{path}: {problem}") for path, problem in unread)
    if not unread:
        yield Check("transcripts", "ok", "every one could be read")
    for agent, kinds in index.unknown().items():
        told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        yield Check("records", "note", f"{agent}: types that this hippo does not know: {told}")


def _secrets(index: Reader, home: Home) -> Check:
    tally, scrubber = _Tally(), rules.for_home(home)
    found = sum(scrubber.scrub(text, tally) != text for _, _, text in index.texts())
    if not found:
        return Check("secrets", "ok", "none in the index")
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(tally.kinds.items()))
    return Check(
        "secrets", "problem", f"{found} turns hold what today's rules replace: {kinds}", "hippo ingest --full"
    )


def _line(check: Check) -> str:
    mend = f"; {check.mend}" if check.mend else ""
    return terminal.on_one_line(f"{check.state:<8} {check.name}: {check.message}{mend}")
