"""Programs: a ruleset emitted and compiled, and what its rules keep secret. They contain no game."""
