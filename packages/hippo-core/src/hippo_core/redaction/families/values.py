"""Whether what stands beside the name of a secret is one."""

import re
from typing import Final

from hippo_core.redaction.checks import entropy, placeholder, scrambled
from hippo_core.redaction.rule import expression

_REFERENCE: Final = expression(
    r"\$\{?\{?[\s\w.:\-/()\[\]'\"]*\}{0,2}|\$\(.*|%\w+%|\{\{.*|<.*|\{[\w.\-\s]*\}|\[redacted.*|!(?:secret|vault|env\w*|ref|sub|getatt|join|include|reference|file|importvalue)\b.*|@\w+[.(].*|&\w+|\*+\w*"
    r"|arn:.*|op://.*|vault:.*|secretsmanager:.*|ssm:.*|env:.*|file:.*|ref\+.*|kms:.*|sm://.*|ENC\[.*|data:.*|https?:.*|/{1,2}\w.*/.*|[.~]{1,2}/.*|[A-Za-z]:\\.*"
    r"|[\w.]*(?:process\.env|os\.environ|getenv|import\.meta|secrets\.|vars\.|env\.|config\.|settings\.|self\.|this\.|req\.|ctx\.|var\.|local\.|module\.|data\.).*",
    re.IGNORECASE | re.DOTALL,
)
_CALL: Final = expression(r"!?[A-Za-z_$][\w$.:!?>-]*[(\[].*", re.DOTALL)
_DOTTED: Final = expression(r"!?[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)+[;,]?")
_WORD: Final = r"(?:[A-Z]?[a-z]++|[A-Z]++(?![a-z])|[A-Z]+(?=[A-Z][a-z]))[0-9]{0,2}"
_WORDS: Final = expression(
    rf"_*{_WORD}(?:(?:[-_./: ]{{1,2}}|(?=[A-Z]))(?:v?[0-9]{{1,4}}(?![a-z])|{_WORD}))*+"
)
_EACH_WORD: Final = expression(rf"{_WORD}|[0-9]{{1,4}}")
_CODE_WORD: Final = expression(
    r"pass|pwd|token|secret|key|value|input|hash|str|field|new|old|data|arg|param|var|text|form|config|env|opts|req|cred|auth|user|name|utf|base|sha|md5|aes|rsa|oauth|option|required",
    re.IGNORECASE,
)
_NUMBER: Final = expression(r"[-+]?[0-9][0-9_,.]*(?:e[0-9]+|[a-zA-Z]{1,2})?|0x[0-9a-fA-F]{1,8}")
_VERSION: Final = expression(r"[\^~>=<v]*[0-9]+(?:\.[0-9x*]+)+[\w.+-]*")
_DATE: Final = expression(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ].*)?")
_SYMBOLS: Final = frozenset("!@#$%^&*?~+=|/\\-_.:")
_MAIL_OR_DIGEST: Final = expression(
    r"(?:sha(?:1|256|384|512)|md5|blake[23]\w?)[-:=~].*|[\w.]+@[\w.-]+\.[a-z]{2,}|0x[0-9a-f]{40}",
    re.IGNORECASE,
)


_BRACKETS: Final = frozenset("[](){}<>| ")
_NUMBERED: Final = expression(r"(?:[A-Z]?[a-z]*|[A-Z]+)[0-9]+")
_LONGEST_NAME: Final = 24
_CONSONANTS: Final = expression(r"[bcdfghjklmnpqrstvwxz]+")
_ABBREVIATIONS: Final = frozenset(
    (
        "html",
        "https",
        "http",
        "xhtml",
        "xmlns",
        "ctrl",
        "mgmt",
        "cmds",
        "pkgs",
        "prms",
        "strs",
        "tmpl",
        "rsrc",
        "mtls",
    )
)


def nothing_secret(value: str) -> bool:
    """Whether `value` is a placeholder, a reference to where the secret is kept, or a plain number."""
    return (
        placeholder(value)
        or _REFERENCE.fullmatch(value) is not None
        or _NUMBER.fullmatch(value) is not None
        or _VERSION.fullmatch(value) is not None
        or _DATE.fullmatch(value) is not None
        or "${" in value
    )


def is_password(value: str, *, quoted: bool, named_in_capitals: bool) -> bool:
    """Whether a value beside the name of a password is one, weak ones too."""
    if quoted and value.isdigit():
        return len(value) >= 4
    if len(value) < 5 or nothing_secret(value):
        return False
    if " " in value or "\t" in value:
        return any(len(word) >= 6 and _mixed(word.strip("?!.,:;")) for word in value.split())
    if not quoted and (_CALL.fullmatch(value) or _DOTTED.fullmatch(value)):
        return False
    if _words(value):
        letters_and_digits = any(map(str.isdigit, value)) and value.isalnum()
        if _scrambled(value) and _CODE_WORD.search(value) is None:
            return True
        return named_in_capitals or (letters_and_digits and _CODE_WORD.search(value) is None)
    both_cases = value.isalpha() and not (value.islower() or value.isupper() or value.istitle())
    if quoted and both_cases and len(value) >= 10:
        return True
    return _mixed(value) or named_in_capitals or _scrambled(value) or scrambled(value)


def is_token(value: str, *, quoted: bool, least: int = 8) -> bool:
    """Whether a value beside the name of a token or a secret was generated."""
    if len(value) < least or nothing_secret(value) or any(map(str.isspace, value)):
        return False
    if not quoted and is_expression(value):
        return False
    if _words(value) or _MAIL_OR_DIGEST.fullmatch(value):
        return False
    digits = sum(map(str.isdigit, value))
    if digits == 0:
        mixed_case = value != value.lower() and value != value.upper()
        symbols = any(char in "!@#$%^&*?~+=" for char in value)
        return (
            (len(value) >= 20 and mixed_case and entropy(value) > 3.6)
            or (len(value) >= 12 and scrambled(value))
            or (quoted and symbols and len(value) >= 10 and not _BRACKETS & set(value))
        )
    return any(map(str.isalpha, value)) or (len(value) >= 24 and digits == len(value))


def is_expression(value: str) -> bool:
    """Whether an unquoted value is a call or a name with dots, and not a token with dots."""
    if _CALL.fullmatch(value):
        return True
    random_piece = any(len(piece) >= 16 and not _words(piece) for piece in value.split("."))
    return _DOTTED.fullmatch(value) is not None and not random_piece


def is_generated(value: str) -> bool:
    """Whether a value has no structure but chance: long, mixed and even."""
    if (
        not 20 <= len(value) <= 300
        or nothing_secret(value)
        or _words(value)
        or _MAIL_OR_DIGEST.fullmatch(value)
    ):
        return False
    lower, upper = any(map(str.islower, value)), any(map(str.isupper, value))
    digits = sum(map(str.isdigit, value))
    return (
        lower
        and upper
        and (digits >= (2 if len(value) < 32 else 1) or scrambled(value))
        and entropy(value) > 3.9
    )


def _mixed(value: str) -> bool:
    letters = any(map(str.isalpha, value))
    digits = any(map(str.isdigit, value))
    symbols = any(char in "!@#$%^&*?~+" for char in value)
    return letters and (digits or symbols) and not _MAIL_OR_DIGEST.fullmatch(value)


def _scrambled(value: str) -> bool:
    """Whether one of several joined pieces is in cases that no word is written in."""
    pieces = re.split("[-_]", value)
    return len(pieces) > 1 and any(
        len(piece) >= 5 and piece.isalnum() and _irregular(piece) for piece in pieces
    )


def _irregular(piece: str) -> bool:
    if any(map(str.isdigit, piece)):
        return _NUMBERED.fullmatch(piece) is None
    return not (piece.islower() or piece.isupper() or piece.istitle())


def _words(value: str) -> bool:
    if len(value) > 200 or _WORDS.fullmatch(value) is None:
        return False
    if any(_unspeakable(piece.lower()) for piece in _EACH_WORD.findall(value)):
        return False
    return len(value) >= (3 if len(value) <= _LONGEST_NAME else 4) * len(_EACH_WORD.findall(value)) or (
        len(value) <= _LONGEST_NAME and _CODE_WORD.search(value) is not None
    )


def _unspeakable(piece: str) -> bool:
    """Whether a piece has no vowel, as no word has, and is no abbreviation that programs are full of."""
    return len(piece) >= 4 and _CONSONANTS.fullmatch(piece) is not None and piece not in _ABBREVIATIONS
