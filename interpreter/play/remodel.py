"""Other modules or an amended text in a running game: the state at the start of a turn is adapted to the new rules.

Things that the scenario has only with a module are placed or removed with it. Everything else stays the same. A new
field gets its first value, or the value that the scenario or the unit list prints.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dsl.ir import Type
from dsl.rules.entries import entries_of
from dsl.rules.notation import attribute
from dsl.syntax.declarations import Scenario
from interpreter.codegen.python_names import IF
from interpreter.messages.json_data import JsonValue
from interpreter.messages.settings import Settings
from interpreter.messages.state_data import ThingRow, TurnSnapshot, WorldState
from interpreter.play.carrying_over import obstacles
from interpreter.play.state import restore, state_of
from interpreter.program.program import Program
from interpreter.runtime.refusals import Why
from interpreter.runtime.things import Thing
from interpreter.setup.setup import bring, set_up
from interpreter.world.world import World
from interpreter.world.written_rows import encode

__all__ = ["carried_over", "modules_of", "remodelled", "rules_of"]

"""The columns of a thing in what `state_of` gives."""


def modules_of(snapshot: bytes) -> frozenset[str] | None:
    """The modules of the game in a snapshot, if they are not those that it began with."""
    if b'"modules":[' not in snapshot[-20_000:]:  # it comes last
        return None
    found = json.loads(snapshot).get("modules")
    return frozenset(found) if found is not None else None


def rules_of(snapshot: bytes) -> tuple[str, int] | None:
    """The amended text in effect in a snapshot, and its edition; None if there was none."""
    if b'"rules":["' not in snapshot[-20_000:]:  # it comes before the modules
        return None
    found = json.loads(snapshot).get("rules")
    return (str(found[0]), int(found[1])) if found is not None else None


def carried_over(
    snapshot: TurnSnapshot,
    old: Program,
    new: Program,
    scenarios: tuple[Scenario, Scenario],
    settings: Settings,
    rules: tuple[str, int],
) -> bytes:
    """The snapshot of the start of a turn as it would be under an amended text.

    Args:
        snapshot: the state at the start of the turn.
        old: the program it was taken under.
        new: the program of the amended text.
        scenarios: what is played, in either text.
        settings: the settings of the game.
        rules: the name of the amended text, and its edition.

    Raises:
        Refused: there are obstacles; the message lists them.
    """
    state = snapshot["state"]
    before = _begun(old, scenarios[0], settings, state["turn"])
    options = {**(settings.get("options") or {}), **state.get("amended", {})}
    wrong = obstacles(before, state, new, scenarios, options)
    if wrong:
        raise Why.RULES("\n  ".join([STANDS_IN_THE_WAY, *wrong]), hint=OTHER_WAYS)
    after = _begun(new, scenarios[1], settings, state["turn"])
    there = {row.id for row in state["things"]}
    lost = sorted(i for i in before.by_id if i not in after.by_id and i in there)
    if lost:
        raise Why.RULES(
            f"{STANDS_IN_THE_WAY}\n  Under the new text the scenario does not come with {', '.join(lost[:6])}.",
            hint=OTHER_WAYS,
        )
    return _fitted(snapshot, before, after, {"rules": list(rules)}, "this text")


STANDS_IN_THE_WAY = "The game cannot go on under this text. What stands in the way:"
OTHER_WAYS = "Fix the text, or apply it from the start."


def remodelled(snapshot: TurnSnapshot, old: Program, new: Program, scenario: Scenario, settings: Settings) -> bytes:
    """The snapshot of the start of a turn as it would be under another program.

    Args:
        snapshot: the state at the start of the turn.
        old: the program it was taken under.
        new: the program of the same text under other modules.
        scenario: the scenario of the game.
        settings: the settings of the game.

    Raises:
        Refused: the state cannot be that of a game under these modules.
    """
    state = snapshot["state"]
    if any(moment.startswith(IF) for moment in state["expiries"]):
        raise Why.NOT_NOW(
            "An effect lasts until a condition is met, and it cannot be carried over to other modules.",
            hint="Try again at the beginning of a later turn.",
        )
    before, after = _begun(old, scenario, settings, state["turn"]), _begun(new, scenario, settings, state["turn"])
    rules: dict[str, object] = {name: snapshot[name] for name in ("coming", "rules") if name in snapshot}
    return _fitted(snapshot, before, after, rules, "these modules")


def _fitted(snapshot: TurnSnapshot, before: World, after: World, rules: Mapping[str, object], under: str) -> bytes:
    """A snapshot with the state of one world in another. under: what is new, in words."""
    fitted = _Fitting(before, after).fit(snapshot["state"])
    restore(after, fitted)
    _fill_in(after, fitted, under)
    more = dict(rules)
    if (dice := snapshot.get("dice")) is not None:
        if "seals" in dice:  # the umpire has decided something: known links are void
            dice = {**dice, "seals": {**dice["seals"], "given": {}, "stale": True}}
        more = {"dice": dice, **more}
    active = sorted(after.ruleset.active)
    data = {"state": state_of(after), "rolled": snapshot["rolled"], **more, "modules": active}
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def _begun(program: Program, scenario: Scenario, settings: Settings, turn: int) -> World:
    """The world at the start of a game, with everything that has arrived until a turn."""
    world = set_up(program, scenario, settings.get("options"), str(settings.get("seed", 0)))
    for due in sorted(t for t in world.due if t <= turn):
        bring(world, due)
    return world


class _Fitting:
    """Removes from a state what the new modules do not have, and adds what comes with them."""

    def __init__(self, before: World, after: World) -> None:
        self.after = after
        self.kinds = after.ruleset.kinds
        rows = [row for row in state_of(after)["things"] if row.id not in before.by_id]
        self.new = {row.id: row for row in rows}
        self.gone = {i for i in before.by_id if i not in after.by_id}

    def fit(self, state: WorldState) -> WorldState:
        """The state without removed things, with new ones."""
        self.kind_of = {row.id: row.kind for row in (*state["things"], *state["gone"])}
        self.gone |= {thing for thing, kind in self.kind_of.items() if kind not in self.kinds}
        self.new = {i: row for i, row in self.new.items() if i not in self.kind_of}
        order = list(self.kinds)
        things = [*self._rows(state["things"]), *self.new.values()]
        things.sort(key=lambda row: order.index(row.kind))
        out: WorldState = {**state, "things": things, "gone": self._rows(state["gone"])}
        out["places"] = self._places(state["places"])
        for key in ("lies", "parts", "shown"):
            if key in state:
                kept = {label: self._kept(x, "") for label, x in state[key].items() if label in self.after.by_label}
                out[key] = kept
        out["stacks"] = self._lists(state["stacks"], "place")
        out["members"] = self._lists(state["members"], "holder")
        out["expiries"] = {m: [x for x in found if self._lasts(x)] for m, found in state["expiries"].items()}
        if "past" in state:
            out["past"] = self._past(state["past"])
        if "memory" in state:
            out["memory"] = self._memory(state["memory"])
        known = self.after.ruleset.options
        if "amended" in state:
            out["amended"] = {name: word for name, word in state["amended"].items() if name in known}
        return out

    def _places(self, places: Mapping[str, Mapping[str, JsonValue]]) -> dict[str, dict[str, JsonValue]]:
        """The fields of places that stay."""
        return {
            label: {
                f: self._kept(value, f"{f} of {label}")
                for f, value in fields.items()
                if f == "name" or f in self.kinds[self.after.by_label[label].kind].fields
            }
            for label, fields in places.items()
            if label in self.after.by_label
        }

    def _past(self, past: Mapping[str, list[list[JsonValue]]]) -> dict[str, list[list[JsonValue]]]:
        """Past actions, except those of removed things."""
        marks = {key: [m for m in found if not self._speaks_of_gone(m[0])] for key, found in past.items()}
        return {key: found for key, found in marks.items() if found}

    def _memory(self, memory: Mapping[str, list[list[str]]]) -> dict[str, list[list[str]]]:
        """What waiting rules remember, without removed things."""
        rules = {t.rule for t in self.after.program.rules.triggers}
        return {
            rule: [names for names in found if not self.gone.intersection(names)]
            for rule, found in memory.items()
            if rule in rules
        }

    def _rows(self, rows: list[ThingRow]) -> list[ThingRow]:
        """The things that stay, without the fields that are gone."""
        out = []
        for row in rows:
            if row.id in self.gone:
                continue
            fields = self.kinds[row.kind].fields
            kept = {
                f: self._listed(fields[f].type, self._kept(v, f"{f} of {row.id}"))
                for f, v in row.fields.items()
                if f in fields
            }
            begun = self.after.by_id.get(row.id)
            if begun is not None:
                kept |= {f: encode(getattr(begun, attribute(f))) for f in fields if f not in kept and f != "name"}
            held = row.holder not in self.gone and self.kinds[row.kind].holder is not None
            place = row.place if row.place in self.after.by_label else ""
            out.append(row._replace(fields=kept, holder=row.holder if held else "", place=place))
        return out

    def _lists(self, lists: Mapping[str, list[str]], column: str) -> dict[str, list[str]]:
        """The things in a place, or held by a thing, in order; new ones come last."""
        out = {owner: [i for i in ids if i not in self.gone] for owner, ids in lists.items() if owner not in self.gone}
        if column == "place":
            out = {label: ids for label, ids in out.items() if label in self.after.by_label}
        for row in self.new.values():
            if (owner := getattr(row, column)) in out:
                out[owner].append(row.id)
        return out

    def _kept(self, value: object, what: str) -> Any:
        """A value without things that are gone."""
        if isinstance(value, list):
            return [self._kept(v, what) for v in value if not self._speaks_of_gone(v)]
        if self._speaks_of_gone(value):
            return None
        return value

    def _listed(self, type_: Type, value: object) -> Any:
        """A value without entries that no list has any more."""
        one = type_.of if type_.name == "set" else type_
        if one is None or one.name != "entry":
            return value
        known = entries_of(self.after.ruleset, one.word)
        if isinstance(value, list):
            return [v for v in value if v in known]
        return value if value in known else None

    def _speaks_of_gone(self, value: object) -> bool:
        return isinstance(value, dict) and value.get("t") in self.gone

    def _lasts(self, row: list[Any]) -> bool:
        """Whether a temporary value belongs to a thing and a field that still exist."""
        thing, slot = row[0], row[1]
        if self._speaks_of_gone(thing):
            return False
        kind = self.after.by_label[thing["p"]].kind if "p" in thing else self.kind_of[thing["t"]]
        return any(slot == attribute(f) for f in self.kinds[kind].fields)


def _fill_in(world: World, state: WorldState, under: str) -> None:
    """Fills new fields of things created by rules from the unit list. Raises Refused if it has no value."""
    for row in state["things"]:
        thing = world.by_id[row.id]
        if row.template and _lacking(world, thing):
            held = {f: getattr(thing, attribute(f)) for f in row.fields}
            world.maker.apply_template(thing, row.template)
            for field, value in held.items():
                setattr(thing, attribute(field), value)
        if any(f.full_of and f.name not in row.fields for f in world.ruleset.kinds[thing.kind].fields.values()):
            world.maker.begin_tracks(thing)
        lacking = _lacking(world, thing)
        if lacking:
            raise Why.RULES(
                f"Under {under} {row.id} needs a value for {lacking}, and nothing says which.",
                hint="Remove it with `ophex override` first, and place it again afterwards.",
            )


def _lacking(world: World, thing: Thing) -> str:
    """A field that must have a value and has none, or an empty text."""
    for field in world.ruleset.kinds[thing.kind].fields.values():
        needed = field.name != "name" and not field.type.optional and field.type.name not in {"link", "text"}
        if needed and getattr(thing, attribute(field.name), None) is None:
            return str(field.name)
    return ""
