"""The command line: argv, environment, terminal, exit codes."""
