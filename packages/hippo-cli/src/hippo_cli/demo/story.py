"""The story: six days of six agents on one small project, a command that prints tide tables."""

import string
import zlib
from typing import Final

from hippo_cli.demo.steps import Delegation, Edit, Episode, Prompt, Reply, Shell
from hippo_core.ids import Agent
from hippo_core.redaction.checks import base62

PROJECT: Final = "/home/sam/tidemark"
_LETTERS: Final = string.digits + string.ascii_letters
NAIVE: Final = "    return datetime.strptime(line[:16], FORMAT)"
AWARE: Final = "    return datetime.strptime(line[:16], FORMAT).replace(tzinfo=UTC)"
_FAILED: Final = """\
F.                                                                       [100%]
=================================== FAILURES ===================================
______________________ test_high_water_after_clock_change ______________________
    def test_high_water_after_clock_change():
>       assert table("2026-03-29")[0].local == "07:42"
E       AssertionError: assert '06:42' == '07:42'
tests/test_table.py:18: AssertionError
=========================== short test summary info ============================
FAILED tests/test_table.py::test_high_water_after_clock_change - AssertionError
1 failed, 1 passed in 0.31s
"""
_PASSED: Final = """\
..                                                                       [100%]
2 passed in 0.28s
"""


def fake_token() -> str:
    """A token that opens nothing, put together at run time so that no scanner takes this file for a leak."""
    body = "".join(_LETTERS[number * 23 % len(_LETTERS)] for number in range(3, 33))
    return "_".join(("ghp", body + base62(zlib.crc32(body.encode()), 6)))


def fake_address() -> str:
    """A mail address that nobody has."""
    return "@".join(("harbour.office", "tide-mirror.net"))


def episodes() -> tuple[Episode, ...]:
    """Every session of the story, the earliest first."""
    return (_parser(), _clock_change(), _cache(), _release(), _pages(), _question())


def _parser() -> Episode:
    return Episode(
        Agent.CODEX,
        "Read the harbour's tide file",
        131.0,
        (
            Prompt(
                "Write src/tides/parse.py: read the harbour's fixed-width tide file into heights and times."
            ),
            Shell(
                "head -3 data/harbour.txt",
                "2026-03-28 06:35  4.81\n2026-03-28 12:50  1.02\n2026-03-28 18:58  4.66\n",
            ),
            Edit(
                "src/tides/parse.py",
                "def parse(line: str) -> datetime: ...",
                f"def parse(line: str) -> datetime:\n{NAIVE}",
            ),
            Shell("pytest -q tests/test_parse.py", ".\n1 passed in 0.12s\n"),
            Reply(
                "`parse` reads the date and time from the first 16 columns and the height in metres after them."
            ),
        ),
    )


def _clock_change() -> Episode:
    return Episode(
        Agent.CLAUDE_CODE,
        "High water is an hour off after the clock change",
        102.5,
        (
            Prompt(
                "High water is printed an hour too early since the clock change on Sunday. Find out why and fix it."
            ),
            Shell("pytest -q", _FAILED, 1),
            Reply(
                "The new test fails: 06:42 instead of 07:42. Parsed times carry no zone. I will add an hour in summer."
            ),
            Prompt(
                "No, don't add an hour. The harbour's file is in UTC all year: keep UTC, convert only when printing."
            ),
            Edit("src/tides/parse.py", NAIVE, AWARE),
            Shell("pytest -q", _PASSED),
            Reply("Times are UTC from `parse` on and become local only in `table`. Both tests pass."),
            Prompt(
                f"Push it. The token for the tide mirror is {fake_token()}; mail {fake_address()} when it is up."
            ),
            Shell("git push origin main", "To tide-mirror:tidemark.git\n   4c1d2aa..9f03b7e  main -> main\n"),
            Reply("Pushed 9f03b7e to main."),
        ),
        Delegation(
            "List every place that makes a datetime without a time zone, with file and line.",
            (Shell("grep -rn 'strptime\\|utcnow' src", f"src/tides/parse.py:9:{NAIVE}\n"),),
            "Only src/tides/parse.py line 9 makes a datetime without a time zone.",
        ),
        (
            Prompt("On this copy try zoneinfo for the harbour at Saint-Malo, whose file is in local time."),
            Edit("src/tides/harbours.py", "ZONES = {}", 'ZONES = {"saint-malo": ZoneInfo("Europe/Paris")}'),
            Reply("Saint-Malo's times are read as Europe/Paris and turned into UTC at once."),
        ),
    )


def _cache() -> Episode:
    return Episode(
        Agent.OPENCODE,
        "Cache the year table",
        76.0,
        (
            Prompt(
                "Printing a year takes four seconds. Cache what is parsed, but never serve a table older than its file."
            ),
            Shell("python -X importtime -m tides 2026 | tail -1", "import time: 3120 | 3907 | tides.parse\n"),
            Edit(
                "src/tides/table.py",
                "rows = parse_file(path)",
                "rows = cached(path, path.stat().st_mtime_ns)",
            ),
            Shell("time python -m tides 2026 > /dev/null", "real 0m0.412s\n"),
            Reply(
                "A year now takes 0.4 s. The cache is keyed by the file's mtime, so a new file is read again."
            ),
        ),
        Delegation(
            "Check whether anything else reads the tide file directly.",
            (Shell("grep -rn parse_file src", "src/tides/table.py:22: rows = parse_file(path)\n"),),
            "Only table.py reads it.",
        ),
    )


def _release() -> Episode:
    return Episode(
        Agent.DEEPSEEK_HARNESS,
        "Release 0.3.0",
        51.0,
        (
            Prompt("Prepare release 0.3.0: changelog, version, build. Don't publish."),
            Edit(
                "CHANGELOG.md", "## Unreleased", "## 0.3.0\n\n- High water is right after the clock change."
            ),
            Shell("python -m build", "error: no module named build\n", 1),
            Shell("uv build", "Successfully built dist/tidemark-0.3.0.tar.gz\n"),
            Reply(
                "0.3.0 is built with `uv build`, since the build module is not installed here. Nothing was published."
            ),
        ),
    )


def _pages() -> Episode:
    return Episode(
        Agent.MUSE_CODE,
        "Explain UTC in the guide",
        27.0,
        (
            Prompt("Write a paragraph for the guide that says why tidemark keeps UTC and prints local time."),
            Shell("ls docs", "guide.md\n"),
            Edit(
                "docs/guide.md",
                "## Times",
                "## Times\n\nTide files are in UTC all year, so tidemark keeps UTC and converts when it prints.",
            ),
            Reply("The guide's section on times now says it in one sentence."),
        ),
    )


def _question() -> Episode:
    return Episode(
        Agent.COMMAND_CODE,
        "Which zone for Brest?",
        3.0,
        (
            Prompt(
                "Brest's tide file came in. Which zone do we take its times to be, and where is that decided?"
            ),
            Shell("grep -n ZONES src/tides/harbours.py", "3:ZONES = {}\n"),
            Reply(
                "A harbour not named in ZONES is read as UTC. Saint-Malo's entry was tried on a copy, never merged."
            ),
        ),
    )
