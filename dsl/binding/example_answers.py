"""Checking answers and commands in examples: who is asked for what, and which order is given with which arguments."""

from __future__ import annotations

import re

from dsl.binding.example_reading import ExampleReading, Question
from dsl.binding.fitting import suits
from dsl.data.maps import numbered_kinds
from dsl.ir import NOTHING, NUMBER, Param, Type
from dsl.rules.made_names import kind_of_made
from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean

ENDINGS = frozenset({"done", "pass"})
"""Words that end a side's orders in a phase."""
SAID = frozenset({"none", "nobody", "nothing", "all", "others", "rest", "even", "yes", "no"})
"""Words that an answer to any question may contain."""


def check_answer(r: ExampleReading, line: ln.Answer | ln.ThenMayAnswer) -> None:
    """Checks an answer: a rule must ask the question, and its words must be possible."""
    asked = r.shared.questions.get(line.name)
    if asked is None:
        hint = did_you_mean(line.name, r.shared.questions)
        r.problem("E254", f"No rule asks a question named {line.name}.", line.span, hint, word=line.name)
        return
    types = [_chosen(s) for s in asked]
    for item in line.items:
        _spoken(r, item, [NOTHING])
    for value in line.values:
        _spoken(r, value, types)


def _spoken(r: ExampleReading, node: t.Node, types: list[Type]) -> None:
    """A word of an answer."""
    if not isinstance(node, t.Name):
        if not isinstance(node, t.Literal):
            r.b.expr(node, r.scope())
        return
    wrong = [_unfit(r, node.word, type_) for type_ in types]
    first = wrong[0] if wrong else None
    if first is not None and all(wrong):
        r.problem(first[0], first[1], node.span, first[2], word=node.word)


def _unfit(r: ExampleReading, word: str, type_: Type) -> tuple[str, str, str] | None:
    """Why a word cannot be a value of a type: code, message, hint; None if it can."""
    if word.lower() in SAID or type_.name in {"text", "number", "mark", "entry"}:
        return None
    if type_.name == "enum":
        words = r.ruleset.enums[type_.word].words
        if r.ruleset.enums[type_.word].meant(word) is not None:
            return None
        if word not in r.routine.frame:
            return "E219", f"`{word}` is not a word of {type_.word.rpartition('.')[2]}.", did_you_mean(word, words)
    known = r.routine.frame.get(word)
    if known is not None:
        if type_.name == "nothing" or suits(r.ruleset, known, type_):
            return None
        return "E201", f"`{word}` is {known}, but {type_} is needed here.", ""
    if word.lower() in r.sides or numbered_kinds(r.ruleset, word) or kind_of_made(r.b.names_made(), word):
        return None
    if _on_a_map(r, word.lower()):
        return None
    return "E200", f"Unknown name `{word}`.", did_you_mean(word, [*r.routine.frame, *r.sides])


def _on_a_map(r: ExampleReading, word: str) -> bool:
    """Whether a word occurs in the rows of a map, as a place or a name."""
    sections = (s for x in r.ruleset.maps.values() for s in x.sections if s.name not in {"grid", "letters"})
    return any(word in row.text.lower() for s in sections for row in s.rows)


def check_command(r: ExampleReading, line: ln.Orders | ln.ThenMay) -> None:
    """Checks a command: its order, and its arguments as far as they are known before play."""
    name, _, rest = line.command.partition(" ")
    name = name.lower()
    if name in ENDINGS:
        return
    orders = {k.partition(" ")[2]: k for k in r.ruleset.bodied if k.startswith("order ")}
    routine = r.b.routines.get(orders.get(name, ""))
    if routine is None:
        r.problem("E200", f"There is no order {name}.", line.span, did_you_mean(name, orders), word=name)
        return
    parts = _arguments(routine.params, re.split(r"\s+via\s+", rest)[0])
    if isinstance(parts, str):
        r.problem("E211", f"{name} needs {parts}." if parts else f"{name} takes no arguments.", line.span, word=name)
        return
    for param, part in zip(routine.params, parts, strict=True):
        for word in re.split(r"\s*,\s*|\s+and\s+", part) if param.many else [part]:
            wrong = _unfit(r, word.strip('"'), param.type)
            if wrong is not None and not word[:1].isdigit():
                r.problem(*wrong[:2], line.span, wrong[2], word=word)


def _chosen(s: Question) -> Type:
    """The type of what a question asks for."""
    if s.kind in {"number", "split"}:
        return NUMBER
    return NOTHING if s.source is None else s.source.type.of or s.source.type


def _arguments(params: tuple[Param, ...], rest: str) -> list[str] | str:
    """The text of each argument of a command; or what is missing, as a string that is empty if there is too much."""
    left = re.sub(r"^of\s+", "", rest.strip(), flags=re.IGNORECASE)
    if not params:
        return "" if left else []
    parts = []
    for param in params[1:]:
        found = re.search(rf"(?:^|\s){re.escape(param.prep)}\s+", left, flags=re.IGNORECASE)
        if found is None:
            return f"`{param.prep} …`"
        parts.append(left[: found.start()].strip())
        left = left[found.end() :]
    parts.append(left.strip())
    return parts if all(parts) else f"`{params[parts.index('')].name}`"
