"""The record: the campaign file, its history, sides, and rule systems by name. It contains no rules and no widgets."""
