"""Texts that only look as if they held a secret, the same at every run."""

import random
import string
from base64 import b64encode
from collections.abc import Iterator

from smoke_secrets import DASHES, HEX, LETTERS, pick

WORDS = (
    "cache",
    "index",
    "render",
    "parser",
    "worker",
    "button",
    "session",
    "layout",
    "metric",
    "queue",
    "model",
    "window",
)
PLACEHOLDERS = (
    "API_KEY=YOUR_API_KEY",
    "export OPENAI_API_KEY=<your-key>",
    "token: ${TOKEN}",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    'api_key = os.environ["API_KEY"]',
    "const apiKey = process.env.API_KEY;",
    "password = getpass.getpass()",
    "token = get_token()",
    'api_key="sk-..."',
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    'headers = {"Authorization": f"Bearer {token}"}',
    "password: must have 8 characters",
    '"password": "Passwort vergessen?"',
    '"password": "Password must contain 1 number and 8 characters"',
    "password: str = Field(min_length=8)",
    "def login(user: str, password: str) -> Token:",
    'input type="password" name="password" autocomplete="current-password"',
    "secretKeyRef:\n  name: app-db\n  key: password",
    "DB_PASSWORD=changeme",
    "postgres://user:password@localhost:5432/db",
    "postgresql://app:${DB_PASSWORD}@db:5432/app",
    "max_tokens=4096, token_count=128",
    "https://localhost:8443/users/@me and mail@night",
    "git@github.com:team/repo.git",
    "ssh://git@host.example:22/repo.git",
    "npm install react@18.2.0 @types/node@20.11.5",
    "@app.route('/login', methods=['POST'])",
    "primary_key=True, foreign_key='users.id'",
    "if token == expected_token and key in cache_keys:",
    "secret_name: my-app-secret-2",
    "the token is expired, the key is missing and the password is wrong",
    "self.password = password",
    "this.token = response.data.accessToken;",
    "passwordHash: user.passwordHash",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "<PasswordInput value={password} onChange={setPassword} />",
    "keyboard: 'ctrl+shift+k', key: 'ArrowDown'",
    "public_key: ssh-ed25519",
    "https://host.example/reset?token=<token>&next=/home",
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
    "SECRET_KEY = config('SECRET_KEY')",
    "cookie: theme=dark; lang=en",
    "Set-Cookie: theme=light; Path=/; Max-Age=3600",
    "basic auth is optional, bearer tokens are preferred",
)


def _hex(chance: random.Random, size: int) -> str:
    return pick(chance, HEX, size)


def _uuid(chance: random.Random) -> str:
    return "-".join(_hex(chance, size) for size in (8, 4, 4, 4, 12))


def _base64(chance: random.Random, size: int) -> str:
    return b64encode(chance.randbytes(size)).decode()


def _version(chance: random.Random) -> str:
    return ".".join(str(chance.randrange(40)) for _ in range(3))


def _name(chance: random.Random, joint: str) -> str:
    return joint.join(chance.choices(WORDS, k=4))


def _camel(chance: random.Random) -> str:
    return "".join(word.title() for word in chance.choices(WORDS, k=5)) + str(chance.randrange(99))


def _certificate(chance: random.Random, kind: str) -> str:
    rows = [pick(chance, LETTERS + "+/", 64) for _ in range(8)]
    return "\n".join((f"{DASHES}BEGIN {kind}{DASHES}", *rows, f"{DASHES}END {kind}{DASHES}"))


def look_alikes(seed: int = 1) -> Iterator[tuple[str, str]]:
    """Family and text, many of each family."""
    chance = random.Random(seed)
    for _ in range(60):
        yield "git", f"commit {_hex(chance, 40)}\nMerge: {_hex(chance, 7)} {_hex(chance, 7)}"
        yield "git", f"index {_hex(chance, 7)}..{_hex(chance, 7)} 100644"
        yield "git", f"git diff {_hex(chance, 40)}...{_hex(chance, 40)}"
        yield "digest", f"image: registry.host/app@sha256:{_hex(chance, 64)}"
        yield "digest", f"{_hex(chance, 64)}  dist/app-{_version(chance)}.tar.gz"
        yield "digest", f"cache key: node-modules-{_hex(chance, 64)}"
        yield "digest", f'etag: "{_hex(chance, 32)}"'
        yield "identifier", f"request id {_uuid(chance)} took {chance.randrange(900)} ms"
        yield "identifier", f'"session_id": "{_uuid(chance)}", "id": "toolu_01{pick(chance, LETTERS, 22)}"'
        yield (
            "identifier",
            f'{{"id": "msg_{pick(chance, LETTERS, 24)}", "type": "message", "key": "{_uuid(chance)}"}}',
        )
        yield "lock", f'"integrity": "sha512-{_base64(chance, 64)}"'
        yield (
            "lock",
            f'{{ url = "https://files.host/{_hex(chance, 2)}/{_hex(chance, 60)}/a.whl", hash = "sha256:{_hex(chance, 64)}" }}',
        )
        yield "lock", f"golang.org/x/net v0.{chance.randrange(30)}.0 h1:{_base64(chance, 32)}"
        yield "lock", f'"@scope/{_name(chance, "-")}@^{_version(chance)}": "{_version(chance)}"'
        yield "image", f"data:image/png;base64,iVBORw0KGgo{_base64(chance, 300)}"
        yield "image", f'src="data:font/woff2;base64,{_base64(chance, 200)}"'
        yield "public", _certificate(chance, "CERTIFICATE")
        yield "public", _certificate(chance, "PUBLIC KEY")
        yield "public", f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{_base64(chance, 33)} me@laptop"
        yield "public", f"SHA256:{_base64(chance, 32).rstrip('=')} (ED25519)"
        yield (
            "path",
            f"/home/me/.cache/{_name(chance, '/')}/{_hex(chance, 32)}.{chance.choice(('js', 'py', 'css'))}",
        )
        yield (
            "path",
            f"src/{_name(chance, '/')}/{_camel(chance)}.tsx:{chance.randrange(900)}:{chance.randrange(80)}",
        )
        yield "word", f"{_name(chance, '_').upper()}_TOKEN_LIMIT = {chance.randrange(9000)}"
        yield "word", f"class {_camel(chance)}(Base{_camel(chance)}): pass"
        yield "word", f"test_{_name(chance, '_')}_returns_the_{_name(chance, '_')} PASSED"
        yield "word", f"password = {_name(chance, '_')}.password"
        yield (
            "style",
            f".{chance.choice(WORDS)}_{pick(chance, LETTERS, 5)}__{pick(chance, LETTERS, 5)} {{ color: #{_hex(chance, 6)}; }}",
        )
        yield "style", f'<div class="css-{_hex(chance, 8)} sc-{pick(chance, LETTERS, 6)}">'
        yield (
            "time",
            f"2026-0{chance.randrange(1, 9)}-1{chance.randrange(9)}T10:{chance.randrange(10, 59)}:00.{chance.randrange(999)}Z pid {chance.randrange(99999)} {chance.randrange(10**12, 10**13)}",
        )
        yield (
            "time",
            f"at {chance.randrange(24)}:{chance.randrange(10, 59)} build {_version(chance)}-rc.{chance.randrange(9)}+{_hex(chance, 7)}",
        )
        yield (
            "address",
            f"https://{chance.choice(WORDS)}.host:{chance.randrange(1000, 9999)}/v1/{_name(chance, '/')}?page={chance.randrange(9)}&sort=name then ask {chance.choice(WORDS)}@night",
        )
        yield "address", f"https://docs.host/d/1{pick(chance, LETTERS, 43)}/edit"
        yield "address", f"arn:aws:iam::{pick(chance, string.digits, 12)}:role/{_name(chance, '-')}"
        yield (
            "minified",
            f"function {chance.choice('abcxyz')}(e,t){{var n=e.key||t.token;return n?r(n,{chance.randrange(99)}):i.password=o.value}}",
        )
        for text in chance.sample(PLACEHOLDERS, 8):
            yield "placeholder", text
