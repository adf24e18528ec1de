"""The shapes of what is on disk."""
