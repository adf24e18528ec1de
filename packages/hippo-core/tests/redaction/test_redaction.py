"""Secrets go, look-alikes stay, and both engines see the same."""

import importlib.util
import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippo_core.errors import UserError
from hippo_core.redaction.engine import ExtraPattern, Rules, compile_rules
from hippo_core.redaction.rules import RULES
from hippo_core.redaction.text import redact


def _neighbour(name: str):  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


smoke_secrets = _neighbour("smoke_secrets")
smoke_look_alikes = _neighbour("smoke_look_alikes")

FAST = compile_rules(compile_after=0)
PLAIN = compile_rules(accelerated=False)
SAMPLES = list(smoke_secrets.samples())
LOOK_ALIKES = list(smoke_look_alikes.look_alikes())
DASHES = "-" * 5
BEGIN = f"{DASHES}BEGIN RSA PRIVATE" + f" KEY{DASHES}"
END = f"{DASHES}END RSA PRIVATE" + f" KEY{DASHES}"
ROWS = [f"MIIEpAIBAAKCAQEA{index:02d}" + "q7Zx" * 11 + "Kd" for index in range(12)]
PASSWORD = "e3sNBlueAqSdVtv0n" + "#7"


class _Tally(Counter[str]):
    def add(self, kind: str, count: int) -> None:
        self[kind] += count


def test_at_least_1200_secrets_in_24_formats_are_planted() -> None:
    assert len(SAMPLES) >= 1_200
    assert len({sample.family for sample in SAMPLES}) >= 24


def test_at_least_2400_look_alikes_in_12_families_are_tried() -> None:
    assert len(LOOK_ALIKES) >= 2_400
    assert len({family for family, _ in LOOK_ALIKES}) >= 12


def test_nearly_every_planted_secret_is_gone() -> None:
    left = [sample for sample in SAMPLES if sample.secret in FAST.scrub(sample.text, None)]
    assert len(left) <= len(SAMPLES) * 0.005, left[:5]


def test_nearly_no_look_alike_is_altered() -> None:
    altered = [text for _, text in LOOK_ALIKES if FAST.scrub(text, None) != text]
    assert len(altered) <= len(LOOK_ALIKES) * 0.001, altered[:5]


def test_both_engines_write_the_same_text() -> None:
    texts = [sample.text for sample in SAMPLES] + [text for _, text in LOOK_ALIKES]
    assert [FAST.scrub(text, None) for text in texts] == [PLAIN.scrub(text, None) for text in texts]


def test_scrubbing_what_was_scrubbed_changes_nothing() -> None:
    for sample in SAMPLES:
        once = FAST.scrub(sample.text, None)
        assert FAST.scrub(once, None) == once


def test_there_are_at_least_sixty_kinds() -> None:
    assert len(FAST.kinds) >= 60


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.kind}-{rule.literals[0]}")
def test_the_look_alikes_of_each_kind_survive(rule) -> None:  # type: ignore[no-untyped-def]
    assert rule.look_alikes
    for text in rule.look_alikes:
        assert FAST.scrub(text, None) == text
        assert PLAIN.scrub(f"see {text} there", None) == f"see {text} there"


KEY_FORMS = {
    "as a file": "\n".join([BEGIN, *ROWS, END]),
    "in a record": json.dumps({"private_key": "\n".join([BEGIN, *ROWS, END]) + "\n"}),
    "in a record in a record": json.dumps({"outer": json.dumps({"key": "\n".join([BEGIN, *ROWS, END])})}),
    "with line numbers": "\n".join(
        f"{number:6d}\t{line}" for number, line in enumerate([BEGIN, *ROWS, END], 1)
    ),
    "as an addition": "\n".join("+" + line for line in [BEGIN, *ROWS, END]),
    "with spaces for line breaks": BEGIN + " ".join(ROWS) + END,
    "on one line": BEGIN + "".join(ROWS) + END,
    "cut off": "\n".join([BEGIN, *ROWS[:9]]),
    "without its beginning": "\r\n".join([*ROWS[4:], END]),
}


@pytest.mark.parametrize("form", KEY_FORMS)
def test_no_row_of_a_private_key_is_left(form: str) -> None:
    text = f"before\n{KEY_FORMS[form]}\n"
    scrubbed = FAST.scrub(text + "the rest stays", None)
    assert not [row for row in ROWS if row in scrubbed]
    assert scrubbed.startswith("before\n")
    assert scrubbed.endswith("the rest stays")
    assert scrubbed.count("\n") == text.count("\n")
    assert scrubbed == PLAIN.scrub(text + "the rest stays", None)


@pytest.mark.parametrize("kind", ["PUBLIC KEY", "CERTIFICATE", "CERTIFICATE REQUEST"])
def test_what_is_public_is_kept_row_by_row(kind: str) -> None:
    text = "\n".join([f"{DASHES}BEGIN {kind}{DASHES}", *ROWS, f"{DASHES}END {kind}{DASHES}"])
    assert FAST.scrub(text, None) == text


RECORDS = (
    {"reply": {"Set-Cookie": {"sid": PASSWORD, "path": "/"}, "Server": "unit.example"}, "after": "tail"},
    {
        "attempts": [{"Authorization": ["Bearer " + PASSWORD, "Bearer x" + PASSWORD]}, {"n": 2}],
        "after": "tail",
    },
    {"first": BEGIN + "\\n" + ROWS[0], "between": "middle", "last": ROWS[1] + "\\n" + END, "after": "tail"},
    {"password": PASSWORD + '"} , {"a":"b', "after": "tail"},
    {"config": "export API_TOKEN=" + "Zx9" * 9 + "\nnext", "after": "tail"},
)


@pytest.mark.parametrize("record", RECORDS)
def test_a_record_is_still_a_record_after_redaction(record: dict[str, object]) -> None:
    scrubbed = FAST.scrub(json.dumps(record), None)
    again = json.loads(scrubbed)
    assert list(again) == list(record)
    assert again["after"] == "tail"
    assert PASSWORD not in scrubbed
    assert ROWS[0] not in scrubbed
    assert ROWS[1] not in scrubbed


def test_numbers_and_booleans_beside_telling_names_are_kept() -> None:
    text = json.dumps({"opts": {"api_token": 9007199254740991, "secret": True, "region": "north"}})
    assert FAST.scrub(text, None) == text


ADDRESSES = (
    ("redis://:{}@cache.host:6379/0", "redis://:[redacted:connection-string]@cache.host:6379/0"),
    ("mongodb+srv://u:{}@x{}@m.host/db", "mongodb+srv://u:[redacted:connection-string]@m.host/db"),
    ("amqps://g:{}/v@mq.host:5671/vh", "amqps://g:[redacted:connection-string]@mq.host:5671/vh"),
    (
        "https://db.host/c?user=app&password={}&ssl=on",
        "https://db.host/c?user=app&password=[redacted:password]&ssl=on",
    ),
    (
        "jdbc:sqlserver://s.host;user=sa;password={{{};x}};db=m",
        "jdbc:sqlserver://s.host;user=sa;password={{[redacted:password]}};db=m",
    ),
    ("https://:{}@host.com/x", "https://:[redacted:url-password]@host.com/x"),
    (
        "mysql://root:{}@[2001:db8::1]:3306/app",
        "mysql://root:[redacted:connection-string]@[2001:db8::1]:3306/app",
    ),
    (
        "DSN=pg host=h user=app password='{} with space'",
        "DSN=pg host=h user=app password='[redacted:password]'",
    ),
)


@pytest.mark.parametrize(("address", "expected"), ADDRESSES)
def test_only_the_password_of_an_address_is_replaced(address: str, expected: str) -> None:
    assert FAST.scrub(address.format(PASSWORD, PASSWORD), None) == expected.format()


def test_a_port_and_a_later_at_sign_are_no_password() -> None:
    text = "edge node https://edge7.host:7443 dropped the batch sent by worker cron@night-shift"
    assert FAST.scrub(text, None) == text


def test_mail_addresses_go_and_remotes_packages_and_reserved_domains_stay() -> None:
    assert FAST.scrub("ask jane.doe@gmail.com", None) == "ask [redacted:email]"
    kept = "git@github.com:me/repo.git help@example.org react@18.2.0 @app.route logo@2x.png"
    assert FAST.scrub(kept, None) == kept


def test_a_no_break_space_hides_nothing() -> None:
    assert FAST.scrub("token\u00a0=\u00a0" + "abC4" * 6, None) == "token\u00a0=\u00a0[redacted:token]"


def test_a_github_token_with_a_wrong_checksum_is_none() -> None:
    made = next(sample.secret for sample in SAMPLES if sample.family == "github classic")
    wrong = made[:-1] + ("a" if made[-1] != "a" else "b")
    assert FAST.scrub(f"saw {made} here", None) == "saw [redacted:github-token] here"
    assert FAST.scrub(f"saw {wrong} here", None) == f"saw {wrong} here"


def test_replacements_are_counted_by_kind() -> None:
    tally = _Tally()
    redact("a@mail.com and b@mail.com password='" + PASSWORD + "'", FAST, tally)
    assert tally == {"email": 2, "password": 1}


def test_a_pattern_of_ones_own_is_replaced_by_its_kind() -> None:
    rules = compile_rules([ExtraPattern("ticket", r"TICKET-(\d+)")])
    assert rules.scrub("see TICKET-123", None) == "see TICKET-[redacted:ticket]"
    assert rules.version != FAST.version
    assert "ticket" in rules.kinds


@pytest.mark.parametrize("pattern", ["(", "x*", "[a"])
def test_a_pattern_that_cannot_be_used_is_named(pattern: str) -> None:
    with pytest.raises(UserError, match="'mine'"):
        compile_rules([ExtraPattern("mine", pattern)])


def test_an_allowed_value_is_kept() -> None:
    rules = compile_rules(allow=["*@mail.com"])
    assert rules.scrub("a@mail.com b@post.com", None) == "a@mail.com [redacted:email]"


def test_the_version_is_the_same_for_the_same_rules() -> None:
    assert compile_rules().version == FAST.version == PLAIN.version


PIECES = st.sampled_from(
    ["password", "token", "=", ":", ": ", '"', "'", "\\n", "\n", "://", "@", "a:b@", "sk-", "eyJ", "AKIA", "key", BEGIN, END,
     ROWS[0], "[redacted:email]", "[redacted:", "]", "x@y.com", "abc123DEF456ghi789JKL", "{", "}", "\\", "é", "\u00a0", "cookie: ", "4111111111111111", " is "]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=12), max_size=24).map("".join)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_any_text_is_scrubbed_alike_once_and_for_all(text: str) -> None:
    once = FAST.scrub(text, None)
    assert once == PLAIN.scrub(text, None)
    assert FAST.scrub(once, None) == once
    assert once.count("\n") == text.count("\n")


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="abcdefghij \n.,()", max_size=400))
def test_text_without_a_trigger_is_unchanged(text: str) -> None:
    assert FAST.scrub(text, None) == text


FILLERS = (
    "A", "_SECRET", "A_B_", '"id": 7, ', "eyJ.", "eyJhbGciOiJ", BEGIN + "\nMIIE", "password=", "://a:", "a@", "xox" + "b-1-",
    "=" * 63 + "\\n", "cookie: a=", "key=", "password={", "x@a.b.c.", "'", "password=\\\"", END + "\n", "[redacted:email]", "a@b.co ",
)  # fmt: skip


def _seconds(rules: Rules, text: str) -> float:
    started = time.process_time()
    rules.scrub(text, None)
    return time.process_time() - started


@pytest.mark.parametrize("filler", FILLERS)
def test_twice_the_text_takes_no_more_than_thrice_the_time(filler: str) -> None:
    text = filler * (60_000 // len(filler))
    once = min(_seconds(FAST, text) for _ in range(3))
    twice = min(_seconds(FAST, text * 2) for _ in range(3))
    assert twice <= 3 * max(once, 0.005)


def test_marks_are_of_known_kinds() -> None:
    scrubbed = "\n".join(FAST.scrub(sample.text, None) for sample in SAMPLES)
    assert set(re.findall(r"\[redacted:([a-z0-9-]+)\]", scrubbed)) <= set(FAST.kinds)
