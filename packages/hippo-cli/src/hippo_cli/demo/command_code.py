"""The story as Command Code writes it: a tree in a file of lines, with the session's facts beside it."""

from collections.abc import Iterator
from pathlib import Path

from hippo_cli.demo.pen import Pen, Record, encode, save_lines
from hippo_cli.demo.steps import Edit, Episode, Prompt, Reply, Shell


def write(root: Path, episode: Episode, pen: Pen, project: str) -> None:
    """Put the session and its facts below `root`."""
    tree = _Tree(pen, project)
    folder = root / "projects" / project.strip("/").replace("/", "-")
    save_lines(folder / f"{tree.session}.jsonl", list(tree.lines(episode)))
    facts = encode({"entrypoint": "tui", "title": episode.title, "userRenamed": True})
    (folder / f"{tree.session}.meta.json").write_text(facts, encoding="utf-8")


class _Tree:
    def __init__(self, pen: Pen, project: str) -> None:
        self.session = pen.uuid()
        self._pen = pen
        self._project = project
        self._last: str | None = None

    def lines(self, episode: Episode) -> Iterator[Record]:
        header: Record = {"type": "session", "version": 3, "id": self.session}
        yield header | {"timestamp": self._pen.iso(), "cwd": self._project}
        yield self._line("session_info", {"name": episode.title})
        for step in episode.steps:
            self._pen.tick()
            match step:
                case Prompt(text):
                    yield self._message("user", [{"type": "text", "text": text}], "user")
                case Reply(text):
                    yield self._said([{"type": "text", "text": text}])
                case Shell(command, output, status):
                    shown = f"Exit code: {status}\n{output}" if status else output
                    yield from self._call(
                        "shell_command", {"command": command, "description": "Run it"}, shown
                    )
                case Edit(path, before, after):
                    given = {
                        "file_path": f"{self._project}/{path}",
                        "old_string": before,
                        "new_string": after,
                    }
                    yield from self._call("edit_file", given, "The file has been updated.")

    def _line(self, kind: str, fields: Record) -> Record:
        own = self._pen.hexadecimal(8)
        line: Record = {"type": kind, "id": own, "parentId": self._last, "timestamp": self._pen.iso()}
        self._last = own
        return line | fields

    def _message(self, role: str, content: list[Record], source: str, **fields: Record | str) -> Record:
        about: Record = {"source": source, "createdAt": self._pen.ms(), "messageId": self._pen.uuid()}
        return self._line("message", {"message": {"role": role, "content": content, "meta": about}, **fields})

    def _said(self, content: list[Record]) -> Record:
        usage: Record = {"inputTokens": 101, "outputTokens": 20, "cacheReadTokens": 10, "cacheWriteTokens": 0}
        return self._message("assistant", content, "model", usage=usage, model="demo/demo-1")

    def _call(self, name: str, given: Record, output: str) -> Iterator[Record]:
        call = f"call_{self._pen.hexadecimal(12)}"
        yield self._said([{"type": "tool_use", "id": call, "name": name, "input": given}])
        self._pen.tick()
        answer: list[Record] = [{"type": "text", "text": output}]
        yield self._message("user", [{"type": "tool_result", "tool_use_id": call, "content": answer}], "tool")
