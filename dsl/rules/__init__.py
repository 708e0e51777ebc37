"""Which rules are in force: the declarations that remain under a choice of modules, and which rules change which."""
