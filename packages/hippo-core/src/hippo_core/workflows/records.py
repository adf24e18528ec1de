"""The derived session records of a workspace, brought up to date with the index."""

from collections.abc import Iterator

from hippo_core.ids import SessionId
from hippo_core.index.files import IndexFiles
from hippo_core.index.reader import Reader
from hippo_core.redaction.text import Redacted, Scrubber, redact
from hippo_core.workflows import sessions
from hippo_core.workflows.sessions import Derived
from hippo_core.workspace.layout import Home, Workspace
from hippo_core.workspace.sessions import SessionFacts, citations


def refresh(home: Home, workspace: Workspace, rules: Scrubber) -> Derived:
    """Write and remove derived records of `workspace` as the index of `home` has it; says what was done."""
    with Reader(IndexFiles(home.root)) as index:
        return sessions.derive(_facts(index, rules), workspace, rules)


def _facts(index: Reader, rules: Scrubber) -> Iterator[SessionFacts]:
    touched: dict[SessionId, set[str]] = {}
    cited: dict[SessionId, set[str]] = {}
    for session, path in index.touched_files():
        touched.setdefault(session, set()).add(path)
    for session, text in index.citing_texts():
        cited.setdefault(session, set()).update(citations(text))
    for each in index.sessions():
        yield SessionFacts(
            id=each.id,
            agent=each.agent,
            cwd=redact(each.cwd, rules) if each.cwd else None,
            files=_redacted(touched.get(each.id, set()), rules),
            texts=_redacted(cited.get(each.id, set()), rules),
            task=redact(each.title, rules),
            started_ms=each.started_ms,
            ended_ms=each.ended_ms,
            parent=each.parent,
        )


def _redacted(texts: set[str], rules: Scrubber) -> tuple[Redacted, ...]:
    return tuple(redact(text, rules) for text in sorted(texts))
