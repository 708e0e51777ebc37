"""What bound rules show without playing: what is hidden, what changes, and the ranges of numbers."""
