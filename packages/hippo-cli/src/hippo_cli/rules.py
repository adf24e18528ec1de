"""The redaction rules as this machine's settings have them."""

from hippo_core.redaction.engine import ExtraPattern, Rules, compile_rules
from hippo_core.workspace.layout import Home
from hippo_core.workspace.settings import Config, load_config


def for_home(home: Home) -> Rules:
    """The rules with what `config.toml` adds and allows."""
    return of(load_config(home))


def of(config: Config) -> Rules:
    """The rules with what settings add and allow."""
    extra = [ExtraPattern(each.kind, each.pattern) for each in config.redaction.patterns]
    return compile_rules(extra, config.redaction.allow)
