"""Names of things: short, stable, and safe to print because they are made from hashes."""

from enum import StrEnum
from typing import NewType

SessionId = NewType("SessionId", str)
TurnUid = NewType("TurnUid", str)
Digest = NewType("Digest", str)


class Agent(StrEnum):
    """The coding agents whose transcripts hippo reads, by their fixed names."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    DEEPSEEK_HARNESS = "deepseek-harness"
    OPENCODE = "opencode"
    MUSE_CODE = "muse-code"
    COMMAND_CODE = "command-code"


def session_id(agent: Agent, native_id: str) -> SessionId:
    """Name a session by its agent and that agent's own id: 16 hex digits."""
    return SessionId(_short_hash(f"{agent}\0{native_id}", 16))


def turn_uid(agent: Agent, identity: str) -> TurnUid:
    """Name a turn by its agent and what identifies it there: 20 hex digits, the same at every ingest."""
    return TurnUid(_short_hash(f"{agent}\0{identity}", 20))


def digest(data: bytes) -> Digest:
    """Name `data` by its content, in the form every record uses."""
    return Digest(f"sha256:{_sha256(data)}")


def _short_hash(name: str, digits: int) -> str:
    return _sha256(name.encode("utf-8", "surrogatepass"))[:digits]


def _sha256(data: bytes) -> str:
    # Loading OpenSSL costs a search, which makes no name, a tenth of its start.
    import hashlib  # noqa: PLC0415

    return hashlib.sha256(data).hexdigest()
