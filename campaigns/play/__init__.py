"""Play: an open campaign and everything that can be done with it: inputs, undo, branches, deadlines, proof."""
