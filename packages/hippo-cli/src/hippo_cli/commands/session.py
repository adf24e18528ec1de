"""`hippo session`: a session of this workspace is declared to begin or to end."""

import sys

import msgspec
import typer

from hippo_cli import choices, environment, rules, terminal
from hippo_core.errors import UserError
from hippo_core.ids import Agent, SessionId, session_id
from hippo_core.records.wire import SessionRecord
from hippo_core.redaction.text import EMPTY, redact
from hippo_core.workflows import sessions
from hippo_core.workspace import find, handoff
from hippo_core.workspace.layout import Workspace
from hippo_core.workspace.settings import load_workspace

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Declare that a session begins or ends.",
)


@app.command()
def start(
    agent: str = typer.Option(..., "--agent", help="Which agent works."),
    native_id: str | None = typer.Option(
        None, "--id", help="The agent's own id of it; made up when left out."
    ),
    task: str = typer.Option("", "--task", help="What it is to do, in a line."),
    parent: str | None = typer.Option(None, "--parent", help="The session that delegated it."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Declare that a session begins here, and print its id."""
    now = environment.now()
    scrubber = rules.for_home(environment.hippo_home())
    known = choices.agent(agent)
    record = sessions.start(
        _workspace(),
        session=session_id(known, native_id or f"declared {now.isoformat()}"),
        agent=known,
        task=redact(task, scrubber),
        now=now,
        parent=SessionId(parent) if parent else None,
    )
    _print(record, as_json=as_json)
    return 0


@app.command()
def end(
    session: str | None = typer.Argument(
        None, help="Its id or the beginning of it; the only open one when left out."
    ),
    text: str = typer.Option("", "--handoff", help="What the next one should know; - reads standard input."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Declare that a session ends, and what it hands on."""
    workspace = _workspace()
    scrubber = rules.for_home(environment.hippo_home())
    raw = sys.stdin.buffer.read().decode("utf-8", "replace") if text == "-" else text
    said = redact(raw, scrubber) if raw else EMPTY
    for link in handoff.unresolved(said.text, handoff.note_names(workspace)):
        terminal.warn(f"hippo: no note {terminal.on_one_line(link)!r} here; the handoff is kept as it is")
    record = sessions.end(workspace, _named(workspace, session), said, environment.now())
    _print(record, as_json=as_json)
    return 0


def _workspace() -> Workspace:
    root = find.workspace_root(environment.here())
    if root is None:
        raise UserError("this folder is in no workspace; run `hippo init` at its root")
    return load_workspace(root)[0]


def _named(workspace: Workspace, typed: str | None) -> SessionId:
    """The session that was meant: an open one, or any by its full or native id."""
    open_ids = [record.id for record in sessions.open_sessions(workspace)]
    if typed is None:
        if len(open_ids) != 1:
            told = (
                f"name one of {', '.join(open_ids)}" if open_ids else "begin one with `hippo session start`"
            )
            raise UserError(f"{len(open_ids)} sessions are open here; {told}")
        return SessionId(open_ids[0])
    natives = {str(session_id(agent, typed)) for agent in Agent}
    matching = [each for each in open_ids if each.startswith(typed) or each in natives]
    if len(matching) > 1:
        raise UserError(f"{typed!r} is the beginning of several sessions: {', '.join(matching)}")
    return SessionId(matching[0] if matching else typed)


def _print(record: SessionRecord, *, as_json: bool) -> None:
    if as_json:
        terminal.say_json(msgspec.to_builtins(record))
    else:
        terminal.say(record.id)
