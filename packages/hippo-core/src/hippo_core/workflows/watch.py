"""Folders watched for changes: one signal for each burst of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import watchfiles

_QUIET_MILLISECONDS: Final = 400
_LONGEST_MILLISECONDS: Final = 3000
_AT_LEAST_EVERY_MILLISECONDS: Final = 30_000


def changes(folders: Sequence[Path]) -> Iterator[int]:
    """Yield how many paths changed, once a burst is over; ends with `KeyboardInterrupt`.

    Some file systems tell nothing, and what changed before watching began was not told: 0 comes twice a minute.
    """
    for burst in watchfiles.watch(
        *folders,
        watch_filter=None,
        step=_QUIET_MILLISECONDS,
        debounce=_LONGEST_MILLISECONDS,
        rust_timeout=_AT_LEAST_EVERY_MILLISECONDS,
        yield_on_timeout=True,
        ignore_permission_denied=True,
    ):
        yield len(burst)
