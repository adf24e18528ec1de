"""Links in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippo_core.workspace import handoff


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see [[parser]] and [[ways/tests]]", ("parser", "ways/tests")),
        ("[[parser|the parser]] [[parser#Speed]] [[tests#A|b]]", ("parser", "tests")),
        ("`[[code]]` and ``[[a]] ` [[b]]`` then [[note]]", ("note",)),
        ("a ` alone does not hide [[note]]", ("note",)),
        ("\\`[[note]]\\`", ("note",)),
        ("`one\n[[code]]` [[note]]", ("note",)),
        ("` ends with its paragraph\n\n[[note]] `", ("note",)),
        ("```\n[[code]]\n```\n[[note]]", ("note",)),
        ("~~~ sh\n[[code]]\n```\n[[code]]\n~~~\n[[note]]", ("note",)),
        ("````\n```\n[[code]]\n````\n[[note]]", ("note",)),
        ("```\n[[code, never closed]]", ()),
        ("[[two\nlines]] [[]] [[ ]] [[|x]] [note]", ()),
        ("[[[note]]]", ("note",)),
    ],
)
def test_links_are_found_outside_of_code(text: str, found: tuple[str, ...]) -> None:
    assert handoff.links(text) == found


@pytest.mark.parametrize("bit", ["[[", "`", "` `` ", "[[a#", "[[a|", "\\`", "```\n", "[[a]]", "~~~ "])
def test_a_long_run_of_anything_is_read_in_one_go(bit: str) -> None:
    handoff.links("[[" + bit * 100_000)


@given(st.text("[]`~|# \n\\ab", max_size=60))
def test_any_text_has_links_without_brackets(text: str) -> None:
    for link in handoff.links(text):
        assert link.strip() == link != ""
        assert not set(link) & set("[]|#\n")


NAMES = handoff.name_notes(["parser.md", "ways/tests.md", "old/parser.md", "Cafe\u0301.md"])


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ("tests", "ways/tests.md"),
        ("ways/tests", "ways/tests.md"),
        ("Tests.md", "ways/tests.md"),
        ("old/parser", "old/parser.md"),
        ("caf\u00e9", "Cafe\u0301.md"),
        ("parser", None),
        ("nothing", None),
    ],
)
def test_a_link_names_the_one_note_it_fits(link: str, path: str | None) -> None:
    assert NAMES.resolve(link) == path


def test_links_that_lead_nowhere_are_told() -> None:
    assert handoff.unresolved("[[tests]] [[parser]] [[nothing]]", NAMES) == ("parser", "nothing")
