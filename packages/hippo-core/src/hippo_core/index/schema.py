"""The tables of `index.sqlite`: a cache, so another format number means that it is built anew."""

from typing import Final

from hippo_core.transcripts.model import Kind, Role

FORMAT: Final = 1

TABLES: Final = """
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources(
  id INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  root TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL,
  stamp BLOB NOT NULL,
  size INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  prefix TEXT NOT NULL,
  carry TEXT NOT NULL,
  problem TEXT NOT NULL DEFAULT '',
  gone INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE sessions(
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  native_id TEXT NOT NULL DEFAULT '',
  cwd TEXT NOT NULL DEFAULT '',
  parent TEXT,
  forked_from TEXT,
  title TEXT NOT NULL DEFAULT '',
  title_rank INTEGER NOT NULL DEFAULT 0,
  branch TEXT NOT NULL DEFAULT '',
  client_version TEXT NOT NULL DEFAULT '',
  first_prompt TEXT NOT NULL DEFAULT '',
  started_ms INTEGER,
  ended_ms INTEGER,
  turns INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sessions_by_start ON sessions(started_ms);
CREATE TABLE source_sessions(
  source INTEGER NOT NULL, session INTEGER NOT NULL, PRIMARY KEY(source, session)
) WITHOUT ROWID;
CREATE TABLE turns(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  session INTEGER NOT NULL,
  source INTEGER NOT NULL,
  place INTEGER NOT NULL,
  time_ms INTEGER,
  role INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  exit_status INTEGER,
  tool TEXT NOT NULL,
  call TEXT NOT NULL,
  files TEXT NOT NULL,
  edited TEXT NOT NULL,
  command TEXT NOT NULL,
  model TEXT NOT NULL,
  tokens TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE INDEX turns_by_session ON turns(session, place, kind, time_ms);
CREATE TABLE copies(uid TEXT NOT NULL, source INTEGER NOT NULL, PRIMARY KEY(uid, source)) WITHOUT ROWID;
CREATE TABLE removed(number INTEGER PRIMARY KEY, generation INTEGER NOT NULL);
CREATE TABLE unknown(
  source INTEGER NOT NULL, type TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(source, type)
) WITHOUT ROWID;
"""

TURN_COLUMNS: Final = (
    "uid, session, source, place, time_ms, role, kind, flags, exit_status,"
    " tool, call, files, edited, command, model, tokens, text"
)

FAILED: Final = 1
COPIED: Final = 2
ABANDONED: Final = 4

# Positions in these tuples are what the table stores: only ever append.
ROLES: Final = (Role.USER, Role.ASSISTANT, Role.TOOL, Role.SYSTEM)
KINDS: Final = (
    Kind.PROMPT,
    Kind.REPLY,
    Kind.TOOL_CALL,
    Kind.TOOL_RESULT,
    Kind.INJECTED,
    Kind.SUMMARY,
    Kind.INTERRUPT,
    Kind.REJECTION,
    Kind.DELEGATED,
    Kind.NOTICE,
)
ROLE_NUMBER: Final = {role: number for number, role in enumerate(ROLES)}
KIND_NUMBER: Final = {kind: number for number, kind in enumerate(KINDS)}
