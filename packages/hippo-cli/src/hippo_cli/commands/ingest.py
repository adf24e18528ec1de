"""`hippo ingest`: bring the index up to date with what agents wrote, and say what was read, kept and skipped."""

from collections.abc import Callable, Sequence

import msgspec
import typer

from hippo_cli import choices, environment, progress, rules, shapes, terminal
from hippo_core.errors import BusyError, UserError
from hippo_core.index.files import IndexFiles
from hippo_core.redaction.engine import Rules
from hippo_core.workflows import records, retention, watch
from hippo_core.workflows.ingest import Summary, default_roots
from hippo_core.workflows.ingest import ingest as bring_up_to_date
from hippo_core.workflows.scanning import Root
from hippo_core.workspace import find
from hippo_core.workspace.layout import Home
from hippo_core.workspace.settings import Config, load_config, load_workspace
from hippo_view import wording

app = typer.Typer(rich_markup_mode=None, add_completion=False)
_MOST_PROBLEMS = 10
_MOST_JOBS = 4


class _Wanted(msgspec.Struct, frozen=True):
    """One ingest as asked for."""

    home: Home
    roots: tuple[Root, ...]
    restricted: bool
    rules: Rules
    full: bool
    since_ms: int | None
    jobs: int
    forget_gone: bool


@app.command()
def ingest(
    root: list[str] = typer.Option(
        [], "--root", metavar="AGENT=PATH", help="Read this folder, and no default."
    ),
    full: bool = typer.Option(False, "--full", help="Read everything again."),
    agent: list[str] = typer.Option([], "--agent", help="Only this agent's."),
    since: str | None = typer.Option(
        None, "--since", help="Only what changed since 7d, yesterday, 2026-05-01."
    ),
    follow: bool = typer.Option(False, "--watch", help="Go on reading whatever changes, until Ctrl-C."),
    jobs: int = typer.Option(0, "--jobs", min=0, max=64, help="Processes that read; 0 decides by itself."),
    forget_gone: bool = typer.Option(
        False, "--forget-gone", help="Drop sessions whose transcripts are gone."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Read what your agents wrote since the last time."""
    home = environment.hippo_home()
    config = load_config(home)
    wanted = _Wanted(
        home=home,
        roots=tuple(_roots(root, agent, config)),
        restricted=bool(root or agent or since),
        rules=rules.of(config),
        full=full,
        since_ms=choices.time(since, "--since", environment.now()),
        jobs=jobs or config.jobs or min(_MOST_JOBS, environment.processors()),
        forget_gone=forget_gone,
    )
    tell = terminal.warn if as_json else terminal.say
    if not IndexFiles(home.root).store.exists():
        _tell_of_retention(wanted.roots, tell)
    summary = _run(wanted, shown=not as_json)
    if as_json:
        terminal.say_json(shapes.ingest(summary))
    else:
        terminal.say("\n".join(_lines(summary)))
    _refresh_workspace(wanted, tell)
    if follow:
        _follow(wanted, tell)
    return 0


def _roots(named: Sequence[str], agents: Sequence[str], config: Config) -> list[Root]:
    only = {choices.readable_agent(name) for name in agents}
    if named:
        here = environment.here()
        found = [choices.root(each, here) for each in named]
    else:
        usual = default_roots(environment.person_home(), environment.VARIABLES, config)
        # An agent that was never used here is no problem; a folder that the person named and that is gone is one.
        found = [root for root in usual if root.agent in config.transcript_roots or root.path.exists()]
    return [root for root in dict.fromkeys(found) if not only or root.agent in only]


def _tell_of_retention(roots: Sequence[Root], tell: Callable[[str], None]) -> None:
    for kept in retention.of_roots(roots):
        tell(terminal.on_one_line(retention.sentence(kept, environment.now())))


def _run(wanted: _Wanted, *, shown: bool) -> Summary:
    with progress.bar(visible=shown and environment.is_terminal()) as report:
        return bring_up_to_date(
            wanted.home,
            wanted.roots,
            wanted.rules,
            now=environment.now(),
            full=wanted.full,
            restricted=wanted.restricted,
            since_ms=wanted.since_ms,
            jobs=wanted.jobs,
            forget_gone=wanted.forget_gone,
            progress=report,
        )


def _refresh_workspace(wanted: _Wanted, tell: Callable[[str], None]) -> None:
    """Bring the session records of the workspace around the person up to date, if there is one."""
    root = find.workspace_root(environment.here())
    if root is None:
        return
    done = records.refresh(wanted.home, load_workspace(root)[0], wanted.rules)
    for error in done.unreadable:
        tell(terminal.on_one_line(f"skipped {error}"))
    if done.written or done.removed:
        tell(
            f"session records here: {done.written} written, {done.removed} removed, {done.unchanged} as before"
        )


def _follow(wanted: _Wanted, tell: Callable[[str], None]) -> None:
    """Read again after every change, in this process, until the person stops it."""
    again = msgspec.structs.replace(wanted, full=False, jobs=1, forget_gone=False)
    folders = [root.path for root in wanted.roots if root.path.is_dir()]
    if not folders:
        raise UserError("there is no folder to watch; name one with --root AGENT=PATH")
    tell(f"watching {wording.counted(len(folders), 'folder')}; Ctrl-C stops it")
    for _ in watch.changes(folders):
        try:
            summary = _run(again, shown=False)
        except BusyError as error:
            tell(terminal.on_one_line(str(error)))
            continue
        if summary.read or summary.gone:
            tell(_first_line(summary))
            _refresh_workspace(again, tell)


def _lines(summary: Summary) -> list[str]:
    lines = [terminal.on_one_line(message) for message in summary.healed]
    lines += [
        terminal.on_one_line(f"skipped {problem.path}: {problem.problem}")
        for problem in summary.problems[:_MOST_PROBLEMS]
    ]
    if len(summary.problems) > _MOST_PROBLEMS:
        lines.append(f"skipped {len(summary.problems) - _MOST_PROBLEMS:,} more; --json names them all")
    for agent, kinds in summary.unknown.items():
        told = ", ".join(f"{count} {terminal.on_one_line(kind)}" for kind, count in sorted(kinds.items()))
        lines.append(f"{agent}: records of types that hippo does not know: {told}")
    if summary.redactions:
        secrets = ", ".join(f"{count} {kind}" for kind, count in summary.redactions.items())
        lines.append(f"secrets replaced: {secrets}")
    return [*lines, _first_line(summary)]


def _first_line(summary: Summary) -> str:
    gone = f", {summary.gone} gone and kept in the archive" if summary.gone else ""
    held = f"{wording.counted(summary.sessions, 'session')}, {wording.counted(summary.turns, 'turn')}"
    read = f"read {wording.counted(summary.read, 'transcript')} ({wording.size(summary.bytes_read)})"
    return f"{held}; {read}, {summary.skipped} unchanged{gone}"
