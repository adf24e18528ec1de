"""The way in: what must be fast is dispatched before typer loads, and every error becomes one line."""

import gc
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hippo_core.errors import HippoError

VERSION: Final = "0.1.0"
_STOPPED: Final = 130


def main() -> None:
    """Run hippo as a program."""
    _open_closed_streams()
    arguments = sys.argv[1:]
    code = guarded(arguments)
    if arguments[:1] != ["search"]:
        sys.exit(code)
    sys.stdout.flush()
    sys.stderr.flush()
    # A search leaves nothing behind, and taking the interpreter down would cost it a tenth of its time.
    os._exit(code)


def _open_closed_streams() -> None:
    """Give a program that was started with a stream closed an empty one, before another file takes its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def guarded(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; with `--debug` anywhere, errors keep their traceback."""
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    debug = "--debug" in arguments[:end]
    plain = [each for each in arguments[:end] if each != "--debug"] + list(arguments[end:])
    try:
        return _dispatch(plain)
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        return _fail("stopped; what was committed is kept", _STOPPED)
    except HippoError as error:
        if debug:
            raise
        return _fail(str(error), error.exit_code)
    except OSError as error:
        if debug:
            raise
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", HippoError.exit_code)


def _dispatch(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        sys.stdout.write(f"hippo {VERSION}\n")
        sys.stdout.flush()
        return 0
    if arguments[:1] == ["search"]:
        # A search ends before collecting garbage pays; loading what it needs takes a tenth less time without.
        gc.disable()
        _load_msgspec_alone()
        from hippo_cli.commands import search

        if (asked := search.parse(arguments[1:])) is not None:
            return search.run(asked)
        gc.enable()
    from hippo_cli import app

    return app.run(arguments)


def _load_msgspec_alone() -> None:
    """Load msgspec without typing_extensions, which it takes where it is and does not need: a quarter of the start."""
    absent = "typing_extensions"
    if absent not in sys.modules:
        sys.modules[absent] = None  # type: ignore[assignment]
        importlib.import_module("msgspec")
        del sys.modules[absent]


def _fail(problem: str, exit_code: int) -> int:
    from hippo_cli import terminal

    terminal.warn(f"hippo: {terminal.on_one_line(problem)}")
    return exit_code


if __name__ == "__main__":
    main()
