"""Assembling: many parsed files to one ruleset under a choice of modules; duplicate and unknown names are reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from dsl.ir import MARK, TEXT, Type
from dsl.rules.editions import CURRENT, asks
from dsl.rules.kind_groups import enter_groups, fill_groups, no_making
from dsl.rules.notation import parts_of
from dsl.rules.parts import check_part_kinds
from dsl.rules.ruleset import (
    APART,
    PLACE,
    EnumInfo,
    Field,
    KindInfo,
    Ruleset,
    field_type,
    guarded,
    hint_of_type,
    is_track,
    plural_of,
)
from dsl.rules.tabletops import laid_out
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, Mark, an, at, did_you_mean
from dsl.text.source import NOWHERE, Span


def no_module(said: str, name: str, modules: Iterable[str], span: Span) -> Diagnostic:
    """What is said of a module that nobody declares. said: the words that name it."""
    hint = did_you_mean(name, modules) or "Declare it: module " + name + ' "Its title", default off'
    return at("E101", f"`{said}`: there is no module {name}.", span, hint=hint, word=name)


_NO_DATA = (d.Bodied, d.Rule, d.Example, d.Table, d.Tabletop, d.NotModelled, d.Ruling)


def assemble(
    declarations: Sequence[d.Declaration], active: Iterable[str] | None = None, edition: int = CURRENT
) -> tuple[Ruleset, list[Diagnostic]]:
    """The ruleset of these declarations. active: the modules that are on; None takes each module's default."""
    problems: list[Diagnostic] = []
    everything = tuple(declarations)
    modules = {m.name: m for m in everything if isinstance(m, d.Module)}
    on = frozenset(n for n, m in modules.items() if m.default) if active is None else frozenset(active)
    for declaration in everything:
        hanging: list[d.Declaration | d.Forces | d.Visibility] = [declaration]
        if isinstance(declaration, d.Scenario):
            hanging += declaration.forces
        if isinstance(declaration, d.Kind):
            hanging += declaration.visibility
        for node in hanging:
            for switch, name in node.guards:
                if name not in modules:
                    problems.append(no_module(f"{switch} {name}", name, modules, node.span))
    for module in modules.values():
        problems += [
            at("E101", f"There is no module {other}.", module.span, word=other, hint=did_you_mean(other, modules))
            for other in (*module.needs, *module.excludes)
            if other not in modules
        ]
    kept = tuple(x for x in everything if guarded(x.guards, on))
    data = tuple(x for x in kept if not isinstance(x, _NO_DATA))
    ruleset = Ruleset(
        everything=everything,
        declarations=kept,
        active=on,
        modules=modules,
        data=data,
        data_key=tuple(map(id, data)),
        edition=edition,
    )
    seen: dict[tuple[str, str], d.Declaration] = {}
    for declaration in _base_first(kept, everything):
        space = _space(declaration)
        if not space:
            continue
        only = isinstance(declaration, d.System) and asks(edition, "one-name")
        key = (space, "" if only else declaration.name)
        if key in seen:
            problems.append(_twice(seen[key], declaration))
            continue
        seen[key] = declaration
        _enter(ruleset, declaration)
        if isinstance(declaration, d.Tabletop):
            problems += laid_out(declaration)[1]
    _modules(modules, problems)
    _words(kept, problems)
    enter_groups(ruleset, problems)
    _kinds(ruleset, problems)
    _circles(ruleset, problems)
    fill_groups(ruleset)
    return ruleset, problems


def check_doubles(declarations: Iterable[d.Declaration]) -> list[Diagnostic]:
    """E102 for each name that two declarations have which can hold together, under whatever modules."""
    everything = tuple(declarations)
    modules = {x.name: x for x in everything if isinstance(x, d.Module)}
    seen: dict[tuple[str, str], list[d.Declaration]] = {}
    problems = []
    for declaration in _base_first(everything, everything):
        if not (space := _space(declaration)):
            continue
        others = seen.setdefault((space, declaration.name), [])
        first = next((x for x in others if _together((*x.guards, *declaration.guards), modules)), None)
        if first is not None:
            problems.append(_twice(first, declaration))
        others.append(declaration)
    return problems


def _together(guards: d.Guards, modules: Mapping[str, d.Module]) -> bool:
    """Whether some choice of modules fulfils all these guards."""
    on = [name for switch, name in guards if switch == "with"]
    for name in on:
        on += [n for n in (modules[name].needs if name in modules else ()) if n not in on]
    excluded = {x for name in on if name in modules for x in modules[name].excludes}
    return not set(on) & (excluded | {name for switch, name in guards if switch != "with"})


def _base_first(declarations: Iterable[d.Declaration], everything: Iterable[d.Declaration]) -> list[d.Declaration]:
    """What a system is built on comes first: where a name is declared twice, its own text is the second."""
    base = next((x.base for x in everything if isinstance(x, d.System) and x.base), "")
    return sorted(declarations, key=lambda x: not (base and x.span.file.startswith(f"{base}/")))


def _twice(first: d.Declaration, second: d.Declaration) -> Diagnostic:
    """What is said of a name that is declared twice."""
    if isinstance(second, d.System) and first.name != second.name:
        return at(
            "E102",
            f"These rules have two names: `{first.name}` and `{second.name}`.",
            second.span,
            also=[Mark(first.span, "the first is here")],
            hint='Take one `system` line out. Rules that change another system say so: `system NAME "Title" version V, on SYSTEM`.',
        )
    hint = (
        "Rename one. Fields come to a kind from elsewhere by a group alone: `group NAME: KIND, each with:`."
        if isinstance(second, d.Kind)
        else "Rename one, or let a rule replace the other by name."
    )
    return at(
        "E102",
        f"`{second.name}` is declared twice.",
        second.span,
        also=[Mark(first.span, "the first is here")],
        hint=hint,
    )


def circle(start: str, following: Mapping[str, Iterable[str]]) -> list[str]:
    """The shortest way from a name back to itself, both ends included; empty when there is none."""
    came: dict[str, str] = {}
    waiting = [start]
    for name in waiting:
        for other in following.get(name, ()):
            if other == start:
                way = [start, name]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1] if name != start else [start, start]
            if other not in came:
                came[other] = name
                waiting.append(other)
    return []


def _modules(modules: Mapping[str, d.Module], problems: list[Diagnostic]) -> None:
    """Modules that can never be on: needs in a circle, and what one needs is excluded."""
    if len(modules) > 60:
        return
    reported: set[str] = set()
    needs = {name: module.needs for name, module in modules.items()}
    for name, module in modules.items():
        way = circle(name, needs)
        if way and not reported & set(way):
            reported |= set(way)
            message = f"Modules need each other in a circle: {' → '.join(way)}."
            problems.append(
                at(
                    "E106",
                    message,
                    module.span,
                    word=name,
                    hint="Make them one module, or let one do without the other.",
                )
            )
        every = [name]
        for other in every:
            every += [n for n in needs.get(other, ()) if n not in every]
        clash = next(((a, b) for a in every for b in every if a in modules and b in modules[a].excludes), None)
        if clash is not None:
            also = [Mark(modules[clash[0]].span, f"{clash[0]} excludes {clash[1]} here", clash[1])]
            problems.append(
                at("E107", f"`{name}` can never be on: with it comes {clash[0] if clash[0] != name else clash[1]}, and {clash[0]} excludes {clash[1]}.", module.span, also=also,
                   hint="Take out the `needs` or the `excludes`.")
            )  # fmt: skip


def _words(declarations: Sequence[d.Declaration], problems: list[Diagnostic]) -> None:
    """Words that a declaration gives twice, and defaults that are none of them."""
    for x in declarations:
        words = (
            [term.word for term in x.terms]
            if isinstance(x, d.Enum)
            else list(x.terms)
            if isinstance(x, d.Option)
            else []
        )
        twice = next((w for w in words if words.count(w) > 1), None)
        if twice is not None:
            problems.append(at("E102", f"`{twice}` stands twice in {x.name}.", x.span, hint="Take one out."))
        if isinstance(x, d.Option) and x.default not in x.terms:
            hint = "It can be: " + ", ".join(x.terms) + "."
            problems.append(
                at(
                    "E104",
                    f"The default of {x.name} is `{x.default}`, which is none of its choices.",
                    x.span,
                    word=x.default,
                    hint=hint,
                )
            )


def _circles(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    """Kinds that hold each other, and ratings made of themselves. The circle is cut, so that later passes end."""
    holders = {name: (info.holder,) if info.holder else () for name, info in ruleset.kinds.items()}
    made = {
        name: [f.type.word for f in fields.values() if f.type.name == "rating"]
        for name, fields in ruleset.rating_fields.items()
    }
    for name, info in ruleset.kinds.items():
        way = circle(name, holders)
        if way and info.node is not None:
            problems.append(
                at(
                    "E106",
                    f"Kinds hold each other in a circle: {' → '.join(way)}.",
                    info.node.span,
                    word=name,
                    hint="Some kind must be held by none.",
                )
            )
            info.holder, info.part = None, False
            holders[name] = ()
    for name, node in ruleset.ratings.items():
        way = circle(name, made)
        if way:
            problems.append(
                at(
                    "E106",
                    f"Ratings are made of each other in a circle: {' → '.join(way)}.",
                    node.span,
                    word=name,
                    hint="Some rating must be made of words and numbers only.",
                )
            )
            made[name] = []
            for field in ruleset.rating_fields[name].values():
                if field.type.name == "rating":
                    field.type = TEXT


def module_problems(ruleset: Ruleset, active: Iterable[str]) -> list[str]:
    """Why a choice of modules cannot be played: unmet needs and exclusions, as sentences."""
    on = set(active)
    out = [
        f"There is no module {name}. {did_you_mean(name, ruleset.modules)}".strip()
        for name in sorted(on - set(ruleset.modules))
    ]
    for name in sorted(on & set(ruleset.modules)):
        module = ruleset.modules[name]
        out += [f"Module {name} needs module {need}." for need in module.needs if need not in on]
        out += [f"Module {name} excludes module {other}." for other in module.excludes if other in on]
    return out


def _space(declaration: d.Declaration) -> str:
    """The space of names that a declaration's name lives in; empty for those that have none."""
    if isinstance(declaration, d.NotModelled | d.Ruling):
        return ""
    if isinstance(declaration, d.Example):
        return "example"
    if isinstance(declaration, d.Map | d.Scenario | d.Module | d.Option | d.UnitList | d.Rule | d.Drawn | d.Tabletop):
        return type(declaration).__name__
    if isinstance(declaration, d.System | d.Catalog):
        return type(declaration).__name__
    if isinstance(declaration, d.Bodied) and declaration.word in APART:
        return declaration.word
    return "word" if isinstance(declaration, d.Enum | d.Group | d.Kind | d.Rating | d.Table) else "name"


def _enter(ruleset: Ruleset, x: d.Declaration) -> None:
    match x:
        case d.System():
            ruleset.system = x
        case d.Catalog():
            ruleset.catalog = x.path
        case d.Option():
            ruleset.options[x.name] = x
        case d.Enum():
            info = EnumInfo(x.name, tuple(t.word for t in x.terms), x.ordered, {t.word: t.title for t in x.terms})
            ruleset.enums[x.name] = info
            for term in info.words:
                ruleset.terms.setdefault(term, []).append(x.name)
        case d.Group() if x.of:
            ruleset.groups[x.name] = (x.of, x.words)
        case d.Kind():
            seen = tuple(line for line in x.visibility if guarded(line.guards, ruleset.active))
            node = x if len(seen) == len(x.visibility) else attrs.evolve(x, visibility=seen)  # type: ignore[misc]
            many = x.plural or plural_of(x.name)
            ruleset.kinds[x.name] = KindInfo(x.name, node, {}, many, x.word, x.holder, part=x.part)
            ruleset.plurals[many] = x.name
            if x.word == "campaign":
                ruleset.campaign_kind = x.name
        case d.Rating():
            ruleset.ratings[x.name] = x
        case d.Table():
            ruleset.tables[x.name] = x
        case d.UnitList():
            ruleset.lists[x.name] = x
        case d.Bodied():
            key = f"{x.word} {x.name}" if x.word in APART else x.name
            ruleset.bodied[key] = x
        case d.Tabletop():
            laid = ruleset.tabletops[x.name] = laid_out(x)[0]
            ruleset.bodied.update({value.name: value for value in laid.values})
        case d.Rule():
            ruleset.rules[x.name] = x
        case d.Example():
            ruleset.examples.append(x)
        case d.Map():
            ruleset.maps[x.name] = x
        case d.Scenario():
            ruleset.scenarios[x.name] = x
        case d.Drawn():
            ruleset.drawn[x.name] = x
        case d.NotModelled():
            ruleset.not_modelled.append(x)


def _kinds(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    for wrong in [x for x in ruleset.declarations if isinstance(x, d.Kind) and x.word == "side" and x.name != "side"]:
        message = f"What holds the fields of sides is called side, not {wrong.name}."
        problems.append(at("E103", message, wrong.span, word=wrong.name, hint="Write: side side:"))
    side = KindInfo("side", None, {}, "sides", "side")
    if "side" not in ruleset.kinds:
        ruleset.kinds["side"] = side
        ruleset.plurals["sides"] = "side"
    _place_kinds(ruleset, problems)
    for group, (of, words) in list(ruleset.groups.items()):
        node = next(x for x in ruleset.declarations if isinstance(x, d.Group) and x.name == group)
        if of not in ruleset.enums:
            problems.append(
                at("E103", f"There is no enum {of}.", node.span, hint=did_you_mean(of, ruleset.enums), word=of)
            )
            del ruleset.groups[group]
            continue
        if node.fields or node.printed or node.visibility:
            message = f"{group} is a group of words, and words have no fields."
            hint = "Let it be a group of kinds: `group NAME: KIND, KIND, each with:`."
            problems.append(at("E114", message, node.span, word=group, hint=hint))
        for word in words:
            if word not in ruleset.enums[of].words:
                hint = did_you_mean(word, ruleset.enums[of].words)
                problems.append(at("E103", f"`{word}` is no word of {of}.", node.span, hint=hint))
    for name, rating in ruleset.ratings.items():
        fields = ruleset.rating_fields.setdefault(name, {})
        for field in rating.fields:
            if is_track(ruleset, field):
                problems.append(_no_track(field, "A rating is printed, and what is printed does not empty."))
            if field.untold or field.quiet:
                problems.append(at("E110", "A part of a rating is told with it.", field.span, word=field.name))
            if field.stated:
                problems.append(at("E111", "A rating is stated as a whole.", field.span, word=field.name))
            _field(ruleset, fields, field, name, problems)
        for written in rating.written:
            _notation(written, fields, name, problems)
    for name, kind in ruleset.kinds.items():
        if kind.node is None:
            continue
        if kind.holder and (grouped := no_making(ruleset, kind.holder, kind.node.span)) is not None:
            problems.append(grouped)
            kind.holder = None
        elif kind.holder and kind.holder not in ruleset.kinds and kind.word != "place":
            hint = did_you_mean(kind.holder, ruleset.kinds)
            problems.append(
                at(
                    "E103",
                    f"There is no kind {kind.holder} for {an(name)} to be part of."
                    if kind.part
                    else f"There is no kind {kind.holder} to hold {an(name)}.",
                    kind.node.span,
                    hint=hint,
                    word=kind.holder,
                )
            )
        for field in kind.node.fields:
            if field.stated and kind.word in {"place", "side"}:
                hint = "Only what stands under `forces`, and what the campaign itself holds, can be `stated`."
                message = f"A scenario says nothing of {an(name)} one by one."
                problems.append(at("E111", message, field.span, word=field.name, hint=hint))
            if is_track(ruleset, field) and kind.word in {"place", "side", "campaign"}:
                problems.append(_no_track(field, f"A {kind.word} does not come into the game: it is there."))
            _field(ruleset, kind.fields, field, name, problems)
            if kind.fields[field.name].track:
                kind.fields[d.full_name(field.name)] = _full(kind.fields[field.name])
        for printed in kind.node.printed:
            _notation(printed, kind.fields, name, problems)
        for line in kind.node.visibility:
            known = {*kind.fields, "name", "title", "place", kind.holder or ""}
            problems += [
                at(
                    "E209",
                    f"A{an(name)[1:]} has no {x} to hide.",
                    line.span,
                    hint=did_you_mean(x, known),
                    word=x,
                )
                for x in line.fields
                if x not in known
            ]
        _lifting(kind, problems)
        for builtin, type_ in (("title", TEXT.maybe()), ("name", TEXT)):
            kind.fields.setdefault(builtin, _builtin(builtin, type_))
    problems += check_part_kinds(ruleset)
    if PLACE in ruleset.kinds and ruleset.kinds[PLACE].node is None:
        _shared(ruleset)
    ruleset.kinds["side"].fields.setdefault("name", _builtin("name", TEXT))
    ruleset.kinds["side"].fields.setdefault("title", _builtin("title", TEXT))


def _shared(ruleset: Ruleset) -> None:
    """What all kinds of place have alike can be asked of any place."""
    first, *others = [ruleset.kinds[k].fields for k in ruleset.place_kinds()]
    ruleset.kinds[PLACE].fields = {
        name: field
        for name, field in first.items()
        if field.type.name != "link" and all(name in fields and fields[name].type == field.type for fields in others)
    }


def _lifting(kind: KindInfo, problems: list[Diagnostic]) -> None:
    """What opens hidden fields must be a mark of the thing itself."""
    assert kind.node is not None
    for line in kind.node.visibility:
        field = kind.fields.get(line.lifted)
        if line.lifted and (field is None or field.type != MARK):
            marks = [f for f, x in kind.fields.items() if x.type == MARK]
            message = f"`{line.lifted}` is no mark of {an(kind.name)}, and only a mark can open what is hidden."
            hint = did_you_mean(line.lifted, marks) or f"Declare it among its fields: {line.lifted} mark"
            problems.append(at("E109", message, line.span, hint=hint, word=line.lifted))


def _place_kinds(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    """How kinds of place hang together, and what stands where; several kinds of place have one kind above them."""
    kinds = ruleset.place_kinds()
    if len(kinds) > 1 and PLACE not in ruleset.kinds:
        ruleset.kinds[PLACE] = KindInfo(PLACE, None, {}, "places", "place")
    ruleset.plurals.setdefault("places", PLACE if len(kinds) > 1 else kinds[0] if kinds else "")
    for info in ruleset.kinds.values():
        node = info.node
        if node is None:
            continue
        named = [*node.stands, *([node.holder] if node.holder and info.word == "place" else [])]
        problems += [
            at("E103", f"There is no kind of place {name}.", node.span, hint=did_you_mean(name, kinds), word=name)
            for name in named
            if name not in kinds
        ]
        if info.word == "place" and info.holder not in kinds:
            info.holder = None
        info.stands = tuple(k for k in node.stands if k in kinds)
        if node.between is None:
            continue
        between = ruleset.plurals.get(node.between, "")
        if between in kinds and info.word == "place" and not node.grid and not node.holder:
            info.between = between
        else:
            hint = did_you_mean(node.between, [ruleset.kinds[k].plural for k in kinds])
            problems.append(
                at("E103", f"Nothing lies between {node.between}.", node.span, word=node.between,
                   hint=hint or "A place lies between the neighbours of one kind of place, and has no grid of its own.")
            )  # fmt: skip


def _field(ruleset: Ruleset, fields: dict[str, Field], node: d.Field, owner: str, problems: list[Diagnostic]) -> None:
    field, missing = field_type(ruleset, node, owner)
    if missing:
        known = [*ruleset.enums, *ruleset.ratings, *ruleset.kinds, "number", "mark", "text", "side", "link", "dice"]
        hint = hint_of_type(ruleset, missing, known)
        problems.append(at("E103", f"There is no type {missing}.", node.type.span, hint=hint, word=missing))
    if node.type.kind == "range" and (field.low is None or field.high is None or field.low > field.high):
        message = f"The range of `{node.name}` must run from one whole number up to another."
        problems.append(at("E108", message, node.type.span, hint="Write, for example, 0 .. 3."))
    if node.name in fields:
        problems.append(
            at(
                "E102",
                f"The field {node.name} is declared twice.",
                node.span,
                also=[Mark(fields[node.name].node.span, "first here")],
                word=node.name,
            )
        )
    fields[node.name] = field


def _notation(node: d.Written | d.Printed, fields: Mapping[str, Field], owner: str, problems: list[Diagnostic]) -> None:
    """The fields that a notation speaks of must be there; those it gives a sign, or sets by `with`, are marks."""
    parts = parts_of(node.pattern)
    marks = node.marks if isinstance(node, d.Written) else ()
    for name, sign in [*((n, s) for _, n, s in parts if n), *((n, "mark") for n in marks)]:
        if name not in fields:
            hint = did_you_mean(name, fields) or f"Give {owner} the field: {name} {'mark' if sign else 'number'}"
            problems.append(
                at(
                    "E325",
                    f"The notation speaks of `{name}`, but {owner} has no such field.",
                    node.span,
                    word=name,
                    hint=hint,
                )
            )
        elif sign and fields[name].type.name != "mark":
            hint = f"Write {name} as a field `{name} mark`."
            problems.append(
                at(
                    "E325",
                    f"The notation treats `{name}` as a mark, but it is {fields[name].type}.",
                    node.span,
                    word=name,
                    hint=hint,
                )
            )
    if not any(n for _, n, _ in parts) and not marks:
        hint = 'Name fields in angle brackets: written "<value>"'
        problems.append(at("E325", "The notation speaks of no field.", node.span, hint=hint))


def _no_track(field: d.Field, because: str) -> Diagnostic:
    return at("E113", because, field.span, word=field.name, hint="Write a range, such as 0 .. 60.")


def _full(track: Field) -> Field:
    """The field that keeps what a track was when its thing came into the game. No event tells it: nothing changes it."""
    name = d.full_name(track.name)
    node = d.Field(NOWHERE, name, d.TypeExpr(NOWHERE, "named", ("number",)), optional=track.type.optional, untold=True)
    return Field(name, track.type, node, full_of=track.name)


def _builtin(name: str, type_: Type) -> Field:
    node = d.Field(NOWHERE, name, d.TypeExpr(NOWHERE, "named", ("text",)), optional=type_.optional)
    return Field(name, type_, node)


__all__ = ["assemble", "check_doubles", "module_problems"]
