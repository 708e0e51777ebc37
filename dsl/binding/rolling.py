"""Binding rolls and draws: who rolls which dice, and what is drawn from which set."""

from __future__ import annotations

from dsl import ir
from dsl.binding.context import Binder, Site, enacts
from dsl.binding.dice_written import rolled
from dsl.binding.property_of import several_things
from dsl.binding.scope import Scope
from dsl.binding.targets import declare, each_in, each_side, some_side
from dsl.ir import ERROR, NOTHING, NUMBER, SIDE, E, S, Type
from dsl.syntax import body_lines as ln


@enacts(ln.Rolls)
def rolls(b: Binder, line: ln.Rolls, site: Site) -> list[S]:
    """`S rolls 2d6 as die`."""
    declare(b, site.routine, line.name, NUMBER, line.span)
    who, dice = some_side(b, line.who, site.scope), rolled(b, line.dice.value, site.scope)
    return [ir.Roll(site.head, who=who, dice=dice, count=_dice_count(b, line.dice, site.scope), name=line.name)]


@enacts(ln.EachRolls)
def each_rolls(b: Binder, line: ln.EachRolls, site: Site) -> list[S]:
    """`each side rolls …`, `each of S rolls …`."""
    if line.over is None:
        over, inner_type, item = each_side(b, line, "rolls"), SIDE, "side"
    else:
        over = each_in(b, line.over, site.scope)
        inner_type = (over.type.of or NOTHING) if over.type.name == "set" else NOTHING
        item = line.item
        declare(b, site.routine, item, inner_type, line.span)
    declare(b, site.routine, line.name, Type("map", "", NUMBER), line.span)
    dice, count = rolled(b, line.dice.value, site.scope), _dice_count(b, line.dice, site.scope)
    sides = inner_type.same(SIDE)
    return [ir.EachRolls(site.head, item=item, over=over, dice=dice, count=count, name=line.name, sides=sides)]


@enacts(ln.Draws)
def draws(b: Binder, line: ln.Draws, site: Site) -> list[S]:
    """`S draws N of …`."""
    source = several_things(b, line.source, site.scope)
    drawn = NOTHING
    if source is not ERROR:
        if source.type.name != "set":
            b.problem("E214", f"A draw needs a list to draw from, but this is {source.type}.", line.source.span)
        drawn = source.type.of or NOTHING
    declare(b, site.routine, line.name, drawn if line.when is None else drawn.maybe(), line.span)
    return [ir.Draw(site.head, who=some_side(b, line.who, site.scope), source=source, name=line.name)]


def _dice_count(b: Binder, dice: ln.Dice, scope: Scope) -> E | None:
    """The number of rolls, if a line gives one."""
    return b.number(dice.count, scope) if dice.count is not None else None
