"""The machine that runs a rule system: world, graphs, traces, procedures, dice and explanation."""
