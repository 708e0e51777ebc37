"""What can be read off bound rules without playing: what is hidden, what changes, how far numbers reach."""
