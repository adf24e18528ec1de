"""Raw text to redacted text."""
