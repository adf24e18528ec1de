"""Small Claude Code transcripts for tests that need sources to change."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

START = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)


def prompt(session: str, number: int, text: str, cwd: str = "/home/dev/project") -> str:
    """One line with what a person typed."""
    return _line(session, number, "user", {"role": "user", "content": text}, cwd)


def reply(session: str, number: int, text: str, cwd: str = "/home/dev/project") -> str:
    """One line with an answer."""
    message = {
        "id": f"msg_{session}_{number}",
        "role": "assistant",
        "model": "claude-test",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 3, "output_tokens": 5},
    }
    return _line(session, number, "assistant", message, cwd)


def _line(session: str, number: int, type_: str, message: object, cwd: str) -> str:
    return json.dumps(
        {
            "type": type_,
            "uuid": f"{session}-{number}",
            "parentUuid": f"{session}-{number - 1}" if number else None,
            "sessionId": session,
            "isSidechain": False,
            "cwd": cwd,
            "version": "2.1.332",
            "timestamp": (START + timedelta(seconds=number)).isoformat().replace("+00:00", "Z"),
            "message": message,
        }
    )


def write(root: Path, session: str, lines: list[str]) -> Path:
    """A session's file below a Claude Code root."""
    path = root / "projects" / "-home-dev-project" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
