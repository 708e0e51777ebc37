"""Checking facts in examples: `given posture of u is march`, `given turn = 3`, `given u is in h`."""

from __future__ import annotations

from dsl import ir
from dsl.binding.after_is import is_one
from dsl.binding.example_reading import ExampleReading
from dsl.binding.said_words import said_of
from dsl.binding.scoping import means_phase
from dsl.ir import ERROR, MARK, NOTHING, NUMBER, SIDE, E, Type
from dsl.rules.notation import BadNotation, read_field
from dsl.rules.ruleset import KindInfo
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean

PLAIN_FACT = "`given` takes one plain fact."


def check_fact(r: ExampleReading, condition: t.Node) -> None:
    """Checks `given C`: plain facts, each about something that can be given."""
    if isinstance(condition, t.AllOf):
        for item in condition.items:
            check_fact(r, item)
    elif isinstance(condition, t.Compare) and condition.op == "=" and not condition.quantifier:
        _assigned(r, condition.left, condition.right)
    elif isinstance(condition, t.IsTest) and len(condition.alternatives) == 1 and not condition.quantifier:
        _assigned(r, condition.subject, condition.alternatives[0])
    elif isinstance(condition, t.IsPlaced) and condition.kind == "in":
        r.b.expr(condition.subject, r.scope())
        r.b.expr(condition.arg, r.scope())
    else:
        r.problem("E253", PLAIN_FACT, condition.span, _map_of_its_own(r, condition))


def _map_of_its_own(r: ExampleReading, node: t.Node) -> str:
    """What to do about a link between two places, which cannot be given; nothing for anything else."""
    said = node.subject if isinstance(node, t.Exists) else node
    links = r.ruleset.links()
    if isinstance(said, t.Called) and isinstance(said.head, t.Name) and said.head.word in links:
        word = said.head.word
        sorts = f"{next(iter(r.ruleset.enums[links[word]].words))} " if links[word] else ""
        line = f"`{sorts}{word} between … and …`"
        return f"Links belong to a map. Write a small map with {line} into this file, and use it here: `on map NAME`."
    return ""


def _assigned(r: ExampleReading, subject: t.Node, node: t.Node) -> None:
    whole = said_of(r.b, subject, node, r.scope())
    if whole is not None:
        _word(r, whole, node)
    elif isinstance(subject, t.Of):
        _property(r, subject, r.b.expr(subject.arg, r.scope()), node)
    elif isinstance(subject, t.Called):
        _called(r, r.b.expr(subject, r.scope()), subject, node)
    elif not (isinstance(subject, t.Name) and _named(r, subject.word, node)):
        _word(r, r.b.expr(subject, r.scope()), node)


def _called(r: ExampleReading, bound: E, subject: t.Node, node: t.Node | None = None) -> None:
    """A value or status of several arguments, each a single thing. node: its stated value; None for a status."""
    span = subject.span
    if bound is ERROR:
        return
    if not isinstance(bound, ir.Call):
        r.problem("E253", PLAIN_FACT, span, _map_of_its_own(r, subject) or "State it for one thing at a time.")
    elif any(param.many for param in r.b.routines[bound.name].params):
        hint = f"State one value for all arguments: `given {bound.name} = …`."
        r.problem("E253", "A value that takes a list cannot be given for particular things.", span, hint)
    elif node is not None:
        r.fits(bound.type, node)


def _named(r: ExampleReading, word: str, node: t.Node) -> bool:
    ruleset = r.ruleset
    if word in r.routine.frame:
        return False
    kind = ruleset.campaign_kind
    declared = ruleset.bodied.get(word)
    if word == "active":
        r.fits(SIDE, node)
    elif word == "turn":
        r.fits(NUMBER, node)
    elif means_phase(r.b, t.Name(node.span, word), r.scope()):
        r.b.condition(t.IsTest(node.span, t.Name(node.span, word), (node,)), r.scope())
    elif kind and word in ruleset.kinds[kind].fields:
        r.fits(ruleset.kinds[kind].fields[word].type, node)
    elif declared is not None and declared.word in {"value", "status"}:
        r.fits(_type_of(r, word), node)
    else:
        frames = [x.frame[word] for x in r.b.routines.values() if word in x.frame and x.frame[word].name != "map"]
        if not frames:
            return False
        r.fits(frames[0], node)
    return True


def _type_of(r: ExampleReading, word: str) -> Type:
    routine = r.b.routines.get(word)
    return routine.type if routine is not None else NOTHING


def _property(r: ExampleReading, subject: t.Of, holder: E, node: t.Node) -> None:
    """`given F of x = …`: a field or printed heading, a value of the rules, or what was chosen for each thing."""
    if holder is ERROR:
        return
    word = subject.word
    info = r.ruleset.kinds.get(holder.type.word) if holder.type.name == "thing" else None
    printed = {p.name for p in info.node.printed} if info is not None and info.node is not None else set()
    declared = r.ruleset.bodied.get(word)
    text = isinstance(node, t.Literal) and node.kind == "text"
    if info is not None and (word in info.fields or (text and word in printed)):
        _field(r, info, word, node, heading=word in printed)
    elif declared is not None and declared.word in {"value", "status"}:
        if holder.type.name == "set":
            _called(r, r.b.expr(subject, r.scope()), subject)
        r.fits(_type_of(r, word), node)
    elif (chosen := _chosen_for_each(r, word)) is not None:
        r.fits(chosen, node)
    else:
        known = [*(info.fields if info is not None else ()), *printed, *r.ruleset.bodied]
        message = f"`{word}` of {holder.type} cannot be set with `given`."
        r.problem("E209", message, subject.span, did_you_mean(word, known), word=word)


def _field(r: ExampleReading, info: KindInfo, word: str, node: t.Node, *, heading: bool) -> None:
    """A field that is given a value, or a text in its printed notation. heading: whether the word is a heading of the kind's lists."""
    if isinstance(node, t.Literal) and node.kind == "text":
        if heading or info.fields[word].type.name != "text":
            try:
                read_field(r.ruleset, info.name, word, str(node.value))
            except BadNotation as error:
                r.problem("E311", f"{word} of {info.name}: {error}.", node.span)
    elif not (isinstance(node, t.Name) and node.word in {"absent", "none"}):
        r.fits(info.fields[word].type, node)


def _chosen_for_each(r: ExampleReading, word: str) -> Type | None:
    """The type of what a procedure chooses or rolls under this name for each of several things; None if none does."""
    frames = (x.frame[word] for x in r.b.routines.values() if word in x.frame)
    return next((type_.of for type_ in frames if type_.name == "map"), None)


def _word(r: ExampleReading, holder: E, node: t.Node) -> None:
    """`given u is marked`: a mark, a word of one field, or a status."""
    if holder is ERROR:
        return
    if isinstance(node, t.Called):
        _called(r, is_one(r.b, holder, (node,), r.scope(), node.span), node)
        return
    if not isinstance(node, t.Name) or holder.type.name != "thing":
        r.problem("E253", PLAIN_FACT, node.span)
        return
    word, fields = node.word, r.ruleset.kinds[holder.type.word].fields
    declared = r.ruleset.bodied.get(word)
    if (word in fields and fields[word].type is MARK) or (declared is not None and declared.word == "status"):
        return
    words = {n: r.ruleset.enums[f.type.word].words for n, f in fields.items() if f.type.name == "enum"}
    homes = [n for n, known in words.items() if word in known]
    if len(homes) != 1:
        marks = [n for n, f in fields.items() if f.type is MARK]
        hint = "Name the field: `given posture of u is …`."
        known = [*marks, *(w for ws in words.values() for w in ws)]
        r.problem(
            "E236",
            f"It is not clear which field the word {word} belongs to.",
            node.span,
            did_you_mean(word, known) or hint,
            word=word,
        )
