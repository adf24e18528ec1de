"""Rules of one trade each."""
