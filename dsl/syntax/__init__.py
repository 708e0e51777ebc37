"""From rule text to the tree and back: the grammar, the nodes, the cache of parsed files, the formatter."""
