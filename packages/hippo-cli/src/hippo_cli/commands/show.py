"""`hippo show`: one session, or the part of it around one turn."""

import typer

from hippo_cli import environment, shapes, terminal
from hippo_core.errors import UserError
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_view import wording
from hippo_view.session import SessionView, TurnView, session_view

app = typer.Typer(rich_markup_mode=None, add_completion=False)
_SHOWN_CHARACTERS = 4000


@app.command(no_args_is_help=True)
def show(
    target: str = typer.Argument(
        ..., metavar="SESSION[:TURN]", help="Its id, the beginning of it, or a hit."
    ),
    context: int = typer.Option(3, "--context", min=0, help="With a turn: how many on either side."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Show a session turn by turn."""
    now = environment.now()
    with Reader(IndexFiles(environment.hippo_home().root)) as index:
        name, position = split(target)
        session = index.find_session(name)
        turns = index.turns(session.id)
    if position is not None and not 1 <= position <= len(turns):
        raise UserError(f"session {session.id} has turns 1 to {len(turns)}, and no {position}")
    view = session_view(session, turns, now=now, at=position, context=context)
    if as_json:
        terminal.say_json(shapes.show(view))
    else:
        terminal.say("\n".join(_lines(view)))
    return 0


def split(target: str) -> tuple[str, int | None]:
    """Session and position of `SESSION:TURN`; a session's own name may hold colons, too."""
    clean = target.encode("utf-8", "replace").decode().strip()
    name, colon, position = clean.rpartition(":")
    if colon and name and position.isascii() and position.isdigit() and len(position) < 10:
        return name, int(position)
    return clean, None


def _lines(view: SessionView) -> list[str]:
    colored = environment.is_colored()
    session = view.session
    facts = (session.agent, session.cwd or "", session.when, wording.counted(session.turns, "turn"))
    lines = [terminal.bold(terminal.on_one_line(session.title or "(no title)"), colored=colored)]
    lines += ["  ".join(terminal.on_one_line(fact) for fact in (session.id, *facts) if fact)]
    if view.before:
        lines += ["", terminal.dim(f"… {wording.counted(view.before, 'turn')} before", colored=colored)]
    for turn in view.turns:
        lines += ["", *_turn_lines(turn, marked=turn.position == view.at, colored=colored)]
    if view.after:
        lines += ["", terminal.dim(f"… {wording.counted(view.after, 'turn')} after", colored=colored)]
    return lines


def _turn_lines(turn: TurnView, *, marked: bool, colored: bool) -> list[str]:
    states = ["copied"] * turn.copied + ["abandoned"] * turn.abandoned
    facts = (turn.who, turn.tool or "", turn.when, turn.outcome, *states)
    head = "  ".join(terminal.on_one_line(fact) for fact in facts if fact)
    lines = [terminal.bold(f"{'>' if marked else ' '} {turn.position}  {head}", colored=colored)]
    text = turn.text.strip()
    if len(text) > _SHOWN_CHARACTERS:
        left = f"\n… {len(text) - _SHOWN_CHARACTERS:,} characters more; --json has them"
        text = text[:_SHOWN_CHARACTERS] + left
    return [*lines, *(f"    {line}" for line in terminal.harmless(text).split("\n"))]
