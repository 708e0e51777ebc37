"""Consecutive names that start with the same value get it in one line."""

from __future__ import annotations

import ast

from interpreter.codegen.passes.form import Assign, Body, all_bodies


def start_together(body: Body) -> Body:
    """Writes `a = 0` and `b = 0` as `a = b = 0`.

    The value is immutable: a number, a Python constant, or a name or one of two by whether
    something is absent, none of which is set on the same line.
    """
    for each in all_bodies(body):
        out: Body = []
        for statement in each:
            before = out[-1] if out else None
            if isinstance(statement, Assign) and isinstance(before, Assign) and _same(before, statement):
                statement = Assign(before.span, (*before.targets, *statement.targets), statement.value)
                out.pop()
            out.append(statement)
        each[:] = out
    return body


def _same(before: Assign, after: Assign) -> bool:
    match before.value, after.value:
        case ast.Constant(value=one), ast.Constant(value=other):
            return type(one) is type(other) and one == other and (one is None or (one in {0, True} and one != 1))
        case ast.Name(id="UNSET"), ast.Name(id="UNSET"):
            return True
        case ast.IfExp() as one, ast.IfExp() as other:
            names = _chosen(one)
            return names is not None and names == _chosen(other) and not set(names[:2]) & set(before.targets)
    return False


def _chosen(e: ast.IfExp) -> tuple[str, ...] | None:
    """The tested name, the normal value, and the value if it is absent, if all of them are plain."""
    match e:
        case ast.IfExp(
            test=ast.Compare(left=ast.Name(id=asked), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
            body=ast.Name() | ast.Constant() as absent,
            orelse=ast.Name() | ast.Constant() as there,
        ):
            return asked, ast.unparse(absent), ast.unparse(there)
    return None
