"""`hippo redact`: text in, the same text without its secrets out."""

import sys

import typer

from hippo_cli import environment, rules, terminal

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def redact() -> int:
    """Copy standard input to standard output with every secret replaced, line for line."""
    # All of it at once: a private key spans lines. Bytes that are no UTF-8 go through as they came.
    raw = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    clean = rules.for_home(environment.hippo_home()).scrub(raw, None)
    terminal.say_bytes(clean.encode("utf-8", "surrogateescape"))
    return 0
