"""The story as Codex writes it: a rollout that holds each thing twice, for the model and as a completed item."""

from collections.abc import Iterator
from pathlib import Path

from hippo_cli.demo.pen import Pen, Record, encode, save_lines
from hippo_cli.demo.steps import Edit, Episode, Prompt, Reply, Shell


def write(root: Path, episode: Episode, pen: Pen, project: str) -> None:
    """Put the rollout below `root`."""
    rollout = _Rollout(pen, project)
    name = f"rollout-{pen.stamp('%Y-%m-%dT%H-%M-%S')}-{rollout.thread}.jsonl"
    save_lines(root / "sessions" / pen.stamp("%Y/%m/%d") / name, list(rollout.lines(episode)))


class _Rollout:
    def __init__(self, pen: Pen, project: str) -> None:
        self.thread = pen.time_uuid()
        self._turn = pen.time_uuid()
        self._pen = pen
        self._project = project
        self._ordinal = 0

    def lines(self, episode: Episode) -> Iterator[Record]:
        meta = {
            "id": self.thread,
            "session_id": self.thread,
            "timestamp": self._pen.iso(),
            "cwd": self._project,
        }
        meta |= {
            "originator": "codex-tui",
            "cli_version": "0.171.0",
            "source": "cli",
            "thread_source": "user",
        }
        yield self._line("session_meta", meta | {"model_provider": "openai", "history_mode": "paginated"})
        for step in episode.steps:
            self._pen.tick()
            match step:
                case Prompt(text):
                    yield from self._prompt(text)
                case Reply(text):
                    yield from self._reply(text)
                case Shell():
                    yield from self._shell(step)
                case Edit():
                    yield from self._edit(step)

    def _line(self, kind: str, payload: Record) -> Record:
        line = {"timestamp": self._pen.iso(), "ordinal": self._ordinal, "type": kind, "payload": payload}
        self._ordinal += 1
        return line

    def _item(self, item: Record) -> Record:
        whole = {"type": "item_completed", "thread_id": self.thread, "turn_id": self._turn, "item": item}
        return self._line("event_msg", whole)

    def _prompt(self, text: str) -> Iterator[Record]:
        self._turn = self._pen.time_uuid()
        yield self._line("event_msg", {"type": "task_started", "turn_id": self._turn})
        context = {
            "turn_id": self._turn,
            "cwd": self._project,
            "approval_policy": "never",
            "model": "gpt-5.5",
        }
        yield self._line("turn_context", context)
        content: list[Record] = [{"type": "input_text", "text": text}]
        own = f"msg_{self._pen.time_uuid()}"
        yield self._line("response_item", {"type": "message", "id": own, "role": "user", "content": content})
        words: list[Record] = [{"type": "text", "text": text, "text_elements": []}]
        yield self._item({"type": "UserMessage", "id": self._pen.time_uuid(), "content": words})

    def _reply(self, text: str) -> Iterator[Record]:
        own = f"msg_{self._pen.hexadecimal(32)}"
        yield self._item({"type": "AgentMessage", "id": own, "content": [{"type": "Text", "text": text}]})
        content: list[Record] = [{"type": "output_text", "text": text}]
        yield self._line(
            "response_item", {"type": "message", "id": own, "role": "assistant", "content": content}
        )
        done = {"type": "task_complete", "turn_id": self._turn, "last_agent_message": text}
        yield self._line("event_msg", done)

    def _shell(self, step: Shell) -> Iterator[Record]:
        call = f"call_{self._pen.hexadecimal(24)}"
        given = {"type": "function_call", "id": f"fc_{self._pen.hexadecimal(32)}", "name": "exec_command"}
        yield self._line(
            "response_item", given | {"arguments": encode({"cmd": step.command}), "call_id": call}
        )
        item: Record = {"type": "CommandExecution", "id": call, "command": ["/bin/bash", "-lc", step.command]}
        item |= {"cwd": f"file://{self._project}", "status": "failed" if step.status else "completed"}
        yield self._item(item | {"aggregated_output": step.output, "exit_code": step.status})
        output = (
            f"Chunk ID: a4fdc1\nWall time: 0.1 seconds\nProcess exited with code {step.status}\nOutput:\n"
        )
        answer = {"type": "function_call_output", "call_id": call, "output": output + step.output}
        yield self._line("response_item", answer)

    def _edit(self, step: Edit) -> Iterator[Record]:
        call = f"call_{self._pen.hexadecimal(24)}"
        lines = [f"-{line}" for line in step.before.split("\n")] + [
            f"+{line}" for line in step.after.split("\n")
        ]
        body = "\n".join(lines)
        patch = f"*** Begin Patch\n*** Update File: {step.path}\n@@\n{body}\n*** End Patch\n"
        given = {"type": "custom_tool_call", "status": "completed", "call_id": call, "name": "apply_patch"}
        yield self._line("response_item", given | {"input": patch})
        change = {"type": "update", "unified_diff": f"@@ -1 +1 @@\n{body}\n", "move_path": None}
        changes = {f"{self._project}/{step.path}": change}
        yield self._item({"type": "FileChange", "id": call, "changes": changes, "status": "completed"})
        said = f"Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess. Updated the following files:\nM {step.path}\n"
        yield self._line(
            "response_item", {"type": "custom_tool_call_output", "call_id": call, "output": said}
        )
