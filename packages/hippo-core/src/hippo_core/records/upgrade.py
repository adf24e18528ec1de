"""Old record shapes to the newest one, a pure step a version."""

from typing import assert_never

from hippo_core.records.wire import AnySession, SessionRecord, SessionV1


def newest_session(record: AnySession) -> SessionRecord:
    """The same session in the newest shape."""
    match record:
        case SessionV1():
            return record
        case _:
            assert_never(record)
