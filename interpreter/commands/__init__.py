"""Commands: what orders a side may give, how a typed one is read, and which clause refuses it."""
