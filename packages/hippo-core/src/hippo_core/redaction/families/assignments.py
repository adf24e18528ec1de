"""Values beside a telling name, in shells, settings, records, code, command lines and prose."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from hippo_core.redaction.families.values import is_expression, is_generated, is_password, is_token
from hippo_core.redaction.rule import Rule, Span, before, expression


class _Name(NamedTuple):
    whole: str
    prefix: str
    suffix: str


_NAME_LETTERS: Final = expression(r"[A-Za-z0-9_.\-]{1,48}")
_OPERATOR: Final = (
    r"(?:[^\S\n]{0,4}(?:\[\])?(?::[ ]?(?:&'?\w*[ ]?)?(?:str|string|String|Optional\[str\]|SecretStr|char[ ]?\*?|const[ ]char\*|any|var)(?:[ ]?\|[ ]?\w{1,12})?[ ]{0,2}=(?!=)"
    r"|=>|:=|\?\?=|\?=|\|\|=|\+=|={1,3}|::|:(?!//)|(?<=[\"'])\s?,(?=\s?[\"'])|>(?=[^\s<>]{1,256}</)|%3[DdAa])"
    r"|[\"']?[^\S\n]{0,2},?[^\S\n]{0,2}(?:\\?\r?\n[+\-]?|\\{1,15}n)?[^\S\n]{0,24}(?:\\{0,15}[\"'])?\b[vV]alue(?:\\{0,15}[\"'])?[^\S\n]{0,3}[:=])"
)
_VALUE: Final = (
    r"[^\S\n]{0,8}(?:\|[-+]?\r?\n[ ]{1,16}|>-?\r?\n[ ]{1,16})?(?:Some\(|String::from\(|[rbfuRBFUL@$]{0,2}(?=[\"'`\\]))?"
    r"(?:(?P<escaped>\\{1,15}[\"'])(?P<inside>[^\n]{1,512}?)(?=\\+[\"']|\n|\Z)"
    r"|\"\"\"(?P<triple>[^\n\"]{1,512})"
    r"|\"(?P<double>(?:[^\"\\\n]|\\.){1,512})|'(?P<single>(?:[^'\\\n]|\\.|''){1,512})|`(?P<back>[^`\n]{1,512})"
    r"|\{(?P<braced>[^{}\s\"'][^{}\n\"']{0,255})\}(?=[;\s]|\Z)"
    r"|(?P<bare>(?!\w{0,20}(?:passw|passphrase|secret|token|key|pwd)\w{0,20}[=:])(?:[^\s\"'`\\<>;,&|\[\]{}()]|\\(?![nrt\"'])[^\s\"']|[\[({&;](?=[^\s\"']{0,40}[0-9!@#$%^*]))(?:[^\s\"'`\\<>&;,|]|\\(?![nrt\"'])[^\s\"']|,(?=[^\s\"'=:,]{2,64}(?:\s|\Z))){0,199}))"
)
_TAIL: Final = r"(?P<suffix>[A-Za-z0-9_.\-]{0,40})(?:\\{0,15}[\"'`])?\]?"
_ASSIGNED: Final = expression(_TAIL + _OPERATOR + _VALUE)
_FLAG: Final = expression(r"(?P<suffix>(?:-[a-z]{1,12}){0,2})(?:[ ]{1,3}|=)(?:\\?\n\s*)?(?![-$])" + _VALUE)
_TWO_WORDS: Final = expression(r"(?P<suffix>[A-Za-z0-9_]{0,40})[ \t]{1,8}(?![=:])" + _VALUE)
_SPOKEN: Final = expression(
    r"(?P<suffix>)(?:[ ](?!is\b)\w{1,16}){0,4}[ ](?:is|was|be|to|=|:|->)(?:[ ]now)?:?[ ](?!\w{1,24}[(.])"
    + _VALUE
)
_LONGEST_JUDGED: Final = 200
_GROUPS: Final = ("inside", "triple", "double", "single", "back", "braced", "bare")
_REST_OF_BARE: Final = expression(r"[^\s\"'`\\<>&;,|]*")
_CLOSERS: Final = {")": "(", "]": "[", "}": "{"}

_GOOD_SUFFIX: Final = expression(
    r"(?:[_.\-]?(?:[0-9]{1,3}|key|value|val|secret|token|password|pass|phrase|base|prod(?:uction)?|dev(?:elopment)?|stag(?:e|ing)|test|live|sandbox|local"
    r"|old|new|current|primary|secondary|backup|main|default|ro|rw|admin|user|root|enc|b64|base64|plain|plaintext|clear|str|string|raw|text|data|pem|hex|header|x|id[_-]?secret|access[_-]?key|accesskey|access|auth))*",
    re.IGNORECASE,
)
_BAD_SUFFIX: Final = expression(
    r".*[_.\-]?(?:ids?|names?|types?|ur[li]s?|paths?|files?|dirs?|counts?|len|length|limits?|size|policy|fields?|label|hint|placeholder|errors?|expir\w*|ttl|at|date|time|timestamp"
    r"|age|version|refs?|provider|manager|service|arn|hash|usage|index|offset|budget|rate|cost|prefix|suffix|regex|pattern|format|encoding|enabled|required|min|max|class|kind|scopes?|algorithm|rotation|endpoint|region|header_?name|template|message|page|screen|form|dialog|prompt|test|result)",
    re.IGNORECASE,
)
_NOT_A_SECRET: Final = expression(
    r"(?:.*[_.\-])?(?:max|min|num|next|prev|previous|page|pagination|continuation|cursor|cancel|cancellation|stop|pad|eos|bos|unk|mask|sep|cls|special|input|output|prompt|completion|total|public|pub|sync"
    r"|is|has|no|use|with|without|show|hide|reset|forgot|change|update|validate|check|verify|compare|hash|missing|invalid|expected|last|first|image|stop|start|end|css|design|syntax|lexer|parser)[_.\-]?",
    re.IGNORECASE,
)
_CAMEL_NOT_A_SECRET: Final = expression(
    r".*(?:next|page|continuation|cancellation|public|max|total|input|output|cursor)", re.IGNORECASE
)
_KEY_OF_SECRETS: Final = expression(
    r".*(?:api|apis|access|secret|private|priv|encrypt(?:ion)?|decryption|signing|signature|sign|auth|account|master|storage|shared|service|role|admin|root|app|application|consumer|subscription|deploy|license|licence"
    r"|jwt|hmac|aes|cipher|ssh|session|webhook|client|rest|ingest|write|server|host|sas|cosmos|sendgrid|openai|anthropic|stripe|user|functions?|x)[_.\- ]?",
    re.IGNORECASE,
)
_OTHER_KEYS: Final = expression(
    r"(?:.*[_.\-])?(?:cache|primary|foreign|public|pub|partition|sort|row|object|idempotency|dedupe|group|index|lookup|query|map|unique|composite|routing|s3|i18n|message|setting|data|search|order|react|item|shard|redis|memo"
    r"|translation|storage|node|bucket|file|image|hot|short|shortcut|arrow|modifier|meta|ctrl|esc|on|state|store|props?|dict|json|yaml|env|config|section|label|field|answer|project|issue|site|session|job|trace|span|run)[_.\-]?",
    re.IGNORECASE,
)

Judge = Callable[[_Name, str, bool], bool]


def _password(name: _Name, value: str, quoted: bool) -> bool:
    if (
        name.whole.lower().endswith("pass")
        and len(name.prefix) > 0
        and name.prefix[-1] not in "_.-"
        and name.prefix.lower() not in ("db", "user")
    ):
        return False
    return is_password(value, quoted=quoted, named_in_capitals=name.whole.isupper() and len(name.whole) > 3)


def _token(_: _Name, value: str, quoted: bool) -> bool:
    return is_token(value, quoted=quoted)


def _key(name: _Name, value: str, quoted: bool) -> bool:
    prefix = name.prefix
    if _KEY_OF_SECRETS.fullmatch(prefix) and not _OTHER_KEYS.fullmatch(prefix):
        return is_token(value, quoted=quoted, least=12)
    if len(prefix) < 2 or _OTHER_KEYS.fullmatch(prefix):
        return False
    if not quoted and is_expression(value):
        return False
    return is_generated(value) or (name.whole.isupper() and is_token(value, quoted=quoted, least=24))


def _two_words(name: _Name, value: str, quoted: bool) -> bool:
    """Whether a command or a settings file sets a secret with nothing but a space between."""
    telling = (
        (name.whole.isupper() and "_" in name.whole)
        or "_secret" in name.whole
        or "authtoken" in name.whole.lower()
    )
    return telling and (
        is_generated(value)
        or (len(value) >= 8 and is_password(value, quoted=quoted, named_in_capitals=False))
    )


def _spoken_password(_: _Name, value: str, quoted: bool) -> bool:
    return (
        len(value) >= 6
        and any(map(str.isdigit, value))
        and is_password(value, quoted=quoted, named_in_capitals=False)
    )


def _beside(text: str, position: int, *, literal: str, form: re.Pattern[str], judge: Judge) -> Iterator[Span]:
    match = form.match(text, position + len(literal))
    if match is None:
        return
    name = _name(text, position, position + len(literal), match)
    if not _names_a_secret(name, judge):
        return
    group = next(group for group in _GROUPS if match[group] is not None)
    span = _value_span(text, match, group)
    value = text[span.start : span.end]
    if (
        value
        and judge(name, value, group != "bare" or form is _FLAG)
        and not _in_resource_name(text, position)
    ):
        yield _whole(text, span) if group == "bare" else span


def _in_resource_name(text: str, position: int) -> bool:
    """Whether the name is a part of a cloud's resource name, which says where a secret is kept."""
    return "arn:" in text[max(0, position - 100) : position].rpartition(" ")[2]


def _name(text: str, start: int, end: int, match: re.Match[str]) -> _Name:
    prefix = before(text, start, _NAME_LETTERS, 48)
    return _Name(prefix + text[start:end] + match["suffix"], prefix, match["suffix"])


def _names_a_secret(name: _Name, judge: Judge) -> bool:
    if name.suffix and not _GOOD_SUFFIX.fullmatch(name.suffix):
        capitals = name.whole.isupper() and name.suffix[0] in "_-."
        if not capitals or _BAD_SUFFIX.fullmatch(name.suffix):
            return False
    if judge is _key:
        return True
    return not _NOT_A_SECRET.fullmatch(name.prefix) and not _CAMEL_NOT_A_SECRET.fullmatch(name.prefix)


def _value_span(text: str, match: re.Match[str], group: str) -> Span:
    start, end = match.span(group)
    if group != "bare":
        return Span(start, end)
    while end > start and text[end - 1] in ".,:!?)]}":
        closer = text[end - 1]
        if closer in "!?" or (closer in _CLOSERS and _CLOSERS[closer] in text[start:end]):
            break
        end -= 1
    return Span(start, end)


def _whole(text: str, span: Span) -> Span:
    """The span of a value that is longer than what was judged of it."""
    rest = _REST_OF_BARE.match(text, span.end) if span.end - span.start >= _LONGEST_JUDGED else None
    return Span(span.start, rest.end()) if rest else span


_GATE: Final = r"[A-Za-z0-9_.\-]*[\\\"'`\])]*(?:\s*(?:\[\])?[=:>?|+,%]|[\s\"',\\n]*value)"


def _named(
    kind: str, literals: tuple[str, ...], judge: Judge, look_alikes: tuple[str, ...]
) -> tuple[Rule, ...]:
    return tuple(
        Rule(
            kind=kind,
            literals=(literal,),
            pattern=_ASSIGNED.pattern,
            gate=re.escape(literal).replace("\\-", "-") + _GATE,
            locate=partial(_beside, literal=literal, form=_ASSIGNED, judge=judge),
            look_alikes=look_alikes,
        )
        for literal in literals
    )


def _others(
    kind: str, literals: tuple[str, ...], form: re.Pattern[str], judge: Judge, look_alikes: tuple[str, ...]
) -> tuple[Rule, ...]:
    return tuple(
        Rule(
            kind=kind,
            literals=(literal,),
            pattern=form.pattern,
            gate=literal + (r" [^\n]*(?:is|was|be|to|=|:|->)" if form is _SPOKEN else r"[A-Za-z0-9_]*[ \t]"),
            locate=partial(_beside, literal=literal, form=form, judge=judge),
            look_alikes=look_alikes,
        )
        for literal in literals
    )


def _flags(
    kind: str, literals: tuple[str, ...], judge: Judge, look_alikes: tuple[str, ...]
) -> tuple[Rule, ...]:
    return tuple(
        Rule(
            kind=kind,
            literals=(literal,),
            pattern=_FLAG.pattern,
            gate=literal + r"[a-z\-]*[ =]",
            locate=partial(_beside, literal=literal, form=_FLAG, judge=judge),
            look_alikes=look_alikes,
        )
        for literal in literals
    )


RULES: tuple[Rule, ...] = (
    *_named(
        "password",
        ("password", "passwd", "passphrase", "pwd", "pass", "_pw", "mysql_pwd", "passwort", "contraseña"),
        _password,
        (
            '"password": "must have 8 characters"',
            "password = get_password()",
            "PASSWORD=${DB_PASSWORD}",
            "password: string",
            'type="password" name="password"',
            "password_field = form.password",
        ),
    ),
    *_named(
        "secret",
        ("secret", "credential"),
        _token,
        ("secret_name: my-app-secret-2", "secret = os.environ['SECRET']", "secretRef: prod-db-v2"),
    ),
    *_named(
        "token",
        ("token", "bearer", "authorization", "authkey", "_auth"),
        _token,
        (
            "max_tokens: 4096",
            "token_type=none",
            "token = get_token()",
            "token: ${{ secrets.NPM_TOKEN }}",
            "nextToken=CAUQAA",
        ),
    ),
    *_named(
        "api-key",
        ("key",),
        _key,
        (
            "cache_key: linux-0a1b2c3d4e5f60718293a4b5c6d7e8f9",
            "api_key=YOUR_API_KEY",
            "api_key: process.env.API_KEY",
            "primary_key=True",
        ),
    ),
    *_others(
        "password",
        ("password", "passwd", "passphrase", "pwd"),
        _SPOKEN,
        _spoken_password,
        ("the password is wrong", "password must be 8 characters"),
    ),
    *_others(
        "secret",
        ("password", "secret", "token", "key"),
        _TWO_WORDS,
        _two_words,
        ("SECRET_KEY not set", "API_TOKEN is missing-2"),
    ),
    *_flags(
        "password",
        ("--password", "--passwd", "--pass", "--passphrase"),
        _password,
        ("--password <password>", "--password $PASSWORD", "--password-stdin"),
    ),
    *_flags(
        "token",
        (
            "--token",
            "--api-key",
            "--apikey",
            "--secret",
            "--auth-token",
            "--access-token",
            "--client-secret",
            "--with-token",
        ),
        _token,
        ("--token <token>", "--token $TOKEN", "--secret my-app-secret-2"),
    ),
)
