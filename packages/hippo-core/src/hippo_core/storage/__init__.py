"""Files, locks and other programs' databases."""
