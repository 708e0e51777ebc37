"""The library: rule systems and scenarios by name, found, read, checked and compiled."""
