"""Trials of rules: running their examples, mutants, and many games played by automated sides."""
