"""What is generated in the docs: the codes of diagnostics, the commands, the rooms and modules. `python -m tests.generated` writes it."""
