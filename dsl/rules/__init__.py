"""Which rules are in force: which declarations remain under a choice of modules, and which rules change which."""
