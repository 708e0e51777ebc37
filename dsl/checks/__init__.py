"""Checks of a complete system: what is never used, never reached or never cited; and the small changes that make mutants of it."""
