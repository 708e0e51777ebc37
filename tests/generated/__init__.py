"""The generated parts of the docs: codes of diagnostics, commands, packages and modules. `python -m tests.generated` writes them."""
