"""Binding setups: conditions that forces must meet before a game begins, and warnings for its umpire."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.signatures import bind_params, misplaced, param_scope
from dsl.binding.triggers import MOST_THINGS
from dsl.binding.value_rules import value_line
from dsl.ir import MARK, Param, Routine, S
from dsl.rules.weave import Woven, module_of
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d


def bind_setup(b: Binder, declared: d.Bodied) -> None:
    """A `setup …` with what rules add to it. When a game begins, it is checked for every thing, or pair of things, of its arguments' kinds."""
    params = bind_params(b, declared.signature)
    if len(params) > MOST_THINGS or any(p.type.name not in {"thing", "nothing"} or p.many for p in params):
        hint = "Write, for example: setup stacking of h (a hex) by s (a side). Or leave the arguments out."
        b.problem("E211", "A setup takes at most two arguments, each of them one thing.", declared.signature.span, hint)
        return
    routine = Routine("setup", declared.name, params, MARK, declared.span, None, cites=declared.cites)
    b.routines[f"setup {declared.name}"] = routine
    woven = b.woven.get(f"setup {declared.name}", Woven())
    lines: list[S] = []
    for rule in (*(woven.replaces[-1:] or (None,)), *woven.adds):
        if rule is None:
            lines += _setup_lines(b, declared.signature, declared.body, routine)
        else:
            assert rule.relation.target is not None
            added = _setup_lines(b, rule.relation.target, rule.body, routine, rule)
            lines += [s.brought_by(rule.name, s.cites or rule.cites, module_of(rule)) for s in added]
    routine.body = tuple(lines)


def _setup_lines(
    b: Binder, signature: d.Signature, body: Sequence[ln.Line], routine: Routine, rule: d.Rule | None = None
) -> list[S]:
    params: tuple[Param, ...] = routine.params
    scope = param_scope(b, signature, params, (), module_of(rule) if rule else "")
    out: list[S] = []
    for line in body:
        match line:
            case ln.Let():
                named = value_line(b, line, scope, routine, apart=f"..{rule.name}" if rule else "")
                out += [named] if named is not None else []
            case ln.Refused() | ln.Warned():
                kind = ir.Refused if isinstance(line, ln.Refused) else ir.Warned
                head = ir.Head(line.span, because=line.because, label=line.label, cites=line.cites)
                out.append(kind(head, b.condition(line.condition, scope)))
            case _:
                where = "a rule of play; a setup has lines `refused when …` and `warned when …`"
                misplaced(b, line, where)
    return out
