"""Lines of a letter that a mail program may have broken: where each could go on, and the lines with those breaks undone.

Nobody can tell from a letter alone whether a line goes on in the next one. So this only says where it may; `letter_intake.py`
takes the reading that the rules accept.
"""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

if TYPE_CHECKING:
    from campaigns.desk.letter import LetterLine

__all__ = ["broken_in", "joined_at", "rests_of_remarks"]

NARROWEST = 60
"""No mail program breaks lines before this column."""


def broken_in(
    lines: "Sequence[LetterLine]", begins: "Callable[[LetterLine], bool]", almost: "Callable[[LetterLine], bool]"
) -> list[int]:
    """The numbers of the lines that may be the rest of the line above, which is a full line of a command or of a remark.

    Args:
        lines: the lines.
        begins: whether a line begins like something that is read: a command, the first or the last line of a template.
        almost: whether it begins almost like a command. Such a line is no rest of a remark, which nobody would report.
    """
    found: list[int] = []
    kind, above = "", None  # what the line above belongs to: a remark, a command, or neither
    for line in lines:
        own = "remark" if line.text.startswith("#") else "command" if begins(line) else ""
        is_rest = bool(kind and not own and above is not None and _is_full(above, line))
        if is_rest and not (kind == "remark" and almost(line)):
            found.append(line.number)
        else:
            kind = own
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
            in_remark = line.text.startswith("#")
        elif in_remark:
            found.append(line)
    return found


def _is_full(above: "LetterLine", line: "LetterLine") -> bool:
    """Whether the first word of a line had no room in the line above. The rest of a quoted line may have lost its quotation mark."""
    if not above.text or not line.text or line.number != above.number + 1 or line.depth > above.depth:
        return False
    word = line.text.split()[0]
    return above.places[-1][1] + 1 + len(word) > NARROWEST
