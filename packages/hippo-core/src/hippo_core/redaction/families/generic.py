"""Random strings that stand near a telling word, when no other rule knows them."""

from collections.abc import Iterator
from typing import Final

from hippo_core.redaction.families.values import is_generated
from hippo_core.redaction.rule import Rule, Span, before, expression

_NEAR: Final = expression(
    r"(?i:keys?|tokens?|secrets?|passwords?|passphrase|credentials?|creds?|pat)\b[\"'`*)\]]{0,3}"
    r"(?:[ \t]{0,2}(?:[:=(]|is|was|as|to|of|for|here|this|use|set|->|→|-|—|,)){1,3}[:=]?[ \t\"'`(*<]{1,4}([A-Za-z0-9+/_.~=!@#$%^&*\-]{16,300})(?![A-Za-z0-9])"
)
_THE_SECRET: Final = expression(
    r"[\"'`]?[ ](?:is|as|for)[ ](?:(?:my|the|our|a|your)[ ])?(?:\w{1,20}[ ]){0,2}?(?i:key|token|secret|password)"
)
_RUN: Final = expression(r"[A-Za-z0-9+/_=~-]{1,300}")


def _near(text: str, position: int) -> Iterator[Span]:
    match = _NEAR.match(text, position)
    if match and is_generated(match[1].rstrip(".!,")):
        yield Span(match.start(1), match.start(1) + len(match[1].rstrip(".!,")))


def _named_after(text: str, position: int) -> Iterator[Span]:
    quotes = 1 if text[position - 1 : position] in ("'", '"', "`") else 0
    match = _THE_SECRET.match(text, position)
    head = before(text, position - quotes, _RUN, 300) if match else ""
    if is_generated(head):
        yield Span(position - quotes - len(head), position - quotes)


RULES: tuple[Rule, ...] = (
    Rule(
        kind="high-entropy",
        literals=(" is ", " as ", " for "),
        pattern=_THE_SECRET.pattern,
        gate=r"[A-Za-z0-9+/_=~-]{12}[\"'`]? (?:is|as|for) [^\n]*(?:key|token|secret|password)",
        locate=_named_after,
        look_alikes=("0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d is the cache key",),
    ),
    Rule(
        kind="high-entropy",
        literals=("key", "token", "secret", "passw", "passphrase", "cred"),
        pattern=_NEAR.pattern,
        gate=r"(?:key|token|secret|password|passphrase|credential|cred|pat)[^\n]*[A-Za-z0-9+/_.~=!@#$%^&*\-]{16}",
        locate=_near,
        look_alikes=(
            "the cache key is sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
            "key: 0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d",
            "token for 123e4567-e89b-12d3-a456-426614174000",
        ),
    ),
)
