"""Times as records write them: UTC, ISO 8601, milliseconds, `Z`."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def of_moment(moment: datetime) -> str:
    """The text for an aware `moment`; a naive one is refused, since nobody knows what it means."""
    if moment.tzinfo is None:
        raise ValueError("a time without a zone cannot be written")
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def of_milliseconds(time_ms: int | None) -> str | None:
    """The text for milliseconds since 1970, or None for no time or one outside the years 1 to 9999."""
    if time_ms is None:
        return None
    try:
        return of_moment(_EPOCH + timedelta(milliseconds=time_ms))
    except OverflowError:
        return None
