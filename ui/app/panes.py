"""The other panes: the order of battle, the log, the things at the cursor, and explanations."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rich.padding import Padding
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Input, OptionList, Static, Tree
from textual.widgets.option_list import Option
from textual.widgets.tree import TreeNode

from campaigns.views.force_forest import is_unit, states, title_of
from campaigns.views.parts_in_words import PartsOfThings, tracks_of
from interpreter.messages.view import ThingView
from ui.app.seat_desk import Situation
from ui.app.staying import StayingList
from ui.cli.playing import UMPIRE, Told, as_known, said_by, sides_of
from ui.maps.chart import Cell, Chart
from ui.maps.symbols import number_field, number_of
from ui.wording.events import OPENING, event_lines, log_lines
from ui.wording.explaining import ExplainedLine
from ui.wording.persons import Persons
from ui.wording.situation import forces

__all__ = ["ForcesPane", "HerePane", "LogPane", "WhyPane"]


class ForcesPane(Tree[str]):
    """The order of battle as a tree, with place and strength; choosing a line goes there."""

    DEFAULT_CSS = "ForcesPane { padding: 0 1; background: $surface; }"

    class Chosen(Message):
        """A thing was chosen."""

        def __init__(self, thing: str) -> None:
            super().__init__()
            self.thing = thing

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__("Forces", id=id)
        self.show_root = False
        self.guide_depth = 2
        self._shown: tuple[object, ...] = ()

    def show(self, found: Situation) -> None:
        """Show the forces of a situation; what was folded stays folded."""
        view = found.view
        rows = forces(view)
        telling = tuple(rows)
        if telling == self._shown:
            return
        first, self._shown = not self._shown, telling
        lit, scrolled = self.cursor_node.data if self.cursor_node else None, self.scroll_offset.y
        unfolded = {node.data: node.is_expanded for node in self._branches() if node.data and node.allow_expand}
        self.clear()
        self._grow(rows, found, unfolded)
        if first:
            self.cursor_line = 0
            return
        self._light(lit)
        self.scroll_to(y=scrolled, animate=False, force=True, immediate=True)

    def _grow(self, rows: Sequence[tuple[ThingView, int]], found: Situation, unfolded: Mapping[str, bool]) -> None:
        """Fill the empty tree with the forces. unfolded: which branches were; at first only branches of parts are folded."""
        letters = {side: letter for side, (_, letter, _) in found.chart.sides.items()}
        titles, parts = sides_of(found.view), PartsOfThings(found.view.things)
        units = Counter(one.side for one in found.view.things if is_unit(one))
        holders = {thing.holder for thing, _ in rows}
        holding = {thing.holder for thing, _ in rows if not thing.part}
        path: list[TreeNode[str]] = []
        side = None
        for thing, depth in rows:
            if not depth and thing.side != side:
                side = thing.side
                title = f"{letters.get(side, '*')} {titles.get(side, 'Nobody')} ({units[side]})"
                shown = unfolded.get(f"side {side}", True)
                path = [self.root.add(Text(title, "bold"), data=f"side {side}", expand=shown)]
            parent = path[min(depth, len(path) - 1)]
            del path[depth + 1 :]
            label = _line(thing, holds=thing.id in holding, made_of=parts.summary(thing))
            if thing.id in holders:
                shown = unfolded.get(thing.id, thing.id in holding)
                path.append(parent.add(label, data=thing.id, expand=shown))
            else:
                parent.add_leaf(label, data=thing.id)

    def _light(self, lit: str | None) -> None:
        """Highlight the line that was highlighted before; none if it is gone."""
        nodes = (self.get_node_at_line(line) for line in range(self.last_line + 1))
        node = next((node for node in nodes if node and lit and node.data == lit), None)
        if node:
            self.cursor_line = node.line
        else:
            self.set_reactive(Tree.cursor_line, -1)

    def _branches(self) -> list[TreeNode[str]]:
        found, todo = [], [self.root]
        while todo:
            node = todo.pop()
            found.append(node)
            todo += node.children
        return found

    @on(Tree.NodeSelected)
    def _selected(self, event: Tree.NodeSelected[str]) -> None:
        if event.node.data and not event.node.data.startswith("side "):
            self.post_message(self.Chosen(event.node.data))


UNTOLD = "…"
"""Stands for a hidden input of another side."""
MOST_LINES = 12
"""The number of lines of an entry that the log shows."""


class LogPane(StayingList):
    """What has happened, newest first; choosing an entry explains it."""

    DEFAULT_CSS = "LogPane { border: none; padding: 0 1; background: $surface; }"

    class Chosen(Message):
        """An entry was chosen."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def show(self, found: Situation) -> None:
        """Show the entries. The newest entry stays in view if it was, but an older one that is being read stays in its place."""
        seat = found.view.side or UMPIRE
        letters = {side: letter for side, (_, letter, _) in found.chart.sides.items()}
        persons = Persons(found.view)
        options = [Option(_entry(told, seat, letters, persons), str(told.number)) for told in found.log]
        if found.opening:
            options.append(Option(_opening(event_lines(found.opening, seat), persons), "0"))
        lit = self.highlighted_option.id if self.highlighted_option else None
        reading = lit and (self.highlighted or self.scroll_offset.y or (found.followed and self.has_focus))
        if not options:
            self.begin_with([Option("Nothing has happened yet; 2 shows what the game is waiting for.", disabled=True)])
        elif reading:
            numbers = [option.id for option in options]
            self.fill_again(options, numbers.index(lit) if lit in numbers else None)
        else:
            self.begin_with(options)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option.id:
            self.post_message(self.Chosen(int(event.option.id)))


class HerePane(VerticalScroll):
    """Everything about the hex under the cursor and the things there, the selected one first."""

    DEFAULT_CSS = "HerePane { padding: 0 1; background: $surface; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._asked: tuple[Cell | None, Chart, str] | None = None

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(id="here-text")

    def show(self, cell: Cell | None, chart: Chart, selected: str) -> None:
        """Show a hex, or wait until the pane is visible: a text of another height makes the entire screen lay out again."""
        self._asked = (cell, chart, selected)
        if self.display:
            self._write()

    def on_show(self) -> None:
        """Show the hex that was asked for while the pane was hidden."""
        self._write()

    def _write(self) -> None:
        if self._asked:
            cell, chart, selected = self._asked
            self.query_one("#here-text", Static).update(_about(cell, chart, selected) if cell else Text("No hex."))


class WhyPane(Vertical):
    """An explanation, line by line, and an input to ask for another. Choosing a value folds or unfolds its parts."""

    DEFAULT_CSS = """
    WhyPane > Input { border: none; height: 1; padding: 0 1; background: $boost; }
    WhyPane > OptionList { border: none; height: 1fr; padding: 0; background: $surface; }
    """

    class Asked(Message):
        """Something was asked: an expression or a log number."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._lines: list[ExplainedLine] = []
        self._folded: set[int] = set()
        self._askable: Sequence[str] = ()

    def compose(self) -> ComposeResult:
        """The line and the explanation."""
        yield Input(placeholder="why? an expression, or a log number", id="question", compact=True)
        yield OptionList(id="because", markup=False, compact=True)

    def show(self, lines: list[ExplainedLine]) -> None:
        """Show an explanation; values deep inside it are folded."""
        self._lines = lines
        self._folded = {number for number, line in enumerate(lines) if line.depth > 1 and self._has_more(number)}
        self._fill(0)

    def ask_of(self, found: Situation | None, chosen: str) -> None:
        """Go to the input, and offer what can be asked about the selected thing, its number first."""
        thing = next((one for one in found.view.things if one.id == chosen), None) if found else None
        field = number_field(thing) if thing else ""
        self._askable = found.askable(thing) if found and thing else []
        line = self.query_one("#question", Input)
        line.value = f"{field} of {chosen}" if field else ""
        line.focus()
        self._offer()

    def _offer(self) -> None:
        """Show what can be asked; choosing a line asks it."""
        self._lines = []
        head = (
            "You can ask, for example:" if self._askable else "Type a value, such as `place of UNIT`, or a log number."
        )
        shown = self.query_one("#because", OptionList)
        shown.clear_options()
        shown.add_options([Option(head, disabled=True), *(Option(f"  {one}") for one in self._askable)])
        shown.highlighted = 1 if self._askable else None

    def _has_more(self, number: int) -> bool:
        return number + 1 < len(self._lines) and self._lines[number + 1].depth > self._lines[number].depth

    def _fill(self, chosen: int) -> None:
        shown = self.query_one("#because", OptionList)
        shown.clear_options()
        hidden_below = None
        place = 0
        for number, line in enumerate(self._lines):
            if hidden_below is not None and line.depth > hidden_below:
                continue
            hidden_below = line.depth if number in self._folded else None
            if number == chosen:
                place = shown.option_count
            fold = ("▸ " if number in self._folded else "▾ ") if self._has_more(number) else ""
            shown.add_option(Option(Padding(_explained(line, fold), (0, 0, 0, 2 * line.depth)), str(number)))
        if self._lines:
            shown.highlighted = place

    @on(OptionList.OptionSelected, "#because")
    def _fold(self, event: OptionList.OptionSelected) -> None:
        if event.option.id is None:
            self.post_message(self.Asked(str(event.option.prompt).strip()))
            return
        number = int(event.option.id)
        if self._has_more(number):
            self._folded ^= {number}
            self._fill(number)

    @on(Input.Submitted, "#question")
    def _asked(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.post_message(self.Asked(event.value.strip()))
        else:
            self._offer()
            self.query_one("#because").focus()


def _entry(told: Told, seat: str, letters: Mapping[str, str], persons: Persons) -> Text:
    """A log entry; an undone one is struck through and marked with an x."""
    entry = told.entry
    who = letters.get(entry.input.side, "U" if entry.input.side == UMPIRE else "*")
    lines = persons.all_told(log_lines(entry, seat))
    said = said_by(as_known(entry, seat))[1]
    if said == UNTOLD and lines:  # the result of another side's input says more than `…`
        said, *lines = lines
    text = Text(f"{told.number:>4} {' ' if entry.on_path else 'x'} {who} ", "" if entry.on_path else "dim")
    text.append(said, "bold" if entry.on_path else "strike")
    return _with_lines(text, lines)


def _opening(lines: list[str], persons: Persons) -> Text:
    """What happened before the first entry."""
    return _with_lines(Text(f"{0:>4}     ").append(OPENING, "bold"), persons.all_told(lines))


def _with_lines(text: Text, lines: Sequence[str]) -> Text:
    for line in lines[:MOST_LINES]:
        text.append(f"\n         {line}")
    if len(lines) > MOST_LINES:
        text.append(f"\n         … and {len(lines) - MOST_LINES} more; Enter shows all", "italic")
    return text


def _line(thing: ThingView, *, holds: bool, made_of: str) -> Text:
    text = Text(thing.id).append(f" {number_of(thing)}".rstrip(), "bold")
    text.append("" if thing.part else f" {thing.place}".rstrip(), "dim").append(f" {title_of(thing)}".rstrip())
    for name, value in states(thing, holds=holds):
        flag = {"yes": name, "no": f"not {name}"}.get(value)
        text.append(f" {flag or (value if value.isalpha() else f'{name} {value}')}", "italic")
    return text.append(f" {made_of}".rstrip(), "dim")


def _about(cell: Cell, chart: Chart, selected: str) -> Text:
    text = Text(f"{cell.label} {cell.name}".rstrip(), "bold")
    text.append(f"  {', '.join(chart.said_of(cell))}", "not bold")
    selected = chart.parts.whole_of(selected)
    things = sorted(cell.things, key=lambda thing: thing.id != selected)
    for thing in things:
        side = next((stack.letter for stack in cell.stacks if stack.side == thing.side), "")
        text.append(f"\n\n{'▸ ' if thing.id == selected else ''}{side} {thing.id}", "bold")
        if thing.name not in {"", thing.id}:
            text.append(f"  {thing.name}", "not bold")
        kind = " ".join(dict.fromkeys(filter(None, (thing.template, thing.kind))))
        text.append(f"\n{kind}{f', held by {thing.holder}' if thing.holder else ''}", "not bold dim")
        drawn = tracks_of(thing)  # what is left of it comes first
        rest = [(name, value) for name, value in thing.fields.items() if name not in dict(drawn)]
        _tell_fields(text, thing, drawn)
        for line in chart.parts.lines(thing):
            text.append(f"\n  {'  ' * line.depth}{line}", "not bold")
        _tell_fields(text, thing, rest)
    if not things:
        text.append("\n\nNobody is here.", "not bold dim")
    return text


def _tell_fields(text: Text, thing: ThingView, fields: Iterable[tuple[str, str]]) -> None:
    for name, value in fields:
        changed = "*" if name in thing.changed else " "
        text.append(f"\n {changed}{name}: ", "not bold dim").append(value or "-", "not bold")


def _explained(line: ExplainedLine, fold: str) -> Text:
    style = {"value": "bold", "applied": "", "idle": "dim", "note": ""}[line.kind]
    text = Text(f"{fold}{line.sign}{line.text}", style)
    if line.cites:
        text.append(f" [{', '.join(line.cites)}]", "not dim not bold italic")
    if line.place:
        text.append(f" {line.place}", "dim not bold")
    return text
