"""The real program, run as a child process in a home of its own on small real transcripts."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from transcript_making import prompt, reply, write

Run = subprocess.CompletedProcess[bytes]
SESSION = "0a000000-0000-4000-8000-000000000001"


class Hippo:
    """The program with a home folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "hippo"
        self.root = folder / "claude"
        self.root.mkdir()
        self.environment = {
            "HOME": str(folder),
            "HIPPO_HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "TZ": "UTC",
            "LC_ALL": "C",
        }

    @property
    def argv(self) -> list[str]:
        return [sys.executable, "-c", "from hippo_cli.main import main; main()"]

    def __call__(self, *arguments: str | bytes, given: bytes = b"", without: str = "") -> Run:
        environment = {name: value for name, value in self.environment.items() if name != without}
        return subprocess.run(
            [*self.argv, *arguments],
            env=environment,
            input=given,
            capture_output=True,
            cwd=self.folder,
            check=False,
        )

    def json(self, *arguments: str) -> Any:
        done = self(*arguments, "--json")
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    def ingest(self, *more: str) -> Any:
        return self.json("ingest", "--root", f"claude-code={self.root}", *more)


@pytest.fixture
def hippo(tmp_path: Path) -> Hippo:
    return Hippo(tmp_path)


@pytest.fixture
def filled(hippo: Hippo) -> Hippo:
    lines = [
        prompt(SESSION, 0, "why does the elephant parser fail"),
        reply(SESSION, 1, "the elephant lost a brace"),
    ]
    write(hippo.root, SESSION, lines)
    hippo.ingest()
    return hippo


def one_line(done: Run, code: int) -> str:
    """The single line on stderr of a run that failed with `code`."""
    assert done.returncode == code, done.stderr.decode()
    assert done.stdout == b""
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def test_ingest_tells_programs_what_it_read(hippo: Hippo) -> None:
    write(hippo.root, SESSION, [prompt(SESSION, 0, "hello"), reply(SESSION, 1, "hi")])

    told = hippo.ingest()

    assert {
        name: told[name] for name in ("sessions", "turns", "sources", "redactions", "skipped", "unknown")
    } == {
        "sessions": 1,
        "turns": 2,
        "sources": {"read": 1, "skipped": 0, "gone": 0},
        "redactions": {},
        "skipped": [],
        "unknown": {},
    }


def test_a_second_ingest_reads_nothing(filled: Hippo) -> None:
    assert filled.ingest()["sources"] == {"read": 0, "skipped": 1, "gone": 0}


def test_the_first_ingest_says_first_when_transcripts_are_deleted_and_later_ones_do_not(hippo: Hippo) -> None:
    write(hippo.root, SESSION, [prompt(SESSION, 0, "hello")])
    (hippo.root / "settings.json").write_text('{"cleanupPeriodDays": 7}')
    root = f"claude-code={hippo.root}"

    first, second = hippo("ingest", "--root", root), hippo("ingest", "--root", root)

    assert (
        first.stdout.decode()
        .splitlines()[0]
        .startswith("claude-code deletes transcripts after 7 days (cleanup")
    )
    assert second.stdout.decode().splitlines() == ["1 session, 1 turn; read 0 transcripts (0 B), 1 unchanged"]


def test_a_secret_is_counted_by_kind_and_found_nowhere_in_the_home(hippo: Hippo) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    write(hippo.root, SESSION, [prompt(SESSION, 0, f"use password={secret} here")])

    told = hippo.ingest()

    assert sum(told["redactions"].values()) == 1
    assert not any(secret.encode() in path.read_bytes() for path in hippo.home.rglob("*") if path.is_file())


def test_sessions_show_and_search_have_the_shapes_that_programs_rely_on(filled: Hippo) -> None:
    (session,) = filled.json("sessions")
    shown = filled.json("show", session["id"])
    found = filled.json("search", "elephant", "brace")

    assert {
        key: session[key] for key in ("agent", "native_id", "cwd", "parent", "started", "ended", "turns")
    } == {
        "agent": "claude-code",
        "native_id": SESSION,
        "cwd": "/home/dev/project",
        "parent": None,
        "started": "2026-05-01T09:00:00.000Z",
        "ended": "2026-05-01T09:00:01.000Z",
        "turns": 2,
    }
    assert session["title"] == "why does the elephant parser fail"
    assert shown["session"] == session
    turn = shown["turns"][1]
    names = ("uid", "position", "time", "role", "kind", "text", "tool", "files", "command", "exit_status")
    assert tuple(turn)[: len(names)] == names
    assert (turn["position"], turn["role"], turn["kind"], turn["text"]) == (
        2,
        "assistant",
        "reply",
        "the elephant lost a brace",
    )
    assert (found["total"], found["suggestion"]) == (1, None)
    (hit,) = found["hits"]
    names = ("type", "uid", "session", "path", "agent", "role", "kind", "time", "score", "snippet")
    assert tuple(hit)[: len(names)] == names
    assert (hit["type"], hit["uid"], hit["session"]) == ("turn", turn["uid"], session["id"])
    assert hit["snippet"][slice(*hit["marks"][0])] == "elephant"


def test_a_hit_can_be_pasted_into_show(filled: Hippo) -> None:
    target = filled("search", "brace").stdout.decode().split()[0]

    shown = filled("show", target, "--context", "0").stdout.decode()

    assert "> 2  agent" in shown
    assert "the elephant lost a brace" in shown
    assert "1 turn before" in shown


def test_a_session_is_shown_by_the_beginning_of_its_native_id(filled: Hippo) -> None:
    assert filled.json("show", SESSION[:8])["session"]["native_id"] == SESSION


def test_words_found_stand_in_guillemets_where_there_are_no_colours(filled: Hippo) -> None:
    assert "lost a «brace»" in filled("search", "brace").stdout.decode()


def test_finding_nothing_is_an_answer_and_a_typing_error_is_offered_put_right(filled: Hippo) -> None:
    done = filled("search", "elephent")

    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == [
        "no turn matches elephent",
        "did you mean: hippo search elephant",
    ]


def test_context_shows_the_turns_beside_a_hit(filled: Hippo) -> None:
    lines = filled("search", "brace", "--context", "1").stdout.decode().splitlines()

    assert lines[1] == "  1 user: why does the elephant parser fail"
    assert lines[2].startswith("> 2 ")


@pytest.mark.parametrize(
    "words",
    ['"', "(", "a:b:c", "since:never", "*", "AND OR NOT", "\\", "[", "é", "agent:nobody x", "x" * 5000],
)
def test_no_query_is_too_odd(filled: Hippo, words: str) -> None:
    assert filled("search", "--json", "--", words).returncode == 0


def test_words_that_are_no_text_are_searched_for_all_the_same(filled: Hippo) -> None:
    assert filled("search", b"eleph\xff", "--json").returncode == 0


def test_what_a_transcript_says_cannot_steer_the_terminal(hippo: Hippo) -> None:
    evil = "needle \x1b]0;owned\x07 \x1b[2J \x9b31m \u202eevil\r gone"
    write(hippo.root, SESSION, [prompt(SESSION, 0, evil)])
    hippo.ingest()

    shown = b"".join(hippo(*each).stdout for each in (("search", "needle"), ("show", SESSION), ("sessions",)))

    assert b"needle" in shown
    assert not set(shown.decode()) & {"\x1b", "\x07", "\x9b", "\u202e", "\r"}


def test_errors_are_harmless_too(filled: Hippo) -> None:
    assert "\x1b" not in one_line(filled("show", "a\x1b[2Jb"), 2)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("ingest", "--root", "codx=/tmp"), "did you mean codex?"),
        (("ingest", "--root", "codex"), "write AGENT=PATH"),
        (("ingest", "--root", "codex=/no/such/folder"), "/no/such/folder is not there"),
        (("ingest", "--agent", "nobody"), "one of claude-code, codex"),
        (("ingest", "--since", "soonish"), "write 7d"),
        (("sessions", "--since", "soonish"), "write 7d"),
        (("search", "-n", "many", "x"), "See `hippo search --help`"),
        (("search", "-n", "0", "x"), "See `hippo search --help`"),
        (("search", "--nonsense", "x"), "See `hippo search --help`"),
        (("search", ""), "nothing to search for"),
        (("serch",), "No such command"),
        (("show", "nothing"), "`hippo sessions` lists them"),
        (("session", "start", "--agent", "codex"), "run `hippo init`"),
    ],
)
def test_wrong_usage_is_one_line_with_a_mend(filled: Hippo, arguments: tuple[str, ...], told: str) -> None:
    assert told in one_line(filled(*arguments), 2)


def test_a_turn_past_the_end_says_how_many_there_are(filled: Hippo) -> None:
    assert "has turns 1 to 2, and no 9" in one_line(filled("show", f"{SESSION}:9"), 2)


def test_searching_before_any_ingest_says_what_to_run(hippo: Hippo) -> None:
    assert "run `hippo ingest`" in one_line(hippo("search", "x"), 2)
    assert hippo("status").stdout == b"nothing is indexed yet; run `hippo ingest`\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_home_that_cannot_be_written_is_one_line(hippo: Hippo) -> None:
    hippo.home.mkdir(mode=0o500)
    write(hippo.root, SESSION, [prompt(SESSION, 0, "hello")])

    assert str(hippo.home) in hippo("ingest", "--root", f"claude-code={hippo.root}").stderr.decode()


def test_a_file_in_the_place_of_the_home_is_one_line(hippo: Hippo) -> None:
    hippo.home.write_text("in the way")

    done = hippo("ingest", "--root", f"claude-code={hippo.root}")

    assert "move it away" in one_line(done, 2)


def test_a_home_that_is_not_absolute_is_refused(hippo: Hippo) -> None:
    hippo.environment["HIPPO_HOME"] = "somewhere"

    assert "absolute" in one_line(hippo("status"), 3)


def test_a_home_whose_name_is_no_text_is_refused(hippo: Hippo) -> None:
    hippo.environment["HIPPO_HOME"] = os.fsdecode(b"/tmp/h\xff")

    assert "UTF-8" in one_line(hippo("status"), 3)


def test_debug_shows_where_an_error_came_from(filled: Hippo) -> None:
    assert b"Traceback" in filled("--debug", "show", "nothing").stderr


def test_a_reader_that_goes_away_is_no_error(filled: Hippo) -> None:
    text = "\n".join(f"line {number} of a long answer" for number in range(20_000))
    write(filled.root, "long", [prompt("long", 0, text)])
    filled.ingest()
    argv = [*filled.argv, "show", "long", "--json"]
    with subprocess.Popen(
        argv, env=filled.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(10)
        child.stdout.close()
        said = child.stderr.read()

    assert (child.returncode, said) == (0, b"")


@pytest.mark.parametrize("command", ["sessions", "search elephant", "status", "search elephant --json"])
def test_a_closed_output_is_no_error_and_a_full_one_is_one_line(filled: Hippo, command: str) -> None:
    shell = ["sh", "-c", '"$@" >&-', "sh", *filled.argv, *command.split()]
    closed = subprocess.run(shell, env=filled.environment, capture_output=True, check=False)
    assert (closed.returncode, closed.stderr) == (0, b"")
    with Path("/dev/full").open("wb") as full:
        argv = [*filled.argv, *command.split()]
        done = subprocess.run(argv, env=filled.environment, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (3, b"hippo: No space left on device\n")


def test_redact_prints_its_input_line_for_line_and_nothing_else(hippo: Hippo) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    done = hippo("redact", given=f"one\npassword={secret}\n\nlast \xff".encode("latin-1"))

    lines = done.stdout.split(b"\n")
    assert (done.returncode, done.stderr, len(lines)) == (0, b"", 4)
    assert (lines[0], lines[2], lines[3]) == (b"one", b"", b"last \xff")
    assert secret.encode() not in done.stdout
    assert b"[redacted:" in lines[1]


def test_what_settings_add_is_redacted_and_a_misspelt_setting_is_refused(hippo: Hippo) -> None:
    hippo.home.mkdir()
    config = hippo.home / "config.toml"
    config.write_text('[redaction]\npatterns = [{kind = "ticket", pattern = "TCK-[0-9]{4}"}]\n')
    assert hippo("redact", given=b"see TCK-1234").stdout == b"see [redacted:ticket]"

    config.write_text("[redaction]\npaterns = []\n")

    assert "patterns" in one_line(hippo("redact", given=b"x"), 2)
    assert hippo("config", "check").returncode == 1


def test_status_counts_what_is_held(filled: Hippo) -> None:
    told = filled.json("status")

    assert (told["sessions"], told["turns"]) == (1, 2)
    assert [agent["agent"] for agent in told["agents"]] == ["claude-code"]


def test_doctor_finds_secrets_that_todays_rules_know(filled: Hippo) -> None:
    assert filled("doctor", "--secrets").returncode == 0
    (filled.home / "config.toml").write_text(
        '[redaction]\npatterns = [{kind = "animal", pattern = "elephant"}]\n'
    )

    done = filled("doctor", "--secrets")

    assert done.returncode == 1
    assert "2 turns hold what today's rules replace: 2 animal; hippo ingest --full" in done.stdout.decode()


def test_a_session_declared_here_ends_with_its_handoff(hippo: Hippo) -> None:
    assert hippo("init").returncode == 0
    started = hippo.json(
        "session", "start", "--agent", "codex", "--id", "native", "--task", "mend the parser"
    )

    ended = hippo.json("session", "end", "--handoff", "see [[index]]")

    assert (started["id"], started["task"], started["ended"]) == (ended["id"], "mend the parser", None)
    assert ended["handoff"] == "see [[index]]"


def test_a_folder_whose_name_is_no_text_becomes_a_workspace(hippo: Hippo) -> None:
    name = os.fsencode(hippo.folder) + b"/odd\xff"
    Path(os.fsdecode(name)).mkdir()

    done = hippo("init", name, "--json")

    assert done.returncode == 0
    assert json.loads(done.stdout)["workspace"].endswith("odd?")


def test_with_no_transcripts_anywhere_ingest_says_so_in_a_line(hippo: Hippo) -> None:
    done = hippo("ingest")

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"0 sessions, 0 turns; read 0 transcripts (0 B), 0 unchanged\n"


def test_without_a_home_folder_what_is_named_is_enough(hippo: Hippo) -> None:
    write(hippo.root, SESSION, [prompt(SESSION, 0, "hello")])

    done = hippo("ingest", "--root", f"claude-code={hippo.root}", without="HOME")

    assert done.returncode == 0


def test_the_version_needs_no_home(hippo: Hippo) -> None:
    assert hippo("--version", without="HIPPO_HOME").stdout == b"hippo 0.1.0\n"


def test_help_names_every_command(hippo: Hippo) -> None:
    told = hippo("--help").stdout.decode()

    for name in (
        "ingest",
        "search",
        "show",
        "sessions",
        "status",
        "redact",
        "init",
        "session",
        "config",
        "doctor",
    ):
        assert f"  {name} " in told


def test_a_search_loads_neither_typer_nor_rich(filled: Hippo) -> None:
    code = (
        "import sys\nfrom hippo_cli.main import guarded\nguarded(['search', 'elephant'])\n"
        "sys.exit(any(name in sys.modules for name in ('typer', 'rich', 'click')))"
    )

    assert subprocess.run([sys.executable, "-c", code], env=filled.environment, check=False).returncode == 0


def lines_with(child: subprocess.Popen[bytes], wanted: bytes, provoke: Callable[[int], object]) -> bool:
    """Whether the child prints `wanted` while it is provoked ten times a second, for at most twenty seconds."""
    assert child.stdout is not None
    seen = b""
    for attempt in range(200):
        provoke(attempt)
        if select.select([child.stdout], [], [], 0.1)[0]:
            seen += os.read(child.stdout.fileno(), 65536)
        if wanted in seen:
            return True
    return False


def test_watching_reads_what_is_added_and_stops_on_ctrl_c_with_a_good_index(filled: Hippo) -> None:
    argv = [*filled.argv, "ingest", "--root", f"claude-code={filled.root}", "--watch"]

    def add(attempt: int) -> None:
        if attempt % 10 == 0:
            write(filled.root, f"other-{attempt}", [prompt(f"other-{attempt}", 0, "zebra")])

    with subprocess.Popen(
        argv, env=filled.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=filled.folder
    ) as child:
        watching = lines_with(child, b"watching 1 folder", lambda _: None)
        added = lines_with(child, b"; read ", add)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=20)[1].decode()

    assert (watching, added, child.returncode, said) == (
        True,
        True,
        130,
        "hippo: stopped; what was committed is kept\n",
    )
    assert filled.json("search", "zebra")["total"] >= 1
