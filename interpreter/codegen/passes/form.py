"""The typed form of a loop function: statements with bodies, expressions as nodes of Python's own tree, each with its rule line.

`block_writing.py` composes the loop. When it is complete it is read into this form once, passes improve it (`optimizing.py`),
and it is written out once. Between the two nothing reads Python text.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from typing import ClassVar, TypeVar

from attrs import define, field

from dsl.text.source import Span

Lines = list[tuple[str, Span | None]]
Tree = TypeVar("Tree", bound=ast.AST)


@define(eq=False)
class FormPart:
    """The content of a line; if it has a name, it sets that.

    TREE: the attribute with the tree of its own line. names: how often each name chosen by this program occurs in it and in
    its children.
    """

    TREE: ClassVar[str] = ""
    span: Span | None
    names: Counter[str] = field(init=False, factory=Counter)
    _own: tuple[str, ...] | None = field(init=False, default=None)

    @property
    def tree(self) -> ast.AST | None:
        """The tree of its own line."""
        found: ast.AST | None = getattr(self, self.TREE) if self.TREE else None
        return found

    @property
    def given(self) -> str | None:
        """The name that its own line sets."""
        found: str | None = getattr(self, "name", None)
        return found

    def rewrite(self, change: Callable[[ast.AST], ast.AST | None]) -> None:
        """Replaces expressions in its own line."""
        if self.tree is not None:
            setattr(self, self.TREE, rewritten(self.tree, change))
            self.changed()

    def own(self) -> tuple[str, ...]:
        """The names in its own line, with repetitions, in order."""
        if self._own is None:
            found = [] if self.given is None else [self.given]
            if self.tree is not None:
                _gather(self.tree, found)
            self._own = tuple(found)
        return self._own

    def changed(self) -> None:
        """Its own line has changed."""
        self._own = None


@define(eq=False)
class Assign(FormPart):
    """`name = value`."""

    TREE = "value"
    name: str
    value: ast.expr


@define(eq=False)
class Augment(FormPart):
    """`name += value`, or with another operator."""

    TREE = "value"
    name: str
    sign: ast.operator
    value: ast.expr


@define(eq=False)
class Do(FormPart):
    """A line that passes do not examine: a return, a break, a call, or an `if` written on one line."""

    TREE = "statement"
    statement: ast.stmt


@define(eq=False)
class Arm(FormPart):
    """One branch of an `if`. test: None for the `else`."""

    TREE = "test"
    test: ast.expr | None
    body: list[Statement]


@define(eq=False)
class If(FormPart):
    """An `if` with all its branches."""

    arms: list[Arm]

    def rewrite(self, change: Callable[[ast.AST], ast.AST | None]) -> None:
        """See `FormPart`."""
        for arm in self.arms:
            arm.rewrite(change)

    def take(self, arm: Arm, moved: list[Statement]) -> None:
        """Inserts statements at the start of one of its branches."""
        arm.body[:0] = moved
        for one in moved:
            arm.names.update(one.names)
            self.names.update(one.names)

    @property
    def lone(self) -> Arm | None:
        """The only branch, if there is just one."""
        return self.arms[0] if len(self.arms) == 1 else None


@define(eq=False)
class For(FormPart):
    """A loop: `name` is each element of a source."""

    TREE = "source"
    name: str
    source: ast.expr
    body: list[Statement]


Statement = Assign | Augment | Do | If | For
Body = list[Statement]


def bodies(statement: Statement) -> Iterator[Body]:
    """The children of a statement."""
    if isinstance(statement, If):
        for arm in statement.arms:
            yield arm.body
    elif isinstance(statement, For):
        yield statement.body


def all_bodies(body: Body) -> Iterator[Body]:
    """A body and every body within it, outermost first; including those that a pass inserts meanwhile."""
    yield body
    for statement in body:
        for under in bodies(statement):
            yield from all_bodies(under)


def in_order(body: Body) -> Iterator[FormPart]:
    """Everything with its own line, in the order of the text."""
    for statement in body:
        if isinstance(statement, If):
            for arm in statement.arms:
                yield arm
                yield from in_order(arm.body)
        else:
            yield statement
            if isinstance(statement, For):
                yield from in_order(statement.body)


# ---- names
ONCE = frozenset("t")
"""Letters of names that are set only once, in one place."""

CHANGING = frozenset("acrsz")
"""Letters of names that may be set more than once: conditions, results, and values computed on demand."""

RESULTS = frozenset("ar")
"""Letters of results: of values and of loops."""

ITEMS = frozenset("i")
"""Letter of loop items."""

CHOSEN = ONCE | CHANGING | ITEMS


def is_name(name: str, letters: frozenset[str] = CHOSEN) -> bool:
    """Whether a name was chosen by this program, for a purpose with one of these letters."""
    return name[0] in letters and name[1:].isdecimal()


def read_name(e: ast.AST, letters: frozenset[str] = CHOSEN) -> str | None:
    """The name that an expression is, if it is one of this program's."""
    return e.id if isinstance(e, ast.Name) and is_name(e.id, letters) else None


def named_once(statement: Statement) -> str | None:
    """The name set only once that a statement sets."""
    return statement.name if isinstance(statement, Assign) and is_name(statement.name, ONCE) else None


def given_result(statement: Statement) -> str | None:
    """The result that a statement sets."""
    return statement.name if isinstance(statement, Assign) and is_name(statement.name, RESULTS) else None


_SIGNS = (ast.expr_context, ast.operator)


def names_in(*trees: ast.AST) -> list[str]:
    """The names in expressions, with repetitions, in the order of the text."""
    found: list[str] = []
    for tree in trees:
        _gather(tree, found)
    return found


def _gather(node: ast.AST, found: list[str]) -> None:
    kind = type(node)
    if kind is ast.Name:
        name = node.id  # type: ignore[attr-defined]
        if is_name(name):
            found.append(name)
    elif kind is ast.Attribute:
        _gather(node.value, found)  # type: ignore[attr-defined]
    elif kind is not ast.Constant:
        for part in inner(node):
            _gather(part, found)


def inner(node: ast.AST) -> Iterator[ast.AST]:
    """The direct children of a tree, in the order of the text."""
    if isinstance(node, ast.IfExp):
        yield from (node.body, node.test, node.orelse)
        return
    for name in node._fields:
        value = getattr(node, name)
        if type(value) is list:
            for one in value:
                if isinstance(one, ast.AST):
                    yield one
        elif isinstance(value, ast.AST) and not isinstance(value, _SIGNS):
            yield value


def rewritten(node: Tree, change: Callable[[ast.AST], ast.AST | None]) -> Tree:
    """A tree with some of its parts replaced; `change` returns None if a part stays."""
    for name in node._fields:
        value = getattr(node, name)
        if type(value) is list:
            value[:] = [rewritten(one, change) if isinstance(one, ast.AST) else one for one in value]
        elif isinstance(value, ast.AST) and not isinstance(value, _SIGNS):
            setattr(node, name, rewritten(value, change))
    return change(node) or node  # type: ignore[return-value]


def counted(body: Body) -> Counter[str]:
    """How often each name occurs in a body; recorded in every statement of it."""
    return Counter(_noted(body))


def _noted(body: Body) -> list[str]:
    """The names in a body, with repetitions; records in every statement how often each occurs."""
    total: list[str] = []
    for statement in body:
        found = [*statement.own()]
        if isinstance(statement, If):
            for arm in statement.arms:
                in_arm = [*_noted(arm.body), *arm.own()]
                arm.names = Counter(in_arm)
                found += in_arm
        elif isinstance(statement, For):
            found += _noted(statement.body)
        statement.names = Counter(found)
        total += found
    return total


# ---- from text and to text
