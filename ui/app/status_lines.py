"""The lines that are always visible: the game and its state, the hint of a lesson, and what is under the cursor."""

from rich.text import Text

from campaigns.views.parts_in_words import PartsOfThings
from ui.app.seat_desk import Situation
from ui.cli.playing import UMPIRE, sides_of
from ui.maps.chart import Cell
from ui.wording.situation import hinted, over_line

__all__ = ["hint_line", "title_line", "under_line"]


def title_line(found: Situation, seat: str) -> Text:
    """The seat, turn, phase and step, whose turn it is, and last what a small screen may cut off: the date and the scenario."""
    view, titles = found.view, sides_of(found.view)
    seated = "umpire's seat" if seat == UMPIRE else f"{_whose(titles.get(seat, seat))} seat"
    parts = [seated, f"turn {view.turn}"]
    if view.over:
        parts.append(f"the game is over. {over_line(view)}")
    else:
        parts += [view.phase_around, view.phase_title or view.phase]
        if any(one.side == seat for one in found.waiting):
            parts.append("your turn")
        elif view.active:
            parts.append("your turn" if view.active == seat else f"{_whose(titles.get(view.active, view.active))} turn")
    parts += [f"orders: {one.state}" for one in found.states if one.side == seat]
    parts += [view.date, view.scenario_title or view.scenario]
    return Text(" · ".join(filter(None, parts)), no_wrap=True, overflow="ellipsis")


def _whose(title: str) -> str:
    return f"{title}'" if title.endswith("s") else f"{title}'s"


def hint_line(found: Situation) -> Text:
    """The hint of the lesson; commands in it are highlighted instead of quoted."""
    text = Text()
    for at, part in enumerate("\n".join(hinted(found.view)).split("`")):
        text.append(part, "bold reverse" if at % 2 else "")
    return text


def under_line(found: Situation, cell: Cell | None, selected: str) -> Text:
    """The hex under the cursor in words, what is there, and the selected thing if it is elsewhere."""
    text = Text(no_wrap=True, overflow="ellipsis")
    things = cell.things if cell else ()
    chosen = PartsOfThings(found.view.things).whole_of(selected)
    if cell:
        text.append(f"{cell.label} {cell.name}".strip(), "bold").append(
            f" {', '.join((found.chart_with(cell.label) or found.chart).said_of(cell))}"
        )
        if any(thing.made for thing in things):
            text.append("  o roster", "italic")
        for stack in cell.stacks:
            text.append(f"  {stack.letter}:", "bold")
            for thing in stack.things:
                text.append(" ").append(thing.id, "reverse" if thing.id == chosen else "")
                if thing.id == chosen or len(things) == 1:
                    text.append(f" {stack.made_of(thing.id)}".rstrip(), "italic")
    if selected and (selected != chosen or selected not in {thing.id for thing in things}):
        text.append(f"  selected: {selected}", "italic")
    return text
