"""Bytes to records and back."""

from pathlib import Path
from typing import Any, Final

import msgspec

from hippo_core.errors import DataError
from hippo_core.records import upgrade
from hippo_core.records.wire import AnySession, SessionEvent, SessionRecord, SessionV1

_SHAPES: Final[dict[str, type[AnySession]]] = {"hippo.session/1": SessionV1}
_encoder: Final = msgspec.json.Encoder(order="sorted")


def decode_session(data: bytes, path: Path) -> SessionRecord:
    """Read a session record of any published version; `DataError` names `path` and says what is wrong."""
    try:
        fields = msgspec.json.decode(data, type=dict[str, Any])
        shape = _shape(fields, path)
        known = set(shape.__struct_fields__) - {"extra"} | {"format"}
        extra = {key: value for key, value in fields.items() if key not in known}
        mine = {key: value for key, value in fields.items() if key in known}
        record = msgspec.convert(mine, shape)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise DataError(path, f"not a session record: {error}") from error
    return upgrade.newest_session(msgspec.structs.replace(record, extra=extra))


def encode_session(record: SessionRecord) -> bytes:
    """Write a session record, its unknown fields with it: equal records give equal bytes."""
    known = msgspec.to_builtins(record)
    del known["extra"]
    return msgspec.json.format(_encoder.encode({**record.extra, **known}), indent=2) + b"\n"


def encode_event(event: SessionEvent) -> bytes:
    """Write one line of the session log."""
    return _encoder.encode(event) + b"\n"


def _shape(fields: dict[str, Any], path: Path) -> type[AnySession]:
    written = fields.get("format")
    shape = _SHAPES.get(written) if isinstance(written, str) else None
    if shape is None:
        known = ", ".join(_SHAPES)
        raise DataError(path, f"its format is not one this hippo reads ({known}); a newer hippo may")
    return shape
