"""Emitted rules in which every loop is also computed plainly, and fails if the two differ.

A function that the emitter writes as a loop has a plain form beside it, which is used if something fails: `try: … except
TROUBLE: return …`. `comparing` rewrites such functions of a program so that each call computes both.
"""

import ast
from collections import Counter

from interpreter.codegen import emitted_code
from interpreter.codegen.emitted_code import checked_module
from interpreter.program.program import Program
from interpreter.runtime.runtime import TROUBLE

BESIDE = "_plainly"
"""How the plain form of a value is named that has a function of its own."""
NOTHING = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])


class LoopDiffers(AssertionError):
    """A loop has another value than its plain form."""


class Comparison:
    """Compares loops with their plain forms. counts: how often each was compared."""

    def __init__(self):
        self.counts = Counter()
        self.within = False

    def both(self, name, loop, plain):
        """The value of a function with two forms."""
        if self.within:
            return plain()
        try:
            found = loop()
        except TROUBLE:
            return plain()
        self.same(name, found, plain)
        return found

    def same(self, name, found, plain):
        """Asserts that the plain form has this value."""
        if self.within:
            return
        self.counts[name] += 1
        self.within = True
        try:
            wanted = plain()
        except TROUBLE as error:
            raise LoopDiffers(f"{name} is {found!r}; plainly it fails: {error}") from error
        finally:
            self.within = False
        if type(found) is not type(wanted) or found != wanted:
            raise LoopDiffers(f"{name} is {found!r}; plainly it is {wanted!r}")


class _Both(ast.NodeTransformer):
    """Makes functions with two forms compute both."""

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        for tried in (s for s in node.body if isinstance(s, ast.Try) and s.handlers[0].type.id == "TROUBLE"):
            other = tried.handlers[0].body[0]
            if isinstance(other, ast.Return) and node.body == [tried]:
                forms = [_function("loop_", tried.body), _function("plain_", tried.handlers[0].body)]
                node.body = [*forms, ast.Return(self._call("both", node.name, _name("loop_"), _name("plain_")))]
            elif isinstance(other, ast.Assign) and other.value.func.id.endswith(BESIDE):
                tried.orelse = [ast.Expr(self._call("same", node.name, _name("_r"), ast.Lambda(NOTHING, other.value)))]
            else:
                raise AssertionError(f"{node.name} has another form beside it than these two")
        return node

    def _call(self, method, name, *forms):
        return ast.Call(ast.Attribute(_name("COMPARISON"), method, ast.Load()), [ast.Constant(name), *forms], [])


def _name(word):
    return ast.Name(word, ast.Load())


def _function(name, body):
    return ast.FunctionDef(name=name, args=NOTHING, body=body, decorator_list=[])


def comparing(monkeypatch):
    """From now on programs compare their loops with the plain forms. Returns the comparison."""
    comparison = Comparison()

    space_of = Program.space_of

    def both(text, words):
        tree, names = checked_module(text, words)
        return ast.fix_missing_locations(_Both().visit(tree)), names

    monkeypatch.setattr(Program, "space_of", lambda *given: {**space_of(*given), "COMPARISON": comparison})
    monkeypatch.setattr(emitted_code, "checked_module", both)
    return comparison
