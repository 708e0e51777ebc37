"""Leaks: worlds that differ only in what a side may not know, and whether that side can distinguish them."""
