"""The way in: what must be fast is dispatched before typer loads, and every error becomes one line."""

import sys
from collections.abc import Sequence
from typing import Final

from hippo_core.errors import HippoError

VERSION: Final = "0.1.0"
_STOPPED: Final = 130


def main() -> None:
    """Run hippo as a program."""
    sys.exit(guarded(sys.argv[1:]))


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
        from hippo_cli.commands import search

        if (asked := search.parse(arguments[1:])) is not None:
            return search.run(asked)
    from hippo_cli import app

    return app.run(arguments)


def _fail(problem: str, exit_code: int) -> int:
    from hippo_cli import terminal

    terminal.warn(f"hippo: {terminal.on_one_line(problem)}")
    return exit_code


if __name__ == "__main__":
    main()
