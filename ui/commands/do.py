"""`ophex do`: gives commands in sequence, all or nothing, from the command line or from an order file."""

import argparse
import contextlib
import sys
from typing import TYPE_CHECKING

from dsl.text.phrases import counted
from ui.cli import seats, talking
from ui.cli.exits import ExitCode, UsageError
from ui.cli.one_object import print_refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from campaigns.play.typed import Order
    from interpreter.messages.inputs import Event, Input, Refused
    from ui.cli.playing import OpenCampaign

STDIN = "-"
"""Stands for standard input as order file."""
ENDS = {
    "dice": "The dry run stops before the dice: they are rolled only when the orders are given.",
    "hidden": "The dry run stops here: what follows depends on hidden information.",
    "sealed": "The dry run stops here: what follows depends on the answers of others.",
}
"""Why a dry run stops early."""
MOST_BYTES = 4_000_000
"""The maximum size of an order file in bytes."""
LONG = 200
"""The number of characters shown of a refused command."""

KEYS = """\
done: truth           whether the commands were recorded; false with --dry-run
as                    the side; without --as the umpire, who reads everything
events: [event]       what happened: kind, text, side, to, cites, data
awaiting: [awaited]   what the game is waiting for now
tries?: number        number of attempts: 2 if another session was quicker
ends?                 with --dry-run: what it stops before: dice, hidden, sealed, or empty
left?: [object]       if dice must be rolled first: where to continue
  file
  line: number"""
ABOUT = """

A command is an order, `done` (which ends the side's orders window), an answer ('answer QUESTION
with ANSWER') or typed dice ('roll 7 8'). Several commands are accepted together or not at all.
There is one exception: commands of a side that come before a roll of the dice stay recorded,
because the dice have been rolled."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = f"{parser.description}{ABOUT}"
    talking.add_campaign(parser)
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help="a command, in quotes; `ophex legal` lists them")
    talking.add_side(
        parser, "the side that gives them (default: for each command the only side the game is then waiting for)"
    )
    parser.add_argument(
        "-f",
        "--file",
        action="append",
        default=[],
        metavar="FILE",
        help="read commands from FILE (`-`: standard input). All are accepted or none; with typed dice, reading stops at the "
        "first roll that FILE does not have. For several sides repeat `-f SIDE=FILE`",
    )
    parser.add_argument(
        "--from",
        dest="from_",
        action="append",
        default=[],
        metavar="LINE",
        help="start at this line of the order file; for several files repeat `--from SIDE=LINE`",
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would happen, and record nothing")
    talking.add_talk(parser)
    talking.epilog(
        parser,
        "ophex do my.ophex --as red 'march tf-1 to 0304' done\n"
        "ophex do my.ophex --as red 'march tf-1 to 0304 via 0202 0303'   by this route, not the cheapest\n"
        "ophex do my.ophex --as red 'dig-in tf-1, tf-2' 'rest all'   one order for several, or for all\n"
        "ophex do my.ophex --as red -f orders.txt --dry-run\n"
        "ophex do my.ophex -f red=red.txt -f blue=blue.txt           orders of several sides",
        KEYS,
    )


def run(args: argparse.Namespace) -> int:
    """Give the commands."""
    from campaigns.file.errors import RefusedAt
    from campaigns.play.typed import input_of
    from interpreter.messages.inputs import Refused
    from ui.cli.playing import UMPIRE

    if len(args.file) > 1 or (args.file and "=" in args.file[0] and not args.side):
        return _deliver(args)
    orders = _later(_orders(args), args.from_, args.file[0] if args.file else "")
    with talking.open_campaign(args.campaign, to_write=not args.dry_run) as campaign:
        side = seats.giver_of(campaign, args.side)
        file = args.file[0] if args.file else ""
        own = [input_of(order.text, side) for order in orders]
        inputs = own if args.side else _for_whom_it_is(campaign, orders)
        left: list[tuple[str, Order]] = []
        try:
            seats.giver_of(campaign, args.side, inputs)
            events, ends, tries = _offer(campaign, inputs, side if args.dry_run else "", file, bound=side != UMPIRE)
        except Refused as refused:
            position = refused.position if isinstance(refused, RefusedAt) else 0
            order = orders[position]
            if not (file and position and _dice_come_first(campaign, inputs[: position + 1])):
                code = _say_refused(refused, order, file, several=len(orders) > 1, json=args.json)
                _advise_quotes(orders, position, args)
                return code
            events, ends, tries = _offer(campaign, inputs[:position], side if args.dry_run else "", file)
            left = [(file, order)]
        tell(campaign, events, side, args, left, ends, tries=tries)
    return 0


def _later(orders: "list[Order]", said: list[str], file: str, side: str = "") -> "list[Order]":
    """The commands of a file from the line that `--from` gives for it.

    Raises:
        UsageError: it is not a line number, or the file has no command from there on.
    """
    for one in said:
        whose, sign, line = one.rpartition("=")
        if not line.isdecimal():
            raise UsageError(f"'{line}' is not a line number.", "Write --from LINE, or --from SIDE=LINE.")
        if not file:
            raise UsageError("--from needs an order file.", "Name it with -f FILE.")
        if side and not sign:
            raise UsageError("It is not clear whose file --from means.", "Write --from SIDE=LINE.")
        if whose == side:
            orders = [order for order in orders if order.line >= int(line)]
            if not orders:
                raise UsageError(f"{file} has no command at or after line {line}.")
    return orders


def _for_whom_it_is(campaign: "OpenCampaign", orders: "list[Order]") -> "list[Input]":
    """Inputs for commands without a side: each is given as the side that the game is then waiting for.

    Raises:
        UsageError: the game is then waiting for several sides.
    """
    from campaigns.play.typed import input_of
    from interpreter.messages.inputs import Refused

    side = seats.awaited_side(campaign.game.awaiting)
    inputs: list[Input] = []
    trial = campaign.state_at(campaign.head) if len(orders) > 1 else None
    for order in orders:
        given = input_of(order.text, side)
        if trial is not None and not (inputs and trial.spend(given)):
            side = seats.awaited_side(trial.awaiting, side)
            given = input_of(order.text, side)
            try:
                trial.offer(given)
            except Refused:  # it will be refused again, and reported, when all are given
                return [*inputs, *(input_of(left.text, side) for left in orders[len(inputs) :])]
        inputs.append(given)
    return inputs


def _dice_come_first(campaign: "OpenCampaign", inputs: "list[Input]") -> bool:
    """Whether the last of some inputs is refused only because typed dice, or links of sealed dice, are needed first."""
    from interpreter.messages.inputs import SEAL

    if inputs[-1].kind in {"roll", SEAL}:
        return False
    from interpreter.play.rehearsal import RefusedThere
    from ui.cli.playing import UMPIRE

    trial = campaign.state_at(campaign.head)
    try:
        trial.rehearse(inputs[:-1], UMPIRE)
    except RefusedThere:
        return False
    return any(one.kind in {"dice", SEAL} for one in trial.awaiting)


def _deliver(args: argparse.Namespace) -> int:
    """Give the order files of several sides, each command when the game is waiting for its side."""
    from campaigns.file.errors import RefusedAt
    from interpreter.messages.inputs import Refused
    from ui.cli.order_files import OrderFile, Undelivered, put_in_order
    from ui.cli.playing import UMPIRE

    if args.commands or args.side:
        raise UsageError(
            "Several order files cannot be combined with commands or --as.", "Name the side of each file: -f SIDE=FILE."
        )
    with talking.open_campaign(args.campaign, to_write=not args.dry_run) as campaign:
        letters = []
        for said in args.file:
            side, sign, file = said.partition("=")
            if not sign or not side:
                raise UsageError(f"It is not clear whose orders {said} has.", f"Write -f SIDE={said}.")
            orders = _later(_orders_of(file), args.from_, file, side)
            letters.append(OrderFile(seats.side_of(campaign, side), file, orders))
        try:
            delivery = put_in_order(campaign, letters)
        except Undelivered as failed:
            return _say_refused(failed.refused, failed.order, failed.letter.file, several=True, json=args.json)
        try:
            events, _, tries = _offer(
                campaign,
                list(delivery.inputs),
                UMPIRE if args.dry_run else "",
                ", ".join(letter.file for letter in letters),
            )
        except Refused as refused:  # another session has given something in the meantime
            letter, order = delivery.sources[refused.position if isinstance(refused, RefusedAt) else 0]
            return _say_refused(refused, order, letter.file, several=True, json=args.json)
        left = [(letter.file, order) for letter, order in delivery.left]
        tell(campaign, events, UMPIRE, args, left, tries=tries)
        for letter, order in delivery.needless:
            talking.note(
                f"{letter.file}:{order.line}: `{order.text}` is ignored: the game is not waiting for {letter.side} here."
            )
    return 0


def tell(
    campaign: "OpenCampaign",
    events: "list[Event]",
    side: str,
    args: argparse.Namespace,
    left: "Sequence[tuple[str, Order]]" = (),
    ends: str = "",
    *,
    tries: int = 1,
) -> None:
    """Print what an input led to, and what the game is waiting for next.

    ends: what a dry run stopped before. tries: the number of attempts, if other sessions were quicker.
    left: for each order file that is not finished because dice are needed, the first remaining command.
    """
    import attrs

    from ui.cli.playing import UMPIRE, sides_of
    from ui.wording import situation
    from ui.wording.events import event_lines
    from ui.wording.persons import Persons

    shown = situation.may_read(events, side)
    view = campaign.game.view(side)
    dry_run = getattr(args, "dry_run", False)
    if args.json:
        talking.print_json(
            {
                "done": not dry_run,
                "as": side,
                "events": talking.told(shown),
                "awaiting": [attrs.asdict(one) for one in view.awaiting],
                **({"tries": tries} if not dry_run else {}),
                **({"ends": ends} if dry_run else {}),
                **({"left": [{"file": file, "line": order.line} for file, order in left]} if left else {}),
            }
        )
        return
    for line in Persons(view).all_told(event_lines(events, side)):
        print(line)
    for file, order in left:
        talking.note(f"{file}:{order.line}: {_short(order.text)}")
    if left:
        what = (
            "links with `ophex seal`" if any(one.kind == "seal" for one in view.awaiting) else "dice with `ophex roll`"
        )
        talking.note(
            f"Dice must be rolled before this. All commands above it are recorded. Enter the {what}, then give "
            f"the rest with `--from {left[0][1].line}`{', or for several files `--from SIDE=LINE` for each' * (len(left) > 1)}."
        )
    if dry_run:
        known = "" if side == UMPIRE else f", as far as {side} knows"
        talking.note(f"This is what would happen{known}; nothing was recorded.")
        if ends:
            talking.note(ENDS[ends])
        return
    for one in view.awaiting:
        talking.note(f"next: {situation.awaited_line(one, sides_of(view))}")


def _orders(args: argparse.Namespace) -> "list[Order]":
    """The commands of the command line, or those of the order file."""
    from campaigns.play.typed import Order

    if args.file and args.commands:
        raise UsageError("Give commands or an order file, not both.")
    if args.file:
        return _orders_of(args.file[0])
    if not args.commands:
        raise UsageError("Give at least one command, in quotes.", "`ophex legal` lists the commands.")
    return [Order(command, 0, 0) for command in args.commands]


def _orders_of(file: str) -> "list[Order]":
    from campaigns.file.errors import CampaignError
    from campaigns.play.typed import orders_in

    try:
        orders = orders_in(text_of(file))
    except CampaignError as error:
        raise UsageError(error.message, error.hint) from None
    if not orders:
        raise UsageError(f"The order file {file} has no commands.")
    return orders


def text_of(file: str) -> str:
    """The text of an order file or of standard input, in the encodings that editors and mail programs write.

    Raises:
        UsageError: it is not text.
        OSError: it cannot be read.
    """
    from pathlib import Path

    with contextlib.nullcontext(sys.stdin.buffer) if file == STDIN else Path(file).open("rb") as source:
        data = source.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UsageError(f"{file} is larger than {MOST_BYTES:,} bytes, which is too large for an order file.")
    encoding = "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        raise UsageError(
            f"{file}:{line}:{column}: this is not valid UTF-8.",
            "Save the file as UTF-8, or leave out the accented letter.",
        ) from None


def _offer(
    campaign: "OpenCampaign", inputs: "list[Input]", rehearsed_for: str, source: str, *, bound: bool = False
) -> "tuple[list[Event], str, int]":
    """The events of inputs, what a dry run of them stopped before, and the number of attempts.

    rehearsed_for: the side of a dry run, or empty. source: the files that the inputs come from, or empty.
    """
    from campaigns.file.errors import RefusedAt
    from interpreter.play.rehearsal import RefusedThere

    if not rehearsed_for:
        events, tries = campaign.give(inputs, source, bound=bound)
        return events, "", tries
    try:
        found = campaign.state_at(campaign.head).rehearse(inputs, rehearsed_for)
    except RefusedThere as there:
        raise RefusedAt(there.refused.refusal, there.position) from there.refused
    return list(found.events), found.ends, 1


def _advise_quotes(orders: "list[Order]", position: int, args: argparse.Namespace) -> None:
    """Say how a command is given whole, if refused commands look like the words of one."""
    words = [one.text for one in orders]
    looks_whole = len(words) > 1 and words[0] != "done" and not any(" " in word for word in words)
    if looks_whole and not (position or args.file or args.json):
        whole = _short(" ".join(words))
        talking.note(f"Each argument is a command of its own. Put one of several words in quotes: '{whole}'.")


def _short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[:LONG]} …"


def _say_refused(refused: "Refused", order: "Order", file: str, *, several: bool, json: bool) -> int:
    from campaigns.play.typed import column_of_fault
    from ui.cli.exits import tell as tell_error

    column = column_of_fault(order, refused.message) if order.line else 0
    if json:
        taken = getattr(refused, "taken", 0)
        print_refused(refused, command=_short(order.text), line=order.line, column=column, taken=taken)
        return ExitCode.WRONG
    if order.line:
        talking.note(f"{file}:{order.line}:{column}: {_short(order.text)}")
    elif several:
        talking.note(f"{_short(order.text)}:")
    tell_error(refused)
    if taken := getattr(refused, "taken", 0):
        talking.note(
            f"What comes before it was recorded ({counted(taken, 'command')}), because dice were rolled for it."
        )
    elif several:
        talking.note("Nothing was recorded: commands that are given together are all accepted or none.")
    return ExitCode.WRONG
