"""From bound rules to Python: what is written, what is read off the rules for it, and the one place that compiles what was written."""
