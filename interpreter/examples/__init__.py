"""Examples: the positions and expectations in rule files, set up, run and judged."""
