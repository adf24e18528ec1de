"""The table of every rule, the more exact before the more general."""

from hippo_core.redaction.families import (
    assignments,
    chat,
    cloud,
    forge,
    generic,
    headers,
    keys,
    models,
    payment,
    personal,
    services,
    urls,
)
from hippo_core.redaction.rule import Rule

REVISION = 1
"""Raised when a check changes what is found without changing a pattern."""

RULES: tuple[Rule, ...] = (
    *keys.RULES,
    *forge.RULES,
    *cloud.RULES,
    *chat.RULES,
    *payment.RULES,
    *models.RULES,
    *services.RULES,
    *urls.RULES,
    *headers.RULES,
    *assignments.RULES,
    *personal.RULES,
    *generic.RULES,
)
