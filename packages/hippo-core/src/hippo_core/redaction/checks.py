"""What tells a real secret from its look-alikes: checksums, randomness, placeholders."""

import binascii
import itertools
import math
import re
import zlib
from base64 import urlsafe_b64decode
from collections import Counter

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_PLACEHOLDER_WHOLE = re.compile(
    r"(?:your|my|the|some|insert|enter|replace|add|put)[-_ .]?\w{0,24}[-_ .]?"
    r"(?:key|token|secret|password|passwd|pass|here|value|api|pat|credential)s?\w{0,24}"
    r"|[xX*.\-_#0•…?]+"
    r"|none|null|nil|true|false|undefined|empty|string|str|bytes|int|any|required|optional|hidden|secret"
    r"|password|token|default|test|testing|foo|bar|baz|foobar|hello|admin|root|user|username|value|unset|n/?a",
    re.IGNORECASE,
)
_PLACEHOLDER_PART = re.compile(
    r"example|placeholder|change[-_]?me|redacted|dummy|not[-_]?a[-_]?real|your[-_]|[-_]here\b|xxxx|\*\*\*|\.\.\.|…|0000000000|1234567890|abcdefgh",
    re.IGNORECASE,
)
_LONGEST_PLACEHOLDER = 128


def github_checksum(value: str) -> bool:
    """Whether the last six digits are the base-62 CRC32 of the thirty before them."""
    body = value[-36:]
    return base62(zlib.crc32(body[:30].encode()), 6) == body[30:]


def base62(number: int, width: int) -> str:
    """`number` in base 62, at least `width` digits long."""
    digits = ""
    while number:
        number, rest = divmod(number, 62)
        digits = _BASE62[rest] + digits
    return digits.rjust(width, "0")


def luhn(value: str) -> bool:
    """Whether the digits of `value` pass the check of payment cards."""
    digits = [int(char) for char in value if char.isdigit()]
    doubled = [sum(divmod(digit * 2, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def iban(value: str) -> bool:
    """Whether the remainder of an account number by 97 is one."""
    packed = value.replace(" ", "")
    turned = packed[4:] + packed[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def json_header(value: str) -> bool:
    """Whether the first part of a web token decodes to the beginning of an object."""
    head = value.split(".", 1)[0]
    try:
        return urlsafe_b64decode(head[: len(head) // 4 * 4]).startswith((b'{"', b"{ ", b"{\n"))
    except (binascii.Error, ValueError):
        return False


def entropy(value: str) -> float:
    """Bits a character, from how often each one occurs."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)


def placeholder(value: str) -> bool:
    """Whether `value` stands where a secret would and is none."""
    if len(value) > _LONGEST_PLACEHOLDER:
        return len(set(value)) < 4
    return (
        len(set(value)) < 4
        or _PLACEHOLDER_PART.search(value) is not None
        or _PLACEHOLDER_WHOLE.fullmatch(value) is not None
    )


def random_looking(value: str) -> bool:
    """Whether `value` mixes characters as generated tokens do, and words do not."""
    if placeholder(value) or len(set(value)) < min(10, len(value) // 2):
        return False
    return any(map(str.isdigit, value)) or scrambled(value)


def scrambled(value: str) -> bool:
    """Whether the letters of `value` change between small and capital more often than words joined together do."""
    letters = [char.isupper() for char in value if char.isalpha()]
    changes = sum(left is not right for left, right in itertools.pairwise(letters))
    return changes >= max(5, len(letters) // 6 + 1)
