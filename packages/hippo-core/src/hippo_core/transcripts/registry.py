"""Every adapter, by the agent it reads; a line here is the proof that the module has the adapter's shape."""

from collections.abc import Mapping
from typing import Final

from hippo_core.ids import Agent
from hippo_core.transcripts import claude_code, codex, command_code, deepseek, muse, opencode
from hippo_core.transcripts.adapter import Adapter

ADAPTERS: Final[Mapping[Agent, Adapter]] = {
    claude_code.AGENT: claude_code,
    codex.AGENT: codex,
    deepseek.AGENT: deepseek,
    opencode.AGENT: opencode,
    muse.AGENT: muse,
    command_code.AGENT: command_code,
}
