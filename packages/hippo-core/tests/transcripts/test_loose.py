"""Values of any type, read as what they should be."""

import pytest

from hippo_core.transcripts import loose


@pytest.mark.parametrize(
    ("written", "time_ms"),
    [
        ("2026-05-01T10:00:00.123Z", 1_777_629_600_123),
        ("2026-05-01T12:00:00.123+02:00", 1_777_629_600_123),
        ("2026-05-01T10:00:00.123", 1_777_629_600_123),
        ("2026-05-01T10:00:00.123999Z", 1_777_629_600_123),
        ("0001-01-01T00:00:00+14:00", -62_135_647_200_000),
        ("yesterday", None),
        ("", None),
        (1_777_629_600, None),
        (None, None),
    ],
)
def test_a_time_is_read_to_the_millisecond_or_not_at_all(written: object, time_ms: int | None) -> None:
    assert loose.milliseconds(written) == time_ms
