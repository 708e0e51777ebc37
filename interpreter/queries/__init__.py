"""Queries: what a game can be asked without changing it: views, legal orders, what is awaited, layers of maps."""
