"""Times, sizes and counts as a person reads them."""

from datetime import datetime
from typing import Final

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_UNITS: Final = ("kB", "MB", "GB", "TB")


def when(time_ms: int | None, now: datetime) -> str:
    """The moment as seen from `now`, in its time zone; empty for an absent or impossible one."""
    if time_ms is None:
        return ""
    try:
        moment = datetime.fromtimestamp(time_ms / 1000, now.tzinfo)
    except (ValueError, OverflowError, OSError):
        return ""
    clock = f"{moment.hour:02}:{moment.minute:02}"
    days = (now.date() - moment.date()).days
    if days == 0:
        return f"today {clock}"
    if days == 1:
        return f"yesterday {clock}"
    day = f"{moment.day} {_MONTHS[moment.month - 1]}"
    return f"{day} {clock}" if moment.year == now.year else f"{day} {moment.year}"


def size(count: int) -> str:
    """Bytes in the unit that suits them, in thousands."""
    if count < 1000:
        return f"{count} B"
    power = next((power for power in range(1, len(_UNITS)) if count < 999.5 * 1000**power), len(_UNITS))
    scaled = count / 1000**power
    return f"{scaled:.1f} {_UNITS[power - 1]}" if scaled < 9.95 else f"{scaled:.0f} {_UNITS[power - 1]}"


def counted(count: int, noun: str) -> str:
    """`1 turn`, `2,000 turns`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def project(cwd: str | None) -> str:
    """The last part of where a session ran, which is what people call the project."""
    return (cwd or "").replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
