"""The story as OpenCode keeps it: one SQLite database whose newest rows still lie in its write-ahead log."""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from hippo_cli.demo.pen import Pen, Record, encode
from hippo_cli.demo.steps import Delegation, Edit, Episode, Prompt, Reply, Shell, Step

_TABLES: Final = """
CREATE TABLE migration(id TEXT PRIMARY KEY, time_completed INTEGER NOT NULL);
CREATE TABLE project(
  id text PRIMARY KEY, worktree text NOT NULL, vcs text, name text, icon_url text, icon_color text,
  time_created integer NOT NULL, time_updated integer NOT NULL, time_initialized integer,
  sandboxes text NOT NULL, commands text
);
CREATE TABLE session(
  id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text, slug text NOT NULL,
  directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL, share_url text,
  summary_additions integer, summary_deletions integer, summary_files integer, summary_diffs text, metadata text,
  cost real DEFAULT 0 NOT NULL, revert text, permission text, agent text, model text,
  time_created integer NOT NULL, time_updated integer NOT NULL, time_compacting integer, time_archived integer
);
CREATE TABLE message(
  id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL,
  data text NOT NULL
);
CREATE TABLE part(
  id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL
);
CREATE TABLE session_message(
  id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL
);
"""


def write(root: Path, episode: Episode, pen: Pen, project: str) -> None:
    """Put the database and its log below `root`."""
    root.mkdir(parents=True, exist_ok=True)
    drafted = root / "draft.db"
    connection = sqlite3.connect(drafted)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.executescript(_TABLES)
        _Rows(connection, pen, project).all_of(episode)
        connection.commit()
        # Closing would empty the log, and a log that holds everything is what a reader meets beside a live agent.
        shutil.copyfile(drafted, root / "opencode.db")
        shutil.copyfile(f"{drafted}-wal", root / "opencode.db-wal")
    finally:
        connection.close()
        drafted.unlink()


class _Rows:
    def __init__(self, connection: sqlite3.Connection, pen: Pen, project: str) -> None:
        self._connection = connection
        self._pen = pen
        self._project = project
        self._made = 0

    def all_of(self, episode: Episode) -> None:
        """The project, the session and what it delegated."""
        now = self._pen.ms()
        repository = self._pen.hexadecimal(40)
        self._connection.execute(
            "INSERT INTO project(id, worktree, vcs, time_created, time_updated, sandboxes) VALUES(?,?,?,?,?,?)",
            (repository, self._project, "git", now, now, "[]"),
        )
        main = self._session(repository, episode.title, None)
        self._steps(main, episode.steps)
        if episode.delegation is not None:
            self._delegated(repository, main, episode.delegation)

    def _id(self, prefix: str) -> str:
        """48 bits of time and count, then letters; those of sessions run backwards."""
        self._made += 1
        bits = (self._pen.ms() * 4096 + self._made) & 0xFFFFFFFFFFFF
        shown = 0xFFFFFFFFFFFF - bits if prefix == "ses" else bits
        return f"{prefix}_{shown:012x}{self._pen.hexadecimal(14)}"

    def _session(self, repository: str, title: str, parent: str | None) -> str:
        own, now = self._id("ses"), self._pen.ms()
        self._connection.execute(
            "INSERT INTO session(id, project_id, parent_id, slug, directory, path, title, version, agent,"
            " time_created, time_updated) VALUES(?,?,?,?,?,?,?,?,?,?,?)",
            (own, repository, parent, "quiet-tide", self._project, "", title, "1.18.33", "build", now, now),
        )
        return own

    def _delegated(self, repository: str, main: str, delegation: Delegation) -> None:
        child = self._session(repository, "Look around (@general subagent)", main)
        self._steps(child, (Prompt(delegation.task), *delegation.steps, Reply(delegation.report)))
        given = {"description": "Look around", "prompt": delegation.task, "subagent_type": "general"}
        output = f'<task id="{child}" state="completed">\n<task_result>\n{delegation.report}\n</task_result>\n</task>'
        about = {"parentSessionId": main, "sessionId": child, "truncated": False}
        message = self._message(main, self._answer(main))
        self._part(main, message, self._tool("task", given, output, about))

    def _steps(self, session: str, steps: Iterable[Step]) -> None:
        for step in steps:
            self._pen.tick()
            user = isinstance(step, Prompt)
            message = self._message(session, self._asked() if user else self._answer(session))
            for part in self._parts(step):
                self._part(session, message, part)

    def _asked(self) -> Record:
        model = {"providerID": "demo", "modelID": "demo-1"}
        return {"role": "user", "time": {"created": self._pen.ms()}, "agent": "build", "model": model}

    def _answer(self, session: str) -> Record:
        asked = self._connection.execute(
            'SELECT id FROM message WHERE session_id=? AND data LIKE \'{"role":"user"%\' ORDER BY id DESC LIMIT 1',
            (session,),
        ).fetchone()
        now, tokens = (
            self._pen.ms(),
            {"input": 90, "output": 15, "reasoning": 5, "cache": {"write": 0, "read": 10}},
        )
        where = {"cwd": self._project, "root": self._project}
        answer: Record = {"parentID": asked[0] if asked else None, "role": "assistant", "mode": "build"}
        answer |= {"agent": "build", "path": where, "cost": 0, "tokens": tokens, "modelID": "demo-1"}
        return answer | {
            "providerID": "demo",
            "time": {"created": now, "completed": now + 900},
            "finish": "stop",
        }

    def _parts(self, step: Step) -> Iterator[Record]:
        match step:
            case Prompt(text):
                yield {"type": "text", "text": text}
            case Reply(text):
                yield {"type": "text", "text": text, "time": {"start": self._pen.ms(), "end": self._pen.ms()}}
            case Shell(command, output, status):
                about = {"output": output, "exit": status, "truncated": False}
                yield self._tool("bash", {"command": command}, output, about)
            case Edit(path, before, after):
                given = {"filePath": f"{self._project}/{path}", "oldString": before, "newString": after}
                yield self._tool("edit", given, "Edit applied successfully.", {"diagnostics": {}})

    def _tool(self, name: str, given: Record, output: str, about: Record) -> Record:
        now = self._pen.ms()
        state = {"status": "completed", "input": given, "output": output, "metadata": about, "title": name}
        call = f"call_{self._pen.hexadecimal(12)}"
        return {
            "type": "tool",
            "tool": name,
            "callID": call,
            "state": state | {"time": {"start": now, "end": now + 80}},
        }

    def _message(self, session: str, data: Record) -> str:
        own, now = self._id("msg"), self._pen.ms()
        row = (own, session, now, now, encode(data))
        self._connection.execute("INSERT INTO message VALUES(?,?,?,?,?)", row)
        return own

    def _part(self, session: str, message: str, data: Record) -> None:
        now = self._pen.ms()
        row = (self._id("prt"), message, session, now, now, encode(data))
        self._connection.execute("INSERT INTO part VALUES(?,?,?,?,?,?)", row)
