"""Reading the index: search, sessions, turns and what is held, from the last committed state."""

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import msgspec
import tantivy

from hippo_core.errors import DataError, UserError
from hippo_core.ids import Agent, SessionId, TurnUid
from hippo_core.index import facts, fulltext, match, query, schema, seal, snippet, suggest, touches
from hippo_core.index.files import IndexFiles
from hippo_core.index.values import AgentStatus, Found, Hit, Session, Status, Turn
from hippo_core.transcripts.model import Tokens

_SESSION_COLUMNS: Final = (
    "id, agent, native_id, cwd, parent, forked_from, title, branch, started_ms, ended_ms, turns, first_prompt"
)
_TITLE_CHARACTERS: Final = 120
_MEND: Final = "run `hippo ingest`"
_BEHIND: Final = f"turns are missing here: an ingest is at work or was cut off; {_MEND}"


class Reader:
    """What may be asked of the index; it never writes."""

    def __init__(self, files: IndexFiles) -> None:
        self._files = files
        self._db = _connect(files.store)
        self._store = str(self._db.execute("SELECT value FROM meta WHERE name='store'").fetchone()[0])
        # A writer at work seals when it is done; with none, what was not sealed is checked before it answers.
        if not seal.holds(files) and not _being_written(files):
            seal.check_store(files.store)
            seal.check_fulltext(files.segments(self._store))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()
        if isinstance(error, sqlite3.DatabaseError):
            raise DataError(self._files.store, f"is damaged ({error}); {_MEND} to rebuild it") from error

    def search(
        self, typed: str, now: datetime, *, limit: int = 10, offset: int = 0, snippets: bool = True
    ) -> Found:
        """The turns that match what a person typed, best first; with no turn that has every word, those with any."""
        asked = query.parse(typed, now)
        narrowed = self._filters(asked)
        if narrowed is None or not (asked.terms or narrowed):
            return Found(hits=(), total=0, problems=asked.problems)
        if not self._generation():
            return Found(hits=(), total=0, problems=(*asked.problems, _BEHIND))
        searcher = self._texts.searcher()
        result = searcher.search(match.every(asked.terms, narrowed), limit=limit, offset=offset)
        any_word = not result.hits and not offset and len(asked.terms) > 1
        if any_word:
            result = searcher.search(match.some(asked.terms, narrowed), limit=limit, offset=offset)
        addresses = [address for _, address in result.hits]
        numbers = searcher.fast_field_values("number", addresses) if addresses else []
        scores = {
            int(number or 0): float(score) for number, (score, _) in zip(numbers, result.hits, strict=True)
        }
        return Found(
            hits=tuple(self._hits(scores, asked.terms, snippets=snippets)),
            total=_count(result),
            any_word=any_word and bool(result.hits),
            suggestion=None if result.hits else self._suggestion(typed, asked, searcher),
            problems=(*asked.problems, _BEHIND) if self.is_behind() else asked.problems,
        )

    def _generation(self) -> int:
        """How many commits the store has seen: none while its very first ingest is under way."""
        (generation,) = self._db.execute("SELECT value FROM meta WHERE name='generation'").fetchone()
        return int(generation)

    def is_behind(self) -> bool:
        """Whether the full text lacks turns of the store: for a moment of an ingest, or since one was cut off."""
        return self._opened[1]

    def find_session(self, typed: str) -> Session:
        """The one session that `typed` names: its id or native id, or the beginning of either."""
        text = typed.strip()
        for condition, value in (
            ("id=?1 OR native_id=?1", text),
            ("id GLOB ?1 OR native_id GLOB ?1", f"{_plain_glob(text)}*"),
        ):
            rows = self._db.execute(
                f"SELECT {_SESSION_COLUMNS} FROM sessions WHERE turns>0 AND ({condition}) LIMIT 6",  # noqa: S608
                (value,),
            ).fetchall()
            if len(rows) == 1 and text:
                return _session(rows[0])
            if rows and text:
                names = ", ".join(str(row[0]) for row in rows)
                raise UserError(f"{text!r} is the beginning of several sessions: {names}")
        raise UserError(f"no session {text!r}; `hippo sessions` lists them")

    def sessions(
        self,
        *,
        agent: Agent | None = None,
        project: str | None = None,
        since_ms: int | None = None,
        until_ms: int | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Session]:
        """Sessions with at least one turn, the latest first; `project` is any part of where it ran."""
        rows = self._db.execute(
            f"SELECT {_SESSION_COLUMNS} FROM sessions WHERE turns>0"  # noqa: S608
            " AND (?1 IS NULL OR agent=?1) AND (?2 IS NULL OR instr(lower(cwd), lower(?2))>0)"
            " AND (?3 IS NULL OR ended_ms>=?3) AND (?4 IS NULL OR started_ms<=?4)"
            " ORDER BY started_ms DESC, id LIMIT ?5 OFFSET ?6",
            (agent, project, since_ms, until_ms, -1 if limit is None else limit, offset),
        )
        return [_session(row) for row in rows]

    def turns(self, session: SessionId) -> list[Turn]:
        """Every turn of a session in order."""
        cursor = self._db.cursor()
        cursor.row_factory = sqlite3.Row
        rows = cursor.execute(
            "SELECT * FROM turns WHERE session=(SELECT number FROM sessions WHERE id=?) ORDER BY place",
            (session,),
        ).fetchall()
        return [_turn(row, position) for position, row in enumerate(_in_order(rows), start=1)]

    def texts(self) -> Iterator[tuple[SessionId, TurnUid, str]]:
        """Every text that the index holds, turn by turn."""
        yield from self._db.execute(
            "SELECT s.id, t.uid, t.text || char(10) || t.command || char(10) || t.files"
            " FROM turns t JOIN sessions s ON s.number=t.session ORDER BY t.number"
        )

    def touched_files(self) -> Iterator[tuple[SessionId, str]]:
        """Sessions with a path, as the agent wrote it, of a Markdown file that they read or edited."""
        yield from touches.files(self._db)

    def citing_texts(self) -> Iterator[tuple[SessionId, str]]:
        """Sessions with a prompt or reply of theirs that holds a link or names a Markdown file."""
        yield from touches.texts(self._db)

    def totals(self) -> tuple[int, int]:
        """How many sessions with turns there are, and how many turns."""
        return facts.totals(self._db)

    def sources(self) -> list[facts.KnownSource]:
        """Every source that was read."""
        return facts.sources(self._db)

    def problems(self) -> list[tuple[str, str]]:
        """Path and problem of every source that could not be read."""
        return facts.problems(self._db)

    def unknown(self) -> dict[str, dict[str, int]]:
        """Unknown record types with counts, by agent."""
        return facts.unknown(self._db)

    def status(self) -> Status:
        """What the index holds, agent by agent."""
        ended = self._db.execute("SELECT value FROM meta WHERE name='ingested_ms'").fetchone()
        files = self._files
        return Status(
            agents=tuple(self._agent(agent) for agent in Agent),
            store_bytes=sum(path.stat().st_size for path in files.store_parts() if path.exists()),
            fulltext_bytes=_folder_bytes(files.fulltext),
            archive_bytes=_folder_bytes(files.folder / "archive"),
            ingested_ms=None if ended is None else int(ended[0]),
        )

    @property
    def _texts(self) -> tantivy.Index:
        return self._opened[0]

    @cached_property
    def _opened(self) -> tuple[tantivy.Index, bool]:
        """The full text, and whether it is behind the store as that stood just before."""
        folder = self._files.segments(self._store)
        generation = self._generation()
        try:
            index = fulltext.open_folder(folder)
            state = fulltext.state(index)
        except ValueError as error:
            if any(denied in str(error) for denied in ("PermissionDenied", "ReadOnlyFilesystem")):
                raise DataError(folder, "a search needs the right to write its lock file here") from error
            raise DataError(folder, f"is damaged ({error}); {_MEND} to rebuild it") from error
        if state is None or state.store != self._store:
            raise DataError(folder, f"is not of this index; {_MEND} to rebuild it")
        return index, state.generation < generation

    def _filters(self, asked: query.Query) -> list[tantivy.Query] | None:
        """The filters as queries, or None when one of them can match nothing."""
        numbers: list[int] = []
        for name, value in asked.filters:
            if name == "session":
                rows = self._db.execute(
                    "SELECT number FROM sessions WHERE id GLOB ?1 OR native_id GLOB ?1",
                    (f"{_plain_glob(value)}*",),
                )
                numbers.extend(number for (number,) in rows)
        if not numbers and any(name == "session" for name, _ in asked.filters):
            return None
        return match.narrow(asked, numbers)

    def _hits(
        self, scores: dict[int, float], terms: tuple[query.Term, ...], *, snippets: bool
    ) -> Iterator[Hit]:
        if not scores:
            return
        marks = ",".join("?" * len(scores))
        text = "t.text" if snippets else "''"
        rows = {
            row[0]: row
            for row in self._db.execute(
                "SELECT t.number, t.uid, s.id, s.agent, t.role, t.kind, t.time_ms, s.cwd, t.tool, s.title,"  # noqa: S608
                " s.first_prompt, (SELECT count(*) FROM turns p WHERE p.session=t.session AND p.place<=t.place),"
                f" {text} FROM turns t JOIN sessions s ON s.number=t.session WHERE t.number IN ({marks})",
                tuple(scores),
            )
        }
        for number, score in scores.items():
            # A turn withdrawn since the full text was committed is no longer an answer.
            if (row := rows.get(number)) is None:
                continue
            text, found = snippet.cut(row[12], terms) if snippets else ("", ())
            yield Hit(
                uid=row[1],
                session=row[2],
                position=row[11],
                agent=Agent(row[3]),
                role=schema.ROLES[row[4]],
                kind=schema.KINDS[row[5]],
                time_ms=row[6],
                cwd=row[7] or None,
                tool=row[8] or None,
                title=_title(row[9], row[10]),
                score=score,
                snippet=text,
                marks=found,
            )

    def _suggestion(self, typed: str, asked: query.Query, searcher: tantivy.Searcher) -> str | None:
        return suggest.correct(typed, asked.terms, searcher, self._text_of)

    def _text_of(self, number: int) -> str:
        row = self._db.execute("SELECT text FROM turns WHERE number=?", (number,)).fetchone()
        return "" if row is None else str(row[0])

    def _agent(self, agent: Agent) -> AgentStatus:
        sources, gone, size = self._db.execute(
            "SELECT count(*), coalesce(sum(gone), 0), coalesce(sum(size), 0) FROM sources WHERE agent=?",
            (agent,),
        ).fetchone()
        sessions, turns = self._db.execute(
            "SELECT count(*), coalesce(sum(turns), 0) FROM sessions WHERE agent=? AND turns>0", (agent,)
        ).fetchone()
        return AgentStatus(
            agent=agent,
            sources=sources - gone,
            gone=gone,
            sessions=sessions,
            turns=turns,
            bytes=size,
            unknown=self.unknown().get(agent, {}),
        )


def _being_written(files: IndexFiles) -> bool:
    """A side file that is not empty is a writer's."""
    wal = files.store_parts()[1]
    return wal.exists() and wal.stat().st_size > 0


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise UserError(f"{path}: nothing is indexed yet; {_MEND}")
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10.0)
        found = int(connection.execute("PRAGMA user_version").fetchone()[0])
        connection.execute("SELECT 1 FROM meta").fetchone()
    except sqlite3.DatabaseError as error:
        raise DataError(path, f"cannot be read ({error}); {_MEND} to rebuild it") from error
    if found != schema.FORMAT:
        raise DataError(path, f"has format {found}, this hippo reads {schema.FORMAT}; {_MEND} to rebuild it")
    return connection


def _count(result: tantivy.SearchResult) -> int:
    """The number of all matches; the binding has it, its stub does not."""
    return int(getattr(result, "count", None) or 0)


def _plain_glob(text: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in text)


def _folder_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0


def _title(title: str, first_prompt: str) -> str:
    lines = (title or first_prompt).split("\n", 1)
    return lines[0].strip()[:_TITLE_CHARACTERS]


def _session(row: tuple[Any, ...]) -> Session:
    return Session(
        id=row[0],
        agent=Agent(row[1]),
        native_id=row[2],
        cwd=row[3] or None,
        parent=row[4],
        forked_from=row[5],
        title=_title(row[6], row[11]),
        branch=row[7] or None,
        started_ms=row[8],
        ended_ms=row[9],
        turns=row[10],
    )


def _in_order(rows: list[sqlite3.Row]) -> list[sqlite3.Row]:
    """Rows of one source by place; a session over several files goes by when each file's part began."""
    began: dict[int, int] = {}
    for row in rows:
        if row["time_ms"] is not None:
            source = row["source"]
            began[source] = min(began.get(source, row["time_ms"]), row["time_ms"])
    if len(began) < 2:
        return rows
    return sorted(rows, key=lambda row: (began.get(row["source"], 0), row["source"], row["place"]))


def _turn(row: sqlite3.Row, position: int) -> Turn:
    return Turn(
        uid=row["uid"],
        position=position,
        time_ms=row["time_ms"],
        role=schema.ROLES[row["role"]],
        kind=schema.KINDS[row["kind"]],
        text=row["text"],
        tool=row["tool"] or None,
        call=row["call"] or None,
        files=tuple(row["files"].split("\n")) if row["files"] else (),
        edited=tuple(row["edited"].split("\n")) if row["edited"] else (),
        command=row["command"] or None,
        exit_status=row["exit_status"],
        failed=bool(row["flags"] & schema.FAILED),
        copied=bool(row["flags"] & schema.COPIED),
        abandoned=bool(row["flags"] & schema.ABANDONED),
        model=row["model"] or None,
        tokens=msgspec.json.decode(row["tokens"], type=Tokens) if row["tokens"] else None,
    )
