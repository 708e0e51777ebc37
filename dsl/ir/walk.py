"""Walking through bound rules: the direct children of an expression or statement, all its descendants, and a copy with changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import attrs

from dsl.ir.calls import Called
from dsl.ir.clauses import Reaching
from dsl.ir.course import Do
from dsl.ir.expression import Expression
from dsl.ir.routines import Routine
from dsl.ir.statement import Head, Lasting, Statement
from dsl.syntax.syntax_tree import getter_of

Node = Expression | Statement
N = TypeVar("N", bound=Node)
_APART = frozenset({"type", "span"})


_FIELDS: dict[type, tuple[str, ...]] = {}


def fields_of(cls: type) -> tuple[str, ...]:
    """The fields of a class of expressions or statements, except its type and its place."""
    if cls not in _FIELDS:
        _FIELDS[cls] = tuple(f.name for f in attrs.fields(cls) if f.name not in _APART)
    return _FIELDS[cls]


_LEAF, _NODE, _ROW, _MAPPING, _HEAD, _LASTING = range(6)
_SORTS: dict[type, int] = {}
_GETTERS: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def _sort_of(kind: type) -> int:
    """How to look for nodes in a value of a class."""
    if issubclass(kind, Expression | Statement):
        return _NODE
    if issubclass(kind, tuple | list):
        return _ROW
    if issubclass(kind, Mapping):
        return _MAPPING
    return _HEAD if issubclass(kind, Head) else _LASTING if issubclass(kind, Lasting) else _LEAF


def _gather(values: Iterable[object], into: list[Node]) -> None:
    """Adds the nodes among some values, and in sequences of them, in order."""
    for value in values:
        kind = type(value)
        sort = _SORTS.get(kind)
        if sort is None:
            sort = _SORTS[kind] = _sort_of(kind)
        if sort == _LEAF:
            continue
        row: Any = value
        if sort == _NODE:
            into.append(row)
        elif sort == _ROW:
            _gather(row, into)
        elif sort == _MAPPING:
            _gather(row.values(), into)
        elif sort == _HEAD:
            _gather((row.when,), into)
        else:
            into.append(row.test)
            into.extend(x for _, x in row.taken)


def _nodes(value: object) -> list[Node]:
    found: list[Node] = []
    _gather((value,), found)
    return found


def _inner(node: Node) -> list[Node]:
    kind = type(node)
    getter = _GETTERS.get(kind)
    if getter is None:
        getter = _GETTERS[kind] = getter_of(fields_of(kind))
    found: list[Node] = []
    _gather(getter(node), found)
    return found


def inner(node: Node) -> Iterator[Node]:
    """The direct operands of an expression or a statement, in order: conditions first."""
    return iter(_inner(node))


def walk(*roots: object) -> Iterator[Node]:
    """Expressions and statements with everything in them, each before its operands. roots: nodes, or sequences of them."""
    waiting = _nodes(roots)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += _inner(node)[::-1]


def find(roots: object, *types: type[N]) -> Iterator[N]:
    """All nodes of some classes in expressions and statements."""
    return (node for node in walk(roots) if isinstance(node, types))


def asked(node: Node) -> str:
    """The key of the routine that an expression or statement calls; empty for none."""
    match node:
        case Called(name=name):
            return name
        case Reaching(path=path):
            return path
        case Do(key=key):
            return key
    return ""


def reached(routines: Mapping[str, Routine], *roots: object) -> Iterator[Node]:
    """As `walk`, including everything that is called by name: each routine once, when it is first reached."""
    seen: set[str] = set()
    waiting = _nodes(roots)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        key = asked(node)
        more = _inner(node)
        if key and key not in seen and key in routines:
            seen.add(key)
            more += [*routines[key].body, *routines[key].clauses]
        waiting.extend(more[::-1])


def with_inner(value: Any, change: Callable[[Any], Any]) -> Any:
    """A copy with each direct operand passed through `change`; the node itself if none changes."""

    def new(x: Any) -> Any:
        return change(x) if isinstance(x, Expression | Statement) else with_inner(x, change)

    match value:
        case Expression() | Statement():
            names = fields_of(type(value))
        case Head():
            names = ("when",)
        case Lasting():
            names = ("test", "taken")
        case tuple() | list():
            row = [new(x) for x in value]
            return value if all(x is y for x, y in zip(row, value, strict=True)) else type(value)(row)
        case Mapping():
            given = {k: new(x) for k, x in value.items()}
            return value if all(given[k] is x for k, x in value.items()) else given
        case _:
            return value
    found = {name: new(getattr(value, name)) for name in names}
    found = {name: x for name, x in found.items() if x is not getattr(value, name)}
    return attrs.evolve(value, **found) if found else value


def transform(value: Any, change: Callable[[Node], Any]) -> Any:
    """A copy with every expression and statement passed through `change`, operands first.

    Nodes that do not change are kept, and so are nodes that contain only such.
    """
    if isinstance(value, Expression | Statement):
        return change(with_inner(value, lambda x: transform(x, change)))
    return with_inner(value, lambda x: transform(x, change))


def alike(a: object, b: object) -> bool:
    """Whether two expressions mean the same, wherever they are in the text."""
    if isinstance(a, Expression) and isinstance(b, Expression):
        if type(a) is not type(b):
            return False
        for name in fields_of(type(a)):  # noqa: SIM110 (a plain loop: this is asked very often)
            if not alike(getattr(a, name), getattr(b, name)):
                return False
        return True
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(alike(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)


def lines_in(body: Iterable[Statement]) -> Iterator[Statement]:
    """Statements and those inside them, in order."""
    for s in body:
        yield s
        yield from lines_in(s.body)
