"""Keys and numbers that move money."""

import re

from hippo_core.redaction.checks import iban, luhn, placeholder, random_looking
from hippo_core.redaction.rule import Rule, token

_STRIPE = tuple(f"{kind}k_{mode}_" for kind in "sr" for mode in ("live", "test", "prod"))


def _of_both_cases(value: str) -> bool:
    body = value.rpartition("_")[2]
    return random_looking(value) or (not placeholder(value) and body != body.lower() and body != body.upper())


def _card(value: str) -> bool:
    digits = re.sub(r"[ -]", "", value)
    return len(set(digits)) > 3 and luhn(digits)


RULES: tuple[Rule, ...] = (
    token(
        "stripe-key",
        _STRIPE,
        r"[A-Za-z0-9]{10,250}",
        check=_of_both_cases,
        look_alikes=("sk_" + "live_" + "x" * 24, "pk_live_is_public", "sk_" + "test_your_key_here"),
    ),
    token(
        "webhook-signing-secret",
        "whsec_",
        r"[A-Za-z0-9+/=]{24,80}",
        check=random_looking,
        look_alikes=("whsec_" + "x" * 32,),
    ),
    token(
        "square-token",
        ("sq0atp-", "sq0csp-", "sq0idp-"),
        r"[A-Za-z0-9_-]{22,60}",
        check=random_looking,
        look_alikes=("sq0atp-" + "x" * 22,),
    ),
    token(
        "square-access-token",
        "EAAA",
        r"[A-Za-z0-9_-]{60}",
        check=random_looking,
        end=r"(?![A-Za-z0-9_-])",
        look_alikes=("EAAA" + "x" * 60,),
    ),
    token(
        "paypal-token",
        ("access_token$production$", "access_token$sandbox$"),
        r"[a-z0-9]{16}\$[a-f0-9]{32}",
        look_alikes=("access_token$production$",),
    ),
    token(
        "shopify-token",
        ("shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shpua_"),
        r"[A-Fa-f0-9]{32,48}",
        check=random_looking,
        look_alikes=("shpat_" + "0" * 32,),
    ),
    token(
        "plaid-token",
        ("access-sandbox-", "access-development-", "access-production-"),
        r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        look_alikes=("access-production-database",),
    ),
    token(
        "razorpay-key",
        ("rzp_live_", "rzp_test_"),
        r"[A-Za-z0-9]{14,24}",
        check=random_looking,
        look_alikes=("rzp_live_" + "x" * 14,),
    ),
    token(
        "flutterwave-key",
        ("FLWSECK-", "FLWSECK_TEST-"),
        r"[A-Za-z0-9]{12,40}(?:-X)?",
        check=random_looking,
        look_alikes=("FLWSECK-" + "x" * 32,),
    ),
    token(
        "paddle-key",
        ("pdl_live_apikey_", "pdl_sdbx_apikey_"),
        r"[A-Za-z0-9_]{40,80}",
        look_alikes=("pdl_live_apikey_id",),
    ),
    token(
        "mollie-key",
        ("live_", "test_"),
        r"[A-Za-z0-9]{30}",
        check=lambda value: random_looking(value[5:]) and value[5:] != value[5:].lower(),
        look_alikes=("test_parsing_of_records", "live_" + "x" * 30),
    ),
    token(
        "adyen-key",
        "AQE",
        r"[A-Za-z0-9]{2,4}hmfxK[A-Za-z0-9+/=._\-]{60,200}",
        end="",
        look_alikes=("AQEhmfxK",),
    ),
    Rule(
        kind="card-number",
        literals=tuple(
            f"{first}"
            for first in (
                "4",
                "51",
                "52",
                "53",
                "54",
                "55",
                "34",
                "37",
                "6011",
                "65",
                "22",
                "23",
                "24",
                "25",
                "26",
                "27",
            )
        ),
        pattern=r"(?<![0-9A-Za-z.,+/_=#:\-])((?:4[0-9]{3}|5[1-5][0-9]{2}|6011|65[0-9]{2}|2[2-7][0-9]{2})(?:([ -])[0-9]{4}\2[0-9]{4}\2[0-9]{4}|[0-9]{12})|3[47][0-9]{2}(?:([ -])[0-9]{6}\3[0-9]{5}|[0-9]{11}))(?![0-9A-Za-z.,/_=+\-])",
        gate=r"(?:[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}|3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5})",
        check=_card,
        look_alikes=("4111111111111112", "1746054000000", "4532 0151 1283 0367"),
    ),
    Rule(
        kind="bank-account",
        literals=tuple(f"{country}" for country in ("iban",)),
        pattern=r"(?i:iban)[\"']?\s{0,3}[:=#]?\s{0,3}[\"']?([A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?![A-Za-z0-9])",
        gate="iban",
        check=iban,
        look_alikes=("IBAN: DE00 0000 0000 0000 0000 00",),
    ),
)
