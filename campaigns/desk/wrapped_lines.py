"""Lines of a letter that a mail program may have broken: where each could go on, and the lines with those breaks undone.

Nobody can tell from a letter alone whether a line goes on in the next one. So this only says where it may; `letter_intake.py`
takes the reading that the rules accept.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

if TYPE_CHECKING:
    from campaigns.desk.letter import LetterLine

__all__ = ["REMARK", "broken_in", "joined_at", "rests_of_remarks"]

REMARK = re.compile(r"(?:^|\s)--(?:\s|$)|^\s*#")
"""Where a remark begins: it goes on to the end of its line."""
NARROWEST = 60
"""No mail program breaks lines before this column."""


def broken_in(
    lines: "Sequence[LetterLine]", begins: "Callable[[LetterLine], bool]", is_meant: "Callable[[LetterLine], bool]"
) -> list[int]:
    """The numbers of the lines that may be the rest of the line above, which is a full line of a command or of a remark.

    Args:
        lines: the lines.
        begins: whether a line begins like something that is read: a command, the first or the last line of a template.
        is_meant: whether it begins like a command with a mistake in it. Such a line is no rest of a remark: it would not be given,
            and nobody would say what is wrong with it. For the same reason what is written below a quoted remark is no rest of it.
    """
    found: list[int] = []
    kind, above = "", None  # how the line above ends: in a remark, in a command, or in neither
    for line in lines:
        in_remark = REMARK.search(line.text) is not None
        own = "remark" if in_remark else "command" if begins(line) else ""
        is_rest = bool(kind and above is not None and not _stands_alone(line, begins) and _is_full(above, line))
        if kind == "remark" and above is not None:
            is_rest = is_rest and line.depth == above.depth and not is_meant(line)
        if is_rest:
            found.append(line.number)
        kind = own or (kind if is_rest else "")
        above = line
    return found


def joined_at(lines: "Sequence[LetterLine]", broken: Collection[int]) -> "tuple[LetterLine, ...]":
    """The lines, of which those with these numbers are again the rest of the line above."""
    found: list[LetterLine] = []
    for line in lines:
        if line.number in broken and found:
            above = found[-1]
            found[-1] = evolve(above, text=f"{above.text} {line.text}",
                places=(*above.places, line.places[0], *line.places))  # fmt: skip
        else:
            found.append(line)
    return tuple(found)


def rests_of_remarks(lines: "Sequence[LetterLine]", joined: "Sequence[LetterLine]") -> "list[LetterLine]":
    """The lines that were joined to a remark, and so are not read; whoever wrote one should be told."""
    begun = {line.number for line in joined}
    found: list[LetterLine] = []
    in_remark = False
    for line in lines:
        if line.number in begun:
            in_remark = False
        elif in_remark:
            found.append(line)
        in_remark = in_remark or REMARK.search(line.text) is not None
    return found


def _stands_alone(line: "LetterLine", begins: "Callable[[LetterLine], bool]") -> bool:
    """Whether a line is a remark, or begins like something that is read."""
    return line.text.startswith("#") or begins(line)


def _is_full(above: "LetterLine", line: "LetterLine") -> bool:
    """Whether the first word of a line had no room in the line above. The rest of a quoted line may have lost its quotation mark."""
    if not above.text or not line.text or line.number != above.number + 1 or line.depth > above.depth:
        return False
    word = line.text.split()[0]
    return above.places[-1][1] + 1 + len(word) > NARROWEST
