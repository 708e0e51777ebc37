"""The output of the binder: types, expressions and statements, one class each, with every name resolved.

Write `from dsl import ir`, then `ir.Field`, `ir.Let`: the class names are unique within this folder, not beyond it. A class that
is added to one of the files of classes is exported automatically.
"""
# ruff: noqa: F403, F405 - everything that these files define is re-exported

from dsl.ir import statement_visitor, visitor
from dsl.ir.calls import *
from dsl.ir.clauses import *
from dsl.ir.conditions import *
from dsl.ir.course import *
from dsl.ir.effects import *
from dsl.ir.expression import LAST, Expression, OverSet, Rests, Value
from dsl.ir.named import *
from dsl.ir.numbers import *
from dsl.ir.properties import *
from dsl.ir.routines import Param, Routine, Trigger, added_lines, cited, is_disputed
from dsl.ir.sets import *
from dsl.ir.statement import CHANGES, Body, Does, Head, Lasting, Moment, Statement, Until
from dsl.ir.types import (
    DICE,
    ENTRY,
    LINK,
    MARK,
    NOTHING,
    NUMBER,
    ODDS,
    SIDE,
    TEXT,
    Type,
    enum,
    set_of,
    thing,
)
from dsl.ir.walk import Node, alike, asked, fields_of, find, inner, lines_in, reached, transform, walk, with_inner

ERROR = Constant(None, type=NOTHING)
"""The placeholder for an expression whose error is already reported."""

E = Expression
S = Statement
"""Short names for signatures, because many would otherwise not fit on a line."""
