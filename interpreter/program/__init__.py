"""Programs: a ruleset emitted and compiled, and what its rules keep secret. It holds no game."""
