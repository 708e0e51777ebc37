"""What is told of what happens, and to whom: events, what things are called in them, and who may know which fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dsl.analysis.hidden import WHOLLY, hidden_fields, with_full
from dsl.rules.ruleset import Ruleset
from interpreter.inputs import Event
from interpreter.runtime import say

if TYPE_CHECKING:
    from dsl.ir import Type
    from interpreter.incognito import Incognito
    from interpreter.program import Program

NOTHING_HIDDEN = frozenset[str]()


class Telling:
    """The part of a world that tells. Nothing here changes a thing."""

    program: Program
    ruleset: Ruleset
    by_kind: dict[str, list[Any]]
    by_id: dict[str, Any]
    game: Any
    sites: list[Any]
    events: list[Event]
    incognito: Incognito | None
    conceals: bool
    shy_kinds: frozenset[str]
    lifted_by: dict[str, tuple[tuple[str, str], ...]]
    _hidden: dict[tuple[str, bool, bool, tuple[str, ...]], frozenset[str]]

    def tick(self) -> None:
        """Counts what goes round."""
        raise NotImplementedError

    # ---- events
    def happened(
        self, kind: str, text: str, site: int = -1, side: Any = None, to: str = "all", cites: tuple[str, ...] = (),
        about: Iterable[Any] = (), **data: Any,
    ) -> None:  # fmt: skip
        """Notes an event. site: the rule line that brought it about; cites: what it cites where no line did.

        about: the things that it speaks of: who must not know of one of them is not told.
        """
        self.tick()
        cites = self.sites[site].cites if site >= 0 else cites
        who = side.id if side is not None else ""
        for told in self.knowing(about, to):
            if self.incognito is None:
                self._note(Event(kind, text, who, told, cites, data))
                continue
            for form, readers in self.incognito.variants(text, told):
                for reader in readers:
                    veiled = {**self.incognito.retold(data, reader), "veiled": True} if form != text else data
                    self._note(Event(kind, form, who, reader, cites, veiled))

    def _note(self, event: Event) -> None:
        self.events.append(event)
        self.heard(event)

    def heard(self, event: Event) -> None:
        """An event has been noted."""
        raise NotImplementedError

    def heard_otherwise(self, before: Event, now: Event) -> None:
        """The last event has become another one."""
        raise NotImplementedError

    def tell_change(self, thing: Any, field: str, before: Any, value: Any, site: int) -> None:
        """Notes that a field has changed. site: the rule line that did it."""
        node = self.ruleset.kinds[thing.kind].fields[field].node
        if node.untold or node.quiet:
            return
        owner = self.called(thing) if thing is not self.game else self.ruleset.campaign_kind
        if isinstance(value, bool):
            text = f"{owner} is {'now' if value else 'no longer'} {field}."
        else:
            text = f"{field} of {owner} becomes {say(value)} (was {say(before)})."
        if field == "name":  # by its name one would not know it any more
            text = f"{say(before)} is now called {say(value)}."
        for to in self.who_sees(thing, field):
            if not self._joins_last(thing, field, before, value, site, to):
                told = [x for x in (before, value) if hasattr(x, "known")]
                self.happened(
                    "change", text, site, thing.side, to, about=told, things=[thing.id], field=field,
                    value=say(value), was=say(before),
                )  # fmt: skip

    def _joins_last(self, thing: Any, field: str, before: Any, value: Any, site: int, to: str) -> bool:
        """Tells one change of many things as one event: `a, b and c are now engaged`."""
        last = self.events[-1] if self.events else None
        if last is None or last.kind != "change" or last.to != to or site < 0 or last.cites != self.sites[site].cites:
            return False
        if [last.data.get(k) for k in ("field", "value", "was")] != [field, say(value), say(before)]:
            return False
        if last.side != (thing.side.id if thing.side is not None else ""):
            return False
        things = [*last.data["things"], thing.id]
        names = [self.called(x) if (x := self.by_id.get(i)) is not None else i for i in things]
        who = f"{', '.join(names[:-1])} and {names[-1]}"
        text = f"{field} of {who} becomes {say(value)} (was {say(before)})."
        if isinstance(value, bool):
            text = f"{who} are {'now' if value else 'no longer'} {field}."
        if self.incognito is not None and (
            "veiled" in last.data or self.incognito.variants(text, to)[0] != (text, [to])
        ):
            return False
        self.events[-1] = Event("change", text, last.side, to, last.cites, {**last.data, "things": things})
        self.heard_otherwise(last, self.events[-1])
        return True

    def tell_move(self, thing: Any, way: list[str], site: int) -> None:
        """Notes that a thing has moved. way: the labels of its places, "" for one off the map."""
        if len(way) < 3 and way[0] == way[-1]:
            return  # it stands where it stood
        start = f" from {way[0]}" if way[0] else ""
        text = f"{self.called(thing)} moves{start} to {way[-1]}."
        self.happened("move", text, site, thing.side, about=[thing], thing=thing.id, way=way)

    def tell(self, side: Any, message: str, args: tuple[Any, ...], cites: tuple[str, ...]) -> None:
        """A message of the rules to one side or several: to those who may know of the things that it names."""
        from interpreter.veil import things_in

        parts = message.split("{}")
        text = "".join(p + (say(args[i]) if i < len(args) and i < len(parts) - 1 else "") for i, p in enumerate(parts))
        told = list(side) if isinstance(side, list | tuple) else [side]
        everyone = len(told) == len(self.by_kind["side"]) > 1
        named = things_in([self.by_id.get(x) if isinstance(x, str) else x for x in args])
        for to in ["all"] if everyone else [s.id for s in told]:
            self.happened("note", text, side=None if everyone else self.by_id.get(to), to=to, cites=cites, about=named)

    def note(self, text: str, cites: tuple[str, ...]) -> None:
        """A remark of the rules to everybody."""
        self._note(Event("note", text[:1].upper() + text[1:] + ".", "", "all", cites, {}))

    # ---- who may know what
    def as_shown(self, things: list[Any], side: str) -> list[Any]:
        """Things in the order in which a list for a side shows them: of what is hidden the order tells nothing."""
        labels = self.incognito
        if labels is not None:
            things = sorted(things, key=lambda x: labels.rank(getattr(x, "id", ""), side))
        drawn = {
            k for k in {getattr(x, "kind", "") for x in things} if k in self.ruleset.kinds and self.numbers_tell(k)
        }
        if side == "umpire" or not drawn:
            return things
        return sorted(things, key=lambda x: x.id if x.kind in drawn and self._is_others(x, side) else "")

    def _is_others(self, thing: Any, side: str) -> bool:
        """Whether a thing is not the side's own, and came into the game during play where the scenario's have labels."""
        labelled = self.incognito is not None and thing.id in self.incognito
        return not labelled and (thing.side is None or thing.side.id != side)

    def numbers_tell(self, kind: str) -> bool:
        """Whether counted ids would tell what is hidden of a kind: where or what they are, or what they belong to."""
        info = self.ruleset.kinds[kind]
        hidden = hidden_fields(self.ruleset, kind)
        belonging = {f.name for f in info.fields.values() if self._is_movable(f.type.of or f.type)}
        return bool(hidden & ({"place", "name", info.holder} | belonging))

    def _is_movable(self, type_: Type) -> bool:
        return (
            type_.name == "thing"
            and type_.word in self.ruleset.kinds
            and self.ruleset.kinds[type_.word].word != "place"
        )

    def called(self, thing: Any) -> str:
        """What a thing is called in public: its id where its name is hidden from some; a place as one types it."""
        if self.ruleset.kinds[thing.kind].word == "place":
            return str(thing.label)
        return str(thing.id if thing.kind in self.program.secrecy.nameless_kinds else thing.name)

    def concealed(self, thing: Any, side: str) -> bool:
        """Whether a side must not know of a thing at all: its place is hidden from it, or what holds it is concealed."""
        return self.conceals and thing.kind != "side" and "place" in self.hidden_from(thing, side)

    def knowing(self, things: Iterable[Any], to: str = "all") -> list[str]:
        """Whom something about these things may be told, of those that `to` names: `all`, sides, or `umpire`."""
        if not self.conceals:
            return [to]
        sides = [s.id for s in self.by_kind["side"]]
        listed = [x for x in things if x is not None and hasattr(x, "known")]
        told = [s for s in (sides if to == "all" else [to]) if not any(self.concealed(x, s) for x in listed)]
        return ["all"] if told == sides else told or ["umpire"]

    def lifting(self, kind: str) -> tuple[str, ...]:
        """The marks of a kind that open hidden fields of a thing."""
        return tuple(mark for mark, _ in self.lifted_by.get(kind, ()))

    def hidden_from(self, thing: Any, side: str) -> frozenset[str]:
        """The fields of a thing that a side may not see. What belongs to nobody is as an enemy's to every side."""
        if side == "umpire":
            return NOTHING_HIDDEN
        marks = self.lifted_by.get(thing.kind)
        if marks is None:
            return NOTHING_HIDDEN
        if thing.part and thing.holder is not None:
            return self._hidden_lines(thing, side, marks) | self.hidden_from(thing.holder, side) & WHOLLY
        return self._hidden_lines(thing, side, marks)

    def _hidden_lines(self, thing: Any, side: str, marks: tuple[tuple[str, str], ...]) -> frozenset[str]:
        """What the declaration of its kind hides of a thing. marks: those that open it, with their attributes."""
        if side in thing.known or (thing.part and thing.holder is not None and self._is_revealed(thing.holder, side)):
            return NOTHING_HIDDEN
        own = thing.side is not None and thing.side.id == side
        off = thing.place is None and thing.kind in self.shy_kinds
        open_by = tuple(mark for mark, slot in marks if getattr(thing, slot)) if marks else ()
        key = (thing.kind, own, off, open_by)
        found = self._hidden.get(key)
        if found is None:
            node = self.ruleset.kinds[thing.kind].node
            lines = [v for v in (node.visibility if node is not None else ()) if off or not v.off_map]
            lines = [v for v in lines if v.lifted not in open_by]
            hidden = frozenset(f for v in lines if _kept_back(v.hidden, v.audience, own) for f in v.fields)
            found = self._hidden[key] = with_full(self.ruleset, thing.kind, hidden)
        return found

    def _is_revealed(self, whole: Any, side: str) -> bool:
        """Whether a whole was revealed to a side, and so what it is made of."""
        return side in whole.known or (
            whole.part and whole.holder is not None and self._is_revealed(whole.holder, side)
        )

    def veils_flow(self, into: Iterable[tuple[str, str]], about: Iterable[Any], roller: str, side: str) -> bool:
        """Whether a number is hidden from a side that flows into fields of kinds.

        about: what it is rolled for, if that is known: then it tells of no other thing of its kind. Else it may tell of any of
        others, to who rolls only where it is hidden from him of all.
        """
        for kind, field in into:
            meant = [x for x in about if getattr(x, "kind", "") == kind]
            found = [bool({field, "place"} & self.hidden_from(x, side)) for x in meant or self.by_kind[kind]]
            enough = all if side == roller and not meant else any
            if enough(found) if found else side != roller:  # what is still to come may be hidden
                return True
        return False

    def who_sees(self, thing: Any, field: str) -> list[str]:
        """Whom a change of a field may be told: `all`, the sides that see it, or `umpire`."""
        sides = [s.id for s in self.by_kind["side"]]
        seen = [s for s in sides if not {field, "place"} & self.hidden_from(thing, s)]
        if field in self.lifting(thing.kind):  # the owner is not told what others have found out
            seen = [s for s in seen if thing.side is None or s != thing.side.id]
        return ["all"] if seen == sides else seen or ["umpire"]


def _kept_back(hidden: bool, audience: str, own: bool) -> bool:
    """Whether a line `hidden from …` or `known to …` keeps its fields from a side that owns the thing, or does not."""
    named = {"everyone": True, "owner": own, "enemy": not own, "umpire": False}[audience]
    return named if hidden else not named and audience != "enemy"
