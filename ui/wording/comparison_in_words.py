"""Two courses of a campaign side by side, in words: for `compare`, and for the effects of an amended text."""

from collections.abc import Iterable, Iterator

from campaigns.amending.comparing_courses import Comparison, Course, Differing, DifferingValue
from ui.cli import talking

__all__ = ["tell_comparison"]


def tell_comparison(found: Comparison, most: int | None) -> None:
    """Print a comparison. most: how many rows of each table; None: all."""
    first, second = found.first, found.second
    head = ("", _called(first), _called(second))
    talking.print_table(list(_rows_of_courses(found)), head)
    whole = [one for one in found.asked if not one.of or one.of in _sides(found)]
    each = [one for one in found.asked if one not in whole]
    _table("Values of the sides and of the game", _rows_of_asked(whole), head, most)
    things = list(_rows_of_things(found.things))
    _table("Places and fields", things, head, most)
    _table("Values and statuses of things", _rows_of_asked(each), head, most)
    if not (things or found.asked or found.facts):
        print("Nothing else differs.")


def _rows_of_courses(found: Comparison) -> Iterator[tuple[str, object, object]]:
    """How far both courses have come, and which units each has lost and gained."""
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


def _rows_of_things(found: Iterable[Differing]) -> Iterator[tuple[str, str, str]]:
    """The fields that differ; one row for a thing that only one course has, unless that has the row of what holds it."""
    alone = {one.id for one in found if not (one.first and one.second)}
    for one in found:
        if one.id not in alone:
            for field in dict.fromkeys([*one.first, *one.second]):
                yield f"{one.id} {field}", one.first.get(field, "") or "-", one.second.get(field, "") or "-"
        elif (one.first or one.second).get("holder") not in alone:
            where, other = (told.get("place") or "there" if told else "not there" for told in (one.first, one.second))
            yield one.id, where, other


def _rows_of_asked(found: Iterable[DifferingValue]) -> list[tuple[str, str, str]]:
    return [(f"{x.name} of {x.of}" if x.of else x.name, x.first or "-", x.second or "-") for x in found]


def _table(title: str, rows: list[tuple[str, str, str]], head: tuple[str, str, str], most: int | None) -> None:
    if not rows:
        return
    print()
    print(f"{title}:")
    talking.print_table(rows[:most], head)
    if most is not None and len(rows) > most:
        talking.note(f"and {len(rows) - most} more; --all prints them.")


def _sides(found: Comparison) -> set[str]:
    return {x.of for x in found.asked if x.word == "value" and x.of}


def _called(course: Course) -> str:
    return course.name if course.name.isdecimal() else f"{course.name} ({course.entry})"


def _turn(course: Course) -> str:
    return f"{course.turn} ({course.date})" if course.date else str(course.turn)


def _over(course: Course) -> str:
    if not course.over:
        return "continues"
    return f"{course.winner} won: {course.over}" if course.winner else course.over


def _ids(names: tuple[str, ...]) -> str:
    return f"{len(names)}: {', '.join(names)}" if names else "-"
