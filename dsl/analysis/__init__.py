"""Facts that follow from bound rules without playing: what is hidden, what changes, which numbers are possible."""
