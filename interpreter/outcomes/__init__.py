"""Outcomes: every way in which dice and answers to come can fall, and which of them come to the same."""
