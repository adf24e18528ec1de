"""The one writer of the index: the store and its full text, brought forward together and healed when they differ."""

from types import TracebackType
from typing import Final, Self

from hippo_core.errors import DataError
from hippo_core.ids import Agent
from hippo_core.index import fulltext, schema, seal
from hippo_core.index.entry import SessionEntry, TurnEntry
from hippo_core.index.files import IndexFiles
from hippo_core.index.store import Progress, Store, Written
from hippo_core.redaction.text import Redacted

COMMIT_CHARACTERS: Final = 48_000_000


class Writer:
    """Takes redacted sessions and turns source by source; readers see whole sources only.

    The store commits first and names a generation; the full text commits after it and repeats the name, so that
    whatever a crash leaves out is replayed from the store at the next open.
    """

    def __init__(self, files: IndexFiles, *, threads: int = 1) -> None:
        self.files = files
        self.healed: list[str] = []
        sealed = seal.holds(files)
        self.store = _open_store(files, self.healed, sealed=sealed)
        self._texts = _open_fulltext(files, self.store, self.healed, threads, sealed=sealed)
        self._characters = 0
        self._source = 0
        self._agent = Agent.CLAUDE_CODE
        self._whole = True
        self._kept: set[int] = set()
        self._projects: dict[int, str] = {}
        self.turns_written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def begin_source(self, agent: Agent, root: str, key: str, path: Redacted, *, whole: bool) -> None:
        """Start taking one source; `whole` when it is read from its beginning."""
        self.store.begin()
        self._agent = agent
        self._whole = whole
        self._source = self.store.source(agent, root, key, path)
        self._kept.clear()

    def session(self, entry: SessionEntry) -> None:
        """Take what the source says of a session."""
        number = self.store.session(entry)
        self.store.link(self._source, number)
        self._projects[number] = self.store.project(number)

    def turn(self, entry: TurnEntry) -> None:
        """Take one turn."""
        before = len(self.store.removed)
        written = self.store.turn(self._source, self._agent, entry)
        if len(self.store.removed) > before:
            self._texts.remove(self.store.removed[before:])
        if written is None:
            if self._whole and (number := self.store.number_of(entry.uid)) is not None:
                self._kept.add(number)
            return
        self._index(written, entry)
        self._kept.add(written.number)
        self._characters += len(entry.text.text)
        self.turns_written += 1

    def end_source(self, progress: Progress, unknown: dict[str, int], *, complete: bool) -> int:
        """Finish the source and return its number: what a complete reading no longer holds is withdrawn."""
        if self._whole and complete:
            before = len(self.store.removed)
            self.store.withdraw(self._source, self._kept)
            self._texts.remove(self.store.removed[before:])
        self.store.finish_source(self._source, progress, unknown, whole=self._whole)
        if self._characters >= COMMIT_CHARACTERS:
            self.commit()
        return self._source

    def drop_source(self, source: int) -> None:
        """Forget a source and its turns."""
        self.store.begin()
        before = len(self.store.removed)
        self.store.drop_source(source)
        self._texts.remove(self.store.removed[before:])

    def commit(self) -> None:
        """Make everything so far visible to readers."""
        generation, last_turn = self.store.commit()
        self._texts.commit(fulltext.State(self.store.meta("store") or "", generation, last_turn))
        self._characters = 0

    def close(self) -> None:
        """Let both parts go; what was not committed is dropped. The parts are sealed as they now stand."""
        self._texts.close()
        self.store.close()
        seal.write(self.files)

    def _index(self, written: Written, entry: TurnEntry) -> None:
        project = self._projects.get(written.session)
        if project is None:
            self.store.link(self._source, written.session)
            project = self._projects[written.session] = self.store.project(written.session)
        self._texts.add(
            fulltext.Document(
                number=written.number,
                session=written.session,
                agent=self._agent,
                role=entry.role,
                kind=entry.kind,
                tool=entry.tool.text,
                time_ms=entry.time_ms,
                text=entry.text.text,
                files=entry.files.text,
                project=project,
            )
        )


def _open_store(files: IndexFiles, healed: list[str], *, sealed: bool) -> Store:
    try:
        if not sealed:
            seal.check_store(files.store)
        return Store(files.store)
    except DataError as error:
        healed.append(f"{error.path.name} cannot be used: built anew from transcripts and archive")
        files.remove_store()
        return Store(files.store)


def _open_fulltext(
    files: IndexFiles, store: Store, healed: list[str], threads: int, *, sealed: bool
) -> fulltext.Writer:
    name, generation = store.meta("store") or "", int(store.meta("generation") or 0)
    folder = files.segments(name)
    files.remove_other_segments(name)
    writer, state = None, None
    try:
        if not sealed:
            seal.check_fulltext(folder)
        writer = fulltext.Writer(folder, threads=threads)
        state = writer.state()
    except (DataError, ValueError):
        healed.append(f"{files.fulltext.name} is damaged: built anew from {files.store.name}")
    foreign = state is not None and (state.store != name or state.generation > generation)
    if writer is None or foreign:
        if writer is not None:
            writer.close()
        fulltext.remove(folder)
        writer, state = fulltext.Writer(folder, threads=threads), None
    if state is None or state.generation != generation:
        _replay(store, writer, state or fulltext.State(name, 0, 0), generation)
    return writer


def _replay(store: Store, writer: fulltext.Writer, state: fulltext.State, generation: int) -> None:
    """Give the full text what the store has beyond `state`."""
    writer.remove(store.removed_after(state.generation))
    for row in store.turns_after(state.last_turn):
        number, session, agent, role, kind, tool, time_ms, text, files, project = row
        writer.add(
            fulltext.Document(
                number,
                session,
                agent,
                schema.ROLES[role],
                schema.KINDS[kind],
                tool,
                time_ms,
                text,
                files,
                project,
            )
        )
    writer.commit(fulltext.State(state.store, generation, store.last_turn()))
