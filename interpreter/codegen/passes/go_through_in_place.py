"""A loop over the things in a place, or in several, goes through them directly. No list of them is made first."""

from __future__ import annotations

import ast

from interpreter.codegen.passes.form import Body, Do, For, Statement, all_bodies, bodies, lone_if, nodes_in, rewritten


def go_through_in_place(body: Body) -> Body:
    """Writes a loop over a list created only for it as loops over the sources of the list, with its test in them.

    Values change nothing, so the things in a place stay the same during the iteration. A `break` would only leave the
    innermost of several loops: if there is one, the list over several places is kept.
    """
    for each in all_bodies(body):
        each[:] = [_in_place(statement) for statement in each]
    return body


def _in_place(loop: Statement) -> Statement:
    if not isinstance(loop, For):
        return loop
    match loop.source:
        case ast.ListComp(
            elt=ast.Name(id="x"),
            generators=[*outer, ast.comprehension(target=ast.Name(id="x"), iter=things, ifs=[test])],
        ) if _is_plain(things) and not any(isinstance(node, ast.ListComp) for node in nodes_in(test)):
            pass
        case _:
            return loop
    match outer:
        case []:
            places = things
        case [ast.comprehension(target=ast.Name(id="p"), iter=places, ifs=[])] if not _is_left(loop.body):
            pass
        case _:
            return loop

    def item(node: ast.AST) -> ast.AST | None:
        return ast.Name(loop.item, ast.Load()) if isinstance(node, ast.Name) and node.id == "x" else None

    kept = lone_if(loop.span, rewritten(test, item), loop.body)
    inner = For(loop.span, loop.item, things, [kept])
    return For(loop.span, "p", places, [inner]) if outer else inner


def _is_plain(things: ast.expr) -> bool:
    """Whether a list is available by a name, or by a call."""
    match things:
        case ast.Name():
            return True
        case ast.Attribute(value=holder):
            return _is_plain(holder)
        case ast.Call(func=function, args=given):
            return _is_plain(function) and not any(isinstance(one, ast.Call) for one in given)
    return False


def _is_left(body: Body) -> bool:
    """Whether a loop, or one within it, may be left before its end."""
    return any(
        (isinstance(one, Do) and any(isinstance(node, ast.Break) for node in nodes_in(one.statement)))
        or any(_is_left(under) for under in bodies(one))
        for one in body
    )
