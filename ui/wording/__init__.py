"""Wording: events, explanations, odds and refusals in words, for the command line and the app alike."""
