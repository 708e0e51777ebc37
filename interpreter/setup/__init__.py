"""Setting up: from bound rules to a program, and from a scenario to a world that can begin."""
