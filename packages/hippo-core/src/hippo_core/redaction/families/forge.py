"""Tokens of places that host code."""

from hippo_core.redaction.checks import github_checksum, random_looking
from hippo_core.redaction.rule import Rule, token

_GITLAB = tuple(
    f"gl{name}-" for name in ("ptt", "dt", "rt", "cbt", "ft", "soat", "agent", "imt", "oas", "ffct")
)

RULES: tuple[Rule, ...] = (
    token(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        r"[A-Za-z0-9]{36}",
        bounded=False,
        check=github_checksum,
        look_alikes=("gh" + "p_" + "x" * 36, "gh" + "p_" + "aBcDeFgHiJ" * 3 + "000000"),
    ),
    token(
        "github-fine-grained-token",
        "github_pat_",
        r"[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
        bounded=False,
        check=random_looking,
        look_alikes=("github_pat_" + "x" * 22 + "_" + "x" * 59, "github_pat_created_at"),
    ),
    token(
        "gitlab-token",
        "glpat-",
        r"[A-Za-z0-9_-]{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?",
        bounded=False,
        check=random_looking,
        look_alikes=("glpat-" + "x" * 20, "glpat-your-token-here-please"),
    ),
    token(
        "gitlab-machine-token",
        (*_GITLAB, "GR1348941"),
        r"[A-Za-z0-9_-]{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?",
        check=random_looking,
        look_alikes=("glrt-" + "x" * 20,),
    ),
    token(
        "bitbucket-token",
        ("ATBB", "BBDC-"),
        r"[A-Za-z0-9]{32,60}",
        check=random_looking,
        look_alikes=("ATBB" + "X" * 32,),
    ),
    token(
        "atlassian-token",
        ("ATATT3", "ATCTT3", "ATSTT3"),
        r"[A-Za-z0-9_=-]{60,400}",
        check=random_looking,
        look_alikes=("ATATT3" + "x" * 180,),
    ),
    token(
        "sourcegraph-token",
        "sgp_",
        r"(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}",
        look_alikes=("sgp_local_token",),
    ),
)
