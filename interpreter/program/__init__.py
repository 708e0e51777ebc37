"""Programs: a ruleset emitted and compiled, and what its rules keep secret. A program contains no game."""
