"""Credentials inside addresses: `scheme://user:password@host`."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from hippo_core.redaction.checks import placeholder, random_looking
from hippo_core.redaction.rule import Rule, Span, before, expression

_SCHEME: Final = expression(r"[A-Za-z0-9+.\-]{1,20}")
_AUTHORITY: Final = expression(r"[^\s\"'<>`\\|^]{1,512}")
_HOST: Final = expression(
    r"(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,253})|\[[0-9A-Fa-f:.%a-z]{2,60}\]|\$\{?\w{1,40}\}?)(?=[:/?#,;)\]}]|$)"
)
_PORT: Final = expression(r"[0-9]{1,5}(?:[/?#,]|$)")
_VARIABLE: Final = expression(r"\$\{?[\w.]+\}?|<[^>]*>|\{\{?[^}]*\}?\}|%\w+%?|\[[^\]]*\]?|\*+|:\w+")
_STORES: Final = expression(
    r"(?:jdbc:)?(?:postgres\w*|mysql\w*|mariadb|mongodb|redis\w?|valkeys?|amqps?|mssql|sqlserver|clickhouse\w*|cockroachdb"
    r"|oracle|couchbases?|couchdb|cassandra|neo4j\w*|bolt|nats|kafka|ldaps?|smtps?|imaps?|influxdb|memcached|db2|snowflake"
    r"|trino|presto|rabbitmq|etcd|stomp|mqtts?)(?:\+[a-z0-9+]+)?",
    re.IGNORECASE,
)
_EVERYDAY: Final = frozenset(
    {"pass", "pwd", "pw", "password", "passwd", "secret", "user", "username", "tag", "hash", "host"}
)


def _credentials(text: str, position: int, *, store: bool) -> Iterator[Span]:
    scheme = before(text, position, _SCHEME, 21)
    if not scheme or (_STORES.fullmatch(scheme) is not None) is not store:
        return
    run = _AUTHORITY.match(
        text,
        text.index("/", position)
        + (5 if text[position + 1] == "\\" else 2)
        - (1 if text[position + 1] == "\\" else 0),
    )
    if run is None or "@" not in run.group():
        return
    yield from _password(run.group(), run.start())


def _password(run: str, offset: int) -> Iterator[Span]:
    colon = run.find(":")
    first_at = run.find("@")
    if "/" in run[: max(0, min(colon if colon >= 0 else len(run), first_at))]:
        return
    if colon < 0 or first_at < colon:
        yield from _lone_token(run, first_at, colon, offset)
        return
    at = _last_at(run, colon)
    if at < 0 or (_PORT.match(run, colon + 1) and not run[colon + 1 : at].isdigit()):
        return
    if _secret(run[colon + 1 : at]):
        yield Span(offset + colon + 1, offset + at)


def _lone_token(run: str, at: int, colon: int, offset: int) -> Iterator[Span]:
    """A token in the user's place, or a user name that is itself an address."""
    if colon > at:
        later = run.find("@", colon)
        if (
            later > 0
            and "/" not in run[:later]
            and _secret(run[colon + 1 : later])
            and _HOST.match(run, later + 1)
        ):
            yield Span(offset + colon + 1, offset + later)
            return
    if at >= 16 and _HOST.match(run, at + 1) and random_looking(run[:at]) and "." not in run[:at]:
        yield Span(offset, offset + at)


def _last_at(run: str, colon: int) -> int:
    at = run.rfind("@")
    while at > colon:
        if (
            "://" not in run[colon:at]
            and _HOST.match(run, at + 1)
            and not run.startswith(("sha256", "sha512"), at + 1)
        ):
            return at
        at = run.rfind("@", 0, at)
    return -1


def _secret(value: str) -> bool:
    return (
        bool(value)
        and value.lower() not in _EVERYDAY
        and not placeholder(value) | bool(_VARIABLE.fullmatch(value))
    )


_GO_LETTERS: Final = expression(r"[^\s:/@\"'`<>]{1,128}")


def _go_address(text: str, position: int) -> Iterator[Span]:
    head = before(text, position, _GO_LETTERS)
    if text[position - len(head) - 1 : position - len(head)] == ":" and _secret(head):
        yield Span(position - len(head), position)


_GATE: Final = r"(?:://|:\\/\\/)[^\s\"'<>`\\|^]*@"
_LITERALS: Final = ("://", ":\\/\\/")

RULES: tuple[Rule, ...] = (
    Rule(
        kind="connection-string",
        literals=("@tcp(", "@unix("),
        pattern=_GO_LETTERS.pattern,
        locate=_go_address,
        look_alikes=("user:password@tcp(localhost:3306)/db",),
    ),
    Rule(
        kind="connection-string",
        literals=_LITERALS,
        pattern=_STORES.pattern,
        gate=_GATE,
        locate=partial(_credentials, store=True),
        look_alikes=(
            "postgres://localhost:5432/app",
            "postgres://user:${DB_PASSWORD}@db:5432/app",
            "redis://cache:6379/0",
        ),
    ),
    Rule(
        kind="url-password",
        literals=_LITERALS,
        pattern=_AUTHORITY.pattern,
        gate=_GATE,
        locate=partial(_credentials, store=False),
        look_alikes=(
            "https://host.example:8443/@scope/package@1.2.3",
            "ssh://git@host.example:22/r.git",
            "https://edge7.example:7443 then cron@night-shift",
            "docker://alpine:3.18@sha256:0a1b2c",
        ),
    ),
)
