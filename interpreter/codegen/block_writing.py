"""Writing into blocks: each computed value gets a name, so that it is computed once, and as far out as possible."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from dsl import ir
from dsl.text.source import Span
from interpreter.codegen.blocks import CodeBlock, Fork, Loop, Names, Value
from interpreter.codegen.loop_owner import LoopOwner
from interpreter.codegen.passes.form import is_name
from interpreter.codegen.python_names import py
from interpreter.codegen.shapes import LATE, is_bare, is_of_the_game, rests_on_late


class Writer:
    """Writes lines into blocks; everything is computed once and as far out as possible.

    Attributes:
        block: where lines are written at present; `before` has a block for each depth, for what depends on no more than that.
        names: the definitions of the names in scope.
        homes: the block in which a name of the text is computed.
        runs: the names of items, each with the name of its side, whose run has a block of its own.
        over: the names of items, each with the set that it is taken from.
        unused: what belongs to the run of a side, as long as nothing needs it.
        stack: the values that are being computed in place.
        stepped: the `if` of the last step.
        parts: how numbers that have been computed are counted (`loop_numbers.py`).
    """

    def __init__(self, owner: LoopOwner, arguments: tuple[str, ...]) -> None:
        self.owner = owner
        self.words = owner.words
        self.span: Span | None = owner.span
        self.top = CodeBlock(None, 0)
        self.block = self.top
        self.names: Names = {a: Value("l_" + py(a), 0) for a in arguments}
        self.homes: dict[str, CodeBlock] = {"l_" + py(a): self.top for a in arguments}
        self.before: list[CodeBlock] = [self.top]
        self.lazy: dict[tuple[int, str], str] = {}
        self.stack: list[str] = []
        self.number = 0
        self.written = 0
        self.runs: dict[str, str] = {}
        self.over: dict[str, str] = {}
        self.unused: dict[str, list[tuple[CodeBlock, Any]]] = {}
        self.stepped: Fork | None = None
        self.parts: dict[str, int] = {}
        self.perhaps: set[str] = set()

    # ---- writing
    def fresh(self, stem: str = "t") -> str:
        """A name that is unique in this function."""
        self.number += 1
        return f"{stem}{self.number}"

    def put(self, text: str) -> None:
        """Writes a line."""
        self.written += 1
        self.block.items.append((text, self.span))

    @contextlib.contextmanager
    def inside(self, fork: Fork | Loop, block: CodeBlock) -> Iterator[None]:
        """Writes into a branch of a compound statement of this block meanwhile."""
        parent, opened = self.block, self.block.open
        parent.open, self.block = fork, block
        try:
            yield
        finally:
            parent.open, self.block = opened, parent

    @contextlib.contextmanager
    def branch(self, test: str, *, otherwise: bool = False) -> Iterator[Fork]:
        """Begins an `if`, and writes into it meanwhile. otherwise: whether it has an `else`, too."""
        fork = Fork((test, self.inner()), *[(None, self.inner())] * otherwise, span=self.span)
        self.block.items.append(fork)
        with self.inside(fork, fork.arms[0][1]):
            yield fork

    def inner(self) -> CodeBlock:
        """A new branch of this block."""
        return CodeBlock(self.block, self.block.depth)

    @contextlib.contextmanager
    def nowhere(self) -> Iterator[None]:
        """What is written here can never run and is left out."""
        held, self.block = self.block, CodeBlock(self.block, self.block.depth)
        try:
            yield
        finally:
            self.block = held

    @contextlib.contextmanager
    def scope(self, names: Names) -> Iterator[None]:
        """Only these names are in scope meanwhile."""
        held, self.names = self.names, names
        try:
            yield
        finally:
            self.names = held

    def find(self, text: str) -> Value | None:
        """What has already been computed at this line."""
        block: CodeBlock | None = self.block
        while block is not None:
            if text in block.known:
                return block.known[text]
            block = block.parent
        return None

    def named(self, value: Value, *, key: str | None = None) -> Value:
        """A name for a value, computed here, or further out if it depends on less."""
        text, depth = value
        if is_bare(text):
            return value
        found = self.find(key or text)
        if found is not None:
            return found
        if depth >= self.block.depth:
            name = self.fresh()
            self.put(f"{name} = {text}")
            self.homes[name] = self.block
            made = Value(name, depth)
            self.block.learn(key or text, made)
            return made
        home = self.before[depth]
        sure = self.block.body or self.owner.is_light(text)
        if sure and self.block.depth <= self.at_home(depth) and not rests_on_late(text):
            name = self.fresh()
            self.written += 1
            home.insert((f"{name} = {text}", self.span))
            self.homes[name] = home
            made = Value(name, depth)
            home.learn(text, made)
            return made
        if is_of_the_game(text):
            return value
        lazy = self.lazy.get((id(home), text))
        if lazy is None:
            lazy = self.lazy[id(home), text] = self.fresh("z")
            home.insert((f"{lazy} = UNSET", self.span))
        self.put(f"if {lazy} is UNSET: {lazy} = {text}")
        self.homes[lazy] = self.block
        made = Value(lazy, depth)
        self.block.learn(text, made)
        return made

    @staticmethod
    def at_home(depth: int) -> int:
        """The depth of the loop before which values of a depth are computed: runs of sides belong to the first loop."""
        return 2 if depth < 2 else depth + 1

    def joined(self, template: str, *values: Value) -> Value:
        """A text composed of others; those that depend on less than the complete text are named further out."""
        depth = max((v.depth for v in values), default=0)
        texts = [self.named(v).text if v.depth < depth else v.text for v in values]
        first, *rest = template.split("{}")
        return Value(first + "".join(text + part for text, part in zip(texts, rest, strict=True)), depth)

    def near(self, value: Value) -> str:
        """A text to be used once, here; if it depends on less, it is named further out."""
        return (self.named(value) if value.depth < self.block.depth else value).text

    def called(self, template: str, *values: Value) -> Value:
        """A text with a call: named immediately, so that it is called once."""
        made = self.joined(template, *values)
        return self.named(made) if made.depth >= self.block.depth or self.owner.is_light(made.text) else made

    def attribute(self, holder: Value, slot: str, *, maybe: bool = False) -> Value:
        """An attribute of a named thing, read where the thing was named."""
        holder = self.named(holder)
        safe = self.find(f"None if {holder.text} is None else {holder.text}.{slot}")
        if safe is not None and not maybe:
            return safe
        if maybe:
            self.perhaps.add(holder.text)
        text = f"None if {holder.text} is None else {holder.text}.{slot}" if maybe else f"{holder.text}.{slot}"
        found = self.find(text)
        if found is not None:
            return found
        home = self.homes.get(holder.text)
        if home is None or holder.text in self.perhaps:
            return self.named(Value(f"({text})" if maybe else text, holder.depth), key=text)
        # what depends on something computed only on demand is not available earlier than that
        name = self.fresh("z" if is_name(holder.text, LATE) else "t")
        self.written += 1
        home.insert((f"{name} = {text}", self.span))
        self.homes[name] = home
        made = Value(name, holder.depth)
        home.learn(text, made)
        return made

    # ---- what an expression depends on
    def depth_of(self, e: ir.Node | tuple[ir.Node, ...]) -> int:
        """The depth of the innermost loop that an expression depends on."""
        if isinstance(e, ir.Local):
            known = self.names.get(e.name)
            return known.depth if known is not None else 0
        if isinstance(e, ir.SideOf) and isinstance(e.thing, ir.Local):
            known = self.names.get(e.thing.name)
            if known is not None and known.text in self.runs:
                return 1
        return max((self.depth_of(x) for x in (e if isinstance(e, tuple) else ir.inner(e))), default=0)
