"""Passing over: in what is emitted, what is only made of sums over a set stands under a test whether anything is in the set.

Many things hold nothing of a kind: of those the sums are 0, and so is whatever is multiplied with them and added up. None of the
lines that lead from the sums to their total need be run then.
"""

from __future__ import annotations

import re

from interpreter.codegen.sinking import NAME, NAMING, Lines, Node, grown, written

ZERO = re.compile(r"([ar]\d+) = 0")
LOOP = re.compile(r"for i\d+ in ([art]\d+|[it]\d+\.f_\w+):")
ADDED = re.compile(r"([ar]\d+) \+= .*")
GIVEN = re.compile(r"([a-z]\d+) = .*")
TEST = re.compile(r"if ([ar]\d+):")
TIMES = re.compile(r"([ar]\d+) \*= .*")
TOTAL = re.compile(r"(a\d+) = ([()a-z\d+* ]+)")
TERM = re.compile(r"[()]|[ar]\d+|[+]|[*] \d+|\d+ [*]")
LEAST = 3
"""A run of fewer lines is not worth a test of its own."""


def passed_over(lines: Lines) -> Lines:
    """The same lines, with a test of the set before what comes to 0 where it is empty."""
    top = grown(lines)
    _guard(top, top)
    return written(top)


def _guard(block: Node, top: Node) -> None:
    for node in block.under:
        _guard(node, top)
    nodes = block.under
    for at in range(len(nodes) - 1, -1, -1):
        loop = LOOP.fullmatch(nodes[at].text)
        sums = _summed(nodes[at]) if loop is not None else None
        if loop is None or not sums or not all(_is_zero(nodes, at, name) for name in sums):
            continue
        run, zeros = _run(nodes, at, sums)
        outside = _read_outside(top, nodes[at : at + run])
        while run >= LEAST and (_given(nodes[at : at + run]) - zeros) & outside:
            run -= 1
            outside = _read_outside(top, nodes[at : at + run])
        if run < LEAST or not any(TEST.fullmatch(node.text) for node in nodes[at : at + run]):
            continue
        span, kept = nodes[at].span, sorted((_given(nodes[at : at + run]) & outside) - sums)
        guard = Node.of(f"if {loop[1]}:", span, nodes[at : at + run])
        nodes[at : at + run] = [*(Node.of(f"{name} = 0", span, []) for name in kept), guard]


def _summed(loop: Node) -> set[str]:
    """The names that a loop adds to, if it does nothing else; else none."""
    sums, own = set[str](), set[str]()

    def gather(node: Node) -> bool:
        for under in node.under:
            added, naming = ADDED.fullmatch(under.text), NAMING.fullmatch(under.text)
            if added is not None:
                sums.add(added[1])
            elif naming is not None:
                own.add(naming[1])
            elif not under.text.startswith(("if ", "elif ", "else:")):
                return False
            if not gather(under):
                return False
        return True

    return sums if gather(loop) and not sums & own else set()


def _is_zero(nodes: list[Node], at: int, name: str) -> bool:
    """Whether a name is 0 before a node: it was made so in the same block, and nothing has used it since."""
    for node in reversed(nodes[:at]):
        zero = ZERO.fullmatch(node.text)
        if zero is not None and zero[1] == name:
            return True
        if name in node.names:
            return False
    return False


def _run(nodes: list[Node], at: int, sums: set[str]) -> tuple[int, set[str]]:
    """How many nodes from a loop on do nothing where its sums are 0, and the names that are 0 after them."""
    zeros, run = set(sums), 1
    for number, node in enumerate(nodes[at + 1 :], at + 1):
        test, times, total = (found.fullmatch(node.text) for found in (TEST, TIMES, TOTAL))
        follows = nodes[number + 1].text if number + 1 < len(nodes) else ""
        if test is not None:
            if test[1] not in zeros or follows.startswith(("elif ", "else:")):
                break
        elif total is not None and _comes_to_nothing(total[2], zeros):
            zeros.add(total[1])
        elif (times is None or times[1] not in zeros) and NAMING.fullmatch(node.text) is None:
            break
        run += 1
    return run, zeros


def _comes_to_nothing(text: str, zeros: set[str]) -> bool:
    """Whether a sum is made of names that are 0, and multiples of them."""
    names = set(NAME.findall(text))
    return bool(names) and names <= zeros and not TERM.sub("", text).strip()


def _given(nodes: list[Node]) -> set[str]:
    """The names that nodes give values, and those under them."""
    found = set[str]()
    for node in nodes:
        given = GIVEN.fullmatch(node.text) or ADDED.fullmatch(node.text) or TIMES.fullmatch(node.text)
        found |= ({given[1]} if given is not None else set()) | _given(node.under)
    return found


def _read_outside(top: Node, run: list[Node]) -> set[str]:
    """The names that stand anywhere else than in some nodes."""
    found, waiting = set[str](), [top]
    while waiting:
        node = waiting.pop()
        if not any(node is one for one in run):
            found.update(NAME.findall(node.text))
            waiting += node.under
    return found
