"""Rule text generated from the grammar: derived rule by rule, and spliced from existing text."""

import functools
import random
import re
from collections import defaultdict
from collections.abc import Iterable

from lark import Token, Tree

from dsl.syntax.chunks import cut
from dsl.syntax.parse import _parser
from tests.hostile.edges import WORDS

DEEP = 9
"""Derivations take the shortest way out from so deep on."""
WRITTEN = {
    "NAME": ("tank", "hex", "strength", "x", "u", "of", "side", "turn", "a-b", "losses", "goal", "v1", "t8", "tanks", "battle", "moving", "active", "weight"),
    "NUMBER": ("0", "1", "2", "1.5", "99999999999999999999", "007"), "SIGNED": ("+1", "-3", "-0"), "STRING": ('"x"', '""', '"{}"', '"{0}"', '"<a><b>"', '"%s"'),
    "THING": ("8th-foot", "1-1", "2d6x"), "PLACE": ("0101", "0402", "9999", "010101"), "DICE": ("1d6", "d10", "0d0", "2d6-9"), "DICE_WORD": ("1d6",), "ODDS": ("1:1", "0:1", "1:0"),
    "FRACTION": ("1/2", "1/0", "0/5"), "PERCENT": ("40%", "0%", "1000 %"), "CITE": ("[A-B-1]",), "ROW": ("a | b", "| |", "1 || 2", "a | 3 || x4, -- | 1d6"),
    "DATE": ("2026-01-01", "2026-13-45"), "RANGE": ("..",), "CMP": ("<", ">=", "!=", "="), "_NL": ("\n",),
}  # fmt: skip
"""Words for the terminals that are no fixed word."""


@functools.cache
def _rules() -> dict[str, list[list[tuple[str, bool]]]]:
    """Of each rule the ways to write it: names, and whether each is a terminal."""
    found = defaultdict(list)
    for rule in _parser()[0].rules:
        found[rule.origin.name].append([(part.name, part.is_term) for part in rule.expansion])
    return dict(found)


@functools.cache
def _cost() -> dict[str, int]:
    """How deep the shortest text of each rule is."""
    cost = dict.fromkeys(_rules(), 99)
    for _ in range(40):
        for name, ways in _rules().items():
            cost[name] = min(1 + max((0 if term else cost[part] for part, term in way), default=0) for way in ways)
    return cost


def _terminal(chance: random.Random, name: str) -> str:
    if name in WRITTEN:
        return chance.choice(WRITTEN[name])
    pattern = next((t.pattern for t in _parser()[0].terminals if t.name == name), None)
    if pattern is None:
        return name.lower()
    if type(pattern).__name__ == "PatternStr":
        return str(pattern.value)
    plain = re.sub(r"\(\?[!=].*?\)+$", "", pattern.value)
    plain = re.sub(r"\[ \\t\][+*]|\\s[+*]", " ", plain).replace("(the )?", "the ").replace("\\", "")
    return chance.choice(re.sub(r"[()?]", "", plain).split("|"))


def derived(chance: random.Random, rule: str = "declaration") -> str:
    """A text that the grammar allows, as far as words and layout allow it too."""
    out: list[str] = []
    depth = 0

    def write(name: str, deep: int) -> None:
        nonlocal depth
        ways = _rules()[name]
        if deep > DEEP:
            least = min(max((0 if t else _cost()[p] for p, t in way), default=0) for way in ways)
            ways = [w for w in ways if max((0 if t else _cost()[p] for p, t in w), default=0) == least]
        for part, term in chance.choice(ways):
            if part == "_INDENT":
                depth += 1
                out.append("  " * depth)
            elif part == "_DEDENT":
                depth -= 1
            elif part == "_NL":
                out.append("\n" + "  " * depth)
            elif term:
                out.append(_terminal(chance, part) + " ")
            elif len(out) < 400:
                write(part, deep + 1)

    write(rule, 0)
    return re.sub(r"\n *\n", "\n", "".join(out).replace(" \n", "\n").replace(" :", ":")).rstrip() + "\n"


Pool = dict[str, list[str]]
Parts = list[tuple[str, int, int]]


@functools.lru_cache(maxsize=2048)
def parts_of(chunk: str) -> Parts:
    """The parts of a declaration: the rule or terminal of each, where it begins and ends."""
    found: Parts = []
    try:
        tree = _parser()[0].parse(chunk)
    except Exception:  # noqa: BLE001 - what cannot be read has no parts
        return found
    for node in tree.iter_subtrees():
        assert isinstance(node, Tree)
        if node.meta.empty:
            continue
        found.append((str(node.data), node.meta.start_pos, node.meta.end_pos))
        found += [
            (leaf.type, leaf.start_pos, leaf.end_pos)
            for leaf in node.children
            if isinstance(leaf, Token) and leaf.start_pos is not None and leaf.end_pos is not None
        ]
    return [part for part in found if chunk[part[1] : part[2]].strip()]


def pool_of(texts: Iterable[str], most: int = 400) -> Pool:
    """What is written for each rule of the grammar in some texts."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for text in texts:
        for chunk in cut(text):
            for name, start, end in parts_of(chunk.text):
                if len(found[name]) < most:
                    found[name][chunk.text[start:end]] = None
    return {name: list(texts) for name, texts in found.items()}


def spliced(chance: random.Random, chunk: str, pool: Pool) -> str:
    """A declaration in which a part is written as the same sort of part is elsewhere, or as the grammar allows."""
    parts = parts_of(chunk)
    if not parts:
        return chunk
    name, start, end = chance.choice(parts)
    if name.isupper():
        said = chance.choice(WORDS) if chance.random() < 0.2 else chance.choice(pool.get(name) or [chunk[start:end]])
    elif name in _rules() and chance.random() < 0.25:
        said = derived(chance, name).rstrip("\n")
    else:
        said = chance.choice(pool.get(name) or [chunk[start:end]])
    return chunk[:start] + said + chunk[end:]
