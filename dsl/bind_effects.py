"""Binding effects: what changes, what is put and removed, which procedure is done, and what a message may tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from dsl import ir, notation
from dsl import lines as ln
from dsl import tree as t
from dsl.absence import needed, set_of_one, set_of_these, surely
from dsl.bind_expressions import ERROR, is_none, looked_for
from dsl.bind_places import suits
from dsl.bind_triggers import WORDS_TO_STAY, until_condition
from dsl.bind_words import empty_set, said_of
from dsl.diagnostics import Diagnostic, an, did_you_mean
from dsl.entries import template_cells
from dsl.hidden import hidden_reads
from dsl.ir import LAST, MARK, NUMBER, SIDE, E, Moment, Routine, S, Type, Until, set_of, thing
from dsl.kind_groups import no_making, why_not_shared
from dsl.naming import may_be_called, text_of
from dsl.notation import BadNotation, read_field
from dsl.parts import PartMade, check_parts, part_headings, parts_made, row_cells
from dsl.ruleset import Field, KindInfo
from dsl.scope import Scope
from dsl.source import Span

if TYPE_CHECKING:
    from dsl.bind import BodyBinder


def declare(b: BodyBinder, routine: Routine, name: str, type_: Type, span: Span) -> None:
    """Enters a name into a routine's frame; a second time it must be of the same type."""
    known = routine.frame.get(name)
    if known is not None and known.name != "nothing" and not known.same(type_):
        b.problem("E224", f"`{name}` already means {known} in {routine.name}.", span, hint="Choose another name.")
        return
    if name in {"yes", "no", "active", "turn"}:
        b.problem("E224", f"`{name}` has a meaning of its own.", span, hint="Choose another name.")
    routine.frame[name] = type_ if known is None or known.name == "nothing" or type_.optional else known


def may_go(b: BodyBinder, what: Type, span: Span, does: str) -> None:
    """Only things that stand on the map or off it are moved, put and removed. does: what the line would do."""
    inner = what.of if what.name == "set" and what.of else what
    info = b.ruleset.kinds.get(inner.word) if inner.name == "thing" else None
    if info is not None and info.word in WORDS_TO_STAY:
        b.problem("E201", f"{WORDS_TO_STAY[info.word]} is there from beginning to end: it {does}.", span)


def may_move(b: BodyBinder, what: E, span: Span) -> None:
    """Only what stands by itself is moved: a part goes where its whole goes."""
    may_go(b, what.type, span, "does not move")
    for info in _parts_among(b, what.type):
        hint = f"Move the {info.holder}, or give the {info.name} to another: `{info.holder} of … becomes …`."
        b.problem("E256", f"{an(info.name).capitalize()} moves with its {info.holder}.", span, hint)


def _parts_among(b: BodyBinder, type_: Type) -> list[KindInfo]:
    """The kinds that are parts of others, of the kind of one thing or of several, or of a group of kinds."""
    inner = type_.of if type_.name == "set" and type_.of else type_
    sorts = b.ruleset.sorts(inner.word) if inner.name == "thing" else ()
    return [info for k in sorts if (info := b.ruleset.kinds.get(k)) is not None and info.part]


def _never_changes(b: BodyBinder, fields: Mapping[str, Field], field: str, span: Span) -> bool:
    """Reports a change of what a track was in the beginning."""
    if field not in fields or not fields[field].full_of:
        return False
    hint = f"Change {fields[field].full_of}, or let the thing become another entry of its list."
    b.problem("E256", f"`{field}` is what {fields[field].full_of} was in the beginning, and stays.", span, hint)
    return True


def side_of(b: BodyBinder, node: t.Node, scope: Scope) -> E:
    """A side, or the side of a thing."""
    value = b.expr(node, scope)
    if value is not ERROR and not value.type.same(SIDE) and not value.type.same(set_of(SIDE)):
        if value.type.name != "thing":
            b.problem("E201", f"A side is needed here, but this is {value.type}.", node.span)
            return ERROR
        value = ir.SideOf(value, type=SIDE.maybe() if value.type.optional else SIDE, span=node.span)
    return value


def some_side(b: BodyBinder, node: t.Node, scope: Scope) -> E:
    """A side, or the side of a thing, that must be there: somebody is asked, told or rolls."""
    return surely(b, side_of(b, node, scope), scope, node.span)


def winner_of(b: BodyBinder, node: t.Node, scope: Scope) -> E:
    """Who wins a game: one side, or the side of one thing."""
    winner = side_of(b, node, scope)
    if winner.type.name == "set":
        b.problem("E214", "A game is won by one side, and these are several.", node.span, "Name one: `won by first …`.")
    return winner


def _until(b: BodyBinder, line: ln.Becomes | ln.Gains, changed: E, scope: Scope) -> Until:
    """When what a line changes falls away again."""
    from dsl.weave import phases_of

    until = line.until
    if until is None or changed is ERROR:
        return None
    if until.condition is not None:
        return until_condition(b, until.condition, changed, scope)
    period = until.period
    phases = phases_of(b.ruleset)
    if (until.whose or until.following) and period not in {"turn", *phases}:
        b.problem("E235", f"`{'next ' if until.following else ''}{until.whose or ''}` is said of the turn and of phases, and {period} is neither.".replace("  ", " ").replace(" `", "`", 1), until.span,
                  hint="Name a phase or step.", word=period)  # fmt: skip
        return None
    if until.whose and period == "turn":
        b.problem(
            "E235",
            "The turn belongs to all sides.",
            until.span,
            hint=f"Name a phase that each side has: `{until.edge} of {until.whose} …`.",
        )
        return None
    known = {
        *phases,
        "turn",
        *(k.split(" ")[1] for k in b.ruleset.bodied if k.startswith(("procedure ", "sequence "))),
    }
    if period not in known:
        b.problem(
            "E235",
            f"Nothing here is called {period}, so its {until.edge} never comes.",
            until.span,
            did_you_mean(period, known),
            word=period,
        )
    moment = f"{until.edge} {period}"
    return Moment(moment, until.whose, until.following) if until.whose or until.following else moment


def becomes(b: BodyBinder, line: ln.Becomes, scope: Scope, head: ir.Head) -> list[S]:
    """`X becomes …`: a name of the procedure, a field, a mark or a word of a field."""
    target = line.target
    written = _written(b, line, scope, head)
    if written is not None:
        return written
    if isinstance(line.value, t.Of) and not isinstance(target, t.Of):
        entry = b.expr(line.value, scope)
        if entry.type.name == "entry":
            return _shows(b, needed(b, target, scope), entry, line, head)
    if isinstance(target, t.Name) and any(target.word in r.frame for r, _ in scope.frames):
        known = b.expr(target, scope)
        if not (
            known.type.name in {"thing", "set"}
            and isinstance(line.value, t.Name)
            and not _is_value(b, line.value, scope)
            and not _empties(b, known, line.value)
        ):
            empty = empty_set(b, line.value, known.type, scope)
            value = empty if empty is not None else b.expr(line.value, scope, looked_for(known.type))
            value = b.needs(value, known.type.maybe() if known.type.name != "set" else known.type, line.value.span)
            return [ir.SetName(head, target=known, value=value)]
    whole = said_of(b, target, line.value, scope)
    if whole is not None and isinstance(line.value, t.Name):
        whole = surely(b, whole, scope, target.span)
        return [] if whole is ERROR else _becomes_word(b, whole, line.value, head, line, _until(b, line, whole, scope))
    if isinstance(target, t.Of):
        holder = needed(b, target.arg, scope)
        chosen = _chosen(b, target, holder, scope)
        if chosen is not None and isinstance(line.value, t.Name) and not _is_value(b, line.value, scope):
            return _becomes_word(b, chosen, line.value, head, line, _until(b, line, chosen, scope))
        until = _until(b, line, holder, scope)
        return _set_field(b, holder, target.word, line.value, scope, head, until, target.span)
    if isinstance(target, t.Name):
        kind = b.ruleset.campaign_kind
        if kind and target.word in b.ruleset.kinds[kind].fields:
            game = ir.Game(type=thing(kind))
            until = _until(b, line, game, scope)
            return _set_field(b, game, target.word, line.value, scope, head, until, target.span)
    subject = needed(b, target, scope)
    if subject is ERROR:
        return []
    if isinstance(line.value, t.Name):
        return _becomes_word(b, subject, line.value, head, line, _until(b, line, subject, scope))
    b.problem("E236", "It is not clear what changes here.", line.span, hint="Name the field: `posture of u becomes …`.")
    return []


def _chosen(b: BodyBinder, target: t.Of, holder: E, scope: Scope) -> E | None:
    """The things that were chosen for something, where a target such as `victim of active` means them and no field."""
    inner = holder.type.of if holder.type.name == "set" and holder.type.of else holder.type
    if inner.name == "thing" and target.word in {
        *b.ruleset.kinds[inner.word].fields,
        b.ruleset.kinds[inner.word].holder,
    }:
        return None
    found = b.frame_map(target.word, holder, scope)
    if found is None:
        return None
    what = found.type.of if found.type.name == "set" and found.type.of else found.type
    return found if what.name == "thing" else None


def _is_value(b: BodyBinder, node: t.Name, scope: Scope) -> bool:
    """Whether a word is a value of the wanted type in this scope, rather than a mark or a word of a field."""
    return b.scoped(node.word, scope) is not None or node.word in b.ruleset.plurals


def _empties(b: BodyBinder, known: E, node: t.Name) -> bool:
    """Whether `none` is the empty set for a name of a set, rather than a word of a field of its things."""
    if known.type.name != "set" or known.type.of is None or node.word not in {"none", "nobody", "nothing"}:
        return False
    info = b.ruleset.kinds.get(known.type.of.word)
    enums = [f.type.word for f in info.fields.values() if f.type.name == "enum"] if info is not None else []
    return not any(node.word in b.ruleset.enums[word].words for word in enums)


def _becomes_word(b: BodyBinder, subject: E, node: t.Name, head: ir.Head, line: ln.Becomes, until: Until) -> list[S]:
    """`u becomes W`: a mark set, or a word of the one field that knows it."""
    inner = subject.type.of if subject.type.name == "set" and subject.type.of else subject.type
    if inner.name != "thing":
        b.problem("E236", f"Only things change so, but this is {inner}.", node.span)
        return []
    fields = b.ruleset.kinds[inner.word].fields
    if node.word in fields and fields[node.word].type is MARK:
        return [ir.SetField(head, target=subject, field=node.word, value=ir.Constant(True, type=MARK), until=until)]
    kind = b.template(node.word)
    if kind:
        return _shows(b, subject, ir.Constant(node.word, type=Type("entry", kind), span=node.span), line, head)
    homes = [n for n, f in fields.items() if f.type.name == "enum" and node.word in b.ruleset.enums[f.type.word].words]
    if len(homes) == 1:
        value = ir.Constant(node.word, type=fields[homes[0]].type)
        return [ir.SetField(head, target=subject, field=homes[0], value=value, until=until)]
    known = [n for n, f in fields.items() if f.type is MARK]
    b.problem("E236", f"A{an(inner.word)[1:]} cannot become `{node.word}`.", node.span, did_you_mean(node.word, known))
    return []


def _several(b: BodyBinder, value: E, wanted: Type) -> E:
    """One thing where several are wanted: a list of it; `none` is the empty one already."""
    if (
        wanted.name != "set"
        or value is ERROR
        or is_none(value)
        or wanted.of is None
        or not suits(b, value.type, wanted.of)
    ):
        return value
    return set_of_one(b, value)


def _written(b: BodyBinder, line: ln.Becomes, scope: Scope, head: ir.Head) -> list[S] | None:
    """`F of u becomes "…{}" with n`: a field written as it is printed. None when this is no such line."""
    text = line.value.value if isinstance(line.value, t.Literal) and line.value.kind == "text" else None
    if text is None or not isinstance(line.target, t.Of):
        if line.filling:
            b.problem("E236", 'Only a field is written so: `F of u becomes "…{}" with n`.', line.span)
            return []
        return None
    holder = needed(b, line.target.arg, scope)
    if holder is ERROR:
        return []
    inner = holder.type.of if holder.type.name == "set" and holder.type.of else holder.type
    info = b.ruleset.kinds[inner.word] if inner.name == "thing" else None
    field = line.target.word
    heading = info is not None and info.node is not None and any(p.name == field for p in info.node.printed)
    if info is None or (field not in info.fields and not heading):
        known = info.fields if info is not None else ()
        message = f"{str(inner).capitalize()} has no field {field}."
        b.problem("E209", message, line.target.span, did_you_mean(field, known), word=field)
        return []
    filling = tuple(b.expr(a, scope) for a in line.filling)
    gaps = str(text).count("{}")
    if gaps != len(filling):
        b.problem("E236", f"The text has {gaps} gaps, and {len(filling)} things stand behind `with`.", line.span)
        return []
    if not gaps:
        try:
            read_field(b.ruleset, inner.word, field, str(text))
        except BadNotation as error:
            b.problem("E311", f"{field}: {error}.", line.value.span, error.hint)
    until = _until(b, line, holder, scope)
    return [ir.Write(head, target=holder, field=field, text=str(text), filling=filling, until=until)]


def _shows(b: BodyBinder, subject: E, entry: E, line: ln.Becomes, head: ir.Head) -> list[S]:
    """`u becomes ENTRY`: the counter is turned over, or changed for another: it takes all that the entry prints."""
    inner = subject.type.of if subject.type.name == "set" and subject.type.of else subject.type
    if subject is ERROR:
        return []
    if inner.name != "thing" or entry.type.word not in {"", inner.word}:
        what = f"a {entry.type.word}" if entry.type.word else "a thing"
        b.problem("E236", f"Only {what} becomes this entry, but this is {inner}.", line.value.span)
        return []
    if line.until is not None:
        hint = "Keep its first entry in a field of its own, and let it become that again."
        b.problem("E236", "An entry of a list is not taken back at a moment.", line.until.span, hint=hint)
    return [ir.Show(head, target=subject, entry=entry)]


def _set_field(
    b: BodyBinder, holder: E, field: str, node: t.Node, scope: Scope, head: ir.Head, until: Until, span: Span
) -> list[S]:
    if holder is ERROR:
        return []
    inner = holder.type.of if holder.type.name == "set" and holder.type.of else holder.type
    fields = b.ruleset.kinds[inner.word].fields if inner.name == "thing" else {}
    if inner.name == "thing" and field == b.ruleset.kinds[inner.word].holder and until is None:
        value = b.expr(node, scope)
        return [ir.Hold(head, target=holder, value=b.needs(value, thing(field), node.span))]
    if field == "side" and "side" not in fields and inner.name == "thing" and _can_be_taken(b, inner):
        for info in _parts_among(b, inner):
            hint = f"Write `side of {info.holder} of … becomes …`."
            b.problem("E256", f"{an(info.name).capitalize()} is its {info.holder}'s side's.", span, hint)
        if until is not None:
            b.problem("E209", "Whose a thing is changes for good.", span, "Leave `until …` out.", word=field)
        value = b.expr(node, scope)
        return [ir.Capture(head, target=holder, value=b.needs(value, SIDE, node.span))]
    if _never_changes(b, fields, field, span):
        return []
    if field not in fields:
        mapped = b.frame_map(field, holder, scope)
        if mapped is not None:
            return [ir.SetEntry(head, target=mapped, value=b.expr(node, scope))]
        _no_field(b, inner, field, f"{str(inner).capitalize()} has no field {field}.", span)
        return []
    value = _given(b, fields[field].type, node, scope)
    return [ir.SetField(head, target=holder, field=field, value=value, until=until)]


def _given(b: BodyBinder, wanted: Type, node: t.Node, scope: Scope) -> E:
    """What a field of a type is given: a value of that type, or `absent` where it is optional."""
    if wanted.optional and isinstance(node, t.Name) and node.word == "absent" and b.scoped("absent", scope) is None:
        return ir.Constant(None, type=wanted, span=node.span)
    empty = empty_set(b, node, wanted, scope)
    if empty is not None:
        return empty
    return b.needs(_several(b, b.expr(node, scope, looked_for(wanted)), wanted), wanted, node.span)


def _no_field(b: BodyBinder, inner: Type, field: str, message: str, span: Span) -> None:
    """Reports a field that things of a type do not have; of a group of kinds, which kinds of it lack it."""
    fields = b.ruleset.kinds[inner.word].fields if inner.name == "thing" else {}
    why, hint = why_not_shared(b.ruleset, inner.word, field) if inner.name == "thing" else ("", "")
    b.problem("E209", why or message, span, hint or did_you_mean(field, fields), word=field)


def _can_be_taken(b: BodyBinder, kind: Type) -> bool:
    """Whether things of a kind are somebody's, and may become another's."""
    return b.ruleset.kinds[kind.word].word not in {"place", "side", "campaign"}


def gains(b: BodyBinder, line: ln.Gains, scope: Scope, head: ir.Head) -> list[S]:
    """`X gains N …` and `X loses N …`."""
    amount = b.number(line.amount, scope)
    if line.loses:
        amount = ir.Negative(amount, span=amount.span)
    target = line.target
    if isinstance(target, t.Of | t.Name):
        _counted_in(b, line, target, scope)
    if isinstance(target, t.Of):
        holder = needed(b, target.arg, scope)
        chosen = _chosen(b, target, holder, scope)
        if chosen is not None:
            return _gain_field(b, chosen, line.unit, amount, head, _until(b, line, chosen, scope), line.span)
        return _gain_field(b, holder, target.word, amount, head, _until(b, line, holder, scope), target.span)
    if isinstance(target, t.Name):
        known = b.scoped(target.word, scope)
        if known is not None and known.type.same(NUMBER):
            return [ir.SetName(head, target=known, value=ir.Arithmetic("+", known, amount))]
        kind = b.ruleset.campaign_kind
        if known is None and kind and target.word in b.ruleset.kinds[kind].fields:
            game = ir.Game(type=thing(kind))
            return _gain_field(b, game, target.word, amount, head, _until(b, line, game, scope), target.span)
    holder = needed(b, target, scope)
    return _gain_field(b, holder, line.unit, amount, head, _until(b, line, holder, scope), line.span)


def _counted_in(b: BodyBinder, line: ln.Gains, target: t.Of | t.Name, scope: Scope) -> None:
    """Reports a word after the amount that means nothing: `points`, or a name that the text knows."""
    if line.unit in {"points", "point", target.word} or b.scoped(line.unit, scope) is not None:
        return
    known = b.ruleset.all_names()
    if line.unit not in known:
        hint = did_you_mean(line.unit, known) or "Write `points`, or the name of the field that changes."
        b.problem("E200", f"I do not know `{line.unit}`.", line.span, hint, word=line.unit)


def _gain_field(b: BodyBinder, holder: E, field: str, amount: E, head: ir.Head, until: Until, span: Span) -> list[S]:
    if holder is ERROR:
        return []
    inner = holder.type.of if holder.type.name == "set" and holder.type.of else holder.type
    fields = b.ruleset.kinds[inner.word].fields if inner.name == "thing" else {}
    if _never_changes(b, fields, field, span):
        return []
    if field not in fields or not fields[field].type.same(NUMBER):
        _no_field(b, inner, field, f"{str(inner).capitalize()} has no number called {field}.", span)
        return []
    return [ir.Gain(head, target=holder, field=field, amount=amount, until=until)]


def put(b: BodyBinder, line: ln.Put, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    """`put x (a KIND …) in H`."""
    if line.kind not in b.ruleset.kinds:
        b.problem(
            "E103",
            f"There is no kind {line.kind}.",
            line.span,
            did_you_mean(line.kind, b.ruleset.kinds),
            word=line.kind,
        )
        return []
    grouped = no_making(b.ruleset, line.kind, line.span)
    if grouped is not None:
        b.problems.append(grouped)
        return []
    info = b.ruleset.kinds[line.kind]
    may_go(b, thing(line.kind), line.span, "is not put into the game")
    template, entry = None, _entry_put(b, line, scope, routine)
    if line.template and entry is None:
        template = line.template
        if b.template(line.template) != line.kind:
            rows = [
                r.text.split("|")[0].strip() for x in b.ruleset.lists.values() if x.of == line.kind for r in x.rows[1:]
            ]
            b.problem(
                "E237",
                f"No list gives {an(line.kind)} called {line.template}.",
                line.span,
                did_you_mean(line.template, rows),
                word=line.template,
            )
    settings: dict[str, Any] = {}
    parts = part_headings(b.ruleset, line.kind)
    said_parts: dict[str, str] = {}
    printed = {p.name for p in info.node.printed} if info.node is not None else set()
    for (name, said), written in zip(line.settings, line.written, strict=True):
        node = _as_printed(b, info.fields[name].type, said, written, scope) if name in info.fields else said
        if name in {"side", info.holder}:
            settings[name] = needed(b, node, scope)
        elif name in parts and name not in info.fields:
            said_parts[name] = text_of(node) or written
            settings[name] = t.Literal(node.span, "text", said_parts[name])
        elif (name in printed and not _plain_number(info, name, node)) or (
            isinstance(node, t.Literal) and node.kind == "text"
        ):
            if name not in printed and name not in info.fields:
                b.problem(
                    "E209",
                    f"A{an(line.kind)[1:]} has no field {name}.",
                    line.span,
                    did_you_mean(name, [*info.fields, *printed]),
                    word=name,
                )
            settings[name] = node
        elif name in info.fields:
            settings[name] = _given(b, info.fields[name].type, node, scope)
        else:
            b.problem(
                "E209",
                f"A{an(line.kind)[1:]} has no field {name}.",
                line.span,
                did_you_mean(name, [*info.fields, *printed, "side"]),
                word=name,
            )
    where = needed(b, line.where, scope) if line.where is not None else None
    like, copied = _like(b, line, info, scope)
    settings = {**copied, **settings}
    if info.part:
        _as_part(b, line, info, settings)
    naming, called = _naming(b, line, scope, routine)
    declare(b, routine, line.name, thing(line.kind), line.span)
    given = _parts_given(b, line, said_parts)
    if given and routine.word == "example":  # there alone parts are called by name
        for part in given:
            declare(b, routine, part.name, thing(part.kind), line.span)
        return [ir.Put(head, name=line.name, kind=line.kind, template=template, settings=settings, where=where, parts=tuple(part.name for part in given))]  # fmt: skip
    return [ir.Put(head, name=line.name, kind=line.kind, template=template, entry=entry, settings=settings, where=where, naming=naming, called=called, like=like)]  # fmt: skip


def _like(b: BodyBinder, line: ln.Put, info: KindInfo, scope: Scope) -> tuple[E | None, dict[str, Any]]:
    """What a copy has of the thing that it is like: its fields, its side and its holder, but neither its name nor its parts."""
    if line.like is None:
        return None, {}
    if line.template is not None:
        b.problem("E237", "A copy is of the entry that it is a copy of.", line.span, f"Leave {line.template} out.")
    first = b.needs(b.expr(line.like, scope), thing(info.name), line.like.span)
    if first is ERROR:
        return None, {}
    fields = [f for f in info.fields.values() if f.name != "name" and f.type.name != "link"]
    copied: dict[str, Any] = {f.name: ir.Field(first, f.name, type=f.type, span=line.like.span) for f in fields}
    if info.holder:
        copied[info.holder] = ir.HolderOf(
            first, info.holder, True, type=thing(info.holder).maybe(), span=line.like.span
        )
    if not info.part:
        copied["side"] = ir.SideOf(first, span=line.like.span)
    no_parts = dict.fromkeys(part_headings(b.ruleset, info.name), t.Literal(line.span, "text", "none"))
    return first, {**copied, **no_parts}


def _naming(b: BodyBinder, line: ln.Put, scope: Scope, routine: Routine) -> tuple[str | None, tuple[E, ...]]:
    """What a thing is called that a rule puts: a text with gaps, and what fills them."""
    if line.naming is None:
        return None, ()
    if routine.word == "example":
        hint = f"Call it so itself: `put {t.literal_text(line.called[0]) if isinstance(line.called[0], t.Name) else 'x'} (…)`."
        b.problem("E236", "In an example a thing is called as the line calls it.", line.span, hint)
        return None, ()
    called = tuple(b.expr(node, scope) for node in line.called)
    for value, node in zip(called, line.called, strict=True):
        if value.type.name in {"thing", "text", "entry", "enum", "number"}:
            b.needs(value, value.type.sure(), node.span)
        elif value is not ERROR:
            b.problem("E201", f"Nothing is called after {value.type}.", node.span)
    text, fills = line.naming, called
    if text == "{}" and isinstance(called[0], ir.Constant) and called[0].type.name == "text":
        text, fills = str(called[0].value), ()
    if text.count("{}") != len(fills):
        message = f"The name has {text.count('{}')} gaps, and {len(fills)} things stand behind `with`."
        b.problem("E236", message, line.span)
        return None, ()
    plain = text.replace("{}", "x")
    if not may_be_called(plain) or not plain[0].isalpha():
        hint = "It begins with a letter, and holds letters, digits and hyphens."
        b.problem("E321", f"`{text}` is no name for commands.", line.span, hint)
    return text, fills


def _entry_put(b: BodyBinder, line: ln.Put, scope: Scope, routine: Routine) -> E | None:
    """The entry that a name stands for: `put t (a tank e) in h`, where e is an argument; None where it is one of a list."""
    known = b.scoped(line.template, scope) if line.template and routine.word != "example" else None
    if known is None or known.type.name != "entry":
        return None
    if known.type.word not in {"", line.kind}:
        message = f"`{line.template}` is {known.type}, and this is {an(line.kind)}."
        b.problem("E237", message, line.span, f"Put {an(known.type.word)} {line.template}.", word=line.template or "")
    return b.needs(known, known.type.sure(), line.span)


def _as_part(b: BodyBinder, line: ln.Put, info: KindInfo, settings: Mapping[str, Any]) -> None:
    """Reports a part that is put without its whole, or elsewhere."""
    if info.holder not in settings:
        hint = f"Say so in the brackets: `put {line.name} ({an(info.name)} …, {info.holder} …)`."
        b.problem(
            "E256", f"{an(info.name).capitalize()} is part of {an(info.holder or '')}: of which?", line.span, hint
        )
    if line.where is not None:
        message = f"{an(info.name).capitalize()} stands where its {info.holder} stands."
        b.problem("E256", message, line.where.span, "Leave `in …` out.")
    if "side" in settings:
        message = f"{an(info.name).capitalize()} is its {info.holder}'s side's."
        b.problem("E256", message, line.span, "Leave `side …` out.")


def _parts_given(b: BodyBinder, line: ln.Put, said: Mapping[str, str]) -> list[PartMade]:
    """The parts that a thing is put with."""
    cell = row_cells(template_cells(b.ruleset, line.template or ""), said)
    found: list[Diagnostic] = []
    if check_parts(b.ruleset, line.kind, cell, line.span, found):
        return list(parts_made(b.ruleset, line.name, line.kind, cell))
    if said:  # what is wrong with an entry of a list is told there
        b.problems += found
    return []


def _plain_number(info: Any, name: str, node: t.Node) -> bool:
    """Whether a heading is given a bare number that the field of the same name takes: `strength 20` without a Raw Strength."""
    if name not in info.fields or not info.fields[name].type.same(NUMBER):
        return False
    return isinstance(node, t.Literal) and node.kind in {"number", "place"}


def _as_printed(b: BodyBinder, wanted: Type, node: t.Node, written: str, scope: Scope) -> t.Node:
    """A bare number or word where a rating is wanted is what is printed: `ad 15`, `mobility FH`, `armor III/VIs`."""
    one = wanted.of if wanted.name == "set" and wanted.of else wanted
    if one.name != "rating":
        return node
    if not isinstance(node, t.Literal | t.Name):
        try:
            notation.read(b.ruleset, one, written)
        except BadNotation:
            return node
        return t.Literal(node.span, "text", written)
    if isinstance(node, t.Name) and (b.scoped(node.word, scope) is not None or node.word in {"absent", "none"}):
        return node
    return t.Literal(node.span, "text", t.literal_text(node))


def do(b: BodyBinder, line: ln.Do, scope: Scope, head: ir.Head) -> list[S]:
    """`do P with A as X`: the procedure and its arguments."""
    routine = b.procedure(line.name, line.span)
    if routine is None:
        return []
    if routine.word == "order":
        message = f"`{line.name}` is an order, not a procedure: a side gives it."
        b.problem("E200", message, line.span, "Make a procedure of its effects, and let both do that.")
        return []
    b.used.add(f"procedure {line.name}")
    given: dict[str, E] = {}
    for nodes, name in (*line.bindings, *_by_heading(b, line, routine)):
        param = next((p for p in routine.params if p.name == name), None)
        if param is None:
            b.problem(
                "E211",
                f"{line.name} has nothing called {name}.",
                nodes[0].span,
                did_you_mean(name, [p.name for p in routine.params]),
                word=name,
            )
            continue
        empty = empty_set(b, nodes[0], set_of(param.type), scope) if param.many and len(nodes) == 1 else None
        values = [empty] if empty is not None else [b.expr(n, scope, looked_for(param.type)) for n in nodes]
        if any(v is ERROR for v in values):
            given[name] = ERROR
            continue
        value = values[0]
        if param.many and len(values) == 1 and is_none(value):
            value = ir.Listed((), type=set_of(param.type), span=nodes[0].span)
        elif param.many and (len(values) > 1 or value.type.name != "set"):
            wrong = next((v for v in values if not suits(b, v.type, param.type)), None)
            if wrong is not None:
                b.problem(
                    "E201", f"{name} of {line.name} is {set_of(param.type)}, but this is {wrong.type}.", wrong.span
                )
            value = set_of_these(b, tuple(values), set_of(param.type), nodes[0].span)
        wanted = set_of(param.type) if param.many else param.type
        if not suits(b, value.type, wanted):
            b.problem("E201", f"{name} of {line.name} is {wanted}, but this is {value.type}.", nodes[0].span)
        else:
            value = surely(b, value, scope, nodes[0].span)
        given[name] = value
    missing = [p.name for p in routine.params if p.name not in given]
    if missing:
        b.problem(
            "E211",
            f"{line.name} needs {' and '.join(missing)}.",
            line.span,
            hint=_as_headed(routine) if line.given else f"do {line.name} with … as {missing[0]}",
            word=line.name,
        )
    up = None
    if routine.within:
        up = next((access for r, access in scope.frames if r.name == routine.within), None)
        if up is None and scope.any_frame:
            up = f"{LAST}procedure {routine.within}"
        if up is None:
            b.problem(
                "E212",
                f"{line.name} belongs to a running {routine.within}, and none is running here.",
                line.span,
                word=line.name,
            )
    return [ir.Do(head, name=line.name, key=f"{routine.word} {routine.name}", given=given, up=up)]


def _by_heading(b: BodyBinder, line: ln.Do, routine: Routine) -> Iterator[tuple[tuple[t.Node, ...], str]]:
    """The arguments of `do P of A by B`, each with the name that the heading of P gives it."""
    left = list(routine.params)
    for prep, node in line.given:
        param = next((p for p in left if p.prep == prep), None)
        if param is None:
            message = f"{line.name} has no argument by the word `{prep}`."
            b.problem("E211", message, node.span, _as_headed(routine))
            continue
        left.remove(param)
        yield (node,), param.name


def _as_headed(routine: Routine) -> str:
    """How a procedure is called by the words of its heading, or by the names of its arguments where those do not begin by `of`."""
    if routine.params and routine.params[0].prep == "of":
        return f"It is done so: do {routine.name}" + "".join(f" {p.prep} …" for p in routine.params)
    given = " and ".join(f"… as {p.name}" for p in routine.params)
    return f"It is done so: do {routine.name}" + (f" with {given}" if given else "")


def check_telling(b: BodyBinder, whom: E, args: tuple[E, ...], line: ln.Tell) -> None:
    """W701: a message that plainly tells the other side what a field hides from it."""
    knower: E | None
    if isinstance(whom, ir.Foe):
        knower = whom.side
    elif isinstance(whom, ir.AllOf):
        knower = None
    else:
        return
    for arg, node in zip(args, line.args, strict=True):
        for read in ir.find(arg, ir.Field):
            holder, field = read.holder, read.name
            own = knower is None or (isinstance(knower, ir.SideOf) and _same(knower.thing, holder))
            if own and holder.type.name == "thing" and _hidden(b, holder.type.word, field):
                message = f"`{field}` is hidden from the enemy, and this message tells it."
                b.problem("W701", message, node.span, "Say it without what is hidden, or to the side that knows it.")


def check_reason(b: BodyBinder, when: E) -> None:
    """W701: a reason that all are told, and that holds because of what is hidden."""
    for read in hidden_reads(b.ruleset, {}, when):
        message = f"All are told this reason, and it rests on `{read.field}`, which is hidden from the enemy."
        b.problem("W701", message, read.e.span, "Leave the reason out, or `tell` it to the side that knows.")
        return


def _same(one: E, other: E) -> bool:
    return one is other or (isinstance(one, ir.FrameName | ir.Local) and ir.alike(one, other))


def _hidden(b: BodyBinder, kind: str, field: str) -> bool:
    node = b.ruleset.kinds[kind].node
    return node is not None and any(
        v.hidden and v.audience in {"enemy", "everyone"} and field in v.fields for v in node.visibility
    )
