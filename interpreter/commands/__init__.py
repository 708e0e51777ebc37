"""Commands: what orders a side may give, how a typed command is read, and which clause refuses it."""
