"""Fake secrets of many formats in lines as they stand in transcripts, the same at every run."""

import json
import random
import string
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hippo_core.redaction.checks import base62

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
DASHES = "-" * 5


class Sample(NamedTuple):
    """A text, and the part of it that must be gone after redaction."""

    family: str
    text: str
    secret: str


Maker = Callable[[random.Random], str]


def pick(chance: random.Random, letters: str, length: int) -> str:
    """`length` letters, each as likely as another."""
    return "".join(chance.choice(letters) for _ in range(length))


def _checked(prefix: str) -> Maker:
    def make(chance: random.Random) -> str:
        body = pick(chance, LETTERS, 30)
        return prefix + body + base62(zlib.crc32(body.encode()), 6)

    return make


def _plain(prefix: str, letters: str, length: int, after: str = "") -> Maker:
    return lambda chance: prefix + pick(chance, letters, length) + after


def _uuid(chance: random.Random) -> str:
    return "-".join(pick(chance, HEX, size) for size in (8, 4, 4, 4, 12))


def _part(value: object) -> str:
    return urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def web_token(chance: random.Random) -> str:
    """A signed web token with a made-up signature."""
    claims = {"sub": str(chance.randrange(10**9)), "iat": 1_700_000_000 + chance.randrange(10**7)}
    return f"{_part({'alg': 'HS256', 'typ': 'JWT'})}.{_part(claims)}.{pick(chance, LETTERS + '-_', 43)}"


def password(chance: random.Random) -> str:
    """A password as people and generators make them."""
    word = chance.choice(("Sunrise", "harbour", "Tiger", "wombat", "correct", "Falcon"))
    return chance.choice(
        (
            pick(chance, LETTERS + "!@#%^*_+", 14),
            f"{word}{chance.randrange(10, 9999)}!",
            f"{word}-{pick(chance, LETTERS, 6)}",
            pick(chance, LETTERS, 20),
        )
    )


TOKENS: dict[str, Maker] = {
    "github classic": _checked("gh" + "p_"),
    "github app": _checked("gh" + "s_"),
    "npm": _checked("npm" + "_"),
    "github fine": lambda chance: (
        "github" + "_pat_" + pick(chance, LETTERS, 22) + "_" + pick(chance, LETTERS, 59)
    ),
    "gitlab": _plain("gl" + "pat-", LETTERS + "-_", 20),
    "aws id": _plain("AK" + "IA", string.ascii_uppercase + "234567", 16),
    "google": _plain("AI" + "za", LETTERS + "-_", 35),
    "google client": _plain("GOC" + "SPX-", LETTERS + "-_", 28),
    "slack bot": lambda chance: (
        "xo"
        "xb-"
        + "-".join(
            (pick(chance, string.digits, 12), pick(chance, string.digits, 12), pick(chance, LETTERS, 24))
        )
    ),
    "stripe": _plain("sk" + "_live_", LETTERS, 24),
    "stripe restricted": _plain("rk" + "_live_", LETTERS, 99),
    "openai project": lambda chance: (
        "sk-proj-" + pick(chance, LETTERS + "-_", 74) + "T3Blbk" + "FJ" + pick(chance, LETTERS + "-_", 74)
    ),
    "openai": lambda chance: "sk-" + pick(chance, LETTERS, 20) + "T3Blbk" + "FJ" + pick(chance, LETTERS, 20),
    "anthropic": lambda chance: "sk-" + "ant-api03-" + pick(chance, LETTERS + "-_", 93) + "AA",
    "pypi": _plain("pypi-" + "AgEIcHlwaS5vcmc", LETTERS + "-_", 150),
    "sendgrid": lambda chance: (
        "SG" + "." + pick(chance, LETTERS + "-_", 22) + "." + pick(chance, LETTERS + "-_", 43)
    ),
    "twilio": _plain("S" + "K", HEX, 32),
    "mailgun": _plain("key" + "-", HEX, 32),
    "mailchimp": _plain("", HEX, 32, "-us12"),
    "huggingface": _plain("h" + "f_", string.ascii_letters, 34),
    "digitalocean": _plain("do" + "p_v1_", HEX, 64),
    "shopify": _plain("shp" + "at_", HEX, 32),
    "square": _plain("sq0" + "atp-", LETTERS + "-_", 22),
    "telegram": lambda chance: pick(chance, "123456789", 10) + ":AA" + pick(chance, LETTERS + "-_", 33),
    "discord": lambda chance: (
        b64encode(str(chance.randrange(10**17, 10**18)).encode()).decode().rstrip("=")
        + "."
        + pick(chance, LETTERS, 6)
        + "."
        + pick(chance, LETTERS + "-_", 38)
    ),
    "groq": _plain("gs" + "k_", LETTERS, 52),
    "replicate": _plain("r" + "8_", LETTERS, 37),
    "xai": _plain("xa" + "i-", LETTERS, 80),
    "databricks": _plain("da" + "pi", HEX, 32),
    "vault": _plain("hv" + "s.", LETTERS + "-_", 90),
    "doppler": _plain("dp" + ".pt.", LETTERS, 43),
    "pulumi": _plain("pu" + "l-", HEX, 40),
    "grafana": lambda chance: "gl" + "sa_" + pick(chance, LETTERS, 32) + "_" + pick(chance, HEX, 8),
    "linear": _plain("lin" + "_api_", LETTERS, 40),
    "notion": _plain("nt" + "n_", LETTERS, 46),
    "figma": _plain("fig" + "d_", LETTERS + "-_", 40),
    "postman": lambda chance: "PM" + "AK-" + pick(chance, HEX, 24) + "-" + pick(chance, HEX, 34),
    "airtable": lambda chance: "pa" + "t" + pick(chance, LETTERS, 14) + "." + pick(chance, HEX, 64),
    "newrelic": _plain("NR" + "AK-", string.ascii_uppercase + string.digits, 27),
    "rubygems": _plain("rubygems" + "_", HEX, 48),
    "crates": _plain("ci" + "o", LETTERS, 32),
    "docker": _plain("dckr" + "_pat_", LETTERS + "-_", 27),
    "terraform": lambda chance: pick(chance, LETTERS, 14) + ".atlas" + "v1." + pick(chance, LETTERS, 67),
    "age": _plain("AGE-SECRET" + "-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    "web token": web_token,
    "azure client": lambda chance: pick(chance, LETTERS, 3) + "8Q" + "~" + pick(chance, LETTERS + "_-", 34),
}

IN_LINES = (
    "please use {} for the deploy, it is the new one",
    "export API_TOKEN={}",
    'SERVICE_TOKEN="{}"',
    '{{"region": "north", "token": "{}", "after": 1}}',
    "  token: {}\n  retries: 3",
    'client = Client(api_key="{}", timeout=30)',
    "2026-05-01T10:00:00Z ERROR request failed with {} (401)",
    "curl -H 'X-Auth: {}' https://api.host/v1/items",
    "+    secret = '{}'",
    'echo \\"{}\\" >> .env\\nnext',
    "     7\t{}",
    "\x1b[32m{}\x1b[0m",
)

NAMED: tuple[tuple[str, Maker], ...] = (
    ("DB_PASSWORD={}", password),
    ("export PGPASSWORD='{}'", password),
    ('password = "{}"', password),
    ("  password: {}", password),
    ('{{"user": "app", "password": "{}", "port": 5432}}', password),
    ("mysql --user=app --password={} app", password),
    ("aws_secret_access_key = {}", _plain("", LETTERS + "/+", 40)),
    ('"SecretAccessKey": "{}",', _plain("", LETTERS + "/+", 40)),
    ("HEROKU_API_KEY={}", _uuid),
    ("api_key={}", _plain("", HEX, 32)),
    ("apiKey: '{}',", _plain("", LETTERS, 40)),
    ("DATADOG_API_KEY: {}", _plain("", HEX, 32)),
    ("client_secret={}&grant_type=client_credentials", _plain("", LETTERS, 40)),
    ("AccountName=store;AccountKey={};EndpointSuffix=core.windows.net", _plain("", LETTERS + "+/", 86, "==")),
    ("https://store.blob.core.windows.net/c?sv=2024-01-01&sig={}", _plain("", LETTERS, 43, "%3D")),
    ("postgresql://app:{}@db.internal:5432/app", _plain("", LETTERS + "!*_", 16)),
    ("mongodb+srv://app:{}@cluster0.mongodb.net/prod", _plain("", LETTERS, 16)),
    ("redis://:{}@cache:6379/0", _plain("", LETTERS, 24)),
    ("git clone https://bot:{}@git.host/team/repo.git", _plain("", LETTERS, 20)),
    ("Authorization: Bearer {}", _plain("", LETTERS + "-_.", 40)),
    (
        "Authorization: Basic {}",
        lambda chance: b64encode(f"app:{pick(chance, LETTERS, 14)}".encode()).decode(),
    ),
    ("Cookie: theme=dark; session={}; lang=en", _plain("", LETTERS, 32)),
    ("Set-Cookie: sid={}; Path=/; HttpOnly", _plain("", LETTERS, 32)),
    ("machine api.host login deploy password {}", _plain("", LETTERS, 16)),
    ("db.internal:5432:app:app:{}", _plain("", LETTERS, 16)),
    (
        '{{"auths": {{"reg.host": {{"auth": "{}"}}}}}}',
        lambda chance: b64encode(f"bot:{pick(chance, LETTERS, 18)}".encode()).decode(),
    ),
    ("curl -u admin:{} https://api.host/v1", _plain("", LETTERS, 14)),
    ("    token: {}", _plain("", LETTERS + "-_", 60)),
    ("//registry.npmjs.org/:_authToken={}", _uuid),
    (
        "https://hooks.slack.com/services/{}",
        lambda chance: (
            f"T{pick(chance, LETTERS, 8).upper()}/B{pick(chance, LETTERS, 8).upper()}/{pick(chance, LETTERS, 24)}"
        ),
    ),
    (
        "https://discord.com/api/webhooks/{}",
        lambda chance: f"{chance.randrange(10**17, 10**18)}/{pick(chance, LETTERS + '-_', 68)}",
    ),
    ("the staging key is {}, keep it safe", _plain("", LETTERS, 40)),
    ("- name: DB_PASSWORD\n  value: {}", password),
)


def private_key(chance: random.Random) -> tuple[str, list[str]]:
    """A key file's text and the rows of it that are secret."""
    kind = chance.choice(("RSA ", "EC ", "OPENSSH ", ""))
    rows = [pick(chance, LETTERS + "+/", 64) for _ in range(chance.randrange(3, 14))]
    return "\n".join(
        (
            f"{DASHES}BEGIN {kind}PRIVATE" + f" KEY{DASHES}",
            *rows,
            f"{DASHES}END {kind}PRIVATE" + f" KEY{DASHES}",
        )
    ), rows


def samples(seed: int = 1) -> Iterator[Sample]:
    """Every format in many lines."""
    chance = random.Random(seed)
    for family, make in TOKENS.items():
        for line in IN_LINES * 2:
            secret = make(chance)
            yield Sample(family, line.format(secret), secret)
    for line, make in NAMED:
        for _ in range(12):
            secret = make(chance)
            yield Sample(line, line.format(secret), secret)
    for _ in range(60):
        text, rows = private_key(chance)
        form = chance.choice(
            (
                str,
                json.dumps,
                lambda whole: whole.replace("\n", "\r\n"),
                lambda whole: whole.replace("\n", "\n    "),
            )
        )
        yield Sample("private key", f"before\n{form(text)}\nafter", chance.choice(rows))
