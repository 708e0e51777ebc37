"""The handbook made from a system's rules, as data. `ui/` makes pages of it. Nothing else in the language needs it."""
