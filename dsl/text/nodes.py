"""The classes of trees (the text's, and the bound rules'): frozen, with slots, compared by identity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

__all__ = ["frozen"]

if TYPE_CHECKING:
    from attrs import frozen  # so type checkers know what they know of every class of attrs
else:

    def frozen(cls: type) -> type:
        """A class of a tree. Identity matters, not equality: two equal lines are two places."""
        cls.__repr__ = _shown
        return attrs.frozen(slots=True, eq=False, repr=False)(cls)


def _shown(self: Any) -> str:
    """What attrs would write anew for each of the 250 classes, every time the program starts."""
    fields = (f"{f.name}={getattr(self, f.name)!r}" for f in attrs.fields(type(self)) if f.repr)
    return f"{type(self).__name__}({', '.join(fields)})"
