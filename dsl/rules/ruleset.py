"""A ruleset: the declarations of one system under one choice of modules, by name, and what each name can mean."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from dsl.ir import DICE, ENTRY, LINK, MARK, NUMBER, SIDE, TEXT, Type, enum, set_of, thing
from dsl.rules.editions import CURRENT
from dsl.rules.tabletops import Laid
from dsl.syntax import declarations as d
from dsl.text.diagnostics import did_you_mean


@attrs.define(slots=True)
class Field:
    """A field of a kind or rating with its type. low, high: the bounds of a range, or None.

    track: whether it runs from 0 to its value when the thing entered the game. full_of: for the field that keeps that value,
    the track that it belongs to.
    """

    name: str
    type: Type
    node: d.Field
    low: int | None = None
    high: int | None = None
    track: bool = False
    full_of: str = ""


@attrs.define(slots=True)
class KindInfo:
    """A kind with its fields. plural: the word for several things of it; stands: the kinds of place where it can be."""

    name: str
    node: d.Kind | None
    fields: dict[str, Field]
    plural: str
    word: str
    holder: str | None = None
    stands: tuple[str, ...] = ()
    part: bool = False
    """Whether it is a part of its holder: then it is always where the holder is."""
    between: str | None = None
    """For a place between neighbours: the kind of those neighbours."""
    members: tuple[str, ...] = ()
    """For a group of kinds: its kinds."""


APART = frozenset({"order", "procedure", "sequence", "setup"})
"""Declarations whose names are separate from those of values: `bodied` has them under their word and name."""
ENTRY_OF = "entry of "
"""How the type of an argument begins that is an entry of the unit lists of a kind."""
PLACE = "place"
"""The kind of every place in a system with several kinds of place."""


@attrs.define(slots=True)
class EnumInfo:
    """The words of an enum, a scale, or a choice; titles: their long names by word."""

    name: str
    words: tuple[str, ...]
    ordered: bool
    titles: dict[str, str]

    def meant(self, text: str) -> str | None:
        """The word that the user typed, in any case, or the word with this title if there is only one."""
        low = text.lower()
        found = [w for w in self.words if w.lower() == low]
        found = found or [
            w for w, title in self.titles.items() if title.lower().replace(" ", "-") == low.replace(" ", "-")
        ]
        return found[0] if len(found) == 1 else None

    @property
    def numeric(self) -> bool:
        """Whether every word is a number or odds, so that numbers can be placed on the scale."""
        return self.ordered and all(_is_number(w) for w in self.words)


@attrs.define(slots=True, eq=False, weakref_slot=True)
class Ruleset:
    """All declarations by name. `declarations` are those that the choice of modules leaves; `everything` is all of them."""

    system: d.System | None = None
    catalog: str = ""
    everything: tuple[d.Declaration, ...] = ()
    declarations: tuple[d.Declaration, ...] = ()
    active: frozenset[str] = frozenset()
    edition: int = CURRENT
    """The edition of the language of the text: later checks do not apply to it."""
    modules: dict[str, d.Module] = attrs.field(factory=dict)
    options: dict[str, d.Option] = attrs.field(factory=dict)
    enums: dict[str, EnumInfo] = attrs.field(factory=dict)
    terms: dict[str, list[str]] = attrs.field(factory=dict)
    groups: dict[str, tuple[str, tuple[str, ...]]] = attrs.field(factory=dict)
    kinds: dict[str, KindInfo] = attrs.field(factory=dict)
    plurals: dict[str, str] = attrs.field(factory=dict)
    ratings: dict[str, d.Rating] = attrs.field(factory=dict)
    rating_fields: dict[str, dict[str, Field]] = attrs.field(factory=dict)
    tables: dict[str, d.Table] = attrs.field(factory=dict)
    lists: dict[str, d.UnitList] = attrs.field(factory=dict)
    bodied: dict[str, d.Bodied] = attrs.field(factory=dict)
    rules: dict[str, d.Rule] = attrs.field(factory=dict)
    tabletops: dict[str, Laid] = attrs.field(factory=dict)
    examples: list[d.Example] = attrs.field(factory=list)
    maps: dict[str, d.Map] = attrs.field(factory=dict)
    scenarios: dict[str, d.Scenario] = attrs.field(factory=dict)
    drawn: dict[str, d.Drawn] = attrs.field(factory=dict)
    not_modelled: list[d.NotModelled] = attrs.field(factory=list)
    campaign_kind: str = ""
    data: tuple[d.Declaration, ...] = ()
    """The data in `declarations`: kinds, words, lists, maps and scenarios, but no rules, tables or values."""
    data_key: str = ""
    """The identities of `data` as a text, because cached results are looked up by it often, and a text is hashed once."""
    phases: dict[str, str] | None = None
    """The result of `weave.phases_of`, once it is computed."""
    part_kinds: tuple[d.Kind, ...] | None = None
    """The kinds of parts in `everything`, once they are computed."""

    def sorts(self, kind: str) -> tuple[str, ...]:
        """The kinds that a thing of a kind can have: itself, or those of a group."""
        info = self.kinds.get(kind)
        return info.members if info is not None and info.word == "group" else (kind,)

    def place_kinds(self) -> list[str]:
        """The kinds of place that the text declares."""
        return [k.name for k in self.kinds.values() if k.word == "place" and k.node is not None]

    def is_place(self, type_: Type | None) -> bool:
        """Whether a type is that of places."""
        return type_ is not None and type_.name == "thing" and self.kinds[type_.word].word == "place"

    def nested(self) -> bool:
        """Whether places of some kind lie in places of another."""
        return any(self.kinds[k].holder for k in self.place_kinds())

    def around(self, kind: str) -> tuple[str, ...]:
        """The kinds of place that contain a place of this kind, from the nearest outwards."""
        out: list[str] = []
        holder = self.kinds[kind].holder if kind in self.kinds else None
        while holder and holder not in out and holder in self.kinds:
            out.append(holder)
            holder = self.kinds[holder].holder
        return tuple(out)

    def whole(self, kind: str) -> str:
        """The independent kind that a kind is a part of, perhaps through others; for a kind that is not a part, itself."""
        seen: set[str] = set()
        while kind not in seen and kind in self.kinds and self.kinds[kind].part:
            seen.add(kind)
            holder = self.kinds[kind].holder
            kind = holder if holder in self.kinds and holder is not None else kind
        return kind

    def grounds(self, kind: str) -> tuple[str, ...]:
        """The kinds of place where things of a kind can be; for a place, itself; for a part, those of its whole."""
        kind = self.whole(kind)
        if kind == PLACE and kind in self.kinds:
            return tuple(self.place_kinds())
        info = self.kinds[kind]
        if info.members:
            return tuple(dict.fromkeys(g for k in info.members for g in self.grounds(k)))
        return (kind,) if info.word == "place" else info.stands or tuple(self.place_kinds())

    def ground(self, kind: str) -> str:
        """The one kind of place where things of a kind can be; `place` if there are several."""
        grounds = self.grounds(kind)
        return grounds[0] if len(grounds) == 1 else PLACE if grounds else ""

    def links(self) -> dict[str, str]:
        """Every link of the maps, with the enum of its words ("" for one without words)."""
        return {f.name: f.type.word for k in self.kinds.values() for f in k.fields.values() if f.type.name == "link"}

    def all_names(self) -> set[str]:
        """Every name that a text may use, for hints."""
        names: set[str] = set(self.terms) | set(self.groups) | set(self.kinds) | set(self.plurals) | set(self.options)
        names |= set(self.tables) | set(self.bodied) | set(self.enums)
        for kind in self.kinds.values():
            names |= set(kind.fields)
        return names


def plural_of(word: str) -> str:
    """The plural of a kind in rule text: `hexes`, `batteries`, `tanks`."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"


def guarded(guards: d.Guards, active: Iterable[str]) -> bool:
    """Whether a declaration with these guards is in force when the `active` modules are on."""
    on = set(active)
    return all((name in on) == (switch == "with") for switch, name in guards)


def field_type(ruleset: Ruleset, node: d.Field, owner: str) -> tuple[Field, str]:
    """Reads a field's type. Returns it and the unknown name (empty if there is none)."""
    expr = node.type
    missing = ""
    low = high = None
    if expr.kind == "range":
        assert expr.low is not None
        assert expr.high is not None
        kind = NUMBER
        low, high = (int(x) if x.denominator == 1 else None for x in (expr.low, expr.high))
    elif expr.kind in {"words", "link"} and (len(expr.words) > 1 or expr.kind == "words"):
        word = f"{owner}.{node.name}"
        if word not in ruleset.enums:
            ruleset.enums[word] = EnumInfo(word, expr.words, False, {})
            for term in expr.words:
                ruleset.terms.setdefault(term, []).append(word)
        kind = Type("link", word) if expr.kind == "link" else enum(word)
    elif expr.kind == "link":
        missing = "" if expr.words[0] in ruleset.enums else expr.words[0]
        kind = Type("link", "" if missing else expr.words[0])
    elif is_track(ruleset, node):
        kind = NUMBER
    else:
        inner, missing = named_type(ruleset, expr.words[0])
        if inner.same(ENTRY):
            inner = Type("entry", owner)
        kind = set_of(inner) if expr.kind == "list" else inner
    if node.optional:
        kind = kind.maybe()
    return Field(node.name, kind, node, low, high, is_track(ruleset, node)), missing


def is_track(ruleset: Ruleset, node: d.Field) -> bool:
    """Whether a field is declared as a track; a system may use the word as a name."""
    said = node.type.kind == "named" and node.type.words == ("track",)
    return said and not any("track" in known for known in (ruleset.enums, ruleset.ratings, ruleset.kinds))


def named_type(ruleset: Ruleset, word: str) -> tuple[Type, str]:
    """The type that a name means. Returns it and the name if it is unknown."""
    plain = {"number": NUMBER, "mark": MARK, "text": TEXT, "side": SIDE, "link": LINK, "whole": NUMBER, "entry": ENTRY}
    if word in plain:
        return plain[word], ""
    if word in ruleset.enums:
        return enum(word), ""
    if word in ruleset.ratings:
        return Type("rating", word), ""
    if word in ruleset.kinds:
        return thing(word), ""
    if word.startswith(ENTRY_OF):
        kind = ruleset.plurals.get(word.removeprefix(ENTRY_OF), word.removeprefix(ENTRY_OF))
        info = ruleset.kinds.get(kind)
        return (Type("entry", kind), "") if info is not None and info.word != "group" else (NUMBER, word)
    if " or " in word:  # an unnamed group with unknown kinds, which was reported when groups were entered
        return NUMBER, word
    if word == PLACE and len(ruleset.place_kinds()) == 1:
        return thing(ruleset.place_kinds()[0]), ""
    if ruleset.plurals.get(word):
        return thing(ruleset.plurals[word]), ""
    if word == DICE.name:  # a system may use the word as a name
        return DICE, ""
    return NUMBER, word


def hint_of_type(ruleset: Ruleset, word: str, known: Iterable[str]) -> str:
    """A hint for an unknown type: the known types it may mean, or in `entry of tanc` the kind."""
    if word.startswith(ENTRY_OF):
        return did_you_mean(word.removeprefix(ENTRY_OF), ruleset.kinds)
    return did_you_mean(word, known)


def _is_number(word: str) -> bool:
    return word.replace(".", "").replace(":", "").replace("/", "").isdigit()
