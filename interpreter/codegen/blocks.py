"""Blocks of emitted lines: what loops are written into before they are text, and what is made better once they are."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from dsl.ir import E
from dsl.text.source import Span


class TooHard(Exception):
    """This aggregate is emitted in the plain way."""


class Value(NamedTuple):
    """Python text for a value, and the depth of the innermost loop that it depends on."""

    text: str
    depth: int


class Deferred(NamedTuple):
    """What a name stands for that is not worked out before it is asked for, with the names that hold there."""

    text: str
    depth: int
    e: E
    names: Any


TRUE, FALSE, NONE = Value("True", 0), Value("False", 0), Value("None", 0)


class Block:
    """Lines of Python that run one after the other. known: what has been worked out here, by its text."""

    def __init__(self, parent: Block | None, depth: int, *, body: bool = False) -> None:
        self.items: list[Any] = []
        self.parent = parent
        self.depth = depth
        self.body = body
        self.known: dict[str, Value] = {}
        self.loops: dict[str, tuple[Fork, Block, Value, list[Block]]] = {}
        self.open: Fork | Block | None = None
        self.late: set[str] = set()

    def learn(self, text: str, value: Value) -> None:
        """Notes what has been worked out here: late if that stands after the loops that are here already."""
        self.known[text] = value
        if self.loops and self.open is None:
            self.late.add(text)
        else:
            self.late.discard(text)

    def again(self) -> dict[str, Value]:
        """Forgets what stands after the loops, when more is written into one of them; gives what was forgotten."""
        gone = {text: self.known.pop(text) for text in self.late if text in self.known}
        self.late = set()
        return gone

    def insert(self, item: Any) -> None:
        """Adds a line before whatever is being written inside this block."""
        if self.open is None:
            self.items.append(item)
        else:
            self.items.insert(next(i for i, x in enumerate(self.items) if x is self.open), item)

    def before(self, fork: Fork, item: Any) -> None:
        """Adds a line before a compound statement of this block."""
        self.items.insert(next(i for i, x in enumerate(self.items) if x is fork), item)


class Fork:
    """A compound statement: heads, each with its block."""

    def __init__(self, *arms: tuple[str, Block], span: Span | None) -> None:
        self.arms = list(arms)
        self.span = span


def lines_of(block: Block, depth: int, out: list[tuple[str, Span | None]]) -> None:
    """Writes the lines of a block, each with its rule line."""
    if not block.items:
        out.append(("    " * depth + "pass", None))
    for item in block.items:
        if isinstance(item, Block):
            if item.items:
                lines_of(item, depth, out)
        elif isinstance(item, Fork):
            arms = [a for a in item.arms if a[1].items or a[0] != "else:"]
            for head, inner in arms:
                if (
                    head == "else:"
                    and len(inner.items) == 1
                    and isinstance(inner.items[0], Fork)
                    and inner.items[0].arms[0][0].startswith("if ")
                ):
                    nested: list[tuple[str, Span | None]] = []
                    lines_of(inner, depth, nested)
                    out.append(("    " * depth + "el" + nested[0][0].lstrip(), nested[0][1]))
                    out += nested[1:]
                    continue
                out.append(("    " * depth + head, item.span))
                lines_of(inner, depth + 1, out)
        else:
            out.append(("    " * depth + item[0], item[1]))


TEST = re.compile(r"(?:el)?(?:if )?\((\w+) (==|>=|<=|<|>) (-?\d+|K_\d+)\):?")
NAMED_TEST = re.compile(r"\((t\d+) (?:in|==) K_\d+\)")
OFTEN = 3
"""A test of a word that stands so often in a loop gets a name."""


def exclusive(heads: list[str], test: str, result: str) -> bool:
    """Whether a test of a name can only hold where none of the tests before it does."""
    new = TEST.fullmatch(test)
    return (
        new is not None
        and new[1] != result
        and all((old := TEST.fullmatch(h)) is not None and old[1] == new[1] and _apart(old, new) for h in heads)
    )


def _apart(old: re.Match[str], new: re.Match[str]) -> bool:
    if "K" in old[3] + new[3]:
        return old[2] == new[2] == "==" and old[3] != new[3]
    a, b = int(old[3]), int(new[3])
    if old[2] == "==":
        return not {"==": a == b, ">=": a >= b, "<=": a <= b, "<": a < b, ">": a > b}[new[2]]
    return False


def shared_tests(lines: list[tuple[str, Span | None]]) -> list[tuple[str, Span | None]]:
    """Names the tests of words that stand several times: asked where the word is named, once for an item."""
    counts: dict[str, int] = {}
    for text, _ in lines:
        for found in NAMED_TEST.finditer(text):
            counts[found[0]] = counts.get(found[0], 0) + 1
    names = {test: f"u{i}" for i, (test, number) in enumerate(counts.items()) if number >= OFTEN}
    if not names:
        return lines
    out: list[tuple[str, Span | None]] = []
    for text, span in lines:
        line = NAMED_TEST.sub(lambda m: names.get(m[0], m[0]), text)
        out.append((line, span))
        made = re.match(r"( *)(t\d+) = ", text)
        if made:
            out += [
                (f"{made[1]}{name} = {test[1:-1]}", span)
                for test, name in names.items()
                if test.startswith(f"({made[2]} ")
            ]
    return out


START = re.compile(r"( *)((?:\w+ = )+)(0|UNSET|None|False|True|\((\w+) if (\w+) is None else \w+\))")


def started_together(lines: list[tuple[str, Span | None]]) -> list[tuple[str, Span | None]]:
    """Writes names that begin with the same value, one right after the other, in one line."""
    out: list[tuple[str, Span | None]] = []
    before = None
    for text, span in lines:
        new = START.fullmatch(text)
        same = new is not None and before is not None and new[1] == before[1] and new[3] == before[3]
        if same and new and before and not {f"{new[4]} = ", f"{new[5]} = "} & set(re.findall(r"\w+ = ", before[2])):
            text = f"{before[1]}{before[2]}{new[2]}{new[3]}"
            new, span = START.fullmatch(text), out.pop()[1]
        out.append((text, span))
        before = new
    return out


LISTED = re.compile(r"( *)for (i\d+) in \(\[x for (?:p in (.+) for )?x in ([\w.]+(?:\([^()]*\))?) if ([^\[\]]+)\]\):")
"""A loop over a list that is made for it alone."""
ITEM = re.compile(r"(?<!\.)\bx\b")


def unlisted(lines: list[tuple[str, Span | None]]) -> list[tuple[str, Span | None]]:
    """Goes through what stands in a place, or in several, as it stands there, and makes no list of it first."""
    out: list[tuple[str, Span | None]] = []
    deeper: list[tuple[int, int]] = []
    for number, (text, span) in enumerate(lines):
        depth = len(text) - len(text.lstrip())
        deeper = [(start, by) for start, by in deeper if depth > start]
        moved = " " * sum(by for _, by in deeper)
        listed = LISTED.fullmatch(text)
        if listed is None or (listed[3] and _is_left(lines, number)):
            out.append((moved + text, span))
            continue
        before, item, places, things, test = listed.groups()
        before += moved
        if places:
            out.append((f"{before}for p in {places}:", span))
            before += "    "
        out.append((f"{before}for {item} in {things}:", span))
        out.append((f"{before}    if {ITEM.sub(item, test)}:", span))
        deeper.append((depth, 8 if places else 4))
    return out


def _is_left(lines: list[tuple[str, Span | None]], at: int) -> bool:
    """Whether a loop, or one within it, may be left before its end."""
    depth = len(lines[at][0]) - len(lines[at][0].lstrip())
    for text, _ in lines[at + 1 :]:
        if len(text) - len(text.lstrip()) <= depth:
            break
        if text.endswith("break"):
            return True
    return False


COPY = re.compile(r" *([acrt]\d+) = ([acrt]\d+)")


def handed_on(lines: list[tuple[str, Span | None]]) -> list[tuple[str, Span | None]]:
    """Leaves out copies: where a name only takes over what another was worked out as, both are one name."""
    texts = [text for text, _ in lines]
    spans = [span for _, span in lines]
    used: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        for name in set(NAME.findall(text)):
            used.setdefault(name, []).append(number)
    for number, text in enumerate(texts):
        copy = COPY.fullmatch(text)
        if copy is None or used[copy[2]][-1] > number:
            continue
        new, old = copy[1], copy[2]
        places = used[old]
        if places == [number - 1, number] and texts[number - 1].lstrip().startswith(f"{old} = "):
            # Worked out in the line before, for this alone.
            texts[number] = text.replace(f"= {old}", texts[number - 1].lstrip().removeprefix(f"{old} "))
            texts[number - 1] = ""
            used[new] = sorted({*used[new], number})
            continue
        if texts[number - 1].endswith(":") or not (used[new][0] == number or _leads_to(texts, places[0], number, new)):
            continue
        name = re.compile(rf"\b{old}\b")
        for place in places:
            texts[place] = name.sub(new, texts[place])
        texts[number] = ""
        used[new] = sorted({*used[new], *places} - {number})
    return [(text, span) for text, span in zip(texts, spans, strict=True) if text]


def _leads_to(texts: list[str], first: int, last: int, name: str) -> bool:
    """Whether every way from one line on comes to another, with nothing between that has to do with a name."""
    inner = len(texts[last]) - len(texts[last].lstrip())
    word = re.compile(rf"\b{name}\b")
    return all(
        not text
        or (
            (text[: inner + 1].isspace() or len(text) - len(text.lstrip()) == inner)
            and not text.lstrip().startswith(("break", "return", "el"))
            and not word.search(text)
        )
        for text in texts[first:last]
    )


NAME = re.compile(r"\b[acrt]\d+\b")
