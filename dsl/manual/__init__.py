"""The handbook that is made of a system's rules. Nothing in the language needs it."""
