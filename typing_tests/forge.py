"""Ways to forge a sealed value, one a line: each must stay refused, since an ignore that is not needed fails the check."""

from collections.abc import Callable
from dataclasses import replace
from typing import assert_type

import msgspec

from hippo_core.redaction.text import EMPTY, Redacted, Scrubber, redact


def keep(text: Redacted) -> None: ...


def answer(read: Callable[[], Redacted]) -> Redacted:
    return read()


def forge_redacted(raw: str, encoded: bytes) -> None:
    Redacted(raw)  # type: ignore[call-arg]
    Redacted(text=raw)  # type: ignore[call-arg]
    Redacted(raw, None)  # type: ignore[arg-type]
    Redacted(raw, seal=object())  # type: ignore[arg-type]
    Redacted(raw, True)  # type: ignore[arg-type]
    Redacted(raw, raw)  # type: ignore[arg-type]
    Redacted()  # type: ignore[call-arg]
    Redacted(*(raw,))  # type: ignore[call-arg]
    Redacted(**{"text": raw})  # type: ignore[arg-type]
    replace(EMPTY, text=raw)  # type: ignore[call-arg]
    replace(EMPTY, text=raw, seal=None)  # type: ignore[arg-type]
    keep(raw)  # type: ignore[arg-type]
    keep(EMPTY.text)  # type: ignore[arg-type]
    keep(None)  # type: ignore[arg-type]
    keep(object())  # type: ignore[arg-type]
    keep(raw.encode())  # type: ignore[arg-type]
    answer(lambda: raw)  # type: ignore[arg-type, return-value]
    msgspec.json.decode(encoded, type=Redacted).text = raw  # type: ignore[misc]
    EMPTY.text = raw  # type: ignore[misc]
    EMPTY.extra = raw  # type: ignore[attr-defined]
    EMPTY + raw  # type: ignore[operator]


def make_redacted(raw: str, rules: Scrubber) -> None:
    assert_type(redact(raw, rules), Redacted)
    keep(redact(raw, rules))


class Loose(Redacted): ...  # type: ignore[misc]
