"""The story as DeepSeek Harness writes it: one Zstandard frame a batch of events, one after another in a file."""

from collections.abc import Iterator
from pathlib import Path

import zstandard

from hippo_cli.demo.pen import Pen, Record, encode
from hippo_cli.demo.steps import Edit, Episode, Prompt, Reply, Shell


def write(root: Path, episode: Episode, pen: Pen, project: str) -> None:
    """Put the session log below `root`."""
    log = _Log(pen, project)
    folder = root / "sessions" / f"--{project.strip('/').replace('/', '-')}--" / log.session
    folder.mkdir(parents=True)
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    with (folder / "session.v4.jsonl.zstd").open("wb") as file:
        for batch in log.batches(episode):
            file.write(compressor.compress("".join(f"{encode(event)}\n" for event in batch).encode()))
    (folder / "session.lock").touch()


class _Log:
    def __init__(self, pen: Pen, project: str) -> None:
        self.session = f"session-{pen.uuid()}"
        self._pen = pen
        self._project = project
        self._sequence = 0
        self._turn = self._step = 0

    def batches(self, episode: Episode) -> Iterator[list[Record]]:
        header: Record = {"type": "session", "version": 4, "id": self.session, "createdAt": self._pen.ms()}
        yield [header | {"cwd": self._project, "isSeeded": False, "delegationDepth": 0}]
        for step in episode.steps:
            self._pen.tick()
            match step:
                case Prompt(text):
                    yield list(self._prompt(text, episode.title))
                case Reply(text):
                    yield list(self._reply(text))
                case Shell(command, output, status):
                    shown = f"{output}[exit code: {status}]" if status else output
                    yield list(self._call("bash", {"command": command, "description": "Run it"}, shown, {}))
                case Edit(path, before, after):
                    where = f"{self._project}/{path}"
                    given = {"file_path": where, "old_string": before, "new_string": after}
                    about: Record = {"operation": "edit", "path": where, "diffs": []}
                    yield list(self._call("edit", given, f"<path>{where}</path>\nEdited file", about))

    def _event(self, kind: str, data: Record, **fields: str) -> Record:
        event: Record = {"type": kind, "seq": self._sequence, "time": self._pen.ms(), "data": data}
        self._sequence += 1
        return event | fields

    def _prompt(self, text: str, title: str) -> Iterator[Record]:
        self._turn += 1
        self._step = 0
        message: Record = {
            "content": [{"type": "text", "text": text}],
            "source": {"kind": "user"},
            "role": "user",
        }
        message["id"] = self._pen.uuid()
        spliced: Record = {"target": "next-turn", "start": 0, "inserted": [message]}
        yield self._event("agent/inbox/spliced", spliced)
        yield self._event("turn/start", {"turn": self._turn})
        asked = self._event("user/message", message, surfaceOp="append")
        yield asked
        provider = {"kind": "provider", "provider": "session-title-first-prompt-llm"}
        yield self._event(
            "session/title", {"title": title, "messageSeqs": [asked["seq"]], "source": provider}
        )

    def _assistant(self, content: list[Record]) -> Record:
        self._step += 1
        source = {"kind": "model", "provider": "deepseek-official", "model": "deepseek-flash"}
        message = {"role": "assistant", "content": content, "source": source, "id": self._pen.uuid()}
        usage = {"inputTokens": 101, "outputTokens": 20, "cacheReadTokens": 10, "cacheWriteTokens": 0}
        data: Record = {"turn": self._turn, "step": self._step, "message": message, "usage": usage}
        return self._event("assistant/message", data, surfaceOp="append")

    def _reply(self, text: str) -> Iterator[Record]:
        yield self._assistant([{"type": "text", "text": text}])
        yield self._event("turn/end", {"turn": self._turn, "reason": {"kind": "completed"}})

    def _call(self, name: str, given: Record, output: str, about: Record) -> Iterator[Record]:
        call, arguments = f"toolu_{self._pen.hexadecimal(16)}", encode(given)
        yield self._assistant([{"type": "tool-call", "id": call, "name": name, "arguments": arguments}])
        yield self._event(
            "tool/call",
            {"turn": self._turn, "step": self._step, "callId": call, "name": name, "arguments": arguments},
        )
        self._pen.tick()
        message: Record = {"role": "tool", "source": {"kind": "tool", "callId": call}, "toolCallId": call}
        message |= {"content": [{"type": "text", "text": output}], "isError": False, "id": self._pen.uuid()}
        data: Record = {
            "turn": self._turn,
            "step": self._step,
            "message": message,
            "meta": about or {"cwd": self._project},
        }
        yield self._event("tool/result", data, surfaceOp="append")
