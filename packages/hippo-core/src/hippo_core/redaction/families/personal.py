"""Addresses of people."""

import re
from collections.abc import Iterator
from typing import Final

from hippo_core.redaction.rule import Rule, Span, before, expression

_LOCAL: Final = expression(r"[A-Za-z0-9._%+\-]{1,64}")
_DOMAIN: Final = expression(
    r"@((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,6}([A-Za-z]{2,24}))(?![A-Za-z0-9_@]|\.[A-Za-z0-9]|-[A-Za-z0-9])"
)
_REMOTE: Final = expression(r":(?!//)[~/\w.]")
_SPACE: Final = expression(r"[\s\"'<>]")
_LONGEST_USER: Final = 200
_RESERVED: Final = expression(
    r"(?:.*\.)?(?:example\.(?:com|org|net|edu)|example|test|invalid|localhost|local|internal|users\.noreply\.github\.com)",
    re.IGNORECASE,
)
_FILE_ENDINGS: Final = frozenset(
    [
        "png",
        "jpg",
        "jpeg",
        "gif",
        "svg",
        "webp",
        "ico",
        "css",
        "scss",
        "js",
        "jsx",
        "ts",
        "tsx",
        "mjs",
        "cjs",
        "json",
        "yaml",
        "yml",
        "toml",
        "md",
        "txt",
        "html",
        "htm",
        "xml",
        "py",
        "rb",
        "go",
        "rs",
        "java",
        "kt",
        "c",
        "h",
        "cpp",
        "hpp",
        "cs",
        "sh",
        "lock",
        "log",
        "map",
        "zip",
        "gz",
        "tar",
        "tgz",
        "whl",
        "jar",
        "so",
        "dll",
        "exe",
        "bin",
        "pdf",
        "mp4",
        "mp3",
        "wav",
        "woff",
        "ttf",
        "service",
        "timer",
        "socket",
        "target",
        "mount",
    ]
)
_ROBOTS: Final = frozenset(
    {
        "git",
        "noreply",
        "no-reply",
        "donotreply",
        "do-not-reply",
        "hg",
        "svn",
        "postmaster",
        "mailer-daemon",
        "you",
        "your.email",
        "youremail",
        "your-email",
        "email",
        "name",
    }
)


def _email(text: str, position: int) -> Iterator[Span]:
    domain = _DOMAIN.match(text, position)
    if domain is None or domain[2].lower() in _FILE_ENDINGS or _RESERVED.fullmatch(domain[1]):
        return
    start = position - len(before(text, position, _LOCAL, 64))
    local = text[start:position].strip(".")
    if not local or local.lower() in _ROBOTS or _is_address_of_a_place(text, start, domain.end()):
        return
    yield Span(start, domain.end())


def _is_address_of_a_place(text: str, start: int, end: int) -> bool:
    """Whether this is `user@host` of a URL or of a remote copy and not a mailbox."""
    word = _SPACE.split(text[max(0, start - _LONGEST_USER) : start])[-1]
    if "/" not in word.rpartition("://")[2] and "://" in word:
        return True
    return _REMOTE.match(text, end) is not None and text[max(0, start - 7) : start].lower() != "mailto:"


RULES: tuple[Rule, ...] = (
    Rule(
        kind="email",
        literals=("@",),
        pattern=_DOMAIN.pattern,
        gate=r"[A-Za-z0-9._%+\-]@[A-Za-z0-9][A-Za-z0-9-]{0,62}\.[A-Za-z0-9]",
        locate=_email,
        look_alikes=(
            "help@example.org",
            "git@github.com:me/repo.git",
            "react@18.2.0",
            "@app.route",
            "logo@2x.png",
            "deploy@build.company.com:/srv",
        ),
    ),
)
