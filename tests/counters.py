"""The counters of the duel under fog of war, whose ids are drawn from the seed."""

import re
from itertools import islice

from interpreter.world.new_ids import unlike_names


def drawn(text, seed):
    """A command or expression with the ids that counters of Britain get, in order, for `huc`, `huc-2` and so on."""
    ids = list(islice(unlike_names(str(seed), "huc", "a"), 6))
    return re.sub(r"\bhuc(?:-([2-6]))?\b(?!-)", lambda found: ids[int(found[1] or 1) - 1], text)
