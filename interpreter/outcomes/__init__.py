"""Outcomes: every result that future dice and answers can have, and which of them lead to the same state."""
