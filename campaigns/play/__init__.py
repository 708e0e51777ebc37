"""Play: an open campaign and all that is done with it: inputs, undo, branches, deadlines, proof."""
