"""Times in records."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from hippo_core.records import times


def test_a_moment_is_written_in_utc_whatever_its_zone() -> None:
    moment = datetime(2026, 5, 1, 12, 0, 0, 5000, tzinfo=timezone(timedelta(hours=2)))
    assert times.of_moment(moment) == "2026-05-01T10:00:00.005Z"


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        times.of_moment(datetime(2026, 5, 1, tzinfo=UTC).replace(tzinfo=None))


@pytest.mark.parametrize(
    ("time_ms", "text"),
    [
        (None, None),
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (253402300799999, "9999-12-31T23:59:59.999Z"),
        (253402300800000, None),
        (10**30, None),
    ],
)
def test_milliseconds_are_written_exactly_or_not_at_all(time_ms: int | None, text: str | None) -> None:
    assert times.of_milliseconds(time_ms) == text
