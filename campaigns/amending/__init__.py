"""Amended rules in a running campaign: tried on its record first, and two courses compared."""
