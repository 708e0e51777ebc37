"""Which rules are in force: what a choice of modules leaves of the declarations, and which rules change which."""
