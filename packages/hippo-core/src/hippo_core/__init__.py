"""The engine: no argv, no terminal, no window, no environment."""
