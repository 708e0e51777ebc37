"""Groups of kinds: a word for things of several kinds, and the properties that all of them share.

A group is one of the kinds of a ruleset, without a declaration of its own as a kind. Nothing is made of it, and no list has it.
What all its kinds have in common can be read from it. Its own lines (`each with:`) are lines of each of its kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from dsl.ir import Type, set_of, thing
from dsl.rules.ruleset import Field, KindInfo, Ruleset, guarded, plural_of
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.phrases import an
from dsl.text.source import Span

OR = " or "
"""The word that joins the kinds of a group without a name."""
APART = {"place": "Places", "side": "Sides", "campaign": "The campaign"}
"""Kinds that cannot be in a group, by their word, and how a message names them."""


def enter_groups(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    """Enters the groups of kinds, named and unnamed, among the kinds; their fields are read later."""
    named = {x.name: x for x in ruleset.declarations if isinstance(x, d.Group) and not x.of}
    everywhere = {x.name for x in ruleset.everything if isinstance(x, d.Kind | d.Group)}
    for name, node in named.items():
        if name in ruleset.kinds:
            continue  # a double declaration is reported where names are entered
        members = _settled(ruleset, node.words, named, everywhere, node, problems)
        many = node.plural or plural_of(name)
        _enter(ruleset, name, members, many)
        ruleset.plurals[many] = name
    for name in sorted(named):  # fields have the same order in whichever order the groups are declared
        if ruleset.kinds[name].word == "group":
            _give_lines(ruleset, named[name])
    for param in _params(ruleset.declarations):
        if param.kind is not None and OR in param.kind and param.kind not in ruleset.kinds:
            words = param.kind.split(OR)
            members = _settled(ruleset, words, named, everywhere, param, problems)
            _enter(ruleset, param.kind, members, "")


def _enter(ruleset: Ruleset, name: str, members: tuple[str, ...], plural: str) -> None:
    ruleset.kinds[name] = KindInfo(name, None, {}, plural, "group", members=members)


def _give_lines(ruleset: Ruleset, group: d.Group) -> None:
    """The lines of a group become lines of each of its kinds, after their own."""
    seen = tuple(line for line in group.visibility if guarded(line.guards, ruleset.active))
    for kind in ruleset.kinds[group.name].members:
        info = ruleset.kinds[kind]
        if info.node is not None and (group.fields or group.printed or seen):
            node = info.node
            info.node = attrs.evolve(
                node, fields=(*node.fields, *group.fields), printed=(*node.printed, *group.printed),
                visibility=(*node.visibility, *seen),
            )  # fmt: skip


def _params(declarations: Iterable[d.Declaration]) -> Iterator[d.Param]:
    for x in declarations:
        if isinstance(x, d.Bodied):
            yield from x.signature.params
        elif isinstance(x, d.Rule):
            relation = x.relation
            yield from relation.params
            for one in relation.each():
                yield from one.target.params if one.target is not None else ()
            if relation.event is not None:
                yield from (p for p in (relation.event.first, relation.event.second) if p is not None)


def _settled(
    ruleset: Ruleset, words: Sequence[str], named: dict[str, d.Group], everywhere: set[str],
    node: d.Group | d.Param, problems: list[Diagnostic],
) -> tuple[str, ...]:  # fmt: skip
    """The kinds that the words of a group mean, each once. A kind that depends on a module which is off is left out."""
    found: dict[str, None] = {}
    waiting, seen = list(words), set[str]()
    while waiting:
        said = waiting.pop(0)
        word = said if said in named else ruleset.plurals.get(said, said)
        info = ruleset.kinds.get(word)
        if word in named:
            if word == node.name:
                message = f"The group {word} contains itself."
                problems.append(at("E106", message, node.span, word=word, hint="Remove it from the circle."))
            elif word not in seen:
                seen.add(word)
                waiting += named[word].words
        elif info is not None and info.word in APART:
            message = f"{APART[info.word]} cannot be in a group of kinds."
            hint = (
                "Write `(a place)`: it accepts a place of any kind."
                if info.word == "place"
                else "Name only kinds of things that can be on the map."
            )
            problems.append(at("E103", message, node.span, word=said, hint=hint))
        elif info is not None:
            found[word] = None
        elif word not in everywhere:
            kinds = [k for k, x in ruleset.kinds.items() if x.word not in APART]
            message = f"There is no kind {said}."
            problems.append(at("E103", message, node.span, word=said, hint=did_you_mean(said, kinds)))
    return tuple(found)


def fill_groups(ruleset: Ruleset) -> None:
    """Fills in what all kinds of each group share: fields of one type, and their holder."""
    for info in ruleset.kinds.values():
        if not info.members:
            continue
        first, *others = [ruleset.kinds[k] for k in info.members]
        info.fields = {
            name: _shared(field, [o.fields[name] for o in others])
            for name, field in first.fields.items()
            if all(name in o.fields and o.fields[name].type.same(field.type) for o in others)
        }
        info.holder = first.holder if all(o.holder == first.holder for o in others) else None


def _shared(field: Field, others: Sequence[Field]) -> Field:
    """A field of several kinds: optional if it is optional in any of them, with the widest bounds."""
    every = [field, *others]
    lows, highs = [f.low for f in every if f.low is not None], [f.high for f in every if f.high is not None]
    bounded = len(lows) == len(highs) == len(every)
    type_ = field.type.maybe() if any(f.type.optional for f in every) else field.type
    return Field(field.name, type_, field.node, min(lows) if bounded else None, max(highs) if bounded else None)


def why_not_shared(ruleset: Ruleset, kind: str, word: str) -> tuple[str, str]:
    """Why a group does not have a field although one of its kinds has: a message and a hint, empty if none has it."""
    members = ruleset.kinds[kind].members if kind in ruleset.kinds else ()
    has = [k for k in members if word in ruleset.kinds[k].fields]
    if not has:
        return "", ""
    lacks = [k for k in members if k not in has]
    one = has[0]
    hint = f"Check the kind first: after `… when x is {one}`, x is known to be {an(one)}."
    if lacks:
        return (
            f"{an(one).capitalize()} has `{word}`, but {' and '.join(map(an, lacks))} {'does' if len(lacks) == 1 else 'do'} not.",
            hint,
        )
    said = ", ".join(f"{ruleset.kinds[k].fields[word].type} for {an(k)}" for k in has)
    return f"`{word}` does not have the same type in all of them: {said}.", hint


def joined(ruleset: Ruleset, one: Type, other: Type) -> Type | None:
    """The type of a value of one type or another: one that includes both; None if they have nothing in common."""
    if one.same(other):
        return one
    if one.name == other.name == "set" and one.of is not None and other.of is not None:
        inner = joined(ruleset, one.of, other.of)
        return set_of(inner) if inner is not None else None
    if one.name != "thing" or other.name != "thing":
        return None
    wanted = {*ruleset.sorts(one.word), *ruleset.sorts(other.word)}
    found = [x for x in ruleset.kinds.values() if wanted <= set(x.members)]
    if not found:
        return None
    type_ = thing(min(found, key=lambda x: (len(x.members), OR in x.name)).name)
    return type_.maybe() if one.optional or other.optional else type_


def narrowed_to(ruleset: Ruleset, type_: Type, words: Iterable[str]) -> Type | None:
    """The type of a thing of a group that is also of one of several kinds; None if that adds nothing new."""
    sorts = ruleset.sorts(type_.word)
    said = [k for word in words for k in ruleset.sorts(word)]
    left = tuple(k for k in sorts if k in said)
    if not left or len(left) == len(sorts):
        return None
    if len(left) == 1:
        return attrs.evolve(type_, word=left[0], optional=False)
    found = next((x.name for x in ruleset.kinds.values() if set(x.members) == set(left)), None)
    return attrs.evolve(type_, word=found, optional=False) if found is not None else None


def no_making(ruleset: Ruleset, kind: str, span: Span) -> Diagnostic | None:
    """The diagnostic for making a thing of a group: a thing is of one kind."""
    info = ruleset.kinds.get(kind)
    if info is None or info.word != "group":
        return None
    hint = f"Name one of its kinds: {', '.join(info.members)}." if info.members else ""
    return at("E103", f"{kind} is a group of kinds, but a single kind is needed here.", span, word=kind, hint=hint)
