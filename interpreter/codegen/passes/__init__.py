"""Passes that improve the function of a loop, each in a file of its name; `codegen/optimizing.py` has their order."""
