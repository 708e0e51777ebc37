"""Emitting statements: effects, questions, dice, loops and phases as the body of a Python generator."""

# ruff: noqa: ARG001 (every statement of the binder is a function that is called in the same way)

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.bind_triggers import Lasting
from dsl.effects import does, lines_in
from dsl.hidden import hidden_reads
from dsl.ir import TEXT, E, Moment, Routine, S, Type
from interpreter.branches import asks, chains, gathers
from interpreter.emit_expressions import py
from interpreter.lasting import IF
from interpreter.reads import ACTIVE, ALL, PAST
from interpreter.watch import changed_by

if TYPE_CHECKING:
    from interpreter.emit import Emitter


def emit_body(m: Emitter, body: tuple[S, ...], routine: Routine) -> None:
    """All statements of a body in order; `pass` when there is none."""
    if not body:
        m.put("pass")
    for s in body:
        m.span = s.span
        emit_statement(m, s, routine)


def _nested(m: Emitter, body: tuple[S, ...], routine: Routine) -> None:
    m.depth += 1
    emit_body(m, body, routine)
    m.depth -= 1


def emit_statement(m: Emitter, s: S, routine: Routine) -> None:
    """One statement."""
    if s.op == "when":
        head = {"when": "if", "otherwise when": "elif", "otherwise": "else"}[s["arm"]]
        m.put(f"{head}:" if head == "else" else f"{head} {m.emit(s['test'])}:")
        _nested(m, s.body, routine)
        return
    if s["when"] is not None:
        if s.op in {"let", "choose", "draws"}:
            target = f"F.n_{py(s['name'])}"
            empty = "[]" if s["many"] or (s["value"] is not None and s["value"].type.name == "set") else "None"
            empty = "Shares()" if s["kind"] == "split" else empty
            m.put(f"{target} = {empty}")
        m.put(f"if {m.emit(s['when'])}:")
        m.depth += 1
        _done_and_heeded(m, s, routine)
        m.depth -= 1
    else:
        _done_and_heeded(m, s, routine)


def _done_and_heeded(m: Emitter, s: S, routine: Routine) -> None:
    _EMIT[s.op](m, s, routine)
    if does(s).changes and s.op != "move":  # what moves is heeded on its way
        lasting = isinstance(s["until"], Lasting)
        _heed(m, *({ALL} if lasting else _changes(m, s)))


def _let(m: Emitter, s: S, routine: Routine) -> None:
    value = m.emit(s["value"])
    if s["value"].op == "all":  # a name keeps what there is now, not what there will be
        value = f"list({value})"
    if m.traced:
        key = f"let {s['name']}"
        value = f"PIN[{m.word(key)}] if PIN and {m.word(key)} in PIN else {value}"
    m.put(f"F.n_{py(s['name'])} = {value}")
    m.named(s["name"])


def _for_each(m: Emitter, s: S, routine: Routine) -> None:
    plain = s["order"] is None and not s["role"] and not gathers(m.binder, s)
    if m.together and plain and asks(m.binder, s.body):
        _each_at_once(m, s, routine)
        return
    name = f"F.n_{py(s['name'])}"
    over = f"list({m.emit(s['over'])})"
    if s["order"] is not None:
        key = m.fresh("key")
        m.put(f"def {key}(x):")
        m.put(f"    {name} = x")
        m.put(f"    return {m.emit(s['order'])}")
        over = f"sorted({over}, key={key})"
    item, listed = m.fresh("i"), m.fresh("l")
    m.put(f"{listed} = {over}")
    m.put(f"for {m.fresh('n')}, {item} in enumerate({listed}):")
    m.depth += 1
    m.put(f"if not {item}.alive: continue") if _things(s["over"]) else None
    m.put(f"{name} = {item}")
    m.renewed("F", s["name"])
    if s["role"] == "active":
        m.put(f"W.set_active({item})")
        m.put(f"F.acting = {item}")
        _heed(m, ACTIVE)
    words = s["over"].type.of is not None and s["over"].type.of.name == "enum"
    rounds, m.rounds = m.rounds, (*m.rounds, (s["over"].type.of.word, name)) if words else m.rounds
    subject, m.subject = m.subject, name if _may_be_subject(m, s["over"].type.of) else m.subject
    emit_body(m, s.body, routine)
    m.rounds, m.subject = rounds, subject
    m.depth -= 1


SUBJECTS = frozenset({"unit", "formation", "component", "marker", "place"})
"""The kinds of things that dice and questions are said to be for."""


def _may_be_subject(m: Emitter, type_: Type | None) -> bool:
    return type_ is not None and type_.name == "thing" and m.binder.ruleset.kinds[type_.word].word in SUBJECTS


def _subject(m: Emitter, routine: Routine) -> str:
    """What dice are rolled for or a question is put for: the thing of the innermost loop, else the first argument that is one.

    A place behind an argument that is no thing only says where: `raise guard to 0304` is not about 0304.
    """
    if m.subject:
        return m.subject
    params = routine.params if routine.word in {"procedure", "order"} else ()
    singles = [p for p in params if not p.many]
    first = next((p for p in singles if _may_be_subject(m, p.type)), None)
    if first is not None and first is not singles[0] and m.binder.ruleset.is_place(first.type):
        first = None
    return f"F.n_{py(first.name)}" if first is not None else "None"


def _things(over: E) -> bool:
    return bool(over.type.of and over.type.of.name == "thing" and over.type.of.word != "side")


def _repeat(m: Emitter, s: S, routine: Routine) -> None:
    times = m.fresh("t")
    m.put(f"{times} = int({m.emit(s['times'])})")
    m.put(f"for {m.fresh('n')} in range({times}):")
    m.depth += 1
    if s["condition"] is not None:
        m.put(f"if not {m.emit(s['condition'])}: break")
    m.put("W.tick()")
    emit_body(m, s.body, routine)
    m.depth -= 1


def _simultaneously(m: Emitter, s: S, routine: Routine) -> None:
    m.put("W.begin_together()")
    m.put("try:")
    m.depth += 1
    m.together += 1
    if asks(m.binder, s.body):
        _branches(m, chains(m.binder, s.body, m.names_read), routine)
    else:
        emit_body(m, s.body, routine)
    m.together -= 1
    m.depth -= 1
    m.put("except Halt as _h:")
    m.put("    W.end_together()")
    _let_fall(m, "    ")
    m.put("    raise" if m.together else f"    if _h.name != {m.word(routine.name)}: raise")
    if not m.together:
        m.depth += 1
        _heed(m, *_changes(m, *s.body))
        m.put("return")
        m.depth -= 1
    m.put("W.end_together()")
    _let_fall(m)
    _heed(m, *_changes(m, *s.body))


def _let_fall(m: Emitter, room: str = "") -> None:
    """Takes out of the game what lines that are done together have removed, where rules wait for that."""
    if m.watch.losing:
        m.put(f"{room}yield from W.take_fallen(F)")


def _branches(m: Emitter, chained: list[tuple[S, ...]], routine: Routine) -> None:
    """Lines that go on side by side, each on a copy of the frame, so that all they ask is asked at once."""
    if len(chained) == 1:
        emit_body(m, chained[0], routine)
        return
    frames = m.fresh("f")
    m.put(f"{frames} = W.copies(F, {len(chained)})")
    runs = []
    for number, body in enumerate(chained):
        name = _branch(m, body, routine)
        runs.append(f"{name}({frames}[{number}])")
    m.put(f"yield from W.branches([{', '.join(runs)}])")
    m.put(f"W.rejoin(F, {frames})")
    m.put("W.changed()")


def _branch(m: Emitter, body: tuple[S, ...], routine: Routine) -> str:
    name = m.fresh("branch")
    m.put(f"def {name}(F):")
    m.depth += 1
    m.put("if False: yield")
    emit_body(m, body, routine)
    m.depth -= 1
    return name


def _each_at_once(m: Emitter, s: S, routine: Routine) -> None:
    """The rounds of a loop inside `simultaneously`, side by side."""
    frames, item, run, runs = m.fresh("f"), m.fresh("i"), m.fresh("r"), m.fresh("rs")
    name = _branch(m, s.body, routine)
    m.put(f"{item} = list({m.emit(s['over'])})")
    m.put(f"{frames} = W.copies(F, len({item}))")
    m.put(f"{runs} = []")
    m.put(f"for {run}, {item} in zip({frames}, {item}):")
    m.put(f"    {run}.n_{py(s['name'])} = {item}")
    m.put(f"    {runs}.append({name}({run}))")
    m.put(f"yield from W.branches({runs})")
    m.put(f"W.rejoin(F, {frames})")
    m.put("W.changed()")


def _phase(m: Emitter, s: S, routine: Routine) -> None:
    name = s["name"]
    up = "F" if routine.word in {"order", "procedure"} else "None"
    title = s["title"] or name.replace("-", " ").capitalize()
    m.put(f"W.enter_phase({m.word(name)}, {m.word(title)}, {m.word(bool(s['step']))})")
    _heed(m, *m.watch.passing)
    emit_hooks(m, f"before phase {name}", up)
    refusals = []
    for refusal in s["refusals"]:
        function = m.fresh("refuse")
        m.span = refusal.span
        own = "with as_acting(F, W.active):" if up == "F" else "if True:"  # who would end it is meant by `own`
        m.put(f"def {function}():")
        m.put(f"    {own}")
        m.put(f"        return {m.emit(refusal['test'])}")
        who, about = "None", _spoken_of(refusal["test"])
        if about is not None:
            who = m.fresh("about")
            m.put(f"def {who}():")
            m.put(f"    {own}")
            m.put(f"        return list({m.emit(about)})")
        refusals.append(f"({function}, {m.word(refusal['because'])}, {m.word(refusal.cites)}, {who})")
    m.span = s.span
    outer = m.fresh("closing")
    m.put(f"{outer}, W.closing = W.closing, [{', '.join(refusals)}]")
    emit_body(m, s.body, routine)
    m.put(f"W.closing = {outer}")
    emit_hooks(m, f"after phase {name}", up)
    m.put(f"W.leave_phase({m.word(name)})")
    _heed(m, *m.watch.passing)


def _spoken_of(test: E) -> E | None:
    """The things for which a condition holds, where it asks whether there are any."""
    things = test.args[0] if test.op == "there" else test.args[1] if test.op == "quantified" else None
    if isinstance(things, E) and things.type.of is not None and things.type.of.name == "thing":
        if test.op == "there":
            return things
        if test.args[0] == "any":
            return E("filter", things.type, (things, test.args[2], test.args[3]), test.span)
    if test.op != "and":
        return None
    return next((found for a in test.args if isinstance(a, E) and (found := _spoken_of(a)) is not None), None)


def emit_hooks(m: Emitter, key: str, up: str = "None") -> None:
    """Runs the rules that come before or after something."""
    for hook in m.binder.hooks.get(key, ()):
        name = f"p_rule_{py(hook.name)}"
        m.put(f"yield from {name}(W.frame({m.word('rule ' + hook.name)}, F.acting, {up}))")


def _may(m: Emitter, s: S, routine: Routine) -> None:
    rounds = "".join(f"({m.word(enum)}, {name}), " for enum, name in m.rounds)
    m.put(
        f"yield from W.window(F, {m.emit(s['who'])}, {m.word(s['orders'])}, {m.word(s['manner'])}, ({rounds}), {m.subject or 'None'})"
    )


def _stop(m: Emitter, s: S, routine: Routine) -> None:
    if s["because"]:
        m.put(f"W.note({m.word(s['because'])}, {m.word(s.cites)})")
    if m.together or (s["name"] and s["name"] != routine.name):
        m.put(f"raise Halt({m.word(s['name'] or routine.name)})")
    else:
        m.put("return")


def _end_game(m: Emitter, s: S, routine: Routine) -> None:
    winner = m.emit(s["winner"]) if s["winner"] is not None else "None"
    m.put(f"W.end_game({winner}, {m.word(s['because'] or '')})")


def _always_put(m: Emitter, s: S) -> bool:
    """Whether a question is put even where only one answer is legal: that it was not put would tell what is hidden."""
    parts = (s["over"], s["source"], s["amount"], s["such_that"])
    return next(hidden_reads(m.binder.ruleset, m.binder.routines, parts), None) is not None


def _choose(m: Emitter, s: S, routine: Routine) -> None:
    name = f"n_{py(s['name'])}"
    site = m.site(s, routine)
    source = f"lambda: {m.emit(s['source'])}" if s["source"] is not None else "None"
    amount = f"lambda: {m.emit(s['amount'])}" if s["amount"] is not None else "None"
    test = "None"
    if s["such_that"] is not None:
        test = m.fresh("test")
        m.put(f"def {test}(v):")
        m.put(f"    with tried(F, {m.word(name)}):")
        m.put(f"        F.{name} = v")
        m.renewed("F", s["name"], inner=2)
        m.put(f"        return {m.emit(s['such_that'])}")
    m.put(
        f"F.{name} = yield from W.ask({site}, {m.emit(s['who'])}, {m.word(s['name'])}, {m.word(s['kind'])}, {source}, {amount}, "
        f"{test}, {m.word(s['reason'] or '')}, {m.word(bool(s['secret']))}, {m.word(_always_put(m, s))}, {_subject(m, routine)})"
    )
    m.named(s["name"])


def _each_chooses(m: Emitter, s: S, routine: Routine) -> None:
    name, item = f"n_{py(s['name'])}", f"n_{py(s['item'])}"
    site = m.site(s, routine)
    source = "None"
    if s["source"] is not None:
        source = m.fresh("source")
        m.put(f"def {source}(v):")
        m.put(f"    F.{item} = v")
        m.renewed("F", s["item"], inner=1)
        m.put(f"    return {m.emit(s['source'])}")
    amount = "None"
    if s["amount"] is not None:
        amount = m.fresh("amount")
        m.put(f"def {amount}(v):")
        m.put(f"    F.{item} = v")
        m.renewed("F", s["item"], inner=1)
        m.put(f"    return {m.emit(s['amount'])}")
    test = "None"
    if s["such_that"] is not None:
        test = m.fresh("test")
        m.put(f"def {test}(v, item):")
        m.put(f"    with tried(F, {m.word(name)}, {m.word(item)}):")
        m.put(f"        F.{name} = v")
        m.put(f"        F.{item} = item")
        m.renewed("F", s["name"], s["item"], inner=2)
        m.put(f"        return {m.emit(s['such_that'])}")
    m.put(
        f"F.{name} = yield from W.ask_each({site}, list({m.emit(s['over'])}), {m.word(s['name'])}, {m.word(s['kind'])}, {source}, "
        f"{amount}, {test}, {m.word(s['reason'] or '')}, {m.word(bool(s['secret']))}, {m.word(_always_put(m, s))}, "
        f"named_before(F, {m.word(name)}))"
    )
    m.renewed("F", s["name"], s["item"])


def _rolls(m: Emitter, s: S, routine: Routine) -> None:
    site = m.site(s, routine)
    count = m.emit(s["count"]) if s["count"] is not None else "None"
    m.put(
        f"F.n_{py(s['name'])} = yield from W.roll({site}, {m.emit(s['who'])}, {m.emit(s['dice'])}, {m.word(s['name'])}, {count}, "
        f"subject={_subject(m, routine)})"
    )
    m.named(s["name"])


def _draws(m: Emitter, s: S, routine: Routine) -> None:
    site = m.site(s, routine)
    m.put(
        f"F.n_{py(s['name'])} = yield from W.draw({site}, {m.emit(s['who'])}, list({m.emit(s['source'])}), {m.word(s['name'])}, "
        f"{_subject(m, routine)})"
    )
    m.named(s["name"])


def _each_rolls(m: Emitter, s: S, routine: Routine) -> None:
    site = m.site(s, routine)
    name = f"F.n_{py(s['name'])}"
    count = m.emit(s["count"]) if s["count"] is not None else "None"
    item = m.fresh("i")
    listed = m.fresh("l")
    m.put(f"{name} = {{}}")
    m.put(f"{listed} = list({m.emit(s['over'])})")
    m.put(f"for {m.fresh('n')}, {item} in enumerate({listed}):")
    side = item if s["sides"] else f"{item}.side"
    m.put(
        f"    {name}[{item}] = yield from W.roll({site}, {side}, {m.emit(s['dice'])}, {m.word(s['name'])}, {count}, {item})"
    )
    m.named(s["name"])


def _set_frame(m: Emitter, s: S, routine: Routine) -> None:
    m.put(f"{m.emit(s['target'])} = {m.emit(s['value'])}")
    m.renewed(s["target"].args[0], s["target"].args[1])


def _set_map(m: Emitter, s: S, routine: Routine) -> None:
    m.put(f"{m.emit(s['target'])} = {m.emit(s['value'])}")
    m.renewed(s["target"].args[0], s["target"].args[1])


def _each(m: Emitter, target: E) -> str:
    """The things an effect is done to, as a list."""
    inner = m.emit(target)
    if target.type.name == "set":
        return f"list({inner})"
    return f"some({inner})" if target.type.optional else f"({inner},)"


def _set_field(m: Emitter, s: S, routine: Routine) -> None:
    item = m.fresh("x")
    site = m.site(s, routine)
    value = m.emit(s["value"])
    if s["value"].type.name == "set":
        value = f"list({value})"
    holder = m.fresh("v")
    m.put(f"{holder} = {value}")
    m.put(f"for {item} in {_each(m, s['target'])}:")
    m.put(f"    W.set({item}, {m.word(s['field'])}, {holder}, {site}, {_until(m, s)})")


def _hold(m: Emitter, s: S, routine: Routine) -> None:
    item, holder = m.fresh("x"), m.fresh("v")
    site = m.site(s, routine)
    m.put(f"{holder} = {m.emit(s['value'])}")
    m.put(f"for {item} in {_each(m, s['target'])}:")
    m.put(f"    W.join({item}, {holder}, {site})")


def _capture(m: Emitter, s: S, routine: Routine) -> None:
    item, side = m.fresh("x"), m.fresh("v")
    m.put(f"{side} = {m.emit(s['value'])}")
    m.put(f"for {item} in {_each(m, s['target'])}:")
    m.put(f"    W.capture({item}, {side}, {m.site(s, routine)})")


def _write(m: Emitter, s: S, routine: Routine) -> None:
    item, filling = m.fresh("x"), m.fresh("v")
    m.put(f"{filling} = ({''.join(m.emit(a) + ', ' for a in s['filling'])})")
    m.put(f"for {item} in {_each(m, s['target'])}:")
    m.put(
        f"    W.write({item}, {m.word(s['field'])}, {m.word(s['text'])}, {filling}, {m.site(s, routine)}, {_until(m, s)})"
    )


def _shows(m: Emitter, s: S, routine: Routine) -> None:
    item, entry = m.fresh("x"), m.fresh("v")
    m.put(f"{entry} = {m.emit(s['entry'])}")
    m.put(f"for {item} in {_each(m, s['target'])}:")
    m.put(f"    W.show({item}, {entry}, {m.site(s, routine)})")


def _gain(m: Emitter, s: S, routine: Routine) -> None:
    item, amount = m.fresh("x"), m.fresh("v")
    site = m.site(s, routine)
    m.put(f"{amount} = {m.emit(s['amount'])}")
    m.put(f"for {item} in {_each(m, s['target'])}:")
    m.put(f"    W.gain({item}, {m.word(s['field'])}, {amount}, {site}, {_until(m, s)})")


def _move(m: Emitter, s: S, routine: Routine) -> None:
    item = m.fresh("x")
    site = m.site(s, routine)
    m.put(f"for {item} in {_each(m, s['what'])}:")
    watched = m.watch.moves_of(s["what"].type)
    to = "None" if s["to"] is None else f"somewhere({m.emit(s['to'])})" if watched else m.emit(s["to"])
    if watched:
        m.put(f"    yield from W.travel({item}, {to}, F, {site})")
    elif s["to"] is None:
        m.put(f"    W.move_off({item}, {site})")
    else:
        m.put(f"    W.move({item}, {to}, F, {site})")
    if m.watch.heeds_moves_of(s["what"].type):
        m.put("yield from W.react(F)")


def _put(m: Emitter, s: S, routine: Routine) -> None:
    settings = []
    for name, value in s["settings"].items():
        text = m.emit(value) if isinstance(value, E) else f"Printed({m.word(str(value.value))})"
        settings.append(f"{m.word(name)}: {text}")
    where = m.emit(s["where"]) if s["where"] is not None else "None"
    name, template = m.word(s["name"]), m.word(s["template"])
    if s["entry"] is not None:  # what is bought, built or drawn is called after its entry
        template = m.fresh("v")
        m.put(f"{template} = {m.emit(s['entry'])}")
        if s["naming"] is None:
            name = f"W.named_after({template}, {m.word(s['kind'])}, {name})"
    elif s["like"] is not None:
        template = m.emit(E("entry", TEXT.maybe(), (s["like"],), s.span))
    if s["naming"] is not None:
        called = ", ".join(m.emit(x) for x in s["called"])
        name = f"W.named_as({m.word(s['kind'])}, {m.word(s['naming'])}, [{called}], {name})"
    m.put(
        f"F.n_{py(s['name'])} = W.put({m.word(s['kind'])}, {name}, {template}, {{{', '.join(settings)}}}, {where}, F.acting, {m.site(s, routine)})"
    )
    for name in s.fields.get("parts", ()):
        whole, part = py(s["name"]), m.word(name.removeprefix(s["name"]))
        m.put(f"F.n_{py(name)} = W.part_called(F.n_{whole}, {part})")


def _remove(m: Emitter, s: S, routine: Routine) -> None:
    item = m.fresh("x")
    m.put(f"for {item} in {_each(m, s['what'])}:")
    if m.watch.losing:
        m.put(f"    yield from W.take_out({item}, F, {m.site(s, routine)})")
    else:
        m.put(f"    W.remove({item}, {m.site(s, routine)})")


def _reveal(m: Emitter, s: S, routine: Routine) -> None:
    item = m.fresh("x")
    m.put(f"for {item} in {_each(m, s['what'])}:")
    m.put(f"    W.reveal({item}, {m.emit(s['whom'])}, {m.word(s.op == 'hide')})")


def _do(m: Emitter, s: S, routine: Routine) -> None:
    key = s["key"]
    frame = m.fresh("f")
    up = m.access(s["up"] or "F")
    m.put(f"{frame} = W.frame({m.word(key)}, F.acting, {up})")
    for name, value in s["given"].items():
        text = m.emit(value)
        if value.type.name == "set":
            text = f"list({text})"
        m.put(f"{frame}.n_{py(name)} = {text}")
    emit_hooks(m, f"before procedure {s['name']}", frame)
    m.put("try:")
    m.put(f"    yield from p_{py(key.replace(' ', '_'))}({frame})")
    m.put("except Halt as _h:")
    m.put(f"    if _h.name != {m.word(s['name'])}:")
    _done(m, s, frame, 2)
    m.put("        raise")
    emit_hooks(m, f"after procedure {s['name']}", frame)
    _done(m, s, frame)
    _heed(m, PAST, *m.watch.passing)


def _done(m: Emitter, s: S, frame: str, deeper: int = 0) -> None:
    """Lines for when a procedure is over: what lasted so long falls away, and what was done is remembered."""
    room = "    " * deeper
    m.put(f"{room}W.expire({m.word('end ' + s['name'])})")
    if s["name"] in m.binder.past:
        m.put(f"{room}W.remember({m.word(s['key'])}, {frame})")


def _until(m: Emitter, s: S) -> str:
    """Until when a change lasts: a moment as text or tuple, or a condition with what it takes from the procedure."""
    until = s["until"]
    if isinstance(until, Moment):
        return m.word((until.name, until.whose, until.following, ()))
    if isinstance(until, Lasting):
        taken = "".join(f"{m.emit(e)}, " for _, e in until.taken)
        return f"({m.word(f'{IF}u_{until.number}')}, {m.word('')}, False, ({taken}))"
    return m.word(until)


def _changes(m: Emitter, *body: S) -> set[str]:
    """The names under which effects count what they change."""
    return {name for s in lines_in(body) for name in changed_by(m.binder, s)}


def _heed(m: Emitter, *changed: str) -> None:
    """Lets rules that wait come about, where one waits for what has just changed."""
    if m.watch.heeds(changed):
        m.put("yield from W.react(F)")


def _tell(m: Emitter, s: S, routine: Routine) -> None:
    args = "".join(m.emit(a) + ", " for a in s["args"])
    m.put(f"W.tell({m.emit(s['whom'])}, {m.word(s['message'])}, ({args}), {m.word(s.cites)})")


_EMIT = {
    "let": _let, "for_each": _for_each, "repeat": _repeat, "simultaneously": _simultaneously, "phase": _phase, "may": _may,
    "stop": _stop, "end_game": _end_game, "choose": _choose, "each_chooses": _each_chooses, "rolls": _rolls, "draws": _draws,
    "each_rolls": _each_rolls, "set_frame": _set_frame, "set_map": _set_map, "set_field": _set_field, "hold": _hold, "capture": _capture, "gain": _gain, "shows": _shows, "write": _write,
    "move": _move, "put": _put, "remove": _remove, "reveal": _reveal, "hide": _reveal, "do": _do, "tell": _tell,
}  # fmt: skip
