"""The full text of every turn, in a tantivy folder beside the store."""

import contextlib
import errno
import os
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import tantivy

from hippo_core.errors import BusyError, HippoError
from hippo_core.index import words
from hippo_core.index.files import remove_folder
from hippo_core.storage import faults

WRITER_HEAP_BYTES: Final = 128_000_000
_LEAST_FREE_BYTES: Final = 16 << 20


class State(NamedTuple):
    """What a full-text folder holds: of which store, up to which generation and turn number."""

    store: str
    generation: int
    last_turn: int


class Document(NamedTuple):
    """One turn as the full text takes it."""

    number: int
    session: int
    agent: str
    role: str
    kind: str
    tool: str
    time_ms: int | None
    text: str
    files: str
    project: str


def build_schema() -> tantivy.Schema:
    """The fields; nothing is stored but the turn's number and the folder's own state."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="default", index_option="position")
    for name in ("agent", "role", "kind", "tool", "file", "project"):
        builder.add_text_field(name, stored=False, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("number", stored=False, indexed=True, fast=True)
    for name in ("session", "time"):
        builder.add_integer_field(name, stored=False, indexed=False, fast=True)
    builder.add_text_field("state", stored=True, tokenizer_name="raw", index_option="basic")
    return builder.build()


SCHEMA: Final = build_schema()
_STATE_MARK: Final = "state"


def open_folder(folder: Path) -> tantivy.Index:
    """The index in `folder`; raises ValueError when it is missing or damaged."""
    if not (folder / "meta.json").is_file():
        raise ValueError("no full-text index")
    return tantivy.Index(SCHEMA, path=str(folder), reuse=True)


def state(index: tantivy.Index) -> State | None:
    """What the folder says it holds, or None before its first commit."""
    searcher = index.searcher()
    query = tantivy.Query.term_query(SCHEMA, "kind", _STATE_MARK)
    for _, address in searcher.search(query, limit=1, count=False).hits:
        value = searcher.doc(address).get_first("state")
        store, generation, last_turn = str(value).split(" ")
        return State(store, int(generation), int(last_turn))
    return None


def remove(folder: Path) -> None:
    """Take a folder away at once, even while a thread of an old writer still cleans up in it."""
    if folder.exists():
        doomed = folder.with_name(f".old-{os.urandom(6).hex()}")
        folder.rename(doomed)
        remove_folder(doomed)


class Writer:
    """The one writer of a full-text folder; what it was given is seen after `commit`."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / "meta.json").is_file():
            _remove_uncommitted_deletes(folder)
            self._index = tantivy.Index(SCHEMA, path=str(folder), reuse=True)
        else:
            remove(folder)
            folder.mkdir(mode=0o700)
            self._index = tantivy.Index(SCHEMA, path=str(folder))
        try:
            self._writer = self._index.writer(heap_size=WRITER_HEAP_BYTES, num_threads=threads)
        except ValueError as error:
            raise BusyError(f"{folder}: another process is writing the full-text index") from error

    def state(self) -> State | None:
        """What the folder held at its last commit."""
        self._index.reload()
        return state(self._index)

    def add(self, document: Document) -> None:
        """Take one turn."""
        doc = tantivy.Document()
        doc.add_integer("number", document.number)
        doc.add_integer("session", document.session)
        doc.add_text("agent", document.agent)
        doc.add_text("role", document.role)
        doc.add_text("kind", document.kind)
        if document.tool:
            doc.add_text("tool", document.tool.lower())
        if document.time_ms is not None:
            doc.add_integer("time", document.time_ms)
        for path in document.files.split("\n") if document.files else ():
            doc.add_text("file", path.lower())
        if document.project:
            doc.add_text("project", document.project.lower())
        doc.add_text("text", document.text)
        if parts := words.parts(document.text):
            doc.add_text("text", parts)
        with _refusals(self._folder):
            self._writer.add_document(doc)

    def remove(self, numbers: Iterable[int]) -> None:
        """Forget turns by number."""
        for number in numbers:
            self._writer.delete_documents_by_term("number", number)

    def commit(self, new: State) -> None:
        """Make everything since the last commit visible, together with what it brings the folder to."""
        self._writer.delete_documents_by_term("kind", _STATE_MARK)
        doc = tantivy.Document()
        doc.add_text("kind", _STATE_MARK)
        doc.add_text("state", f"{new.store} {new.generation} {new.last_turn}")
        with _refusals(self._folder):
            self._writer.add_document(doc)
            self._writer.commit()

    def close(self) -> None:
        """Finish merging and let the folder go; a merge that the disk refused is tried again by a later commit."""
        with contextlib.suppress(ValueError):
            self._writer.wait_merging_threads()
        del self._writer


@contextlib.contextmanager
def _refusals(folder: Path) -> Generator[None]:
    """Raise as one line what the disk refused: tantivy tells a full one from no other failure."""
    try:
        yield
    except ValueError as error:
        status = os.statvfs(folder)
        if status.f_bavail * status.f_frsize < _LEAST_FREE_BYTES:
            raise faults.explain(OSError(errno.ENOSPC, ""), folder) from error
        raise HippoError(f"{folder}: cannot be written ({error}); check the disk and run it again") from error


def _remove_uncommitted_deletes(folder: Path) -> None:
    """Remove lists of deletions that a killed commit wrote and did not name: tantivy refuses to write over them."""
    meta = msgspec.json.decode((folder / "meta.json").read_bytes(), type=_Meta)
    named = {
        f"{segment.segment_id.replace('-', '')}.{segment.deletes.opstamp}.del"
        for segment in meta.segments
        if segment.deletes is not None
    }
    for path in folder.glob("*.del"):
        if path.name not in named:
            path.unlink(missing_ok=True)


class _Deletes(msgspec.Struct, frozen=True):
    opstamp: int


class _Segment(msgspec.Struct, frozen=True):
    segment_id: str
    deletes: _Deletes | None


class _Meta(msgspec.Struct, frozen=True):
    """What tantivy's own `meta.json` says of its segments."""

    segments: tuple[_Segment, ...]
