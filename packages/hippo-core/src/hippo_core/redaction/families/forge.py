"""Tokens of places that host code."""

from hippo_core.redaction.checks import github_checksum, random_looking
from hippo_core.redaction.rule import Rule, token

RULES: tuple[Rule, ...] = (
    token(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        r"[A-Za-z0-9]{36}",
        bounded=False,
        check=github_checksum,
    ),
    token(
        "github-fine-grained-token",
        "github_pat_",
        r"[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
        bounded=False,
        check=random_looking,
    ),
    token("gitlab-token", ("glpat-",), r"[A-Za-z0-9_.-]{20,300}", bounded=False, check=random_looking),
)
