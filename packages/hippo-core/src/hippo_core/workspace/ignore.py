"""What of a workspace is one person's own and stays out of git."""

from typing import Final

PERSONAL: Final = ("sessions/", "snapshots/", "reports/", "dream-state.json", "session-log.jsonl")
_HEADING: Final = "# What is one person's own; hippo keeps it out of git."


def fresh() -> str:
    """The whole text of `.hippo/.gitignore` in a new workspace."""
    return "\n".join((_HEADING, *(f"/{name}" for name in PERSONAL))) + "\n"


def completed(text: str) -> str | None:
    """`text` with the rules it lacks put below it, or None when it lacks none; no line of it is changed."""
    lines = {line.strip() for line in text.splitlines()}
    missing = [f"/{name}" for name in PERSONAL if not lines & _spellings(name)]
    if not missing:
        return None
    between = "" if not text or text.endswith("\n") else "\n"
    return f"{text}{between}" + "\n".join((_HEADING, *missing)) + "\n"


def _spellings(name: str) -> set[str]:
    bare = name.rstrip("/")
    return {"*", name, bare, f"/{name}", f"/{bare}"}
