"""Binding statements: what lines of procedures, orders and sequences do, who is asked, and what is rolled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dsl import lines as ln
from dsl import tree as t
from dsl.bind_expressions import ERROR
from dsl.diagnostics import did_you_mean
from dsl.ir import MARK, NOTHING, NUMBER, SIDE, TEXT, E, Routine, S, Type, set_of, thing
from dsl.ruleset import guarded
from dsl.scope import Scope, framed
from dsl.source import Span

if TYPE_CHECKING:
    from dsl.bind import BodyBinder


def statement(b: BodyBinder, line: ln.Line, scope: Scope, routine: Routine) -> list[S]:
    """One line of an active body as statements; none when a module that is off guards it."""
    when = b.condition(line.when, scope) if line.when is not None and not isinstance(line, ln.When) else None
    common: dict[str, Any] = {"when": when, "because": line.because, "label": line.label}

    def made(op: str, body: tuple[S, ...] = (), **fields: Any) -> list[S]:
        return [S(op, line.span, {**common, **fields}, body, line.cites, scope.module)]

    def block(body: tuple[ln.Line, ...], inner: Scope = scope) -> tuple[S, ...]:
        return tuple(s for item in body for s in statement(b, item, inner, routine))

    match line:
        case ln.Let():
            value = b.condition(line.value, scope) if line.whether else b.expr(line.value, scope)
            declare(
                b,
                routine,
                line.name,
                value.type.maybe() if when is not None and value.type.name != "set" else value.type,
                line.span,
            )
            return made("let", name=line.name, value=value)
        case ln.When():
            test = b.condition(line.when, scope) if line.when is not None else None
            return [S("when", line.span, {"arm": line.arm, "test": test}, block(line.body), line.cites, scope.module)]
        case ln.Holds() if line.because is not None and routine.word != "sequence":
            return []
        case ln.ForEach():
            return _for_each(b, line, scope, routine, made)
        case ln.Repeat():
            return _repeat(b, line, scope, made, block)
        case ln.Simultaneously():
            return made("simultaneously", block(line.body))
        case ln.Phase():
            if not guarded(line.guards, b.ruleset.active):
                return []
            refusals = tuple(
                S("refused", r.span, {"test": b.condition(r.condition, scope), "because": r.because}, (), r.cites)
                for r in line.body
                if isinstance(r, ln.Refused)
            )
            rest = tuple(x for x in line.body if not isinstance(x, ln.Refused))
            return made("phase", block(rest), name=line.name, title=line.title, step=line.step, refusals=refusals)
        case ln.May():
            return _may(b, line, scope, made)
        case ln.Stop():
            return made("stop", name=line.name)
        case ln.EndGame():
            winner = b.expr(line.winner, scope) if line.winner is not None else None
            return made("end_game", winner=winner)
        case ln.Choose():
            return _choose(b, line, scope, routine, made)
        case ln.EachChooses():
            return _each_chooses(b, line, scope, routine, made)
        case ln.Rolls():
            declare(b, routine, line.name, NUMBER, line.span)
            return made(
                "rolls",
                who=_side(b, line.who, scope),
                dice=line.dice.text,
                count=_count(b, line.dice, scope),
                name=line.name,
            )
        case ln.EachRolls():
            return _each_rolls(b, line, scope, routine, made)
        case ln.Becomes():
            return _becomes(b, line, scope, made)
        case ln.Gains():
            return _gains(b, line, scope, made)
        case ln.Move():
            what, to = b.expr(line.what, scope), b.expr(line.to, scope)
            if to is not ERROR and to.type.name != "thing":
                b.problem("E201", f"Things move to one place, but this is {to.type}.", line.to.span)
            return made("move", what=what, to=to)
        case ln.Put():
            return _put(b, line, scope, routine, made)
        case ln.Remove():
            return made("remove", what=b.expr(line.what, scope))
        case ln.Reveal():
            return made(
                "hide" if line.hide else "reveal", what=b.expr(line.what, scope), whom=_side(b, line.whom, scope)
            )
        case ln.Do():
            return _do(b, line, scope, made)
        case ln.Tell():
            whom = _side(b, line.whom, scope)
            told = tuple(b.expr(a, scope) for a in line.args)
            check_telling(b, whom, told, line)
            return made("tell", whom=whom, message=line.message, args=told)
    b.problem("E225", "This line does not belong in a procedure, an order or a sequence.", line.span)
    return []


def declare(b: BodyBinder, routine: Routine, name: str, type_: Type, span: Span) -> None:
    """Enters a name into a routine's frame; a second time it must be of the same type."""
    known = routine.frame.get(name)
    if known is not None and known.name != "nothing" and not known.same(type_):
        b.problem("E224", f"`{name}` already means {known} in {routine.name}.", span, hint="Choose another name.")
        return
    if name in {"yes", "no", "active", "turn"}:
        b.problem("E224", f"`{name}` has a meaning of its own.", span, hint="Choose another name.")
    routine.frame[name] = type_ if known is None or known.name == "nothing" or type_.optional else known


def _side(b: BodyBinder, node: t.Node, scope: Scope) -> E:
    value = b.expr(node, scope)
    if value is not ERROR and not value.type.same(SIDE) and not value.type.same(set_of(SIDE)):
        if value.type.name == "thing":
            return E("side_of", SIDE, (value,), node.span)
        b.problem("E201", f"A side is needed here, but this is {value.type}.", node.span)
    return value


def _count(b: BodyBinder, dice: ln.Dice, scope: Scope) -> E | None:
    return b.number(dice.count, scope) if dice.count is not None else None


def _for_each(b: BodyBinder, line: ln.ForEach, scope: Scope, routine: Routine, made: Any) -> list[S]:
    over = b.expr(line.over, scope)
    inner_type = NOTHING
    if over is not ERROR:
        if over.type.name != "set":
            b.problem("E214", f"`for each` goes through several things, but this is {over.type}.", line.over.span)
        inner_type = over.type.of or NOTHING
    declare(b, routine, line.name, inner_type, line.span)
    inner = scope.inner()
    order = None
    if line.order is not None:
        order = b.number(line.order, scope.inner(it=framed("F", line.name, inner_type)))
    if line.role == "active":
        inner.whose = E("active", SIDE, ())
    elif line.role:
        b.problem("E232", f"`as {line.role}`: only `as active` is known.", line.span)
    body = tuple(s for item in line.body for s in statement(b, item, inner, routine))
    return made("for_each", body, name=line.name, over=over, order=order, role=line.role)  # type: ignore[no-any-return]


def _repeat(b: BodyBinder, line: ln.Repeat, scope: Scope, made: Any, block: Any) -> list[S]:
    from dsl.bind import ENDLESS

    times = b.number(line.times, scope)
    if times.op == "const" and isinstance(times.args[0], int) and times.args[0] > ENDLESS:
        b.problem("E233", f"This may run {times.args[0]:,} times; the most is {ENDLESS:,}.", line.times.span)
    condition = b.condition(line.condition, scope) if line.condition is not None else None
    return made("repeat", block(line.body), times=times, condition=condition)  # type: ignore[no-any-return]


def _may(b: BodyBinder, line: ln.May, scope: Scope, made: Any) -> list[S]:
    who = _side(b, line.who, scope)
    names = []
    for name in line.orders:
        if f"order {name}" in b.ruleset.bodied:
            names.append(name)
            b.used.add(f"order {name}")
        elif not any(getattr(x, "word", "") == "order" and x.name == name for x in b.ruleset.everything):
            known = [k.split(" ")[1] for k in b.ruleset.bodied if k.startswith("order ")]
            b.problem("E200", f"There is no order {name}.", line.span, did_you_mean(name, known), word=name)
    return made("may", who=who, orders=tuple(names), manner=line.manner)  # type: ignore[no-any-return]


def _choice(b: BodyBinder, choice: ln.Choice, scope: Scope) -> tuple[E | None, E | None, Type]:
    """The candidates, the amount, and the type of what is chosen."""
    if choice.kind == "words":
        items = tuple(b.expr(w, scope) for w in choice.words)
        first = items[0].type
        if any(i is ERROR for i in items):
            words = tuple(w.word for w in choice.words if isinstance(w, t.Name))
            return E("list", set_of(TEXT), tuple(E("const", TEXT, (w,)) for w in words)), None, TEXT
        return E("list", set_of(first), items, choice.span), None, first
    if choice.kind == "number":
        assert choice.amount is not None
        return None, b.number(choice.amount, scope), NUMBER
    assert choice.source is not None
    source = b.expr(choice.source, scope)
    amount = b.number(choice.amount, scope) if choice.amount is not None else None
    if source is ERROR:
        return ERROR, amount, NOTHING
    if amount is not None:
        _possible(b, choice, source, amount)
    if source.type.name in {"thing", "enum"}:
        source = E("list", set_of(source.type), (source,), source.span)
    if source.type.name != "set":
        b.problem("E214", f"A choice is among several things, but this is {source.type}.", choice.source.span)
        return ERROR, amount, NOTHING
    return source, amount, (source.type.of or NOTHING)


def _words_type(b: BodyBinder, line: ln.Choose | ln.EachChooses, owner: str) -> None:
    """Words that only a choice knows become the words of an enum of their own."""
    from dsl.ruleset import EnumInfo

    if line.choice.kind != "words":
        return
    words = tuple(w.word for w in line.choice.words if isinstance(w, t.Name))
    if words in {("yes", "no"), ("no", "yes")} or len(words) != len(line.choice.words):
        return
    homes = [e for e in b.ruleset.enums.values() if set(words) <= set(e.words)]
    if homes:
        return
    name = f"{owner}.{line.name}"
    b.ruleset.enums[name] = EnumInfo(name, words, False, {})
    for word in words:
        b.ruleset.terms.setdefault(word, []).append(name)


def _choose(b: BodyBinder, line: ln.Choose, scope: Scope, routine: Routine, made: Any) -> list[S]:
    _words_type(b, line, routine.name)
    who = _side(b, line.who, scope)
    inner = scope.inner(whose=who)
    if line.choice.kind == "words" and not any(
        isinstance(w, t.Name) and w.word in {"yes", "no"} for w in line.choice.words
    ):
        words = {w.word for w in line.choice.words if isinstance(w, t.Name)}
        home = next((e.name for e in b.ruleset.enums.values() if words <= set(e.words)), None)
        if home is not None:
            items = tuple(E("const", Type("enum", home), (w.word,)) for w in line.choice.words if isinstance(w, t.Name))
            source, amount, type_ = E("list", set_of(items[0].type), items), None, items[0].type
        else:
            source, amount, type_ = _choice(b, line.choice, inner)  # type: ignore[assignment]
    else:
        source, amount, type_ = _choice(b, line.choice, inner)  # type: ignore[assignment]
    many = line.choice.kind in {"some", "up_to", "exactly"}
    kept = set_of(type_) if many else type_
    if line.when is not None and not many:
        kept = kept.maybe()
    if line.choice.kind == "words" and type_ is MARK:
        kept = MARK
    declare(b, routine, line.name, kept, line.span)
    such = b.condition(line.such_that.condition, inner) if line.such_that is not None else None
    reason = line.such_that.because if line.such_that is not None else None
    return made(  # type: ignore[no-any-return]
        "choose", who=who, name=line.name, kind=line.choice.kind, source=source, amount=amount, such_that=such, reason=reason,
        secret=line.secretly, many=many,
    )  # fmt: skip


def _each_chooses(b: BodyBinder, line: ln.EachChooses, scope: Scope, routine: Routine, made: Any) -> list[S]:
    _words_type(b, line, routine.name)
    over = b.expr(line.over, scope)
    inner_type = (over.type.of or NOTHING) if over.type.name == "set" else NOTHING
    if over is not ERROR and over.type.name != "set":
        b.problem("E214", f"`each` goes through several things, but this is {over.type}.", line.over.span)
    declare(b, routine, line.item, inner_type, line.span)
    item = framed("F", line.item, inner_type)
    inner = scope.inner(whose=item if inner_type.same(SIDE) else E("side_of", SIDE, (item,)))
    source, amount, type_ = _choice(b, line.choice, inner)
    if line.choice.kind in {"some", "up_to", "exactly"}:
        type_ = set_of(type_)
    declare(b, routine, line.name, Type("map", "", type_), line.span)
    such = b.condition(line.such_that.condition, inner) if line.such_that is not None else None
    reason = line.such_that.because if line.such_that is not None else None
    return made(  # type: ignore[no-any-return]
        "each_chooses", item=line.item, over=over, name=line.name, kind=line.choice.kind, source=source, amount=amount,
        such_that=such, reason=reason, secret=line.secretly, sides=inner_type.same(SIDE),
    )  # fmt: skip


def _each_rolls(b: BodyBinder, line: ln.EachRolls, scope: Scope, routine: Routine, made: Any) -> list[S]:
    if line.over is None:
        if line.item != "side":
            b.problem(
                "E234",
                f"`each {line.item} rolls`: only `each side` stands alone.",
                line.span,
                hint=f"each {line.item} in …",
            )
        over = E("sides_in_turn", set_of(SIDE), ())
        inner_type = SIDE
        item = "side"
    else:
        over = b.expr(line.over, scope)
        inner_type = (over.type.of or NOTHING) if over.type.name == "set" else NOTHING
        item = line.item
        declare(b, routine, item, inner_type, line.span)
    declare(b, routine, line.name, Type("map", "", NUMBER), line.span)
    return made(  # type: ignore[no-any-return]
        "each_rolls",
        item=item,
        over=over,
        dice=line.dice.text,
        count=_count(b, line.dice, scope),
        name=line.name,
        sides=inner_type.same(SIDE),
    )


def _until(b: BodyBinder, line: ln.Becomes | ln.Gains) -> str | None:
    from dsl.weave import phases_of

    if line.until is None:
        return None
    period = line.until.period
    known = {
        *phases_of(b.ruleset),
        "turn",
        *(k.split(" ")[1] for k in b.ruleset.bodied if k.startswith(("procedure ", "sequence "))),
    }
    if period not in known:
        b.problem(
            "E235",
            f"Nothing here is called {period}, so its {line.until.edge} never comes.",
            line.until.span,
            did_you_mean(period, known),
            word=period,
        )
    return f"{line.until.edge} {period}"


def _becomes(b: BodyBinder, line: ln.Becomes, scope: Scope, made: Any) -> list[S]:
    until = _until(b, line)
    target = line.target
    if isinstance(target, t.Name) and any(target.word in r.frame for r, _ in scope.frames):
        known = b.expr(target, scope)
        if not (
            known.type.name in {"thing", "set"}
            and isinstance(line.value, t.Name)
            and not _is_value(b, line.value, scope)
        ):
            value = b.expr(line.value, scope, known.type if known.type.name == "enum" else None)
            value = b.needs(value, known.type.maybe() if known.type.name != "set" else known.type, line.value.span)
            return made("set_frame", target=known, value=value)  # type: ignore[no-any-return]
    if isinstance(target, t.Of):
        holder = b.expr(target.arg, scope)
        return _set_field(b, holder, target.word, line.value, scope, made, until, target.span)
    if isinstance(target, t.Name):
        kind = b.ruleset.campaign_kind
        if kind and target.word in b.ruleset.kinds[kind].fields:
            return _set_field(b, E("game", thing(kind)), target.word, line.value, scope, made, until, target.span)
    subject = b.expr(target, scope)
    if subject is ERROR:
        return []
    if isinstance(line.value, t.Name):
        return _becomes_word(b, subject, line.value, made, until)
    b.problem("E236", "It is not clear what changes here.", line.span, hint="Name the field: `posture of u becomes …`.")
    return []


def _is_value(b: BodyBinder, node: t.Name, scope: Scope) -> bool:
    """Whether a word is a value of the wanted type in this scope, rather than a mark or a word of a field."""
    return b.scoped(node.word, scope) is not None or node.word in b.ruleset.plurals


def _becomes_word(b: BodyBinder, subject: E, node: t.Name, made: Any, until: str | None) -> list[S]:
    """`u becomes W`: a mark set, or a word of the one field that knows it."""
    inner = subject.type.of if subject.type.name == "set" and subject.type.of else subject.type
    if inner.name != "thing":
        b.problem("E236", f"Only things change so, but this is {inner}.", node.span)
        return []
    fields = b.ruleset.kinds[inner.word].fields
    if node.word in fields and fields[node.word].type is MARK:
        return made("set_field", target=subject, field=node.word, value=E("const", MARK, (True,)), until=until)  # type: ignore[no-any-return]
    homes = [n for n, f in fields.items() if f.type.name == "enum" and node.word in b.ruleset.enums[f.type.word].words]
    if len(homes) == 1:
        value = E("const", fields[homes[0]].type, (node.word,))
        return made("set_field", target=subject, field=homes[0], value=value, until=until)  # type: ignore[no-any-return]
    known = [n for n, f in fields.items() if f.type is MARK]
    b.problem("E236", f"A {inner.word} cannot become `{node.word}`.", node.span, did_you_mean(node.word, known))
    return []


def _set_field(
    b: BodyBinder, holder: E, field: str, node: t.Node, scope: Scope, made: Any, until: str | None, span: Span
) -> list[S]:
    if holder is ERROR:
        return []
    inner = holder.type.of if holder.type.name == "set" and holder.type.of else holder.type
    fields = b.ruleset.kinds[inner.word].fields if inner.name == "thing" else {}
    if field not in fields:
        mapped = b.frame_map(field, holder, scope)
        if mapped is not None:
            return made("set_map", target=mapped, value=b.expr(node, scope))  # type: ignore[no-any-return]
        b.problem(
            "E209", f"{str(inner).capitalize()} has no field {field}.", span, did_you_mean(field, fields), word=field
        )
        return []
    wanted = fields[field].type
    value = b.expr(node, scope, wanted if wanted.name == "enum" else None)
    value = b.needs(value, wanted, node.span)
    return made("set_field", target=holder, field=field, value=value, until=until)  # type: ignore[no-any-return]


def _gains(b: BodyBinder, line: ln.Gains, scope: Scope, made: Any) -> list[S]:
    amount = b.number(line.amount, scope)
    if line.loses:
        amount = E("negative", NUMBER, (amount,), amount.span)
    until = _until(b, line)
    target = line.target
    if isinstance(target, t.Of):
        holder = b.expr(target.arg, scope)
        return _gain_field(b, holder, target.word, amount, made, until, target.span)
    if isinstance(target, t.Name):
        known = b.scoped(target.word, scope)
        if known is not None and known.type.same(NUMBER):
            return made("set_frame", target=known, value=E("arithmetic", NUMBER, ("+", known, amount)))  # type: ignore[no-any-return]
        kind = b.ruleset.campaign_kind
        if known is None and kind and target.word in b.ruleset.kinds[kind].fields:
            return _gain_field(b, E("game", thing(kind)), target.word, amount, made, until, target.span)
    holder = b.expr(target, scope)
    return _gain_field(b, holder, line.unit, amount, made, until, line.span)


def _gain_field(b: BodyBinder, holder: E, field: str, amount: E, made: Any, until: str | None, span: Span) -> list[S]:
    if holder is ERROR:
        return []
    inner = holder.type.of if holder.type.name == "set" and holder.type.of else holder.type
    fields = b.ruleset.kinds[inner.word].fields if inner.name == "thing" else {}
    if field not in fields or not fields[field].type.same(NUMBER):
        b.problem(
            "E209",
            f"{str(inner).capitalize()} has no number called {field}.",
            span,
            did_you_mean(field, fields),
            word=field,
        )
        return []
    return made("gain", target=holder, field=field, amount=amount, until=until)  # type: ignore[no-any-return]


def _put(b: BodyBinder, line: ln.Put, scope: Scope, routine: Routine, made: Any) -> list[S]:
    if line.kind not in b.ruleset.kinds:
        b.problem(
            "E103",
            f"There is no kind {line.kind}.",
            line.span,
            did_you_mean(line.kind, b.ruleset.kinds),
            word=line.kind,
        )
        return []
    info = b.ruleset.kinds[line.kind]
    template = None
    if line.template:
        template = line.template
        if b.template(line.template) != line.kind:
            rows = [
                r.text.split("|")[0].strip() for x in b.ruleset.lists.values() if x.of == line.kind for r in x.rows[1:]
            ]
            b.problem(
                "E237",
                f"No list gives a {line.kind} called {line.template}.",
                line.span,
                did_you_mean(line.template, rows),
                word=line.template,
            )
    settings: dict[str, Any] = {}
    printed = {p.name for p in info.node.printed} if info.node is not None else set()
    for name, node in line.settings:
        if name in {"side", info.holder}:
            settings[name] = b.expr(node, scope)
        elif name in printed or (isinstance(node, t.Literal) and node.kind == "text"):
            if name not in printed and name not in info.fields:
                b.problem(
                    "E209",
                    f"A {line.kind} has no field {name}.",
                    node.span,
                    did_you_mean(name, [*info.fields, *printed]),
                )
            settings[name] = node
        elif name in info.fields:
            wanted = info.fields[name].type
            settings[name] = b.needs(b.expr(node, scope, wanted if wanted.name == "enum" else None), wanted, node.span)
        else:
            b.problem(
                "E209",
                f"A {line.kind} has no field {name}.",
                node.span,
                did_you_mean(name, [*info.fields, *printed, "side"]),
            )
    where = b.expr(line.where, scope) if line.where is not None else None
    declare(b, routine, line.name, thing(line.kind), line.span)
    return made("put", name=line.name, kind=line.kind, template=template, settings=settings, where=where)  # type: ignore[no-any-return]


def _do(b: BodyBinder, line: ln.Do, scope: Scope, made: Any) -> list[S]:
    routine = b.procedure(line.name, line.span)
    if routine is None:
        return []
    if routine.word != "procedure":
        message = f"`{line.name}` is an order, not a procedure: a side gives it."
        b.problem("E200", message, line.span, "Make a procedure of its effects, and let both do that.")
        return []
    b.used.add(f"procedure {line.name}")
    given: dict[str, E] = {}
    for nodes, name in line.bindings:
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
        values = [b.expr(n, scope, param.type if param.type.name == "enum" else None) for n in nodes]
        if any(v is ERROR for v in values):
            given[name] = ERROR
            continue
        value = values[0]
        if param.many and (len(values) > 1 or value.type.name != "set"):
            value = E("list", set_of(param.type), tuple(values), nodes[0].span)
        wanted = set_of(param.type) if param.many else param.type
        if not value.type.same(wanted):
            b.problem("E201", f"{name} of {line.name} is {wanted}, but this is {value.type}.", nodes[0].span)
        given[name] = value
    missing = [p.name for p in routine.params if p.name not in given]
    if missing:
        b.problem(
            "E211",
            f"{line.name} needs {' and '.join(missing)}.",
            line.span,
            hint=f"do {line.name} with … as {missing[0]}",
            word=line.name,
        )
    up = None
    if routine.within:
        up = next((access for r, access in scope.frames if r.name == routine.within), None)
        if up is None and scope.any_frame:
            up = f"W.last_frame({'procedure ' + routine.within!r})"
        if up is None:
            b.problem(
                "E212",
                f"{line.name} belongs to a running {routine.within}, and none is running here.",
                line.span,
                word=line.name,
            )
    return made("do", name=line.name, key=f"{routine.word} {routine.name}", given=given, up=up)  # type: ignore[no-any-return]


def _possible(b: BodyBinder, choice: ln.Choice, source: E, amount: E) -> None:
    """Reports a question that plainly has no legal answer."""
    if amount.op != "const" or choice.amount is None:
        return
    asked = amount.args[0]
    if asked < 0 or (choice.kind == "exactly" and asked != int(asked)):
        b.problem("E241", f"Nobody can choose {asked} of anything.", choice.amount.span)
    elif choice.kind == "exactly" and source.op == "list":
        offered = (
            len({(x.op, x.args) for x in source.args})
            if all(x.op == "const" for x in source.args)
            else len(source.args)
        )
        if asked > offered:
            b.problem(
                "E241",
                f"Exactly {asked} are to be chosen, but only {offered} are offered: no answer is legal.",
                choice.span,
            )


def check_telling(b: BodyBinder, whom: E, args: tuple[E, ...], line: ln.Tell) -> None:
    """W701: a message that plainly tells the other side what a field hides from it."""
    if whom.op == "foe" and isinstance(whom.args[0], E):
        knower = whom.args[0]
    elif whom.op == "all":
        knower = None
    else:
        return
    for arg, node in zip(args, line.args, strict=True):
        for read in _reads(arg):
            holder, field = read.args[0], read.args[1]
            own = knower is None or (knower.op == "side_of" and _same(knower.args[0], holder))
            if own and holder.type.name == "thing" and _hidden(b, holder.type.word, field):
                message = f"`{field}` is hidden from the enemy, and this message tells it."
                b.problem("W701", message, node.span, "Say it without what is hidden, or to the side that knows it.")


def _reads(value: Any) -> list[E]:
    if isinstance(value, tuple | list):
        return [x for item in value for x in _reads(item)]
    if not isinstance(value, E):
        return []
    return [*([value] if value.op == "field" and isinstance(value.args[0], E) else []), *_reads(value.args)]


def _same(one: E, other: E) -> bool:
    return one is other or (one.op == other.op and one.args == other.args and one.op in {"frame", "local"})


def _hidden(b: BodyBinder, kind: str, field: str) -> bool:
    node = b.ruleset.kinds[kind].node
    return node is not None and any(
        v.hidden and v.audience in {"enemy", "everyone"} and field in v.fields for v in node.visibility
    )
