"""What makes the function of a loop better, each pass in a file of its name; `codegen/optimizing.py` has their order."""
