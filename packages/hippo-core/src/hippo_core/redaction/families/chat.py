"""Tokens and webhooks of places where people talk."""

from base64 import urlsafe_b64decode
from binascii import Error
from collections.abc import Iterator

from hippo_core.redaction.checks import random_looking
from hippo_core.redaction.rule import Rule, Span, before, expression, token

_WEBHOOK = r"[A-Za-z0-9_/@.-]{20,400}"
_URL_SAFE = expression(r"[A-Za-z0-9_-]{1,30}")
_DISCORD_REST = expression(r"\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])")
_DIGITS = expression(r"[0-9]{8,10}")
_TELEGRAM_REST = expression(r":A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])")


def _discord_bot(text: str, position: int) -> Iterator[Span]:
    rest = _DISCORD_REST.match(text, position)
    if rest is None:
        return
    head = before(text, position, _URL_SAFE)
    if 23 <= len(head) <= 28 and (_is_number(head) or (head[0] in "MNO" and random_looking(rest.group()))):
        yield Span(position - len(head), rest.end())


def _is_number(head: str) -> bool:
    try:
        return urlsafe_b64decode(head + "=" * (-len(head) % 4)).isdigit()
    except (Error, ValueError):
        return False


def _telegram_bot(text: str, position: int) -> Iterator[Span]:
    if position == 0 or not text[position - 1].isdigit():
        return
    rest = _TELEGRAM_REST.match(text, position)
    head = before(text, position, _DIGITS, 11) if rest else ""
    if rest and 8 <= len(head) <= 10 and random_looking(rest.group()):
        yield Span(position - len(head), rest.end())


RULES: tuple[Rule, ...] = (
    token(
        "slack-token",
        (*(f"xox{letter}-" for letter in "abeoprsc"), "xoxe.xoxp-", "xoxe.xoxb-", "xapp-"),
        r"[A-Za-z0-9-]{10,400}",
        bounded=False,
        check=random_looking,
        end="",
        look_alikes=("xox" + "b-your-token", "xoxb-" + "x" * 12),
    ),
    Rule(
        kind="slack-webhook",
        literals=("hooks.slack.com/",),
        pattern=r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]{20,200})",
        check=random_looking,
        look_alikes=("https://hooks.slack.com/services/T00000000/B00000000/" + "X" * 24,),
    ),
    Rule(
        kind="discord-webhook",
        literals=("/api/webhooks/",),
        pattern=r"/api/webhooks/([0-9]{15,22}/[A-Za-z0-9_-]{50,100})",
        check=random_looking,
        look_alikes=("https://discord.com/api/webhooks/<id>/<token>",),
    ),
    Rule(
        kind="discord-bot-token",
        literals=(".",),
        one_word=True,
        pattern=_DISCORD_REST.pattern,
        gate=r"[A-Za-z0-9_-]{23}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27}",
        locate=_discord_bot,
        look_alikes=("com.example.application.MainActivityOfTheProgram",),
    ),
    Rule(
        kind="telegram-bot-token",
        literals=(":a",),
        one_word=True,
        pattern=_TELEGRAM_REST.pattern,
        gate=r"[0-9]{8}:a[A-Za-z0-9_-]{34}",
        locate=_telegram_bot,
        look_alikes=("20260501:" + "x" * 35,),
    ),
    Rule(
        kind="teams-webhook",
        literals=("webhook.office.com/", "outlook.office.com/webhook/"),
        pattern=rf"(?:webhook\.office\.com|outlook\.office\.com/webhook)/({_WEBHOOK})",
        check=random_looking,
        look_alikes=("https://contoso.webhook.office.com/docs",),
    ),
    Rule(
        kind="webhook-url",
        literals=(
            "hooks.zapier.com/",
            "hook.eu1.make.com/",
            "hook.us1.make.com/",
            "maker.ifttt.com/",
            "/hooks/catch/",
        ),
        pattern=r"[a-z0-9./]{5,24}/((?:hooks/catch/|trigger/\w{1,40}/with/key/)?[A-Za-z0-9_/-]{16,80})",
        check=random_looking,
        look_alikes=("https://hooks.zapier.com/hooks/catch/",),
    ),
)
