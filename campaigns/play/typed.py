"""What a person types becomes an input: a command, an answer, dice; one line at a time or a complete order file.

    march tf-1 to 0304              a command
    answer joiners with tf-2        the answer to a question
    answer tf-2                     the answer, where only one question is open
    roll 7 6+4                      dice rolled at your table
    roll 7 rest                     one of them; the seed rolls the rest until the next decision
    seal 3f8a02c4b1d9 17 9c04…      an anchor or a link of sealed dice, as `ophex secret` prints it
    done                            the end of the window
    override strength of tf-1 = 4; tf-1 is in 0304 because "counted wrong"      the umpire sets facts
    option odds-rounding=nearest because "as agreed"                            the umpire changes an option
    deadline red                    the umpire ends the window for an absent side

In an order file blank lines are skipped. Text after ` -- `, and a line that starts with `#` or `--`, is a remark.
"""

import re

from attrs import frozen

from campaigns.file.errors import CampaignError
from interpreter.messages.inputs import Input
from interpreter.runtime.refusals import Why

__all__ = ["Order", "column_of_fault", "input_of", "is_ruling", "orders_in", "with_reason"]

ANSWER = re.compile(r"answer\s+(?:(?P<question>[\w-]+)\s+with\s+)?(?P<answer>.+)", re.IGNORECASE)
ROLL = re.compile(r"roll\s+(?P<dice>(?=\S)(?:[\d\s,+-]|seeded\b)*(?:rest)?)", re.IGNORECASE)
SEAL = re.compile(r"seal\s+(?P<seal>(?:commit\s+)?[0-9a-f]{12,64}\s.+)", re.IGNORECASE)
RULING = re.compile(r"(?P<kind>override|option|deadline)(\s+(?P<rest>.+))?", re.IGNORECASE)
REASON = re.compile(r'(?P<what>.*?)\s*\bbecause\s+"(?P<why>[^"]*)"\s*', re.DOTALL)
APART = re.compile(r';(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""The separator of several changes on one line: semicolons outside of quotes."""


MOST_LETTERS = 20_000
"""The most characters in a line of an order file."""


@frozen
class Order:
    """A command of an order file.

    Attributes:
        text: the command, without remark.
        line: its line, counted from 1.
        column: where it starts in that line, counted from 1.
    """

    text: str
    line: int
    column: int


def input_of(text: str, side: str) -> Input:
    """The input that a typed line stands for.

    >>> input_of("answer joiners with tf-2, tf-3", "north").subject
    'joiners'
    >>> input_of("Answer Joiners with tf-2", "north").subject  # names of questions have no capitals
    'joiners'
    >>> input_of("answer tf-2", "north").text
    'tf-2'
    """
    said = " ".join(text.split())
    if found := RULING.fullmatch(said):
        kind, rest = found["kind"].lower(), found["rest"] or ""
        if kind == "deadline":
            return Input(kind, side, "done", rest.strip())
        what, why = with_reason(rest)
        return Input(kind, side, "\n".join(part.strip() for part in APART.split(what)), why)
    if found := ANSWER.fullmatch(said):
        return Input("answer", side, found["answer"], (found["question"] or "").lower())
    if found := ROLL.fullmatch(said):
        return Input("roll", side, found["dice"])
    if found := SEAL.fullmatch(said):
        return Input("seal", side, found["seal"])
    return Input("do", side, said)


def is_ruling(text: str) -> bool:
    """Whether a typed line is something that only the umpire may give."""
    return RULING.fullmatch(" ".join(text.split())) is not None


def with_reason(text: str) -> tuple[str, str]:
    """The text, and the reason after `because`; empty without a reason.

    >>> with_reason('strength of tf-1 = 4 because "counted wrong"')
    ('strength of tf-1 = 4', 'counted wrong')
    """
    found = REASON.fullmatch(text)
    return (found["what"], found["why"]) if found else (text, "")


def orders_in(text: str) -> list[Order]:
    r"""The commands of an order file, in its order.

    >>> orders_in("-- first day\n  march tf-1 to 0304 -- along the road\n")
    [Order(text='march tf-1 to 0304', line=2, column=3)]

    Raises:
        CampaignError: a line is too long.
    """
    orders = []
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > MOST_LETTERS:
            raise CampaignError(
                f"Line {number} has {len(line):,} characters; the limit is {MOST_LETTERS:,}.",
                "Write one command per line.",
                Why.OUT_OF_BOUNDS,
            )
        said = re.split(r"(?:^|\s)--(?:\s|$)|^\s*#", line, maxsplit=1)[0]
        if said.strip():
            orders.append(Order(said.strip(), number, len(said) - len(said.lstrip()) + 1))
    return orders


def column_of_fault(order: Order, message: str) -> int:
    """The column of the argument that a refusal mentions; the start of the order if it mentions none.

    >>> column_of_fault(Order("march tf-1 to 0806", 2, 3), "0806 is closed: the enemy holds the hex.")
    17
    """
    for word in re.findall(r"[\w-]+", message):
        found = re.search(rf"(?<=[\s,]){re.escape(word)}(?=[\s,]|$)", order.text)
        if found and not word.isalpha():
            return order.column + found.start()
    return order.column
