"""Runtime: what emitted rules call for numbers, sets, places and dice, how they fail, and how a thing is named in a sentence."""
