"""Sinking: in what is emitted, a name that only one arm of an `if` reads is worked out in that arm.

What a loop writes names at its head whatever more than one value may ask about an item; which of them do is only known
when all of the loop is written. Most items of a force have no guns, so most never come to the arm. Values change nothing,
so where a line stands makes no difference but to how often it is run.
"""

from __future__ import annotations

import re
from collections import Counter

from attrs import define

from dsl.text.source import Span

Lines = list[tuple[str, Span | None]]

NAME = re.compile(r"\b[acirstuz]\d+\b")
NAMING = re.compile(r"([tu]\d+) = (.*)")
CHANGING = re.compile(r"\b[acrsz]\d+\b")
"""Names that are given more than one value: what reads them stays where it is."""
ATOM = re.compile(r"\w+(?:\.\w+|\[\w+\])*|\([^()]*\)")
"""What needs no further brackets."""
ADDING = re.compile(r"r\d+ \+= (a\d+)")
SIDE = re.compile(r"(s\d+) = i\d+\.side")
"""With the `if` after it: what depends on the item's side alone, worked out anew where the side changes."""


@define
class Node:
    """A line with those that are indented under it. names: how often each name stands in all of them."""

    text: str
    span: Span | None
    under: list[Node]
    names: Counter[str]

    @classmethod
    def of(cls, text: str, span: Span | None, under: list[Node]) -> Node:
        """A line with others under it."""
        node = cls(text, span, [], Counter(NAME.findall(text)))
        node.take(*under)
        return node

    def take(self, *nodes: Node) -> None:
        """Puts nodes in front of those under this one."""
        self.under[:0] = nodes
        for node in nodes:
            self.names += node.names


def sunk(lines: Lines) -> Lines:
    """The same lines, each name as deep as it can stand."""
    top = grown(lines)
    _sink(top, top.names)
    _put_in(top, top.names)
    return written(top)


def grown(lines: Lines) -> Node:
    """Lines as a tree, by how deep they are indented."""
    top = Node("", None, [], Counter())
    _grow(top, lines, 0, 0)
    return top


def written(top: Node) -> Lines:
    """A tree as lines."""
    out: Lines = []
    _write(top, 0, out)
    return out


def _grow(parent: Node, lines: Lines, at: int, depth: int) -> int:
    """Makes the nodes of the lines that stand so deep under a line; answers with the first that does not."""
    while at < len(lines):
        text, span = lines[at]
        bare = text.lstrip()
        if len(text) - len(bare) < 4 * depth:
            break
        node = Node(bare, span, [], Counter(NAME.findall(bare)))
        at = _grow(node, lines, at + 1, depth + 1)
        parent.under.append(node)
        parent.names += node.names
    return at


def _write(node: Node, depth: int, out: Lines) -> None:
    for under in node.under:
        out.append(("    " * depth + under.text, under.span))
        _write(under, depth + 1, out)


def _sink(block: Node, everywhere: Counter[str]) -> None:
    """Moves what can be moved out of a block into the arms that stand in it, and on from there."""
    nodes = block.under
    at = len(nodes) - 1
    while at >= 0:
        moved, made = _movable(nodes, at)
        if made:
            arm = _only_reader(nodes, at + moved, made, everywhere, nodes[at : at + moved])
            if arm is not None:
                arm.take(*nodes[at : at + moved])
                del nodes[at : at + moved]
        at -= 1
    _add_where_there_is_something(nodes)
    for node in nodes:
        if node.under:
            _sink(node, everywhere)


def _movable(nodes: list[Node], at: int) -> tuple[int, set[str]]:
    """How many nodes from here on could be moved together, and the names that they give."""
    node = nodes[at]
    naming = NAMING.fullmatch(node.text)
    if naming is not None:
        return 1, set() if CHANGING.search(naming[2]) else {naming[1]}
    side = SIDE.fullmatch(node.text)
    if side is None or at + 1 == len(nodes) or not nodes[at + 1].text.startswith(f"if {side[1]} is not "):
        return 1, set()
    made = set()
    for inner in nodes[at + 1].under:
        naming = NAMING.fullmatch(inner.text)
        if naming is not None:
            made.add(naming[1])
        elif inner.under or not inner.text.endswith(f" = {side[1]}"):
            return 1, set()
    return (2, made) if nodes[at + 1].names[side[1]] + 1 == sum(n.names[side[1]] for n in nodes) else (1, set())


def _only_reader(
    nodes: list[Node], start: int, made: set[str], everywhere: Counter[str], moved: list[Node]
) -> Node | None:
    """The one arm below in which all that reads these names stands."""
    arm: Node | None = None
    for node in nodes[start:]:
        if node.names.keys() & made:
            if arm is not None:
                return None
            arm = node
    if arm is None or not arm.text.startswith(("if ", "elif ", "else:")) or set(NAME.findall(arm.text)) & made:
        return None
    if any(arm.names[name] + sum(node.names[name] for node in moved) != everywhere[name] for name in made):
        return None
    return arm


def _put_in(block: Node, everywhere: Counter[str]) -> None:
    """Writes what is named for one line alone into that line."""
    nodes = block.under
    for at in range(len(nodes) - 2, -1, -1):
        naming = NAMING.fullmatch(nodes[at].text)
        if naming is None or everywhere[naming[1]] != 2:
            continue
        reader = next((i for i in range(at + 1, len(nodes)) if naming[1] in nodes[i].names), None)
        if reader is None or (reader > at + 1 and CHANGING.search(naming[2])):
            continue
        name = re.compile(rf"\b{naming[1]}\b")
        if name.search(nodes[reader].text):
            text = naming[2] if ATOM.fullmatch(naming[2]) else f"({naming[2]})"
            nodes[reader].text = name.sub(text.replace("\\", r"\\"), nodes[reader].text)
            nodes[reader].names += nodes[at].names
            del nodes[at]
    for node in nodes:
        if node.under:
            _put_in(node, everywhere)


def _add_where_there_is_something(nodes: list[Node]) -> None:
    """Moves `total += part` into the `if part:` right before it: nothing is gained by adding 0."""
    for at in range(len(nodes) - 1, 0, -1):
        adding, before = ADDING.fullmatch(nodes[at].text), nodes[at - 1]
        if adding is not None and before.text == f"if {adding[1]}:":
            node = nodes.pop(at)
            before.under.append(node)
            before.names += node.names
