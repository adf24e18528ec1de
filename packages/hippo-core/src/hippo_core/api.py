"""The names that other projects may import from hippo_core."""

from hippo_core.errors import BusyError, DataError, HippoError, UserError
from hippo_core.ids import Agent, SessionId, TurnUid
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.index.values import AgentStatus, Found, Hit, Session, Status, Turn
from hippo_core.redaction.engine import ExtraPattern, Rules, compile_rules
from hippo_core.redaction.text import Redacted, redact
from hippo_core.transcripts.model import Kind, Role
from hippo_core.workflows.ingest import Progress, Summary, default_roots, ingest
from hippo_core.workflows.scanning import Root
from hippo_core.workspace.layout import Home, Workspace
from hippo_core.workspace.settings import Config, load_config, load_workspace

__all__ = [
    "Agent",
    "AgentStatus",
    "BusyError",
    "Config",
    "DataError",
    "ExtraPattern",
    "Found",
    "HippoError",
    "Hit",
    "Home",
    "IndexFiles",
    "Kind",
    "Progress",
    "Reader",
    "Redacted",
    "Role",
    "Root",
    "Rules",
    "Session",
    "SessionId",
    "Status",
    "Summary",
    "Turn",
    "TurnUid",
    "UserError",
    "Workspace",
    "compile_rules",
    "default_roots",
    "ingest",
    "load_config",
    "load_workspace",
    "redact",
]
