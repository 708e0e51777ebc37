"""What has been shown: in what is emitted, nothing is asked again that the line before or a test around it has answered.

A value written in place begins without knowing what is known where it stands: it asks once more whether there is a rating, whether
the gun fires, whether a number is 0. Values change nothing, so an answer holds wherever it has been given.
"""

from __future__ import annotations

import re

from interpreter.codegen.sinking import NAME, NAMING, Lines, Node, grown, written

GIVEN = re.compile(r"([ar]\d+) = (.*)")
SOMETHING = {"0": "if {}:", "None": "if ({} is not None):"}
"""What a result may be, and the test that then fails."""
TEST = re.compile(r"if (\(?[tu]\d+(?: (?:in|==) K_\d+)?\)?):")
"""A test of names that are given one value only, so that its answer stands."""
FURTHER = re.compile(r"elif .*:|else:")
PERHAPS = re.compile(r"\((?:\w+) if (t\d+) is None else ([\w.]+)\)")
"""What is read of something that may be absent."""
ANY = re.compile(r"\b(if|elif|not) bool\((\w+)\)")
"""A test whether anything is in a list: Python asks that of the list itself."""
NUMBER = re.compile(r"-?[1-9]\d*")


def shown(lines: Lines) -> Lines:
    """The same lines without what has been answered already."""
    top = grown(lines)
    _join(top, top)
    top.under = _settled(top.under, frozenset(), frozenset(), frozenset())
    return written(top)


# ---- a result that one arm alone gives
def _join(block: Node, top: Node) -> None:
    """Moves what is done with a result into the one arm that gives it more than nothing."""
    nodes = block.under
    for at in range(len(nodes) - 2, -1, -1):
        name, nothing = _given_by_one_arm(nodes[at : at + 2])
        if not name:
            continue
        to = _next(nodes, at + 2, name)
        follows = nodes[to + 1].text if to + 1 < len(nodes) else ""
        if to == len(nodes) or nodes[to].text != SOMETHING[nothing].replace("{}", name) or FURTHER.fullmatch(follows):
            continue
        arm = Node.of(nodes[at].text, nodes[at].span, [*nodes[at].under, nodes[to]])
        # The name in the arms and in the test: two values and what reads them.
        read_elsewhere = top.names[name] > arm.names[name] + 1
        before = [nodes[at + 1].under[0]] if read_elsewhere else []
        nodes[at : to + 1] = [*before, *nodes[at + 2 : to], arm]
        top.names[name] -= 0 if read_elsewhere else 1
    for node in nodes:
        _join(node, top)


def _given_by_one_arm(nodes: list[Node]) -> tuple[str, str]:
    """The name to which an `if` gives a value and its `else` nothing, with that nothing; else no name."""
    if len(nodes) != 2 or not nodes[0].text.startswith("if ") or nodes[1].text != "else:":
        return "", ""
    given = [GIVEN.fullmatch(node.under[0].text) if len(node.under) == 1 else None for node in nodes]
    if given[0] is None or given[1] is None or given[0][1] != given[1][1] or given[1][2] not in SOMETHING:
        return "", ""
    return given[0][1], given[1][2]


def _next(nodes: list[Node], at: int, name: str) -> int:
    """The next node that does more than name what has nothing to do with a result."""
    while at < len(nodes) and NAMING.fullmatch(nodes[at].text) is not None and name not in nodes[at].names:
        at += 1
    return at


# ---- tests whose answer is known
def _settled(nodes: list[Node], true: frozenset[str], false: frozenset[str], there: frozenset[str]) -> list[Node]:
    """Nodes without the tests that are known to hold or to fail, and without asking whether what is there is there."""
    out: list[Node] = []
    at = 0
    while at < len(nodes):
        chain = [nodes[at]]
        while at + len(chain) < len(nodes) and FURTHER.fullmatch(nodes[at + len(chain)].text):
            chain.append(nodes[at + len(chain)])
        at += len(chain)
        if chain[0].text.startswith("if "):
            out += _arms(chain, out, true, false, there)
        else:
            out.append(_renewed(chain[0], _settled(chain[0].under, true, false, there), there))
    return out


def _arms(
    chain: list[Node], before: list[Node], true: frozenset[str], false: frozenset[str], there: frozenset[str]
) -> list[Node]:
    """The arms of an `if` that may be come to."""
    first, *others = chain
    if not others and _is_something(first.text, before):
        return _settled(first.under, true, false, there)
    test = TEST.fullmatch(first.text)
    if test is not None and test[1] in true:
        return _settled(first.under, true, false, there)
    if test is not None and test[1] in false:
        if not others:
            return []
        if others[0].text == "else:":
            return _settled(others[0].under, true, false, there)
        return _arms([_worded(others[0], others[0].text[2:]), *others[1:]], before, true, false, there)
    known = {test[1]} if test is not None else set()
    found = there | _found(first.text, before)
    out = [_renewed(first, _settled(first.under, true | known, false, found), there)]
    return out + [_renewed(node, _settled(node.under, true, false | known, there), there) for node in others]


def _renewed(node: Node, under: list[Node], there: frozenset[str]) -> Node:
    """A node with other lines under it, which reads what is there without asking."""
    text = PERHAPS.sub(lambda m: m[2] if m[1] in there else m[0], ANY.sub(r"\1 \2", node.text))
    return Node.of(text, node.span, under)


def _worded(node: Node, text: str) -> Node:
    return Node.of(text, node.span, node.under)


def _is_something(text: str, before: list[Node]) -> bool:
    """Whether a test asks if a result is 0 which nothing but other numbers was given to."""
    name = text.removeprefix("if ").removesuffix(":")
    for node in reversed(before):
        if name not in node.names:
            continue
        given = GIVEN.fullmatch(node.text)
        if given is not None and given[1] == name:
            return NUMBER.fullmatch(given[2]) is not None
        if name in NAME.findall(node.text) or not all(_numbers(x, name) for x in node.under):
            return False
    return False


def _numbers(node: Node, name: str) -> bool:
    """Whether nothing is done with a name in a line but that it is given numbers other than 0."""
    given = GIVEN.fullmatch(node.text)
    if given is not None and given[1] == name:
        return NUMBER.fullmatch(given[2]) is not None
    return name not in NAME.findall(node.text) and all(_numbers(x, name) for x in node.under)


def _found(text: str, before: list[Node]) -> frozenset[str]:
    """What must be there where a test holds: that whose field the result is which it asks for."""
    for node in reversed(before):
        given = GIVEN.fullmatch(node.text)
        if given is not None:
            read = re.fullmatch(r"\((0|None|False) if (t\d+) is None else \2\.\w+\)", given[2])
            if read is None or text not in {
                SOMETHING.get(read[1], SOMETHING["0"]).replace("{}", given[1]),
                f"if {given[1]}:",
            }:
                break
            return frozenset((read[2],))
        if NAMING.fullmatch(node.text) is None:
            break
    return frozenset()
