"""What every writer needs: seeded ids, a clock that moves on by itself, and whole files of JSON lines."""

import json
import random
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Record = dict[str, Any]


class Pen:
    """Ids and times of one session: equal seeds and beginnings give equal sessions."""

    def __init__(self, seed: str, begin: datetime) -> None:
        self._rng = random.Random(seed)
        self._now = begin.astimezone(UTC)

    def uuid(self) -> str:
        """A random-looking UUID of version 4."""
        return str(uuid.UUID(int=self._rng.getrandbits(128), version=4))

    def time_uuid(self) -> str:
        """A UUID of version 7: its beginning is the time."""
        number = (self.ms() << 80) | (7 << 76) | (self._rng.getrandbits(12) << 64) | (2 << 62)
        return str(uuid.UUID(int=number | self._rng.getrandbits(62)))

    def hexadecimal(self, digits: int) -> str:
        """So many hexadecimal digits."""
        return f"{self._rng.getrandbits(digits * 4):0{digits}x}"

    def tick(self, seconds: float = 4.0) -> None:
        """Let time pass."""
        self._now += timedelta(seconds=seconds)

    def ms(self) -> int:
        """Milliseconds since 1970 UTC."""
        return int(self._now.timestamp() * 1000)

    def iso(self) -> str:
        """The time as agents write it: UTC, milliseconds, `Z`."""
        return f"{self._now.strftime('%Y-%m-%dT%H:%M:%S')}.{self._now.microsecond // 1000:03}Z"

    def stamp(self, form: str) -> str:
        """The time in any other form."""
        return self._now.strftime(form)


def encode(record: Record) -> str:
    """One record as one line without its end."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def save_lines(path: Path, records: Iterable[Record]) -> None:
    """Write one record a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{encode(record)}\n" for record in records), encoding="utf-8")
