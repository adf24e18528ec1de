"""Where things lie and how they are set."""
