"""The story as Muse Code writes it: enveloped records with times in microseconds, prompts told twice."""

from collections.abc import Iterator
from pathlib import Path

from hippo_cli.demo.pen import Pen, Record, encode, save_lines
from hippo_cli.demo.steps import Edit, Episode, Prompt, Reply, Shell


def write(root: Path, episode: Episode, pen: Pen, project: str) -> None:
    """Put the session below `root`."""
    log = _Log(pen, project)
    folder = root / "sessions" / pen.stamp("%Y/%m/%d") / log.session
    save_lines(folder / "session.jsonl", list(log.records(episode)))


class _Log:
    def __init__(self, pen: Pen, project: str) -> None:
        self.session = pen.time_uuid()
        self._pen = pen
        self._project = project
        self._run = pen.uuid()
        self._sequence = 0

    def records(self, episode: Episode) -> Iterator[Record]:
        about: Record = {"build": {"semver": "1.4.2", "sha": "0123abcd45"}, "model_id": "muse-spark-1.3"}
        about |= {"provider_id": "meta", "tool_surface_version": "2", "workspace_root": self._project}
        yield self._record("runtime.session.metadata", {"kind": "metadata", "record": about})
        named = {
            "new_name": episode.title,
            "previous_name": None,
            "session_id": self.session,
            "source": "automatic",
        }
        yield self._record("session.name.changed", named)
        for step in episode.steps:
            self._pen.tick()
            match step:
                case Prompt(text):
                    yield from self._prompt(text)
                case Reply(text):
                    yield from self._reply(text)
                case Shell():
                    yield from self._tool(
                        "bash", {"command": step.command, "description": "Run it"}, _ran(step)
                    )
                case Edit(path, before, after):
                    given = {"path": path, "find": before, "replace": after}
                    yield from self._tool("edit_file", given, "edited\nchanged lines: lines 1-1\n")
        ended = {"exit_reason": "clean", "schema_version": 1, "session_id": self.session, "uptime_ms": 20000}
        yield self._record("session.end", {"kind": "session_end", "record": ended})

    def _record(self, payload_type: str, payload: Record) -> Record:
        self._sequence += 1
        return {
            "schema_version": 1,
            "id": self._pen.uuid(),
            "stream": {"kind": "session", "id": self.session},
            "sequence": self._sequence,
            "recorded_at": self._pen.ms() * 1000,
            "record_type": "event",
            "durability": "durable",
            "causation_id": None,
            "payload_type": payload_type,
            "payload_schema_version": 1,
            "payload": payload,
        }

    def _event(self, kind: str, fields: Record) -> Record:
        event = {"kind": kind} | fields
        return self._record("runtime.session", {"event": event, "kind": "run", "run_id": self._run})

    def _prompt(self, text: str) -> Iterator[Record]:
        self._run = self._pen.uuid()
        message = {"content": [{"kind": "text", "text": text}]}
        intent: Record = {
            "intent_id": self._run,
            "model_messages": [message],
            "source_session_id": self.session,
        }
        intent |= {"semantic_kind": {"kind": "chat"}, "surface": "main", "wake_policy": "start_once"}
        yield self._record("runtime.user_intent.accepted", intent)
        yield self._event("started", {"prompt": text})

    def _reply(self, text: str) -> Iterator[Record]:
        usage = {"cache_read_tokens": 0, "cache_write_tokens": 0, "input_tokens": 900, "output_tokens": 40}
        done = {"duration_ms": 2300, "finish_reason": "stop", "model": "muse-spark-1.3", "usage": usage}
        yield self._event("model_completed", done)
        said = {
            "message_id": self._pen.uuid(),
            "provider_item_id": "msg_1",
            "response_id": "resp_2",
            "text": text,
        }
        yield self._event("assistant_message_committed", said)
        yield self._event("terminal", {"reason": None, "terminal": "completed", "turn_duration_ms": 8100})

    def _tool(self, name: str, given: Record, output: str) -> Iterator[Record]:
        call, batch = f"call_{self._pen.hexadecimal(12)}", self._pen.uuid()
        made: list[Record] = [{"args": encode(given), "call_id": call, "id": f"fc_{call}", "name": name}]
        calls = {"message_id": batch, "response_id": "resp_1", "tool_calls": made}
        yield self._event("assistant_tool_calls_committed", calls)
        self._pen.tick()
        results: list[Record] = [{"text": output, "tool_call_id": call, "tool_call_index": 0}]
        yield self._event("tool_result_batch_committed", {"batch_id": batch, "results": results})


def _ran(step: Shell) -> str:
    status = "failed" if step.status else "completed"
    ran: Record = {"chunk_id": "exec-1-1", "command": step.command, "exit_code": step.status}
    return encode(ran | {"terminal_status": status, "output": step.output, "truncated": False})
