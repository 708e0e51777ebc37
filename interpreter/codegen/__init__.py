"""From bound rules to Python: the code emitter, the analyses that it needs, and the one place that compiles emitted code."""
