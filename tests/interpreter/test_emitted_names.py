"""Every name in emitted code has its value on every path that reaches it: a missing one would be a fault that looks like a rule error.

The daily form uses the code of two systems with all modules, or, where some modules exclude each other, without those that are off.
The long form uses both, for all systems.
"""

import ast
import re

import pytest

from campaigns.library.compiling import compiled
from campaigns.library.rule_texts import load_path
from dsl.rules.variants import with_needs
from dsl.text.diagnostics import RuleTextError
from interpreter.codegen.emitted_code import checked
from tests.long import LONG, either

SIDE = re.compile(r"s\d+")
"""The names for the side of the thing at hand and of the one before it."""
BARE = ast.Constant | ast.expr_context | ast.operator | ast.cmpop | ast.unaryop | ast.boolop
"""In these no name stands; they are most of what there is."""
NEVER = None
"""What is known behind a line that is not left on this way: everything."""


def met(one, other):
    """What has a value behind two ways that come together."""
    return other if one is NEVER else one if other is NEVER else one & other


def own_nodes(function):
    """All that stands in a function, without what stands in functions within it."""
    waiting = [*ast.iter_child_nodes(function)]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef):
            waiting += ast.iter_child_nodes(node)


class Ways:
    """Goes through a function on all ways; notes the local names that are read where they may have no value."""

    def __init__(self, function):
        own = list(own_nodes(function))
        stored = {x.id for x in own if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
        lent = {n for x in own if isinstance(x, ast.Nonlocal) for n in x.names}
        self.local, self.missing, self.loops = stored - lent, [], []
        known = frozenset(a.arg for a in function.args.args)
        self.body(function.body, known)

    def read(self, node, known):
        """What has a value when an expression has been worked out."""
        if node is None or isinstance(node, BARE):
            return known
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load) and node.id in self.local and node.id not in known:
                self.missing.append((node.id, node.lineno))
            return known
        if isinstance(node, ast.NamedExpr):
            return self.read(node.value, known) | {node.target.id}
        if isinstance(node, ast.Lambda):
            self.read(node.body, known | {a.arg for a in node.args.args})
            return known
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            inner = known
            for part in node.generators:
                inner = self.read(part.iter, inner) | names(part.target)
                for test in part.ifs:
                    inner = self.read(test, inner)
            self.read(node.elt, inner)
            return known
        if isinstance(node, ast.BoolOp):
            first = inner = self.read(node.values[0], known)
            for value in node.values[1:]:
                inner = self.read(value, inner)
            return first
        if isinstance(node, ast.IfExp):
            tested = self.read(node.test, known)
            return self.read(node.body, tested) & self.read(node.orelse, tested)
        for child in ast.iter_child_nodes(node):
            known = self.read(child, known)
        return known

    def body(self, lines, known):
        """What has a value behind some lines."""
        for line in lines:
            if known is NEVER:
                return NEVER
            known = self.line(line, known)
        return known

    def line(self, line, known):
        match line:
            case ast.Assign(targets=targets, value=value):
                known = self.read(value, known)
                for target in targets:
                    if not isinstance(target, ast.Name | ast.Tuple):
                        known = self.read(target, known)
                    known |= names(target)
                return known
            case ast.AugAssign(target=target, value=value):
                if isinstance(target, ast.Name) and target.id in self.local and target.id not in known:
                    self.missing.append((target.id, target.lineno))
                return self.read(value, known) | names(target)
            case ast.If(
                test=ast.Compare(left=ast.Name(id=now), ops=[ast.IsNot()], comparators=[ast.Name(id=before)]), body=body
            ) if SIDE.fullmatch(now) and SIDE.fullmatch(
                before
            ):  # another side's run begins, and the first thing is always of another side than nobody's
                return self.body(body, known)
            case ast.If(test=test, body=body, orelse=orelse):
                known = self.read(test, known)
                return met(self.body(body, known), self.body(orelse, known))
            case ast.For(target=target, iter=items, body=body, orelse=orelse):
                known = self.read(items, known)
                self.loops.append([])
                self.body(body, known | names(target))
                left = self.loops.pop()
                behind = self.body(orelse, known)
                for one in left:
                    behind = met(behind, one)
                return behind
            case ast.Try(body=body, handlers=handlers):
                behind = self.body(body, known)
                for handler in handlers:
                    behind = met(behind, self.body(handler.body, known | ({handler.name} if handler.name else set())))
                return behind
            case ast.With(items=items, body=body):
                for item in items:
                    known = self.read(item.context_expr, known) | names(item.optional_vars)
                return self.body(body, known)
            case ast.Return(value=value) | ast.Raise(exc=value):
                self.read(value, known)
                return NEVER
            case ast.Break():
                self.loops[-1].append(known)
                return NEVER
            case ast.Continue():
                return NEVER
            case ast.FunctionDef(name=name):
                return known | {name}
            case ast.Pass() | ast.Nonlocal():
                return known
            case ast.Expr(value=value):
                return self.read(value, known)
        raise AssertionError(ast.dump(line))


def names(target):
    return (
        {x.id for x in ast.walk(target) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
        if target
        else set()
    )


def missing(text, words=()):
    found = []
    for function in ast.walk(checked(text, words)):
        if isinstance(function, ast.FunctionDef):
            found += [(function.name, *x) for x in Ways(function).missing]
    return found


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("def act(F):\n    if F.n_x: t1 = 1\n    return t1", ["t1"]),
        ("def act(F):\n    for i1 in F.n_x: t1 = i1\n    return t1", ["t1"]),
        ("def act(F):\n    if F.n_x: t1 = 1\n    else: t1 = 2\n    return t1", []),
        ("def act(F):\n    if F.n_x: return None\n    else: t1 = 2\n    return t1", []),
        ("def act(F):\n    t1 = t2\n    t2 = 1\n    return t1", ["t2"]),
        ("def act(F):\n    return any([t1 for t1 in F.n_x])", []),
        ("def act(F):\n    try: t1 = F.n_x\n    except TROUBLE: return None\n    return t1", []),
        ("def act(F):\n    try: t1 = F.n_x\n    except TROUBLE: pass\n    return t1", ["t1"]),
    ],
)
def test_the_way_through_a_function_is_followed(text, lacks):
    assert [name for _, name, _ in missing(text)] == lacks


@pytest.mark.parametrize("system", either(["btr", "ogre"], ["bth", "btr", "ww2", "ogre", "infantry"]))
def test_every_name_of_emitted_code_has_its_value(system):
    text = load_path(system)
    every = frozenset(with_needs(text.modules, text.modules))
    for active in dict.fromkeys((every, text.defaults)):
        try:
            source = compiled(text, active).source
        except RuleTextError:  # modules that shut each other out
            assert active != text.defaults
            continue
        assert missing(source.text, source.words) == []
        if not LONG:
            break
