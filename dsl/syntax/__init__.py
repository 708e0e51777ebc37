"""From rule text to the tree and back: the grammar, the nodes, the formatter."""
