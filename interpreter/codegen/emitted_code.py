"""The only place that turns emitted text into code. No rule text is ever part of that code.

Emitted text contains names, numbers and signs that this program chose. A word or text of the rules appears in it as a name
such as `K_7`. The word itself is passed beside the text, and replaces the name only after the text has been parsed, as
a constant of the tree. Before a tree is compiled it is checked against lists of what the emitter can write: nodes,
names, attributes. There is no list of forbidden things: anything unknown is refused. Code then runs with the few
builtins that it needs and no others (docs/trust.md).
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Collection
from fractions import Fraction
from types import CodeType
from typing import Any, Literal, TypeGuard, cast

Word = str | tuple["Word", ...] | frozenset[str]
Mode = Literal["exec", "eval"]


class UnknownCode(Exception):
    """Emitted text contains something that the emitter cannot write: a fault of this program, never of the rules."""


class Words:
    """The words and texts of the rules in some emitted text, each by the name that stands for it."""

    def __init__(self) -> None:
        self._names: dict[Word, str] = {}
        self._all: list[Word] = []

    def name(self, word: Word) -> str:
        """The name that stands for a word, a tuple of words or a set of them."""
        found = self._names.get(word)
        if found is None:
            found = self._names[word] = f"K_{len(self._all)}"
            self._all.append(word)
        return found

    @property
    def all(self) -> tuple[Word, ...]:
        """Every word, in the order of the names: `K_0` is the first."""
        return tuple(self._all)

    def meant(self, name: str) -> Word | None:
        """The word that a name stands for; None for any other text."""
        number = name.removeprefix("K_")
        return self._all[int(number)] if number != name and number.isdecimal() else None

    def word(self, value: object) -> str:
        """Emitted text for a word, for a tuple with words in it, or for None, True, False or a number."""
        if value is None or isinstance(value, bool | int):
            return repr(value)
        if isinstance(value, Fraction):
            return f"Fraction({value.numerator}, {value.denominator})"
        if isinstance(value, str) or (value and _is_word(value)):
            return self.name(value)
        if isinstance(value, tuple):
            return "(" + "".join(self.word(x) + ", " for x in value) + ")"
        raise UnknownCode(f"{type(value).__name__} cannot stand in emitted code")


def _is_word(value: object) -> TypeGuard[Word]:
    if isinstance(value, frozenset):
        return all(isinstance(x, str) for x in value)
    return isinstance(value, str) or (isinstance(value, tuple) and all(_is_word(x) for x in value))


# ---- what may stand in emitted code
BUILTINS: dict[str, object] = {
    b.__name__: b
    for b in (
        all, any, bool, enumerate, frozenset, int, len, list, map, max, min, range, set, sorted, tuple, type, zip,
    )
}  # fmt: skip
"""The builtins that emitted code calls. They are among its globals; `__builtins__` is empty."""

GIVEN = frozenset({"F", "O", "PIN", "T", "W"})
"""Frame, options, values given by an example, audit trail, world."""

HELPERS = frozenset({
    "Fraction", "Halt", "Printed", "RANK", "STEPS", "Shares", "TROUBLE", "UNSET", "WORDS", "agreed", "as_acting", "average_of", "best_dice", "come_after", "come_before", "dice_chance", "dice_figure",
    "dice_of_word", "dice_sums", "divide", "extremes_of", "first_of",
    "held_by", "highest_of", "highest_word", "holder_if_any", "holder_of", "kept", "kept_word", "leave_out", "lie_in", "lies", "lies_next", "lowest_of",
    "lowest_word", "many_dice", "maybe", "members_of", "members_of_any", "minus", "most", "moved", "named_before", "next_to", "next_to_any", "normal", "numbers_from", "odds", "one_place", "otherwise",
    "perhaps_holder_of", "place_set", "plus", "present", "prevailing_of", "printed_as", "round_down", "round_nearest", "round_up",
    "same_members", "scale_down", "scale_nearest", "scale_up", "scaled", "some", "somewhere", "stand_in", "standing_in", "stands", "stands_next", "sum_of", "things_here", "times", "whole_places",
    "tried", "union", "with_parts",
})  # fmt: skip
"""What `interpreter/setup/compile_rules.py` passes to emitted code."""

LOCALS = frozenset({"_h", "_m", "_p", "_r", "acc", "item", "out", "p", "v", "x", "y"})
"""Names inside emitted functions that are always the same."""

FUNCTIONS = frozenset({"act", "asked", "copy", "cost", "made", "new", "phase_alone", "q", "scope"})
"""Functions with their own names, and the arguments of a copier of places."""

MADE = re.compile(
    r"[KNPQRT]_[A-Za-z0-9_]+"  # words, tables as dicts, numbers, what entries print, ranks, tables as functions
    r"|[cehlnopqstuvwz]_[A-Za-z0-9_]+"  # what rules declare, and names of theirs
    r"|_[a-z]+[0-9]+|[acirstuz][0-9]+"  # what the emitter names
    r"|(?:never|halting)[0-9]+"
)
"""Names made of a letter for their purpose and a name of the rules or a number."""

ATTRIBUTES = frozenset({
    # things, places, frames and what they hold
    "acting", "alive", "chosen", "closing", "column", "holder", "id", "index", "kind", "known", "label", "members", "memo", "name",
    "near", "place", "row", "side", "stamp", "steady", "stories", "template", "things", "turn", "up", "version",
    # methods of lists, dicts and the audit trail
    "append", "clear", "enter", "get", "leave", "pop", "skip", "step",
    # the world
    "active", "all_of", "ask", "ask_each", "bearing", "begin", "begin_together", "branches", "by_id", "calendar", "capture", "changed", "copies",
    "direction", "distance", "draw", "durations", "effects", "end_game", "end_together", "ends_of", "enter_phase", "expire", "foe", "frame", "gain", "game", "ground", "has_done", "host",
    "in_phase", "in_steps", "join", "journal", "last_frame", "leave_phase", "lies_within", "line", "link_from", "linked", "maker", "move", "move_off", "named_after", "named_as", "note", "of_entry", "on_edge", "on_link", "open",
    "part_called", "phase_now", "place_between", "places_between", "positions", "put", "react", "rejoin", "relate", "remember", "remove", "reveal", "roll", "set", "set_active",
    "show", "sides_in_turn", "stands_within", "take_fallen", "take_out", "tell", "thing_made", "tick", "travel", "way_cost", "way_exists", "window", "within", "within_any", "write",
})  # fmt: skip
"""Attributes with their own names; those of fields and names begin with `f_` and `n_`."""

OWN = re.compile(r"[fn]_[A-Za-z0-9_]+")
KEYWORDS = frozenset({"default", "key", "subject"})

NODES: frozenset[type[ast.AST]] = frozenset({
    ast.Module, ast.Expression, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.Expr, ast.Pass,
    ast.If, ast.For, ast.Break, ast.Continue, ast.With, ast.withitem, ast.Try, ast.ExceptHandler, ast.Raise,
    ast.Name, ast.Load, ast.Store, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.keyword, ast.Lambda, ast.IfExp, ast.NamedExpr,
    ast.Tuple, ast.List, ast.Dict, ast.ListComp, ast.GeneratorExp, ast.comprehension, ast.Yield, ast.YieldFrom,
    ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn,
})  # fmt: skip
"""The nodes allowed in emitted code."""

PLAIN = NODES - {
    ast.FunctionDef, ast.arguments, ast.arg, ast.Lambda, ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.keyword,
    ast.ExceptHandler, ast.comprehension,
}  # fmt: skip
"""Nodes that are allowed anywhere, if their contents are."""

LEAVES = frozenset(kind for kind in PLAIN if not kind._fields)
"""Those without children."""


@functools.lru_cache(maxsize=65_536)
def _is_name(name: str) -> bool:
    return name in KNOWN or MADE.fullmatch(name) is not None


KNOWN = frozenset(BUILTINS) | GIVEN | HELPERS | LOCALS | FUNCTIONS


class _Checked(ast.NodeTransformer):
    """Rejects everything unknown, and inserts the words."""

    def __init__(self, words: tuple[Word, ...]) -> None:
        self.words = words
        self.names: set[str] = set()

    def visit(self, node: ast.AST) -> Any:
        """The node with its words. Raises UnknownCode."""
        kind = type(node)
        if kind in PLAIN:
            return self.generic_visit(node)
        if kind is ast.Name:
            return self._name(node)  # type: ignore[arg-type]
        if kind not in NODES:
            raise UnknownCode(f"{kind.__name__} is not known")
        why = _wrong(node)
        if why:
            raise UnknownCode(f"{why} in {kind.__name__}")
        return self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """The node with its children visited: like Python's own method, without visiting nodes that have none."""
        for name in node._fields:
            value = getattr(node, name, None)
            if type(value) is list:
                value[:] = [self.visit(one) if isinstance(one, ast.AST) else one for one in value]
            elif isinstance(value, ast.AST) and type(value) not in LEAVES:
                setattr(node, name, self.visit(value))
        return node

    def _name(self, node: ast.Name) -> ast.expr:
        name = node.id
        if name.startswith("K_"):
            number = name[2:]
            if not (number.isdecimal() and int(number) < len(self.words) and isinstance(node.ctx, ast.Load)):
                raise UnknownCode("a word that was not handed over")
            return ast.copy_location(ast.Constant(cast("str", self.words[int(number)])), node)
        if not _is_name(name):
            raise UnknownCode(f"the name {name!r}, which no list of {__name__} has")
        self.names.add(name)
        return node


def _wrong(node: ast.AST) -> str:
    """What is unknown about a node itself; "" if nothing is."""
    match node:
        case ast.Constant(value=value):
            # A text can occur in a tree only after it has been checked.
            return "" if value is None or type(value) in {bool, int} else f"a constant {type(value).__name__}"
        case ast.Attribute(attr=name):
            return (
                ""
                if name in ATTRIBUTES or OWN.fullmatch(name)
                else f"the attribute {name!r}, which is not among ATTRIBUTES of {__name__},"
            )
        case ast.Call(func=function):
            return "" if isinstance(function, ast.Name | ast.Attribute) else "a call of what has no name"
        case ast.keyword(arg=name):
            return "" if name in KEYWORDS else f"the keyword {name!r}"
        case ast.ExceptHandler(type=kind, name=name):
            known = isinstance(kind, ast.Name) and kind.id in {"TROUBLE", "Halt"} and name in {None, "_h"}
            return "" if known else "an exception"
        case ast.comprehension(is_async=later):
            return "what is asynchronous" if later else ""
    return _wrong_of_function(node)


def _wrong_of_function(node: ast.AST) -> str:
    """What is unknown about the head of a function; "" if nothing is."""
    match node:
        case ast.arg(arg=name, annotation=annotation):
            return "" if _is_name(name) and annotation is None else f"the argument {name!r}"
        case ast.arguments():
            given = (node.posonlyargs, node.kwonlyargs, node.kw_defaults, node.defaults, node.vararg, node.kwarg)
            return "more than plain arguments" if any(given) else ""
        case ast.FunctionDef(name=name):
            plain = not node.decorator_list and node.returns is None
            return "" if plain and _is_name(name) else f"the function {name!r}"
    return ""


def checked(text: str, words: tuple[Word, ...], mode: Mode = "exec") -> ast.Module | ast.Expression:
    """The tree of emitted text with the words inserted. Raises UnknownCode for what the emitter cannot write."""
    parsed = ast.parse(text, "<emitted>", mode)
    return checked_tree(cast("ast.Module | ast.Expression", parsed), words)


def checked_tree(tree: ast.Module | ast.Expression, words: tuple[Word, ...]) -> ast.Module | ast.Expression:
    """The same for text that has been parsed."""
    made: ast.Module | ast.Expression = _Checked(words).visit(tree)
    return made


def checked_module(text: str, words: tuple[Word, ...]) -> tuple[ast.Module, set[str]]:
    """The tree of emitted functions with the words inserted, and the other names in it. Raises UnknownCode."""
    check = _Checked(words)
    tree: ast.Module = check.visit(ast.parse(text, "<emitted>"))
    return tree, check.names


def compiled(text: str, words: tuple[Word, ...], file: str, mode: Mode = "exec") -> CodeType:
    """Emitted text as code. file: its name in tracebacks. Raises UnknownCode."""
    return compile(checked(text, words, mode), file, mode)


SCOPE = "def scope():\n"
"""The scope around functions that find each other."""


def compiled_function(
    name: str, text: str, words: tuple[Word, ...], around: Collection[str], file: str, first: int
) -> CodeType:
    """The code of one function, whose text is indented once. Raises UnknownCode, SyntaxError, ValueError.

    around: the names in the scope around it, of which it closes over those that it uses; first: the number of its first line.
    """
    tree, names = checked_module(SCOPE + text, words)
    match tree.body:
        case [ast.FunctionDef(body=[ast.FunctionDef(name=found)]) as scope] if found == name:
            scope.args.args = [ast.copy_location(ast.arg(x), scope) for x in sorted(names.intersection(around))]
        case _:
            raise UnknownCode(f"something else than the function {name!r}")
    code = compile(tree, file, "exec")
    for _ in ("the scope", "the function"):
        (code,) = _inner_code(code)
    return _lowered(code, first - 2)


def _inner_code(code: CodeType) -> list[CodeType]:
    return [x for x in code.co_consts if isinstance(x, CodeType)]


def _lowered(code: CodeType, lines: int) -> CodeType:
    """The same code as if it stood so many lines further down: in one, every number of a line is counted from its first."""
    consts = tuple(_lowered(x, lines) if isinstance(x, CodeType) else x for x in code.co_consts)
    return code.replace(co_firstlineno=code.co_firstlineno + lines, co_consts=consts)


@functools.lru_cache(maxsize=8192)
def compiled_once(text: str, words: tuple[Word, ...], file: str, mode: Mode = "exec") -> CodeType:
    """The same, cached: examples repeat the same text very often."""
    return compiled(text, words, file, mode)


# ---- running it
def defined(code: CodeType, space: dict[str, Any]) -> dict[str, Any]:
    """Runs code that defines functions in a namespace, and returns that."""
    space["__builtins__"] = {}
    exec(code, space)  # noqa: S102 (checked above)
    return space


def worked_out(code: CodeType, space: dict[str, Any]) -> Any:
    """The value of an expression's code in a namespace."""
    space["__builtins__"] = {}
    return eval(code, space)  # noqa: S307 (checked above)
