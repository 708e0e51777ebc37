"""Hostile rosters: tables and TOML of strangers, with edge-case cells, read back at a position of a game.

A case begins with a position and a form (`,`, `;`, a tab or `toml`); then the lines of the file follow. A file is refused with a
message and nothing has changed, or its changes can be made, written, and read again without a difference.
"""

import csv
import functools
import io
import random

from interpreter.messages.inputs import Input, Refused
from tests.hostile import games
from tests.hostile.edges import WORDS, bytes_mixed, mixed
from tests.hostile.running import Case, Fault, Kind
from ui.cli.exits import UsageError
from ui.cli.plain import UNSEEN
from ui.roster.roster_changes import plan_of, told_changes
from ui.roster.roster_files import OWN, as_table, as_toml, read_table, read_toml
from ui.roster.roster_lines import everything, forest

TOML = "toml"
FORMS = (",", ";", "\t", TOML)
CELLS = (
    "=1+1",
    "-1",
    "+1",
    "@x",
    "'=1",
    "2,5",
    "1,234",
    "1.234,5",
    "?",
    "new",
    "no",
    "yes",
    "#",
    "otto",
    "iris-main",
    "a;=1",
    '"',
    "'",
    "'?",
    "--",
)
LIKELY = {
    "title": (*CELLS, *WORDS), "plan": (*CELLS, *WORDS), "in play": ("no", "yes", "NO", "false"), "belongs to": ("iris", "otto", "late", "trade-cutter"),
    "hull": ("0", "1", "2,0", "03"), "out": ("x", "yes", "TRUE"), "loaded": ("no", "", "n"), "wounds": ("1", "1/3", "-2", "7,25", "'4/3"),
    "attack": ("9", "0,125", "1 1/2"), "air": ("0", "1"),
}  # fmt: skip
"""What may stand under some headings."""
POSITIONS = tuple(f"ships {seed} {steps}" for seed in range(3) for steps in (0, 11, 25))


@functools.cache
def _text(position: str, form: str) -> str:
    """The roster of a position, as it is written."""
    game = games.game_at(position)
    nodes, kinds = forest(game.view("umpire")), game.roster_kinds()
    return as_toml(kinds, nodes, for_side=False) if form == TOML else as_table(kinds, nodes, form, for_side=False)


def make_rosters(chance: random.Random) -> Case:
    """A roster with cells or lines spoiled, as text or as bytes."""
    position, form = chance.choice(POSITIONS), chance.choice(FORMS)
    text = _text(position, form)
    if form != TOML and chance.random() < 0.7:
        rows = list(csv.reader(io.StringIO(text), delimiter=form))
        if chance.random() < 0.6:
            _typed(chance, rows)
        for _ in range(chance.choice((0, 0, 0, 1, 4))):
            row = chance.choice(rows if chance.random() < 0.2 else rows[1:])
            row[chance.randrange(len(row))] = chance.choice((*CELLS, *WORDS))
        out = io.StringIO()
        csv.writer(out, delimiter=form, lineterminator="\n").writerows(rows)
        text = out.getvalue()
    lines = text.split("\n")
    if chance.random() < 0.25:
        lines = mixed(chance, lines)
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    data = bytes_mixed(chance, data) if chance.random() < 0.2 else data
    return (position, form, *data.decode("latin-1").split("\n"))


def _typed(chance: random.Random, rows: list[list[str]]) -> None:
    """Types something likely into cells of one row, or puts a further gun in."""
    heads, row = rows[0], chance.choice(rows[1:])
    for heading in chance.sample(sorted(LIKELY), 3):
        at = heads.index(heading) if heading in heads else 1
        if row[at] or heading in {"title", "plan"}:
            row[at] = chance.choice(LIKELY[heading])
    if chance.random() < 0.2:
        told = {"made from": "secondary", "belongs to": "iris", "in play": "new", "title": chance.choice(CELLS)}
        rows.append([told.get(heading, "") for heading in heads])


def feed_rosters(case: Case) -> None:
    """Read it; do what it changes in a game of its own. Raises Fault where half of it is done, or it reads back otherwise."""
    if len(case) < 2 or case[0] not in POSITIONS or case[1] not in FORMS:  # made smaller too far
        return
    position, form, *lines = case
    game = games.game_at(position)
    view, kinds = game.view("umpire"), game.roster_kinds()
    known = {*OWN, *(column.name for kind in kinds.values() for column in kind.columns)}
    text = "\n".join(lines).encode("latin-1").decode("utf-8", "replace")
    try:
        sheet = read_toml(text) if form == TOML else read_table(text, known)
    except UsageError:
        return
    plan = plan_of(sheet, view, kinds, game.roster_trouble)
    if any(UNSEEN.search(line) for line in told_changes(plan)):
        raise Fault("a sign reaches the terminal")
    if plan.wrong or not plan.changes:
        return
    own, before = games._begun(position), game.digest()
    try:
        own.offer(Input("roster", "umpire", "\n".join(one.line for one in plan.changes), "a roster"))
    except Refused:
        if own.digest() != before:
            raise Fault("half a roster is done") from None
        return
    again = plan_of(sheet, own.view("umpire"), kinds, own.roster_trouble)
    named = {row.cells["name"].text.lower() for row in sheet.rows}
    news = [one for one in again.changes if not one.field and one.thing.lower() not in named]
    if again.wrong or [one for one in again.changes if one.thing not in {new.thing for new in news}]:
        raise Fault(f"it reads back otherwise: {again.wrong or again.changes}")
    for node in everything(forest(own.view("umpire"))):
        for value in node.thing.fields.values():
            if UNSEEN.search(value):
                raise Fault("a sign came into the game")


KINDS = (Kind("rosters", make_rosters, feed_rosters),)
