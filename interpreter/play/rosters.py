"""Rosters: what a table can say about things, and the umpire's ruling that sets many fields of many things at once.

A ruling of this kind has one change a line, and no line is read as rule text:

    wounds of p-1-sergeant: 2            a field gets what is printed so; `--` empties it
    squad of p-1-medic: p-2              it is a part of another whole from now on
    remove p-1-rifle-2                   it is removed from the game
    put p-1-deck-3: deck gun of p-1             it is placed in the game as a further part

It acts as an override does: at once, all or nothing, and it triggers no rule that waits for an event.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from dsl.data.scenario_names import names_things
from dsl.ir import S
from dsl.rules.entries import entries_of
from dsl.rules.notation import DASHES, LONGEST_PRINTED, BadNotation, attribute
from dsl.rules.ruleset import Field
from dsl.syntax.declarations import full_name
from dsl.text.diagnostics import did_you_mean
from dsl.text.phrases import an
from interpreter.messages.inputs import Refused
from interpreter.play.contracts import Running
from interpreter.play.overrides import complete, ruled
from interpreter.runtime.refusals import About, Why
from interpreter.runtime.runtime import RuleTrouble, say
from interpreter.runtime.things import Thing, Value

if TYPE_CHECKING:
    from interpreter.world.world import World

__all__ = ["ColumnView", "RosterKind", "RosterLine", "read_roster", "roster", "roster_kinds", "roster_trouble"]

ABSENT = "--"
"""Texts that mean no value."""
OFF_THE_ROSTER = {"name", "title"}
"""Fields that every kind has; a roster gives them columns of their own."""
_PUT = re.compile(r"put (?P<name>[\w.-]+): (?P<entry>\S+) (?P<kind>[\w-]+) of (?P<whole>[\w.-]+)")
_REMOVE = re.compile(r"remove (?P<name>[\w.-]+)")
_SET = re.compile(r"(?P<field>[\w-]+) of (?P<name>[\w.-]+):(?: (?P<value>.*))?")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
"""Characters that no name needs: those that control a terminal, and invisible ones."""


@attrs.frozen(slots=True)
class ColumnView:
    """A field as a table has it.

    sort: number, mark, word, list, text, thing, rating or entry; of: of a list the sort of what is in it.
    words: for a word all its possible values, with their titles; joined: for a list the separator. low, high: the bounds
    of a number or None; track: whether it empties, from what it was to 0; optional: whether it can be absent.
    """

    name: str
    sort: str
    of: str = ""
    words: Mapping[str, str] = attrs.field(factory=dict)
    joined: str = ""
    low: int | None = None
    high: int | None = None
    track: bool = False
    optional: bool = False


@attrs.frozen(slots=True)
class RosterKind:
    """A kind as a roster has it. whole: the kind of what holds it, or empty; part: whether it is a part of that.

    entries: the names of the entries of its unit lists.
    """

    name: str
    plural: str
    whole: str
    part: bool
    columns: tuple[ColumnView, ...]
    entries: tuple[str, ...]


@attrs.frozen(slots=True)
class RosterLine:
    """One change. does: set, join, remove or put; name: of what; field: what is set; value: to what.

    Of what is put, field is its entry, value its whole, and kind its kind.
    """

    text: str
    does: str
    name: str
    field: str = ""
    value: str = ""
    kind: str = ""


# ---- what a table can say
def roster_kinds(world: World) -> dict[str, RosterKind]:
    """The kinds whose things can appear in a roster, by name."""
    found = {}
    for name, info in world.ruleset.kinds.items():
        if info.word in {"unit", "formation", "component"} or info.part:
            columns = tuple(_column(world, field) for field in info.fields.values() if _is_told(field))
            entries = tuple(entries_of(world.ruleset, name))
            found[name] = RosterKind(name, info.plural, info.holder or "", info.part, columns, entries)
    return found


def _is_told(field: Field) -> bool:
    return not (field.node.untold or field.full_of or field.type.name == "link" or field.name in OFF_THE_ROSTER)


def _column(world: World, field: Field) -> ColumnView:
    type_ = field.type.of if field.type.name == "set" and field.type.of is not None else field.type
    sort = {"enum": "word", "side": "thing"}.get(type_.name, type_.name)
    words = world.ruleset.enums[type_.word] if type_.name == "enum" else None
    return ColumnView(
        field.name,
        "list" if field.type.name == "set" else sort,
        sort if field.type.name == "set" else "",
        {word: words.titles.get(word, "") for word in words.words} if words is not None else {},
        field.node.joined or "",
        field.low,
        field.high,
        field.track,
        field.type.optional,
    )


# ---- reading
def read_roster(texts: Sequence[str]) -> list[RosterLine]:
    """The changes of a ruling. Raises Refused for a line that is not a change."""
    return [_read(text) for text in texts]


def _read(text: str) -> RosterLine:
    if found := _SET.fullmatch(text):
        return RosterLine(text, "set", found["name"], found["field"], (found["value"] or "").strip())
    if found := _REMOVE.fullmatch(text):
        return RosterLine(text, "remove", found["name"])
    if found := _PUT.fullmatch(text):
        return RosterLine(text, "put", found["name"], found["entry"], found["whole"], found["kind"])
    raise Why.NOT_UNDERSTOOD(
        f"`{text}` is not a line of a roster.", hint="Write `FIELD of NAME: VALUE`, or `remove NAME`."
    )


def roster_trouble(world: World, texts: Sequence[str]) -> list[Refused | None]:
    """The refusal of each line of a ruling, or None, as far as it can be determined before anything is done."""
    to_come: dict[str, tuple[str, str]] = {}
    found: list[Refused | None] = []
    for text in texts:
        try:
            line = _read(text)
            _check(world, line, to_come)
        except Refused as refused:
            found.append(refused)
            continue
        if line.does == "put":
            to_come[line.name] = line.kind, line.field
        found.append(None)
    return found


def _check(world: World, line: RosterLine, to_come: Mapping[str, tuple[str, str]]) -> None:
    """Raises Refused for a line that cannot be carried out, whatever comes before it."""
    if line.does == "put":
        _check_put(world, line, to_come)
        return
    if line.name in to_come and line.does == "set":
        kind, entry = to_come[line.name]
        fresh = world.maker.fresh(kind, entry) if entry in entries_of(world.ruleset, kind) else {}
        _value(world, kind, line, fresh.get(line.field))
        return
    thing = _thing(world, line.name)
    holder = world.ruleset.kinds[thing.kind].holder
    if line.does == "set" and line.field == holder:
        if to_come.get(line.value, ("",))[0] != holder:
            _whole(world, thing.kind, line.value, thing)
    elif line.does == "set":
        full = full_name(line.field)
        _value(world, thing.kind, line, getattr(thing, attribute(full), None))


def _check_put(world: World, line: RosterLine, to_come: Mapping[str, tuple[str, str]]) -> None:
    info = world.ruleset.kinds.get(line.kind)
    if info is None or not info.part:
        parts = [name for name, x in world.ruleset.kinds.items() if x.part]
        hint = did_you_mean(line.kind, parts) or (f"The kinds of parts are: {', '.join(parts)}." if parts else "")
        raise Why.FIXED(
            f"{an(line.kind).capitalize()} is not part of anything: a roster can add only parts.", hint=hint
        )
    entries = list(entries_of(world.ruleset, line.kind))
    if line.field not in entries:
        hint = did_you_mean(line.field, entries) or f"Its entries are: {', '.join(entries) or 'none'}."
        raise Why.UNKNOWN_NAME(f"No unit list has {an(line.kind)} named `{line.field}`.", hint=hint, name=line.field)
    if line.name in world.by_id or line.name in to_come or line.name in world.by_label:
        raise Why.NO_CHANGE(
            f"The name {line.name} is or was in use.",
            hint="Give another name, or leave it empty to get one assigned.",
            name=line.name,
        )
    if line.value in to_come:
        if to_come[line.value][0] != info.holder:
            raise Why.FIXED(
                f"{an(line.kind).capitalize()} is part of {an(info.holder or '')}, and {line.value} is not one.",
                thing=line.value,
            )
        return
    _whole(world, line.kind, line.value, None)


def _thing(world: World, name: str) -> Thing:
    """The thing that a line is about. Raises Refused."""
    found = world.by_id.get(name)
    if found is None or found is world.game or world.ruleset.kinds[found.kind].word == "side":
        alive = [x.id for x in world.by_id.values() if x.alive and x.kind != "side"]
        raise Why.UNKNOWN_NAME(f"There is no {name}.", hint=did_you_mean(name, alive), name=name)
    if not found.alive:
        raise Why.CLOSED(
            f"{found.id} is out of the game: you cannot change it.",
            hint="Leave its row unchanged.",
            thing=found.id,
        )
    return found


def _whole(world: World, kind: str, name: str, part: Thing | None) -> Thing:
    """The thing that another is to be a part of, or held by. Raises Refused."""
    holder = world.ruleset.kinds[kind].holder or ""
    known = [x.id for x in world.by_kind.get(holder, ())]
    found = world.by_id.get(name)
    if found is None or not found.alive or found.kind != holder:
        raise Why.UNKNOWN_NAME(f"There is no {holder} {name}.", hint=did_you_mean(name, known), name=name)
    above: Thing | None = found
    while above is not None and above is not part:
        above = above.holder
    if part is not None and above is not None:
        raise Why.FIXED(f"{part.id} cannot be part of itself.", thing=part.id)
    return found


def _value(world: World, kind: str, line: RosterLine, full: object) -> Value:
    """The new value of a field. full: for a track its initial value. Raises Refused."""
    field = world.ruleset.kinds[kind].fields.get(line.field)
    if field is None or field.name == "name" or not (_is_told(field) or field.name == "title"):
        fields = [f.name for f in world.ruleset.kinds[kind].fields.values() if _is_told(f)]
        raise Why.UNKNOWN_NAME(f"{an(kind).capitalize()} has no {line.field} that a roster could set.",
                      hint=did_you_mean(line.field, fields), field=line.field)  # fmt: skip
    if found := _UNSEEN.search(line.value):
        raise Why.NOT_UNDERSTOOD(f"{line.field} of {line.name} contains an invisible character: U+{ord(found[0]):04X}.",
                      hint="Remove that character.", thing=line.name, field=line.field)  # fmt: skip
    if len(line.value) > LONGEST_PRINTED:
        raise Why.OUT_OF_BOUNDS(f"{line.field} of {line.name} has {len(line.value)} characters; the limit is {LONGEST_PRINTED}.",
                      hint="Shorten it.", thing=line.name, field=line.field, number=len(line.value), most=LONGEST_PRINTED)  # fmt: skip
    try:
        value = _printed(world, field, line.value)
    except BadNotation as error:
        raise Why.NOT_UNDERSTOOD(f"{line.field} of {line.name}: {error}.", thing=line.name, field=line.field) from None
    if value is None and not field.type.optional:
        raise Why.NOT_UNDERSTOOD(f"{line.field} of {line.name} cannot be empty.", thing=line.name, field=line.field)
    if field.track and full is not None and not (0 <= value <= full and value == int(value)):
        raise _beyond(line, value, 0, full)
    low, high = field.low, field.high
    if low is not None and high is not None and value is not None and not low <= value <= high:
        raise _beyond(line, value, low, high)
    return value


def _beyond(line: RosterLine, value: Value, low: Value, high: Value) -> Refused:
    """The refusal of a number that is too small or too large."""
    about = About(thing=line.name, field=line.field, least=int(low), most=int(high))
    if value == int(value):
        about["number"] = int(value)
    message = f"{line.field} of {line.name} runs from {say(low)} to {say(high)}; {say(value)} does not fit."
    return Why.OUT_OF_BOUNDS(message, **about)


def _printed(world: World, field: Field, text: str) -> Value:
    """The value of a field from a text. Raises BadNotation."""
    if field.type.name == "text":  # as it is: quotes too
        return None if text in DASHES and field.type.optional else text
    if names_things(field.type):
        return world.maker.named_in(field, text)
    return world.maker.printed_in(field, text)


# ---- doing
def roster(game: Running, lines: Sequence[RosterLine], reason: str, since: int) -> None:
    """Applies a roster, line by line, and records who may know of the changes.

    Args:
        game: the current game.
        lines: the changes.
        reason: why.
        since: how many inputs of this turn came before.

    Raises:
        Refused: a line cannot be applied, or changes nothing. The previous ones have been applied: the caller restores the game.
    """
    world = game.world
    for refused in roster_trouble(world, [line.text for line in lines]):
        if refused is not None:
            raise refused
    made: dict[str, Thing] = {}

    def act(line: RosterLine) -> Callable[[], Iterable[S]]:
        def done() -> Iterable[S]:
            try:
                _do(world, line, made)
            except RuleTrouble as error:
                raise Why.FIXED(f"`{line.text}` cannot be done: {error}") from error
            return ()

        return done

    ruled(game, [act(line) for line in lines], "A roster is read in by the umpire", reason, since)
    for thing in made.values():
        complete(world, thing)


def _do(world: World, line: RosterLine, made: dict[str, Thing]) -> None:
    """Applies one line. Raises RuleTrouble, or Refused if it changes nothing."""
    if line.does == "put":
        kind = world.ruleset.kinds[line.kind]
        whole = made.get(line.value) or _whole(world, line.kind, line.value, None)
        made[line.name] = world.positions.put(line.kind, line.name, line.field, {kind.holder or "": whole}, None, None)
        return
    thing = made.get(line.name) or _thing(world, line.name)
    if line.does == "remove":
        world.positions.remove(thing)
        return
    if line.field == world.ruleset.kinds[thing.kind].holder:
        whole = made.get(line.value) or _whole(world, thing.kind, line.value, thing)
        if thing.holder is whole:
            raise Why.NO_CHANGE(f"`{line.text}` changes nothing: that is already the case.", thing=thing.id)
        world.effects.join(thing, whole)
        return
    value = _value(world, thing.kind, line, getattr(thing, attribute(full_name(line.field)), None))
    value = list(value) if isinstance(value, tuple) else value
    if line.name not in made and getattr(thing, attribute(line.field)) == value:
        raise Why.NO_CHANGE(
            f"`{line.text}` changes nothing: that is already the case.", thing=thing.id, field=line.field
        )
    world.effects.set(thing, line.field, value)
