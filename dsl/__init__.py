"""The language of rule files: grammar, tree, names, types, modules, diagnostics.

Nothing here knows state, dice, a database or a screen.
"""

__version__ = "0.1.0"
