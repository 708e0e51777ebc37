"""Queries of a game that do not change it: views, legal orders, prompts, layers of maps."""
