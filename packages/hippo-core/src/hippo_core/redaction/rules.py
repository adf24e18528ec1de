"""The table of every rule, the more exact before the more general."""

from hippo_core.redaction.families import forge
from hippo_core.redaction.rule import Rule

REVISION = 1
"""Raised when a check changes what is found without changing a pattern."""

RULES: tuple[Rule, ...] = (*forge.RULES,)
