"""Reading JSON values that may be of any type: what is not as expected is simply not there."""

from datetime import UTC, datetime, timedelta
from typing import Final

_BOUND: Final = 1 << 62
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def text_of(value: object) -> str:
    """`value` where it is text, else nothing."""
    return value if isinstance(value, str) else ""


def name_of(value: object) -> str | None:
    """`value` where it is text with something in it, else None."""
    return value if isinstance(value, str) and value else None


def whole_number(value: object) -> int | None:
    """`value` where it is a whole number of at most 62 bits; True and False are not."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _BOUND:
        return value
    return None


def milliseconds(value: object) -> int | None:
    """Milliseconds since 1970 of an ISO 8601 time, in UTC where it names no zone; None where it is none."""
    try:
        moment = datetime.fromisoformat(text_of(value))
    except ValueError:
        return None
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH) // _MILLISECOND


def field(value: object, *keys: str) -> object:
    """What lies under `keys`, one inside the other; None where there is no object or no such field."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def items(value: object) -> list[object]:
    """The items of a list, none of anything else."""
    return value if isinstance(value, list) else []


def parts(content: object) -> list[str]:
    """The texts of a message's content parts; images and encrypted parts have none."""
    if isinstance(content, str):
        return [content]
    return [text for part in items(content) if (text := text_of(field(part, "text")))]
