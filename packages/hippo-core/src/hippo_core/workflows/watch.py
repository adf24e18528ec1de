"""Folders watched for changes: one signal for each burst of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import watchfiles

_QUIET_MILLISECONDS: Final = 400
_LONGEST_MILLISECONDS: Final = 3000


def changes(folders: Sequence[Path]) -> Iterator[int]:
    """Yield how many paths changed, once a burst is over; ends with `KeyboardInterrupt`."""
    for burst in watchfiles.watch(
        *folders,
        watch_filter=None,
        step=_QUIET_MILLISECONDS,
        debounce=_LONGEST_MILLISECONDS,
        ignore_permission_denied=True,
    ):
        yield len(burst)
