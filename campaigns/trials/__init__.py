"""Trials of rules: their examples run, mutants, and many games played by automated sides."""
