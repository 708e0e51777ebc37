"""Binding messages: `tell`, the story of a procedure and its parts, and reasons that everybody can read."""

from __future__ import annotations

from dsl import ir
from dsl.analysis.hidden_reads import hidden_reads
from dsl.binding.context import Binder, Site, enacts
from dsl.binding.targets import some_side
from dsl.ir import ERROR, E, S
from dsl.syntax import body_lines as ln
from dsl.text.phrases import counted


@enacts(ln.Tell)
def told(b: Binder, line: ln.Tell, site: Site) -> list[S]:
    """`tell S "…{}" with E`."""
    whom = some_side(b, line.whom, site.scope)
    said = tuple(b.expr(a, site.scope) for a in line.args)
    _check_telling(b, whom, said, line)
    return [ir.Tell(site.head, whom=whom, message=line.message, arguments=said)]


@enacts(ln.Story)
def story(b: Binder, line: ln.Story, site: Site) -> list[S]:
    """`story "…{}" with E`."""
    said = tuple(b.expr(a, site.scope) for a in line.args)
    gaps = line.message.count("{}")
    if gaps != len(said):
        message = f"The title has {counted(gaps, 'gap')} but {counted(len(said), 'value')} after `with`."
        b.problem("E236", message, line.span, "Give one value after `with` for each `{}`.")
    return [ir.Story(site.head, message=line.message, arguments=said)]


@enacts(ln.Relate)
def related(b: Binder, line: ln.Relate, site: Site) -> list[S]:
    """`relate E as name, F`: without `as`, a value is called by its own name."""
    names, values = [], []
    for node, name in line.parts:
        value = b.expr(node, site.scope)
        if value is ERROR:
            continue
        called = name or (value.name if isinstance(value, ir.FrameName | ir.Call | ir.Field) else "")
        if not called:
            message = "This value has no name in the story."
            b.problem("E257", message, node.span, "Give it a name: `relate E as name`.")
            continue
        names.append(called)
        values.append(value)
    return [ir.Relate(site.head, names=tuple(names), values=tuple(values))] if values else []


def _check_telling(b: Binder, whom: E, args: tuple[E, ...], line: ln.Tell) -> None:
    """W701: a message that obviously reveals to the other side a field hidden from it."""
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
            own = knower is None or (isinstance(knower, ir.SideOf) and _same_value(knower.thing, holder))
            if own and holder.type.name == "thing" and _is_hidden(b, holder.type.word, field):
                message = f"This message reveals `{field}`, which is hidden from the enemy."
                hint = "Leave out the hidden value, or `tell` it only to the side that knows it."
                b.problem("W701", message, node.span, hint, word=field)


def check_reason(b: Binder, when: E) -> None:
    """W701: a reason shown to all sides that depends on something hidden."""
    for read in hidden_reads(b.ruleset, {}, when):
        message = f"All sides see this reason, but it depends on `{read.field}`, which is hidden from the enemy."
        b.problem("W701", message, read.e.span, "Remove the reason, or `tell` it only to the side that knows.")
        return


def _same_value(one: E, other: E) -> bool:
    return one is other or (isinstance(one, ir.FrameName | ir.Local) and ir.alike(one, other))


def _is_hidden(b: Binder, kind: str, field: str) -> bool:
    node = b.ruleset.kinds[kind].node
    return node is not None and any(
        v.hidden and v.audience in {"enemy", "everyone"} and field in v.fields for v in node.visibility
    )
