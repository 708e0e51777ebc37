"""Kinds of things and places, sides, ratings and groups of words: how they are related, and which fields they have."""

from __future__ import annotations

from dsl.ir import MARK, TEXT
from dsl.rules.declared_fields import builtin, check_notation, enter_field, full_of, no_track
from dsl.rules.kind_groups import no_making
from dsl.rules.parts import check_part_kinds
from dsl.rules.ruleset import PLACE, KindInfo, Ruleset, is_track
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.phrases import an


def enter_kinds(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    """Enters kinds, ratings and groups of words with their fields; everything that they name must exist."""
    _sides(ruleset, problems)
    _place_kinds(ruleset, problems)
    _word_groups(ruleset, problems)
    _ratings(ruleset, problems)
    for kind in ruleset.kinds.values():
        if kind.node is not None:
            _kind(ruleset, kind, kind.node, problems)
    problems += check_part_kinds(ruleset)
    if PLACE in ruleset.kinds and ruleset.kinds[PLACE].node is None:
        _shared(ruleset)
    ruleset.kinds["side"].fields.setdefault("name", builtin("name", TEXT))
    ruleset.kinds["side"].fields.setdefault("title", builtin("title", TEXT))


def _sides(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    """Enters the kind of sides, which exists without a declaration."""
    for wrong in [x for x in ruleset.declarations if isinstance(x, d.Kind) and x.word == "side" and x.name != "side"]:
        message = f"The declaration of the fields of sides must be named side, not {wrong.name}."
        problems.append(at("E103", message, wrong.span, word=wrong.name, hint="Write: side side:"))
    if "side" not in ruleset.kinds:
        ruleset.kinds["side"] = KindInfo("side", None, {}, "sides", "side")
        ruleset.plurals["sides"] = "side"


BUILTIN = ("name", "place", "side")
"""What every thing has without declaring it."""


def _word_groups(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    """Checks groups of words: the enum must exist and have the words, and they have no fields."""
    for group, (of, words) in list(ruleset.groups.items()):
        node = next(x for x in ruleset.declarations if isinstance(x, d.Group) and x.name == group)
        if of not in ruleset.enums:
            hint = did_you_mean(of, ruleset.enums)
            problems.append(at("E103", f"There is no enum {of}.", node.span, hint=hint, word=of))
            del ruleset.groups[group]
            continue
        if node.fields or node.printed or node.visibility:
            message = f"{group} is a group of words, and words have no fields."
            hint = "Make it a group of kinds: `group NAME: KIND, KIND, each with:`."
            problems.append(at("E114", message, node.span, word=group, hint=hint))
        known = ruleset.enums[of].words
        problems += [
            at("E103", f"`{word}` is not a word of {of}.", node.span, hint=did_you_mean(word, known))
            for word in words
            if word not in known
        ]


def _ratings(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    """Enters ratings: their fields and notations."""
    for name, rating in ruleset.ratings.items():
        fields = ruleset.rating_fields.setdefault(name, {})
        for field in rating.fields:
            if is_track(ruleset, field):
                problems.append(no_track(field, "A rating cannot have a track: a printed value does not run out."))
            if field.untold or field.quiet:
                problems.append(
                    at(
                        "E110",
                        "A field of a rating cannot be `untold` or `quiet`: it is reported with the rating.",
                        field.span,
                        word=field.name,
                    )
                )
            if field.stated:
                problems.append(
                    at(
                        "E111",
                        "A field of a rating cannot be `stated`: a rating is stated as a whole.",
                        field.span,
                        word=field.name,
                    )
                )
            enter_field(ruleset, fields, field, name, problems)
        for written in rating.written:
            check_notation(written, fields, name, problems)


def _kind(ruleset: Ruleset, kind: KindInfo, node: d.Kind, problems: list[Diagnostic]) -> None:
    """Enters a kind: its holder, fields, notations and hidden fields."""
    _holder(ruleset, kind, node, problems)
    for field in node.fields:
        _kind_field(ruleset, kind, field, problems)
    for printed in node.printed:
        check_notation(printed, kind.fields, kind.name, problems)
    for line in node.visibility:
        known = {*kind.fields, "name", "title", "place", kind.holder or ""}
        problems += [
            at(
                "E209",
                f"A{an(kind.name)[1:]} has no field `{x}` to hide.",
                line.span,
                hint=did_you_mean(x, known),
                word=x,
            )
            for x in line.fields
            if x not in known
        ]
    _lifting(kind, problems)
    for name, type_ in (("title", TEXT.maybe()), ("name", TEXT)):
        kind.fields.setdefault(name, builtin(name, type_))


def _holder(ruleset: Ruleset, kind: KindInfo, node: d.Kind, problems: list[Diagnostic]) -> None:
    """The kind of the holder or the whole must exist and must not be a group of kinds."""
    if not kind.holder:
        return
    if (grouped := no_making(ruleset, kind.holder, node.span)) is not None:
        problems.append(grouped)
        kind.holder = None
    elif kind.holder not in ruleset.kinds and kind.word != "place":
        what = f"that {an(kind.name)} can be part of" if kind.part else f"that can hold {an(kind.name)}"
        hint = did_you_mean(kind.holder, ruleset.kinds)
        message = f"There is no kind {kind.holder} {what}."
        problems.append(at("E103", message, node.span, hint=hint, word=kind.holder))


def _kind_field(ruleset: Ruleset, kind: KindInfo, field: d.Field, problems: list[Diagnostic]) -> None:
    """Enters a field of a kind; for a track also the field that keeps its initial value."""
    if field.stated and kind.word in {"place", "side"}:
        hint = "Use `stated` only for fields of the campaign and of things that a scenario lists under `forces`."
        message = f"`stated` cannot be used for {an(kind.name)}: a scenario does not list them one by one."
        problems.append(at("E111", message, field.span, word=field.name, hint=hint))
    if is_track(ruleset, field) and kind.word in {"place", "side", "campaign"}:
        problems.append(
            no_track(
                field, f"A {kind.word} cannot have a track: it does not enter the game, it is there from the start."
            )
        )
    if field.name in BUILTIN and kind.word not in {"place", "side", "campaign"}:
        message = f"Every {kind.name} has a {field.name} of its own: this field would hide it."
        problems.append(at("W354", message, field.span, word=field.name, hint="Give the field another name."))
    enter_field(ruleset, kind.fields, field, kind.name, problems)
    if kind.fields[field.name].track:
        kind.fields[d.full_name(field.name)] = full_of(kind.fields[field.name])


def _shared(ruleset: Ruleset) -> None:
    """Fields that all kinds of place share can be read of any place."""
    first, *others = [ruleset.kinds[k].fields for k in ruleset.place_kinds()]
    ruleset.kinds[PLACE].fields = {
        name: field
        for name, field in first.items()
        if field.type.name != "link" and all(name in fields and fields[name].type == field.type for fields in others)
    }


def _lifting(kind: KindInfo, problems: list[Diagnostic]) -> None:
    """Only a mark of the thing itself can reveal hidden fields."""
    assert kind.node is not None
    for line in kind.node.visibility:
        field = kind.fields.get(line.lifted)
        if line.lifted and (field is None or field.type != MARK):
            marks = [f for f, x in kind.fields.items() if x.type == MARK]
            message = f"`{line.lifted}` is not a mark of {an(kind.name)}, and only a mark can reveal what is hidden."
            hint = did_you_mean(line.lifted, marks) or f"Declare it as a field: {line.lifted} mark"
            problems.append(at("E109", message, line.span, hint=hint, word=line.lifted))


def _place_kinds(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    """How kinds of place are related, and where things can be; several kinds of place have one kind above them."""
    kinds = ruleset.place_kinds()
    if len(kinds) > 1 and PLACE not in ruleset.kinds:
        ruleset.kinds[PLACE] = KindInfo(PLACE, None, {}, "places", "place")
    ruleset.plurals.setdefault("places", PLACE if len(kinds) > 1 else kinds[0] if kinds else "")
    for info in ruleset.kinds.values():
        if info.node is None:
            continue
        stands = info.node.stands
        named = [*stands, *([info.node.holder] if info.node.holder and info.word == "place" else [])]
        problems += [
            at("E103", f"There is no kind of place {name}.", info.node.span, hint=did_you_mean(name, kinds), word=name)
            for name in named
            if name not in kinds
        ]
        if info.word == "place" and info.holder not in kinds:
            info.holder = None
        info.stands = tuple(k for k in stands if k in kinds)
        if info.node.between is not None:
            _between(ruleset, info, info.node, info.node.between, problems)


def _between(ruleset: Ruleset, info: KindInfo, node: d.Kind, many: str, problems: list[Diagnostic]) -> None:
    """Enters a kind of place that lies between the neighbours of another. many: the plural by which the text names that kind."""
    kinds, between = ruleset.place_kinds(), ruleset.plurals.get(many, "")
    if between in kinds and info.word == "place" and not node.grid and not node.holder:
        info.between = between
        return
    hint = did_you_mean(many, [ruleset.kinds[k].plural for k in kinds])
    hint = (
        hint
        or "Name one kind of place. A place that lies between its neighbours has no grid and is not in another place."
    )
    problems.append(at("E103", f"A place of this kind cannot lie between {many}.", node.span, word=many, hint=hint))
