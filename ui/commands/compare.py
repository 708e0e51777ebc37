"""`ophex compare`: two courses of a campaign side by side: losses, positions, what the rules count, since they parted."""

import argparse
from typing import TYPE_CHECKING

from ui import talking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from campaigns.comparing_courses import Comparison, Course, DifferingValue

KEYS = """\
parts: number         the last entry that both have in common
first, second: object
  name, date, phase, over, winner
  entry, turn: number
  inputs: number      how many it has beyond `parts`
  lost, came: {[text]}    by side, the ids of the units that are gone or new since then
facts: {[text or null]}    of the campaign: both values of what differs
things: [differing]         id, kind, side, and fields that differ, with first, second
asked: [differing-value]    values that differ: word, name, of, first, second"""
SHOWN = 60
"""So many rows of each table are printed; --json has all, and --all prints all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    talking.add_campaign(parser)
    parser.add_argument("first", metavar="A", help="a branch, or the number of an entry")
    parser.add_argument("second", metavar="B", help="another")
    parser.add_argument("--all", action="store_true", help=f"print every row, not only the first {SHOWN} of each table")
    talking.add_talk(parser)
    talking.epilog(parser, "ophex compare my.ophex main what-if\nophex compare my.ophex 40 57", KEYS)


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    import attrs

    from campaigns.comparing_courses import compare

    with talking.open_campaign(args.campaign) as campaign:
        found = compare(campaign, args.first, args.second)
    if args.json:
        talking.print_json(attrs.asdict(found))
        return 0
    tell_comparison(found, None if args.all else SHOWN)
    return 0


def tell_comparison(found: "Comparison", most: int | None) -> None:
    """Print a comparison. most: so many rows of each table; None: all."""
    first, second = found.first, found.second
    talking.note(f"They part after entry {found.parts}.")
    head = ("", _called(first), _called(second))
    talking.print_table(list(_rows_of_courses(found)), head)
    whole = [one for one in found.asked if not one.of or one.of in _sides(found)]
    each = [one for one in found.asked if one not in whole]
    _table("What the rules count", _rows_of_asked(whole), head, most)
    things = [
        (f"{one.id} {field}", one.first.get(field, "") or "-", one.second.get(field, "") or "-")
        for one in found.things
        for field in dict.fromkeys([*one.first, *one.second])
        if field == "place" or (one.first and one.second)
    ]
    _table("Where and how they stand", things, head, most)
    _table("What may be said of them", _rows_of_asked(each), head, most)
    if not (things or found.asked or found.facts):
        print("Nothing else differs.")


def _rows_of_courses(found: "Comparison") -> "Iterator[tuple[str, object, object]]":
    """How far both courses have come, and whom each has lost and gained."""
    first, second = found.first, found.second
    yield "turn", _turn(first), _turn(second)
    yield "phase", first.phase or "-", second.phase or "-"
    yield "inputs since", first.inputs, second.inputs
    yield from ((name, one or "-", other or "-") for name, (one, other) in found.facts.items())
    if first.over or second.over:
        yield "over", _over(first), _over(second)
    for word, one, other in (("lost", first.lost, second.lost), ("came", first.came, second.came)):
        for side in dict.fromkeys([*one, *other]):
            yield f"{side or 'nobody'} {word}", _ids(one.get(side, ())), _ids(other.get(side, ()))


def _rows_of_asked(found: "Iterable[DifferingValue]") -> list[tuple[str, str, str]]:
    return [(f"{x.name} of {x.of}" if x.of else x.name, x.first or "-", x.second or "-") for x in found]


def _table(title: str, rows: "list[tuple[str, str, str]]", head: tuple[str, str, str], most: int | None) -> None:
    if not rows:
        return
    print()
    print(f"{title}:")
    talking.print_table(rows[:most], head)
    if most is not None and len(rows) > most:
        talking.note(f"and {len(rows) - most} more; --all prints them.")


def _sides(found: "Comparison") -> set[str]:
    return {x.of for x in found.asked if x.word == "value" and x.of}


def _called(course: "Course") -> str:
    return course.name if course.name.isdecimal() else f"{course.name} ({course.entry})"


def _turn(course: "Course") -> str:
    return f"{course.turn} ({course.date})" if course.date else str(course.turn)


def _over(course: "Course") -> str:
    if not course.over:
        return "goes on"
    return f"{course.winner} wins: {course.over}" if course.winner else course.over


def _ids(names: tuple[str, ...]) -> str:
    return f"{len(names)}: {', '.join(names)}" if names else "-"
