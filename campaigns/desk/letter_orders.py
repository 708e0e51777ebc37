"""The orders of a letter: which of its lines are commands of the game, and which are words to the umpire.

Commands are taken at the lowest depth of quotation at which there are any, so an old letter quoted below a new one orders
nothing. Words before the first command and after the last are skipped if nothing in them could be meant as a command.
Between commands every line must be one. Skipped lines are reported.
"""

import re
from collections.abc import Collection
from difflib import get_close_matches
from functools import partial

from attrs import evolve, frozen

from campaigns.desk.letter import Letter, LetterLine
from campaigns.desk.wrapped_lines import REMARK, broken_in, joined_at, rests_of_remarks
from dsl.text.phrases import hyphened

__all__ = [
    "END",
    "HEADING",
    "IN_ADVANCE",
    "REPEAT",
    "Heading",
    "LetterOrders",
    "SaidOrder",
    "heading_of",
    "is_said_in_advance",
    "orders_of",
    "readings_of",
]

HEADING = re.compile(
    r"#?\s*orders of (?P<side>[\w-]+(?:/[\w-]+)?),? packet (?P<number>\d{1,9})(?:-(?P<mark>[0-9a-f]{8}))?",
    re.IGNORECASE,
)
"""The line of a template that says whose orders are below it, and proves that the packet was theirs."""
END = re.compile(r"#?\s*end of orders", re.IGNORECASE)
LISTED = re.compile(r"(?:[-*\u2022]|\(?\d{1,3}[.)])\s+")
"""What people put before the lines of a list."""
REPEAT = "repeat"
IN_ADVANCE = re.compile(
    r"(?:repeat\s+)?if\s+asked\s+"
    r"(?:(?P<question>[\w-]+)(?:\s+of\s+(?P<thing>[^:]+?))?\s*:\s*(?P<answer>\S.*)|(?:nothing|none))",
    re.IGNORECASE,
)
"""A line that answers in advance what may be asked (`answers_in_advance.py`)."""
ALMOST_IN_ADVANCE = re.compile(r"(?:repeat\s+)?if\s+ask(?:ed)?\b", re.IGNORECASE)
WORDS = ("answer", "roll", "done", "pass", "override", "option", "deadline")
"""Words that a line may begin with besides the orders of a game."""
CLOSE, RATHER_CLOSE = 0.75, 0.6
MOST_COMMANDS, MOST_READINGS = 2_000, 6


@frozen
class SaidOrder:
    """A command of a letter.

    Attributes:
        text: the command.
        places: for each character of `text` its line and column in the file.
        repeat: whether it is to be repeated each turn.
        is_command: whether it begins like a command; otherwise it is refused.
    """

    text: str
    places: tuple[tuple[int, int], ...]
    repeat: bool = False
    is_command: bool = True

    @property
    def line(self) -> int:
        """The line in which it begins."""
        return self.places[0][0]

    @property
    def column(self) -> int:
        """The column at which it begins."""
        return self.places[0][1]

    def place_of(self, message: str) -> tuple[int, int]:
        """The place of the word that a message mentions; the beginning of the command if it mentions none.

        The longest such word is used, and of several the last: a mistake is rarely in the name of the order.
        """
        low = self.text.lower()
        for word in re.findall(r"[\w-]+", message):
            found = re.search(rf"(?<![\w-]){re.escape(word.lower())}(?![\w-])", low)
            if found and found.start() and (not word.isalpha() or word.lower() not in _plain_words(self.text)):
                return self.places[found.start()]
        return self.places[0]


@frozen
class Heading:
    """Whose orders a letter says it contains, for which packet, with which mark; the mark may be empty."""

    side: str
    number: int
    mark: str


@frozen
class LetterOrders:
    """What a letter says.

    Attributes:
        commands: its commands, in their order.
        passed_over: lines that are remarks to the umpire.
        quoted: lines that look like commands, or almost, but are in a quotation.
    """

    commands: tuple[SaidOrder, ...]
    passed_over: tuple[LetterLine, ...] = ()
    quoted: tuple[LetterLine, ...] = ()


def heading_of(letter: Letter) -> Heading | None:
    """The heading that the template of a packet puts above the orders; of several, the one that is quoted least."""
    found = [(line.depth, one) for line in letter.lines if (one := HEADING.fullmatch(line.text.rstrip(" .")))]
    if not found:
        return None
    _, one = min(found, key=lambda pair: pair[0])
    return Heading(one["side"].lower(), int(one["number"]), (one["mark"] or "").lower())


def readings_of(letter: Letter, orders: Collection[str], names: Collection[str]) -> list[LetterOrders]:
    """What a letter may say, the likeliest first: a mail program may have broken long commands into several lines.

    Args:
        letter: the letter.
        orders: the names of all orders of the game.
        names: ids and places that its writer may know, in lower case.
    """
    first = {*orders, *WORDS, REPEAT}
    broken = broken_in(letter.lines, partial(_is_read, first), partial(_is_meant, first, names))
    some = [frozenset(broken[:at]) for at in range(len(broken) - 1, 0, -1)][:MOST_READINGS]
    choices = [frozenset(broken), *some, frozenset()] if broken else [frozenset()]
    found: list[LetterOrders] = []
    for one in choices:
        lines = joined_at(letter.lines, one)
        said = orders_of(evolve(letter, lines=lines), orders, names)
        said = evolve(said, passed_over=(*said.passed_over, *rests_of_remarks(letter.lines, lines)))
        if all(said.commands != other.commands for other in found):
            found.append(said)
    return found


def orders_of(letter: Letter, orders: Collection[str], names: Collection[str]) -> LetterOrders:
    """The orders of a letter, one to each of its lines.

    Args:
        letter: the letter.
        orders: the names of all orders of the game.
        names: ids and places that its writer may know, in lower case.
    """
    first = {*orders, *WORDS, REPEAT}
    rows = [line for line in _to_the_end(letter.lines) if not _is_ours(line)]
    rows = [short for line in rows if (short := _without_remark(line)).text]
    begins = [_begins(line, first) for line in rows]
    depths = [line.depth for line, is_one in zip(rows, begins, strict=True) if is_one]
    depths = depths or [line.depth for line in rows if _could_be(line, first, names)]
    depth = min(depths, default=min((line.depth for line in rows), default=0))
    quoted = tuple(line for line in rows if line.depth > depth and _could_be(line, first, ()))
    here = [line for line in rows if line.depth == depth]
    meant = _meant(here, letter.lines, first, names)
    if True not in meant:
        return LetterOrders((), tuple(here), quoted)
    start, end = meant.index(True), len(meant) - meant[::-1].index(True)
    commands = _joined(here[start:end], first)[:MOST_COMMANDS]
    return LetterOrders(tuple(commands), (*here[:start], *here[end:]), quoted)


def _to_the_end(lines: tuple[LetterLine, ...]) -> list[LetterLine]:
    """The lines up to the end of the orders in a template, at its depth of quotation."""
    kept: list[LetterLine] = []
    ended: int | None = None
    for line in lines:
        if END.fullmatch(line.text.rstrip(" .")):
            ended = line.depth
        if ended is None or line.depth < ended:
            kept.append(line)
    return kept


def _is_ours(line: LetterLine) -> bool:
    return HEADING.fullmatch(line.text.rstrip(" .")) is not None


def _meant(
    here: list[LetterLine], lines: tuple[LetterLine, ...], first: Collection[str], names: Collection[str]
) -> list[bool]:
    """Which lines are commands or might be meant as one. If all commands are below a heading, what is above it is a greeting: it may name units."""
    head = next((line.number for line in lines if _is_ours(line)), 0)
    begins = [_begins(line, first) for line in here]
    is_greeted = next((line.number for line, is_one in zip(here, begins, strict=True) if is_one), 0) > head
    return [
        is_one or _could_be(line, first, () if is_greeted and line.number < head else names)
        for line, is_one in zip(here, begins, strict=True)
    ]


def _without_remark(line: LetterLine) -> LetterLine:
    """A line without its remark, the list mark before it, the full stop after it, and quotes around it."""
    found = REMARK.search(line.text)
    start, end = 0, found.start() if found else len(line.text)
    if (listed := LISTED.match(line.text)) and listed.end() <= end:
        start = listed.end()
    for _ in range(3):
        while end > start and line.text[end - 1] in " .!;":
            end -= 1
        while end > start and line.text[start] == " ":
            start += 1
        if end - start > 1 and line.text[start] == line.text[end - 1] and line.text[start] in "`'\"":
            start, end = start + 1, end - 1
    return evolve(line, text=line.text[start:end], places=line.places[start:end])


def _begins(line: LetterLine, first: Collection[str]) -> bool:
    return _first_word(line.text) in first or IN_ADVANCE.fullmatch(line.text) is not None


def is_said_in_advance(text: str) -> bool:
    """Whether a line begins like an answer in advance; it may be written wrongly."""
    return ALMOST_IN_ADVANCE.match(text) is not None


def _could_be(line: LetterLine, first: Collection[str], names: Collection[str]) -> bool:
    """Whether a line might be meant as a command: it begins almost like one, or names something that its writer may give orders to."""
    if IN_ADVANCE.fullmatch(line.text) or get_close_matches(_first_word(line.text), first, 1, CLOSE):
        return True
    if hyphened(line.text, first):
        return True
    return any(word in names for word in re.findall(r"[\w-]+", line.text.lower()))


def _is_read(first: Collection[str], line: LetterLine) -> bool:
    """Whether a line begins with a command, or is the first or the last one of a template."""
    return _is_ours(line) or END.fullmatch(line.text.rstrip(" .")) is not None or _begins(_without_remark(line), first)


def _is_meant(first: Collection[str], names: Collection[str], line: LetterLine) -> bool:
    """Whether a line begins almost like a command, or with the name of something as if the word before it were forgotten."""
    word = _first_word(_without_remark(line).text)
    return word in names or bool(get_close_matches(word, first, 1, RATHER_CLOSE))


def _first_word(text: str) -> str:
    return re.split(r"[\s,:]", text.lower(), maxsplit=1)[0].strip(".")


def _joined(lines: list[LetterLine], first: Collection[str]) -> list[SaidOrder]:
    """The commands of lines; one that ends in a comma or a backslash continues in the next line, unless that is a command itself."""
    found: list[SaidOrder] = []
    goes_on = False
    for line in lines:
        text, places = line.text, line.places
        is_one = _begins(line, first)
        if goes_on and not is_one:
            before = found[-1]
            text, places = f"{before.text} {text}", (*before.places, places[0], *places)
            found[-1] = SaidOrder(text, places, before.repeat, before.is_command)
        else:
            found.append(_said(text, places, is_command=is_one))
        goes_on = found[-1].is_command and text.endswith((",", "\\"))
        if text.endswith("\\"):
            text = found[-1].text[:-1].rstrip() or "\\"
            found[-1] = evolve(found[-1], text=text, places=found[-1].places[: len(text)])
    return found


def _said(text: str, places: tuple[tuple[int, int], ...], *, is_command: bool) -> SaidOrder:
    """A command; one that is to be repeated, without the word `repeat`."""
    word, _, rest = text.partition(" ")
    if word.lower() == REPEAT and rest.strip():
        start = len(text) - len(rest.lstrip())
        return SaidOrder(text[start:], places[start:], repeat=True, is_command=is_command)
    return SaidOrder(text, places, is_command=is_command)


def _plain_words(text: str) -> set[str]:
    """The words of a command that are not arguments: its name and the small words in between."""
    words = text.lower().split()
    return {words[0], "to", "of", "with", "against", "at", "from", "in", "on", "via", "and"} if words else set()
