"""Writes transcripts with realistic shapes and sizes: `python bench/generate.py OUT --mb 300 --seed 7`."""

import argparse
import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from text import Texts

Record = dict[str, Any]
_BEGIN = datetime(2026, 3, 2, 8, tzinfo=UTC)
_HUGE_BYTES = (1_000_000, 3_000_000, 8_000_000)
_CLAUDE_SHARE = 0.7
_CWD = "/home/dev/project"


class _Session:
    """One session being written: its clock, its ids and its texts."""

    def __init__(self, texts: Texts, number: int) -> None:
        self.texts = texts
        self.rng = texts.rng
        self.id = self.uuid()
        self.now = _BEGIN + timedelta(minutes=17 * number)
        self.length = min(6_000, max(4, int(self.rng.lognormvariate(4.1, 1.25))))

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))

    def hexadecimal(self, digits: int) -> str:
        return f"{self.rng.getrandbits(digits * 4):0{digits}x}"

    def time(self) -> str:
        self.now += timedelta(milliseconds=self.rng.randrange(20, 9_000))
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def said(self, words: int) -> str:
        text = self.texts.prose(words)
        return f"{text} {self.texts.secret()}" if self.rng.random() < 0.002 else text

    def path(self) -> str:
        return f"{_CWD}/src/{self.texts.words(1)[0].lower()}.py"


class _Claude(_Session):
    def __init__(
        self, texts: Texts, number: int, agent: str | None = None, parent: str | None = None
    ) -> None:
        super().__init__(texts, number)
        self.id = parent or self.id
        self.agent = agent
        self._last: str | None = None

    def records(self) -> Iterator[Record]:
        """Turns of prompt, streamed answers, tool calls and their mirrored results, `length` records in all."""
        made = 0
        while made < self.length:
            for record in self._turn():
                made += 1
                yield record

    def row(self, kind: str, message: Record, **fields: Any) -> Record:
        own = self.uuid()
        record = {
            "parentUuid": self._last,
            "isSidechain": self.agent is not None,
            "type": kind,
            "message": message,
            "uuid": own,
            "timestamp": self.time(),
            "userType": "external",
            "entrypoint": "cli",
            "cwd": _CWD,
            "sessionId": self.id,
            "version": "2.1.112",
            "gitBranch": "main",
        }
        if self.agent is not None:
            record["agentId"] = self.agent
        self._last = own
        return record | fields

    def _turn(self) -> Iterator[Record]:
        rng = self.rng
        yield self.row("user", {"role": "user", "content": self.said(rng.randrange(5, 60))})
        if rng.random() < 0.2:
            yield {
                "type": "queue-operation",
                "operation": "enqueue",
                "timestamp": self.time(),
                "sessionId": self.id,
            }
        for _ in range(rng.randrange(1, 9)):
            yield from self._step()
        yield from self._message([{"type": "text", "text": self.said(rng.randrange(20, 220))}], "end_turn")

    def _step(self) -> Iterator[Record]:
        call = "toolu_" + self.hexadecimal(24)
        name, given, output, mirror = self._tool()
        thought = {"type": "thinking", "thinking": self.texts.prose(30), "signature": self.hexadecimal(120)}
        text = {"type": "text", "text": self.said(self.rng.randrange(6, 40))}
        use = {"type": "tool_use", "id": call, "name": name, "input": given}
        yield from self._message([thought, text, use], "tool_use")
        result = {"type": "tool_result", "tool_use_id": call, "content": output, "is_error": False}
        yield self.row("user", {"role": "user", "content": [result]}, toolUseResult=mirror)

    def _message(self, blocks: list[Record], reason: str) -> Iterator[Record]:
        """One line a block, each with the same message id and usage, as streaming writes them."""
        identity, request = "msg_" + self.hexadecimal(24), "req_" + self.hexadecimal(24)
        usage = {
            "input_tokens": 12,
            "cache_creation_input_tokens": 1200,
            "cache_read_input_tokens": 8000,
            "output_tokens": self.rng.randrange(900),
        }
        for block in blocks:
            message = {
                "id": identity,
                "type": "message",
                "role": "assistant",
                "model": "claude-sonnet-4-6",
                "content": [block],
                "stop_reason": reason,
                "stop_sequence": None,
                "usage": usage,
            }
            yield self.row("assistant", message, requestId=request)

    def _tool(self) -> tuple[str, Record, str, Record]:
        path, draw = self.path(), self.rng.random()
        if draw < 0.4:
            output = self.texts.output()
            mirror: Record = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
            return "Bash", {"command": " ".join(self.texts.words(5)), "description": "Run it"}, output, mirror
        if draw < 0.75:
            lines = self.rng.randrange(20, 300)
            output = self.texts.numbered(lines)
            file = {
                "filePath": path,
                "content": output,
                "numLines": lines,
                "startLine": 1,
                "totalLines": lines,
            }
            return "Read", {"file_path": path}, output, {"type": "text", "file": file}
        old, new, whole = self.texts.code(4), self.texts.code(5), self.texts.code(80)
        patch = [{"oldStart": 3, "oldLines": 4, "newStart": 3, "newLines": 5, "lines": new.split("\n")}]
        mirror = {"filePath": path, "oldString": old, "newString": new, "originalFile": whole}
        mirror |= {"structuredPatch": patch, "userModified": False, "replaceAll": False}
        given = {"file_path": path, "old_string": old, "new_string": new}
        return "Edit", given, f"The file {path} has been updated.", mirror


class _Codex(_Session):
    def records(self) -> Iterator[Record]:
        """A rollout whose conversation stands twice: as items for the model and as completed items."""
        self._ordinal = 0
        meta: Record = {"id": self.id, "session_id": self.id, "timestamp": self.time(), "cwd": _CWD}
        meta |= {
            "originator": "codex_exec",
            "cli_version": "0.171.0",
            "source": "exec",
            "history_mode": "paginated",
        }
        yield self._line("session_meta", meta | {"thread_source": "user", "model_provider": "openai"})
        while self._ordinal < self.length:
            yield from self._turn()

    def _line(self, kind: str, payload: Record) -> Record:
        line = {"timestamp": self.time(), "ordinal": self._ordinal, "type": kind, "payload": payload}
        self._ordinal += 1
        return line

    def _item(self, turn: str, item: Record) -> Record:
        return self._line(
            "event_msg", {"type": "item_completed", "thread_id": self.id, "turn_id": turn, "item": item}
        )

    def _turn(self) -> Iterator[Record]:
        turn, prompt = self.uuid(), self.said(self.rng.randrange(5, 60))
        yield self._line("event_msg", {"type": "task_started", "turn_id": turn})
        yield self._line("turn_context", {"turn_id": turn, "cwd": _CWD, "model": "gpt-5.5"})
        content = [{"type": "input_text", "text": prompt}]
        yield self._line("response_item", {"type": "message", "role": "user", "content": content})
        words = [{"type": "text", "text": prompt}]
        yield self._item(turn, {"type": "UserMessage", "id": self.uuid(), "content": words})
        for _ in range(self.rng.randrange(1, 6)):
            yield from self._command(turn)
        yield from self._answer(turn)
        yield self._line("event_msg", {"type": "task_complete", "turn_id": turn, "last_agent_message": None})

    def _command(self, turn: str) -> Iterator[Record]:
        call, command, output = (
            "call_" + self.hexadecimal(24),
            " ".join(self.texts.words(5)),
            self.texts.output(),
        )
        given: Record = {
            "type": "function_call",
            "name": "exec_command",
            "arguments": json.dumps({"cmd": command}),
        }
        yield self._line("response_item", given | {"id": "fc_" + call, "call_id": call})
        ran: Record = {"type": "CommandExecution", "id": call, "command": ["/bin/bash", "-lc", command]}
        ran |= {"cwd": f"file://{_CWD}", "status": "completed", "aggregated_output": output, "exit_code": 0}
        yield self._item(turn, ran)
        said = f"Chunk ID: 1c11ac\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n{output}"
        yield self._line("response_item", {"type": "function_call_output", "call_id": call, "output": said})
        yield self._line("event_msg", {"type": "token_count", "info": None})

    def _answer(self, turn: str) -> Iterator[Record]:
        identity, text = "msg_" + self.hexadecimal(32), self.said(self.rng.randrange(20, 220))
        item = {"type": "AgentMessage", "id": identity, "content": [{"type": "Text", "text": text}]}
        yield self._item(turn, item)
        content = [{"type": "output_text", "text": text}]
        message = {"type": "message", "id": identity, "role": "assistant", "content": content}
        yield self._line("response_item", message)


def write(out: Path, megabytes: float, seed: int) -> int:
    """Fill `out` with `claude/projects/…` and `codex/sessions/…` up to so many MB; returns the bytes written."""
    texts, wanted, written, number = Texts(seed), int(megabytes * 1_000_000), 0, 0
    huge = [size for size in _HUGE_BYTES if size * 12 < wanted]
    while written < wanted:
        number += 1
        if texts.rng.random() < _CLAUDE_SHARE:
            session = _Claude(texts, number)
            path = out / "claude" / "projects" / "-home-dev-project" / f"{session.id}.jsonl"
            written += _save(path, session.records())
            if texts.rng.random() < 0.25:
                written += _save_agent(texts, number, session.id, path)
            if huge and number % 3 == 0:
                written += _append_huge(path, session, huge.pop())
        else:
            written += _save_rollout(out / "codex", _Codex(texts, number))
    return written


def long_session(path: Path, megabytes: float, seed: int) -> str:
    """Write one Claude Code session of so many MB and return a further line for it."""
    session = _Claude(Texts(seed), 1)
    session.length = 1_000_000_000
    path.parent.mkdir(parents=True, exist_ok=True)
    records, written = session.records(), 0
    with path.open("w", encoding="utf-8") as file:
        while written < megabytes * 1_000_000:
            written += file.write(_encode(next(records)))
    return _encode(session.row("user", {"role": "user", "content": "One more prompt at the end."}))


def _save_agent(texts: Texts, number: int, parent: str, path: Path) -> int:
    agent = f"a{texts.rng.getrandbits(64):016x}"
    child = _Claude(texts, number, agent, parent)
    child.length = min(child.length, 200)
    return _save(path.with_suffix("") / "subagents" / f"agent-{agent}.jsonl", child.records())


def _append_huge(path: Path, session: _Claude, size: int) -> int:
    text = session.texts.log(size // 90)
    line = _encode(
        session.row("user", {"role": "user", "content": [{"type": "text", "text": text}]}, isMeta=True)
    )
    with path.open("a", encoding="utf-8") as file:
        return file.write(line)


def _save_rollout(home: Path, session: _Codex) -> int:
    day, stamp = session.now.strftime("%Y/%m/%d"), session.now.strftime("%Y-%m-%dT%H-%M-%S")
    return _save(home / "sessions" / day / f"rollout-{stamp}-{session.id}.jsonl", session.records())


def _save(path: Path, records: Iterator[Record]) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        return sum(file.write(_encode(record)) for record in records)


def _encode(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> None:
    """Write a corpus and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mb", type=float, default=300)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    written = write(given.out, given.mb, given.seed)
    files = sum(1 for _ in given.out.rglob("*.jsonl"))
    print(f"{given.out}: {files} files, {written / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
