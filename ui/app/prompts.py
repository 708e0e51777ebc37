"""The text above and below the list in the pane of orders."""

from rich.text import Text

from interpreter.messages.inputs import Awaited
from ui.app.command_names import Words
from ui.app.seat_desk import Situation
from ui.cli.plain import one_line
from ui.cli.playing import sides_of
from ui.wording.situation import awaited_line, over_line
from ui.wording.standing import due_line, standing_lines

__all__ = ["above", "below"]


def above(found: Situation, place: int, words: Words, idle: Words = ()) -> Text:
    """What the game is waiting for, and from whom.

    Args:
        found: the situation.
        place: which of the pending things is shown.
        words: the ids that orders must name to be listed.
        idle: the ids of the selection if it has no orders now, so that all orders are listed.
    """
    titles = sides_of(found.view)
    if found.view.over:
        return Text(f"The game is over. {over_line(found.view)}", "bold")
    if not found.waiting:
        others = [awaited_line(other, titles) for other in found.view.awaiting if other.kind != "over"]
        return Text("\n".join(["The game is not waiting for this seat.", *others])).append_text(_states(found))
    one = found.waiting[place]
    who = titles.get(one.side, one.side)
    asked = _asked(one)
    said = asked.removeprefix(who) if who else asked
    shown = Text(who, "bold").append(said if said != asked or not who else f": {said}", "not bold")
    if one.where:
        shown.append(f" [{one.where}]", "not bold dim")
    match one.kind:
        case "orders" if words:
            shown.append(f"\nOrders that name {_named(found, words)}", "not bold italic")
        case "orders" if idle:
            shown.append(f"\nNo orders for {_named(found, idle)} now; all are listed", "not bold italic")
        case "dice":
            shown.append(f"\nRoll {one.form} and type the result: roll 7 8", "not bold")
        case "question" if not one.choices:
            shown.append(f"\nType the answer: answer {one.name} with …", "not bold")
    if len(found.waiting) > 1:
        shown.append(f"\n{place + 1} of {len(found.waiting)} pending; a shows the next", "not bold italic")
    return shown.append_text(_states(found))


def _asked(one: Awaited) -> str:
    """The question; if its title says enough, without the possible answers, which are listed below it."""
    before, title, rest = one.prompt.partition(one.title) if one.title else (one.prompt, "", "")
    return before + title if title and rest and one.choices and not one.form.startswith("split") else one.prompt


def _states(found: Situation) -> Text:
    """How far the sides are with their orders: several sides on one line, and more if there is a due time or a refused letter."""
    titles = sides_of(found.view)
    due = [due_line(one.due) for one in found.states[:1] if one.due.at]
    told = [one for one in found.states if due or one.letter]
    short = " · ".join(f"{titles.get(one.side, one.side)}: {one.state}" for one in found.states)
    lines = [short] if len(found.states) > 1 and len(told) < len(found.states) else []
    lines += [*standing_lines(told, titles), *due]
    return Text("".join(f"\n{one_line(line)}" for line in lines), "not bold dim")


def _named(found: Situation, words: Words) -> str:
    return " and ".join(" or ".join(_wholes(found, group)) for group in words)


def _wholes(found: Situation, group: tuple[str, ...]) -> list[str]:
    """The words of a group, without parts whose whole is also in the group."""
    parts = found.chart.parts
    return [word for word in group if parts.whole_of(word) == word or parts.whole_of(word) not in group]


def below(one: Awaited | None, listed: int, cut: int, legal: int, ticked: int | None) -> str:
    """How much of the list is visible, or how much is ticked.

    Args:
        one: what the game is waiting for.
        listed: the number of entries that match the filter.
        cut: the number of them that are shown at most.
        legal: the number of legal orders.
        ticked: the number of ticked answers; None if answers are not ticked.
    """
    if one is None:
        return ""
    if ticked is not None:
        form = {"each": "one for each", "some": "any number", "some for each": "any number for each"}.get(
            one.form, one.form
        )
        return f"{ticked} ticked, {form}; space or a click ticks, F2 sends"
    if one.kind == "question" and (one.count > len(one.choices) or one.count < 0):
        return f"{len(one.choices)} of {one.count if one.count > 0 else 'many'} answers; others can be typed"
    if one.kind == "orders":
        if not listed:
            return f"none of {legal} orders; esc on the map shows all"
        found = f"the first {cut} of {listed}" if listed > cut else f"{listed}"
        orders = "order" if legal == 1 else "orders"
        return f"{found} {orders}; f filters" if listed == legal else f"{found} of {legal} orders; f filters"
    return ""
