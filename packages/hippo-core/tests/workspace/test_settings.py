"""What a person may set."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo_core.errors import UserError
from hippo_core.ids import Agent
from hippo_core.workspace import settings
from hippo_core.workspace.layout import Home
from hippo_core.workspace.settings import Config, Pattern, WorkspaceSettings

FULL = """\
format = "hippo.config/1"
jobs = 2
model_command = ["claude", "-p"]

[redaction]
allow = ["example.com"]
patterns = [{ kind = "ticket", pattern = "TCK-[0-9]{8}" }]

[transcript_roots]
codex = ["~/elsewhere", "/srv/codex"]
"""


def home_with(tmp_path: Path, text: str) -> Home:
    (tmp_path / "config.toml").write_text(text, "utf-8")
    return Home.at(tmp_path)


def problems(tmp_path: Path, text: str) -> list[str]:
    return [str(problem) for problem in settings.check_config(home_with(tmp_path, text).config)]


def workspace_with(tmp_path: Path, text: str) -> Path:
    (tmp_path / ".hippo").mkdir()
    (tmp_path / ".hippo" / "hippo.toml").write_text(text, "utf-8")
    return tmp_path


def test_no_file_means_the_settings_of_a_fresh_install(tmp_path: Path) -> None:
    assert settings.load_config(Home.at(tmp_path)) == Config()
    assert settings.check_config(tmp_path / "config.toml") == []


def test_every_setting_is_read(tmp_path: Path) -> None:
    config = settings.load_config(home_with(tmp_path, FULL))
    assert config.jobs == 2
    assert config.model_command == ("claude", "-p")
    assert config.transcript_roots == {Agent.CODEX: ("~/elsewhere", "/srv/codex")}
    assert config.redaction.allow == ("example.com",)
    assert config.redaction.patterns == (Pattern("ticket", "TCK-[0-9]{8}"),)


def test_a_byte_order_mark_and_carriage_returns_are_let_be(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"\xef\xbb\xbfjobs = 3\r\n")
    assert settings.load_config(Home.at(tmp_path)).jobs == 3


def test_an_unknown_key_is_refused_with_the_nearest_known(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"config.toml:2: `job` is not a key hippo knows; did you mean `jobs`\?"
    ):
        settings.load_config(home_with(tmp_path, "\njob = 2\n"))


def test_an_unknown_key_in_a_table_is_named_with_its_table(tmp_path: Path) -> None:
    assert problems(tmp_path, "[redaction]\nalow = []\n") == [
        "2: `redaction.alow` is not a key hippo knows; did you mean `allow`?"
    ]


def test_a_key_near_to_none_is_answered_with_all_there_are(tmp_path: Path) -> None:
    (said,) = problems(tmp_path, "[redaction]\nxyzzy = 1\n")
    assert said.endswith("it knows patterns, allow")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('jobs = "two"', "1: `jobs` must be a whole number from 0 (decide for me) to 256"),
        ("jobs = -1", "1: `jobs` must be a whole number from 0 (decide for me) to 256"),
        ("allow_write_tools = 1", "1: `allow_write_tools` must be true or false"),
        ("redaction = 1", "1: `redaction` must be a table"),
        ('model_command = "claude"', '1: `model_command` must be a list of texts, such as ["one", "two"]'),
    ],
)
def test_a_value_of_the_wrong_kind_is_told_what_is_right(tmp_path: Path, text: str, said: str) -> None:
    assert problems(tmp_path, text) == [said]


def test_an_agent_that_is_none_is_answered_with_the_agents(tmp_path: Path) -> None:
    (said,) = problems(tmp_path, '[transcript_roots]\nclaude = ["/x"]\n')
    assert said.startswith("1: `transcript_roots` must be")
    assert "claude-code" in said


def test_a_relative_transcript_root_is_refused(tmp_path: Path) -> None:
    assert problems(tmp_path, '[transcript_roots]\ncodex = ["here"]\n') == [
        "2: `transcript_roots.codex` must hold folders that are absolute or begin with ~/"
    ]


def test_a_pattern_that_is_no_regular_expression_is_named(tmp_path: Path) -> None:
    (said,) = problems(tmp_path, '[redaction]\npatterns = [{kind = "ticket", pattern = "("}]\n')
    assert said.startswith("2: `redaction.patterns` the pattern of 'ticket' is no regular expression")


def test_a_format_of_another_version_is_refused(tmp_path: Path) -> None:
    (said,) = problems(tmp_path, 'format = "hippo.config/9"')
    assert (
        said == "1: `format` is 'hippo.config/9', which this hippo does not know; it reads \"hippo.config/1\""
    )


def test_text_that_is_not_toml_is_named_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"config.toml:2: not TOML: "):
        settings.load_config(home_with(tmp_path, "jobs = 1\njobs ==\n"))


def test_every_problem_is_listed_in_the_order_of_the_file(tmp_path: Path) -> None:
    found = problems(tmp_path, 'jobs = "x"\nmodel_comand = []\n[redaction]\nallow = 1\n')
    assert [said.split(":")[0] for said in found] == ["1", "2", "4"]
    with pytest.raises(UserError, match=r"and 2 more; see `hippo config check`"):
        settings.load_config(Home.at(tmp_path))


def test_bytes_that_are_no_text_a_folder_and_deep_nesting_are_problems(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"# \xff\n")
    assert [str(problem) for problem in settings.check_config(path)] == [
        " not UTF-8 from byte 2 on; save it as UTF-8"
    ]
    path.write_bytes(b"x = " + b"[" * 100_000)
    assert len(settings.check_config(path)) == 1
    path.unlink()
    path.mkdir()
    assert len(settings.check_config(path)) == 1


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_any_text_is_settings_or_problems(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(text.encode())
    settings.check_config(path)
    settings.check_workspace(path)


def test_a_home_sign_stands_for_the_person_s_home() -> None:
    assert settings.expand("~/x", Path("/h")) == Path("/h/x")
    assert settings.expand("/x", Path("/h")) == Path("/x")
    assert settings.expand("x", Path("/h")) is None


def test_a_workspace_has_its_notes_where_it_says(tmp_path: Path) -> None:
    workspace, written = settings.load_workspace(workspace_with(tmp_path, 'notes_dir = ".claude/memory"'))
    assert workspace.notes_dir == tmp_path.resolve() / ".claude" / "memory"
    assert written == WorkspaceSettings(notes_dir=".claude/memory")


def test_an_unknown_key_in_a_workspace_is_told_and_let_be(tmp_path: Path) -> None:
    root = workspace_with(tmp_path, "later_setting = 1\nbudget_bytes = 1024\n")
    assert settings.load_workspace(root)[1].budget_bytes == 1024
    (problem,) = settings.check_workspace(root / ".hippo" / "hippo.toml")
    assert problem.harmless
    assert problem.key == "later_setting"


def test_a_folder_that_is_no_workspace_says_how_to_make_it_one(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run `hippo init`"):
        settings.load_workspace(tmp_path)


@pytest.mark.parametrize(
    "written", ["", "../x", "/x", "a/../b", "c:/x", "a\\\\b", ".hippo/notes", "a\\u0000"]
)
def test_notes_outside_of_the_workspace_are_refused(tmp_path: Path, written: str) -> None:
    with pytest.raises(UserError, match="`notes_dir`"):
        settings.load_workspace(workspace_with(tmp_path, f'notes_dir = "{written}"'))


def test_a_notes_folder_that_a_link_leads_outside_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "notes").symlink_to(tmp_path)
    with pytest.raises(UserError, match="by a link"):
        settings.load_workspace(workspace_with(root, ""))


@pytest.mark.parametrize("line", ['entry_note = "../x.md"', 'entry_note = "x"', 'required_notes = ["/x.md"]'])
def test_a_note_that_is_none_below_the_notes_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(UserError, match=line.split(" ", 1)[0]):
        settings.load_workspace(workspace_with(tmp_path, line))
