"""Names of the language as parts of Python names."""

from __future__ import annotations

import functools

from interpreter.codegen.emitted_code import UnknownCode

__all__ = ["IF", "printed_name", "py", "slot_of"]

IF = "if "
"""The prefix of moments that are conditions; the name of the emitted function follows."""


@functools.cache
def py(name: str) -> str:
    """A name of the language as part of a Python name. Raises UnknownCode for what cannot be part of one."""
    part = name.replace("-", "_").replace(".", "_")
    if not (part.isascii() and part.replace("_", "0").isalnum()) and part:
        raise UnknownCode(f"the name {name!r}")
    return part


def printed_name(kind: str, field: str) -> str:
    """The name in emitted code for the printed values of a field by entry of a kind."""
    return f"P_{py(kind)}__{py(field)}"


@functools.cache
def slot_of(name: str) -> str:
    """The slot of a name in a frame."""
    return f"n_{py(name)}"
