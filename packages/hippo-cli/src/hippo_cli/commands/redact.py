"""`hippo redact`: text in, the same text without its secrets out."""

import sys

import typer

from hippo_cli import environment, rules

app = typer.Typer(rich_markup_mode=None)


@app.command()
def redact() -> int:
    """Copy standard input to standard output with every secret replaced, line for line."""
    # All of it at once: a private key spans lines. Bytes that are no UTF-8 go through as they came.
    raw = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    clean = rules.for_home(environment.hippo_home()).scrub(raw, None)
    sys.stdout.buffer.write(clean.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    return 0
