"""Credentials in headers, cookies, command lines and the small files that hold logins."""

from base64 import b64decode
from binascii import Error
from collections.abc import Iterator
from typing import Final

from hippo_core.redaction.checks import placeholder
from hippo_core.redaction.families.values import is_password, is_token, nothing_secret
from hippo_core.redaction.rule import Rule, Span, expression

_QUOTE: Final = r"(?:\\{0,15}[\"'`])?"
_SCHEMED: Final = expression(
    r"(?i:bearer|token|apikey|bot|digest|negotiate|splunk|genie[kK]ey|sso-key|pbshare)[ \t]{1,3}([^\s\"'`\\,;<>(){}\[\]]{8,4096})"
)
_BASIC: Final = expression(r"(?i:basic)[ \t]{1,3}([A-Za-z0-9+/_-]{6,4096}={0,2})")
_AUTHORIZATION: Final = expression(
    rf"(?i:authorization|x-auth-token|private-token|x-api-key){_QUOTE}\]?\s{{0,3}}[:=,]\s{{0,3}}\[?\s{{0,3}}{_QUOTE}"
    r"(?:(?i:bearer|basic|token|apikey|bot|digest|negotiate)[ \t]{1,3})?([^\s\"'`\\,;<>(){}\[\]]{8,4096})"
)
_COOKIE_HEAD: Final = expression(rf"(?i:cookies?){_QUOTE}\]?\s{{0,3}}[:=(]\s{{0,3}}(?:\[\s{{0,3}})?(\{{)?")
_PAIR: Final = expression(r"[ \t]{0,2}([A-Za-z0-9_.\-$%\[\]]{1,80})=([^\s;\"'\\,]{0,4096})(?:[;,][ \t]?)?")
_ATTRIBUTE: Final = expression(
    r"[ \t]{0,2}(?i:secure|httponly|partitioned)(?:;[ \t]?)?|[ \t]{0,2}(?i:expires)=[^;\"'\n]{0,40}(?:;[ \t]?)?"
)
_JSON_PAIR: Final = expression(
    r"[\s,]{0,40}\\{0,15}[\"']([\w.\-$]{1,80})\\{0,15}[\"']\s{0,4}:\s{0,4}(?:\\{0,15}[\"']([^\"'\\\n]{0,4096})\\{0,15}[\"']|[\w.]{1,20})"
)
_OPENING: Final = expression(r"[\s\[(]{0,4}(?:\\{0,15}[\"'`])?")
_ATTRIBUTES: Final = frozenset(
    {
        "path",
        "domain",
        "expires",
        "max-age",
        "samesite",
        "version",
        "lang",
        "language",
        "theme",
        "locale",
        "priority",
        "comment",
        "secure",
        "httponly",
    }
)


def _schemed(text: str, position: int) -> Iterator[Span]:
    match = _SCHEMED.match(text, position)
    if match and (position == 0 or not text[position - 1].isalnum()) and _strong(match[1], 12):
        yield Span(*match.span(1))


def _basic(text: str, position: int) -> Iterator[Span]:
    match = _BASIC.match(text, position)
    if match and _login_inside(match[1]):
        yield Span(*match.span(1))


def _authorization(text: str, position: int) -> Iterator[Span]:
    match = _AUTHORIZATION.match(text, position)
    if match and (_strong(match[1], 8) or _login_inside(match[1])):
        yield Span(*match.span(1))


def _strong(value: str, least: int) -> bool:
    value = value.rstrip(".:")
    return len(value) >= least and is_token(value, quoted=True, least=least)


def _login_inside(value: str) -> bool:
    """Whether `value` is base64 of a name, a colon and a password."""
    try:
        plain = b64decode(value + "=" * (-len(value) % 4), altchars=None, validate=True)
    except (Error, ValueError):
        return False
    _, colon, password = plain.partition(b":")
    return bool(colon and password) and plain.isascii() and plain.decode("ascii").isprintable()


def _cookie(text: str, position: int) -> Iterator[Span]:
    head = _COOKIE_HEAD.match(text, position)
    if head is None:
        return
    pairs = _json_pairs(text, head.end()) if head[1] else _pairs(text, head.end())
    yield from pairs


def _pairs(text: str, position: int) -> Iterator[Span]:
    opening = _OPENING.match(text, position)
    position = opening.end() if opening else position
    while match := _ATTRIBUTE.match(text, position) or _PAIR.match(text, position):
        if match.re is _PAIR and _is_cookie(match[1], match[2]):
            yield Span(*match.span(2))
        position = match.end()
    yield Span(position, position)


def _json_pairs(text: str, position: int) -> Iterator[Span]:
    while match := _JSON_PAIR.match(text, position):
        if match[2] and _is_cookie(match[1], match[2]):
            yield Span(*match.span(2))
        position = match.end()
    yield Span(position, position)


def _is_cookie(name: str, value: str) -> bool:
    if name.lower() in _ATTRIBUTES or len(value) < 8 or nothing_secret(value):
        return False
    return any(map(str.isdigit, value)) or (len(value) >= 20 and value != value.lower())


_SESSION: Final = expression(
    r"(?i:jsessionid|phpsessid|connect\.sid|asp\.net_sessionid|sessionid|laravel_session|_session)=([^\s;\"'\\,&]{12,4096})"
)
_NETRC: Final = expression(
    r"machine[ \t]{1,4}\S{1,253}\s{1,8}login\s{1,4}\S{1,128}\s{1,8}password\s{1,4}(\S{1,256})"
)
_PGPASS: Final = expression(r":(?:[0-9]{4,5}|\*):[^:\s]{1,64}:[^:\s/]{1,64}:([^\s:/\"']{4,256})(?=\s|\Z|\\n)")
_DOCKER_AUTH: Final = expression(
    rf"_?auth{_QUOTE}\s{{0,3}}[:=]\s{{0,3}}{_QUOTE}([A-Za-z0-9+/]{{8,4096}}={{0,2}})"
)
_KEY_DATA: Final = expression(rf"client-key-data{_QUOTE}\s{{0,3}}:\s{{0,3}}{_QUOTE}([A-Za-z0-9+/=]{{40,}})")
_MYSQL: Final = expression(r"mysql(?:dump|admin|show|import)?\b[^\n|;&]{0,120}?[ ]-p[\"']?([^\s\"']{4,128})")
_CURL: Final = expression(
    r"(?:curl|https?|wget|xh)\b[^\n|;]{0,200}?[ ](?:-u|--user|-a|--auth|--proxy-user)[ =]{0,2}[\"']?[^\s:\"'$]{0,128}:([^\s\"'$@/][^\s\"'@]{2,255})"
)
_CURL_COOKIE: Final = expression(r"curl\b[^\n|;]{0,200}?[ ](?:-b|--cookie)[ =]{1,2}(?=[\"']?\w)")
_LOGIN: Final = expression(
    r"(?:docker|podman|buildah|helm|oras|az|oc)[ ](?:registry[ ])?login[^\n|;]{0,120}?[ ]-p[ =]{0,2}[\"']?([^\s\"'$]{4,256})"
)
_SSHPASS: Final = expression(r"sshpass[ ]{1,3}-p[ ]{0,3}[\"']?([^\s\"'$]{3,256})")
_REDIS_CLI: Final = expression(r"redis-cli\b[^\n|;]{0,120}?[ ]-a[ ]{1,3}[\"']?([^\s\"'$]{4,256})")
_PASS: Final = expression(r"(?<![A-Za-z])pass:([^\s\"'$:<>{}]{4,256})")
_SQL: Final = expression(
    r"(?i:identified\s{1,4}(?:with\s{1,4}\w{1,40}\s{1,4})?by|(?:with|encrypted|role|user)[^\n;]{0,80}?\bpassword|set\s{1,4}password[^\n;]{0,80}?=)\s{1,4}(?:password\s{1,4})?'([^'\n]{4,256})'"
)


def _curl_cookies(text: str, position: int) -> Iterator[Span]:
    match = _CURL_COOKIE.match(text, position)
    if match:
        yield from _pairs(text, match.end())


def _weak(value: str) -> bool:
    return not nothing_secret(value) and is_password(value, quoted=False, named_in_capitals=True)


def _real(value: str) -> bool:
    return not placeholder(value) and not nothing_secret(value)


RULES: tuple[Rule, ...] = (
    Rule(
        kind="authorization-header",
        literals=("authorization", "x-auth-token", "private-token", "x-api-key"),
        pattern=_AUTHORIZATION.pattern,
        gate=r"(?:authorization|x-auth-token|private-token|x-api-key).{0,20}[:=,]",
        locate=_authorization,
        look_alikes=(
            "Authorization: Bearer <token>",
            "Authorization: Bearer ${TOKEN}",
            "authorization: required",
        ),
    ),
    Rule(
        kind="bearer-token",
        literals=("bearer ", "bot ", "token "),
        pattern=_SCHEMED.pattern,
        gate=r"(?:bearer|bot|token)[ \t]{1,3}[^\s\"'`\\,;<>(){}\[\]]{8}",
        locate=_schemed,
        look_alikes=("Bearer authentication", "bearer YOUR_ACCESS_TOKEN", "token expired-2026"),
    ),
    Rule(
        kind="basic-credentials",
        literals=("basic ",),
        pattern=_BASIC.pattern,
        gate=r"basic[ \t]{1,3}[A-Za-z0-9+/_-]{6}",
        locate=_basic,
        look_alikes=("basic understanding", "Basic authentication"),
    ),
    Rule(
        kind="cookie",
        literals=("cookie",),
        pattern=_PAIR.pattern,
        gate=r"cookies?.{0,20}[:=(]",
        locate=_cookie,
        look_alikes=("Set-Cookie: theme=dark; Path=/", "cookie: lang=en", "cookies = load_cookies()"),
    ),
    Rule(
        kind="cookie",
        literals=("curl",),
        pattern=_CURL_COOKIE.pattern,
        gate=r"curl[^\n]* (?:-b|--cookie)",
        locate=_curl_cookies,
        look_alikes=("curl -b cookies.txt",),
    ),
    Rule(
        kind="session-id",
        literals=(
            "jsessionid=",
            "phpsessid=",
            "connect.sid=",
            "asp.net_sessionid=",
            "sessionid=",
            "laravel_session=",
            "_session=",
        ),
        pattern=_SESSION.pattern,
        check=lambda value: is_token(value, quoted=True, least=12),
        look_alikes=("JSESSIONID=<id>",),
    ),
    Rule(
        kind="netrc-password",
        literals=("machine ", "machine\t"),
        pattern=_NETRC.pattern,
        check=_real,
        look_alikes=("machine learning login password",),
    ),
    Rule(
        kind="pgpass-password",
        literals=(":*:", ":5432:", ":5433:", ":6432:", ":5439:"),
        pattern=_PGPASS.pattern,
        gate=r":(?:[0-9]{4,5}|\*):[^:\s]+:[^:\s/]+:[^\s:/\"']",
        check=_weak,
        look_alikes=("localhost:5432:app:app:*",),
    ),
    Rule(
        kind="registry-login",
        literals=("auth",),
        pattern=_DOCKER_AUTH.pattern,
        gate=r"auth[\\\"'`\s]*[:=]",
        check=_login_inside,
        look_alikes=('"auth": "optional"',),
    ),
    Rule(
        kind="private-key-data",
        literals=("client-key-data",),
        pattern=_KEY_DATA.pattern,
        look_alikes=("client-certificate-data: " + "LS0tLS1CRUdJTiBDRVJU" * 3,),
    ),
    Rule(
        kind="command-password",
        literals=("mysql",),
        pattern=_MYSQL.pattern,
        gate=r"mysql[^\n]* -p[^\s]",
        check=_weak,
        look_alikes=("mysql -u root -p", "mysql -p$DB_PASSWORD"),
    ),
    Rule(
        kind="command-password",
        literals=("curl ", "http ", "https ", "wget ", "xh "),
        pattern=_CURL.pattern,
        gate=r"(?:curl|http|https|wget|xh) [^\n]*(?:-u|--user|-a|--auth|--proxy-user)",
        check=_weak,
        look_alikes=("curl -u $USER:$PASS", "curl -u user:password https://host"),
    ),
    Rule(
        kind="command-password",
        literals=("docker ", "podman ", "buildah ", "helm ", "oras ", "az ", "oc "),
        pattern=_LOGIN.pattern,
        gate=r" login[^\n]* -p",
        check=_real,
        look_alikes=("docker login -u me -p $PASS",),
    ),
    Rule(
        kind="command-password",
        literals=("sshpass",),
        pattern=_SSHPASS.pattern,
        check=_real,
        look_alikes=("sshpass -p $PASS ssh host",),
    ),
    Rule(
        kind="command-password",
        literals=("redis-cli",),
        pattern=_REDIS_CLI.pattern,
        check=_real,
        look_alikes=("redis-cli -a $PASS ping",),
    ),
    Rule(
        kind="command-password",
        literals=("pass:",),
        pattern=_PASS.pattern,
        check=lambda value: is_password(value, quoted=False, named_in_capitals=False),
        look_alikes=("1 pass: ok", "pass:optional"),
    ),
    Rule(
        kind="command-password",
        literals=("identified", "with ", "encrypted", "role ", "user ", "set password"),
        pattern=_SQL.pattern,
        gate=r"(?:identified|password)[^']*'",
        check=lambda value: is_password(value, quoted=True, named_in_capitals=True),
        look_alikes=("IDENTIFIED BY '<password>'",),
    ),
)
