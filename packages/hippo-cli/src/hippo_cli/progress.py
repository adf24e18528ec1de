"""How far an ingest has come, as a line that a terminal redraws."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from hippo_core.workflows.ingest import Progress


@contextmanager
def bar(*, visible: bool) -> Generator[Callable[[Progress], None] | None]:
    """What to call with each step; None where nobody watches."""
    if not visible:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as Drawn

    columns = (
        TextColumn("{task.fields[sources]}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Drawn(*columns, console=Console(stderr=True), transient=True) as drawn:
        task = drawn.add_task("", total=None, sources="looking for transcripts")

        def step(made: Progress) -> None:
            told = f"{made.done_sources:,} of {made.all_sources:,} transcripts"
            drawn.update(task, total=made.all_bytes, completed=made.done_bytes, sources=told)

        yield step
