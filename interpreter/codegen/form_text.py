"""Reading lines of Python into the typed form of a loop function, and writing the form out as lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dsl.text.source import Span
from interpreter.codegen.emitted_code import UnknownCode
from interpreter.codegen.passes.form import Arm, Assign, Augment, Body, Do, For, If, Lines, Statement

__all__ = ["taken_in", "written"]


def taken_in(lines: Lines) -> Body:
    """Lines as statements."""
    spans = [span for _, span in lines]
    return [_statement(node, spans) for node in ast.parse("\n".join(text for text, _ in lines)).body]


def _statement(node: ast.stmt, spans: list[Span | None]) -> Statement:
    span = spans[node.lineno - 1]
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return Assign(span, name, value)
        case ast.AugAssign(target=ast.Name(id=name), op=sign, value=value):
            return Augment(span, name, sign, value)
        case ast.If() if node.body[0].lineno > node.lineno:
            return If(span, list(_arms(node, spans)))
        case ast.For(target=ast.Name(id=item), iter=source, body=body):
            return For(span, item, source, [_statement(x, spans) for x in body])
        case ast.For() | ast.With() | ast.Try() | ast.FunctionDef() | ast.While():
            raise UnknownCode(f"{type(node).__name__} in a loop")
    return Do(span, node)


def _arms(node: ast.If, spans: list[Span | None]) -> Iterator[Arm]:
    """The branches of an `if`; the line of an `else` is that of the last branch before it."""
    span = spans[node.lineno - 1]
    yield Arm(span, node.test, [_statement(x, spans) for x in node.body])
    match node.orelse:
        case []:
            return
        case [ast.If() as other] if other.body[0].lineno > other.lineno:
            yield from _arms(other, spans)
        case others:
            yield Arm(span, None, [_statement(x, spans) for x in others])


def written(body: Body) -> Lines:
    """Statements as lines."""
    out: Lines = []
    _write(body, 0, out)
    return out


def _write(body: Body, depth: int, out: Lines) -> None:
    before = "    " * depth
    for statement in body:
        match statement:
            case Assign():
                out.append((f"{before}{statement.name} = {ast.unparse(statement.value)}", statement.span))
            case Augment():
                out.append((f"{before}{ast.unparse(_augmented(statement))}", statement.span))
            case Do():
                out += [(before + line, statement.span) for line in ast.unparse(statement.statement).split("\n")]
            case For():
                out.append((f"{before}for {statement.name} in {ast.unparse(statement.source)}:", statement.span))
                _write(statement.body, depth + 1, out)
            case If():
                for number, arm in enumerate(statement.arms):
                    word = "elif" if number else "if"
                    head = "else:" if arm.test is None else f"{word} {ast.unparse(arm.test)}:"
                    out.append((before + head, arm.span))
                    _write(arm.body, depth + 1, out)


def _augmented(statement: Augment) -> ast.AugAssign:
    return ast.AugAssign(ast.Name(statement.name, ast.Store()), statement.sign, statement.value)
