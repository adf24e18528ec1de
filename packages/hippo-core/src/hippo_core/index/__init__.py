"""The index of every turn."""
