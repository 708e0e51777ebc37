"""The handbook of a system as data; `ui/` makes pages of it. Nothing in the language depends on it."""
