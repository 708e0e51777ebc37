"""The record: the campaign file, its history, sides, and rule systems by name. No rule is written here, no widget."""
