"""Amended rules in a running campaign: tried on its record first; and a comparison of two courses."""
