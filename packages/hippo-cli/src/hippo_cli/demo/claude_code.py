"""The story as Claude Code writes it: a row a block, results mirrored, sub-agents and forks in files of their own."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from hippo_cli.demo.pen import Pen, Record, save_lines
from hippo_cli.demo.steps import Delegation, Edit, Episode, Prompt, Reply, Shell, Step

_MODEL = "claude-sonnet-4-6"


def write(root: Path, episode: Episode, pen: Pen, project: str) -> None:
    """Put the session, its sub-agent and its fork below `root`."""
    folder = root / "projects" / project.replace("/", "-")
    session = pen.uuid()
    rows = _Rows(pen, session, project)
    written = list(rows.steps(episode.steps))
    if episode.delegation is not None:
        written += rows.delegated(episode.delegation, folder / session)
    written.append({"type": "custom-title", "customTitle": episode.title, "sessionId": session})
    save_lines(folder / f"{session}.jsonl", written)
    if episode.fork:
        pen.tick(3600)
        copy = _Rows(pen, pen.uuid(), project)
        save_lines(folder / f"{copy.session}.jsonl", _forked(copy, written, episode.fork))


def _forked(copy: "_Rows", written: Iterable[Record], steps: Iterable[Step]) -> Iterator[Record]:
    for row in written:
        if "uuid" in row:
            origin = {"sessionId": row["sessionId"], "messageUuid": row["uuid"]}
            copy.last = row["uuid"]
            yield row | {"sessionId": copy.session, "forkedFrom": origin}
    yield from copy.steps(steps)


class _Rows:
    """Rows of one file, each the child of the one before."""

    def __init__(self, pen: Pen, session: str, project: str, agent: str | None = None) -> None:
        self.session = session
        self.last: str | None = None
        self._pen = pen
        self._project = project
        self._agent = agent

    def steps(self, steps: Iterable[Step]) -> Iterator[Record]:
        for step in steps:
            self._pen.tick()
            match step:
                case Prompt(text):
                    yield self._row("user", {"role": "user", "content": text})
                case Reply(text):
                    yield from self._message([{"type": "text", "text": text}], "end_turn")
                case Shell():
                    yield from self._shell(step)
                case Edit():
                    yield from self._edit(step)

    def delegated(self, delegation: Delegation, folder: Path) -> list[Record]:
        """The rows of the call; what the sub-agent did goes to its own file below `folder`."""
        agent = f"a{self._pen.hexadecimal(16)}"
        inner = _Rows(self._pen, self.session, self._project, agent)
        steps = (Prompt(delegation.task), *delegation.steps, Reply(delegation.report))
        save_lines(folder / "subagents" / f"agent-{agent}.jsonl", inner.steps(steps))
        given = {"description": "Look around", "prompt": delegation.task, "subagent_type": "general-purpose"}
        content = [{"type": "text", "text": delegation.report}]
        mirror = {"status": "completed", "prompt": delegation.task, "agentId": agent, "content": content}
        return list(self._call("Agent", given, delegation.report, mirror))

    def _shell(self, step: Shell) -> Iterator[Record]:
        given = {"command": step.command, "description": "Run it"}
        if step.status:
            output = f"Exit code {step.status}\n{step.output}"
            yield from self._call("Bash", given, output, f"Error: {output}", failed=True)
        else:
            mirror = {"stdout": step.output, "stderr": "", "interrupted": False, "isImage": False}
            yield from self._call("Bash", given, step.output, mirror)

    def _edit(self, step: Edit) -> Iterator[Record]:
        path = f"{self._project}/{step.path}"
        given = {"file_path": path, "old_string": step.before, "new_string": step.after}
        mirror = {"filePath": path, "oldString": step.before, "newString": step.after, "userModified": False}
        yield from self._call("Edit", given, f"The file {path} has been updated successfully.", mirror)

    def _call(
        self, name: str, given: Record, output: str, mirror: Record | str, *, failed: bool = False
    ) -> Iterator[Record]:
        call = f"toolu_{self._pen.hexadecimal(24)}"
        yield from self._message([{"type": "tool_use", "id": call, "name": name, "input": given}], "tool_use")
        self._pen.tick()
        result = {"type": "tool_result", "tool_use_id": call, "content": output, "is_error": failed}
        yield self._row("user", {"role": "user", "content": [result]}, toolUseResult=mirror)

    def _message(self, blocks: Iterable[Record], reason: str) -> Iterator[Record]:
        """A row a block, all of one message."""
        message = {
            "id": f"msg_{self._pen.hexadecimal(24)}",
            "type": "message",
            "role": "assistant",
            "model": _MODEL,
        }
        usage = {"input_tokens": 12, "cache_read_input_tokens": 8000, "output_tokens": 90}
        for block in blocks:
            whole = message | {"content": [block], "stop_reason": reason, "usage": usage}
            yield self._row("assistant", whole, requestId=f"req_{self._pen.hexadecimal(22)}")

    def _row(self, kind: str, message: Record, **fields: Record | str) -> Record:
        own = self._pen.uuid()
        row: Record = {
            "parentUuid": self.last,
            "isSidechain": self._agent is not None,
            "type": kind,
            "message": message,
            "uuid": own,
            "timestamp": self._pen.iso(),
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self._project,
            "sessionId": self.session,
            "version": "2.1.332",
            "gitBranch": "main",
        }
        self.last = own
        return row | fields | ({"agentId": self._agent} if self._agent is not None else {})
