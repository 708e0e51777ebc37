"""Play: an open campaign and the operations on it: inputs, undo, branches, deadlines, proof."""
