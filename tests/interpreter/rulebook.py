"""Rule texts of tests, made into games: the shared kit, and the text in a test's own docstring."""

import ast
import textwrap
from functools import lru_cache
from pathlib import Path

from dsl.load import bound_or_raise, read_system
from dsl.rules.editions import CURRENT
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.codegen.emitted_code import checked
from interpreter.codegen.expressions import value_of
from interpreter.explain.evaluating import evaluate, read_expression
from interpreter.machine import begin
from interpreter.messages.inputs import Input
from interpreter.setup.compile_rules import compile_program

TOY = Path(__file__).with_name("toy")
KIT = (TOY / "kit.rules").read_text(encoding="utf-8")
WAR = (TOY / "war.rules").read_text(encoding="utf-8")


@lru_cache(maxsize=64)
def compiled(texts, modules=frozenset(), edition=CURRENT):
    """The program and the declarations of some rule texts. The first is kit.rules, the second own.rules, …"""
    names = ["kit.rules", "own.rules", "third.rules"]
    text = read_system([SourceFile(n, t) for n, t in zip(names, texts, strict=False)], edition=edition)
    return compile_program(bound_or_raise(text, modules), text.files), text


def game_of(*texts, modules=(), scenario="meeting", edition=CURRENT, **settings):
    """A game of the kit with some more rule text. Dice are typed unless said otherwise."""
    program, text = compiled((KIT, *texts), frozenset(modules), edition)
    return game_with(program, text, scenario, **settings)


def game_with(program, text, scenario="meeting", **settings):
    """A game of one of the scenarios that stand in the rule text of a program."""
    found = next(x for x in text.declarations if isinstance(x, d.Scenario) and x.name == scenario)
    return begin(program, found, {"dice": "typed", "seed": 1, **settings})


def story(function):
    """The rule text in a test's docstring."""
    return textwrap.dedent(function.__doc__ or "")


def ask(game, expression):
    """What an expression comes to. Both forms of the emitted rules, plain and audited, must say the same."""
    program, world = game.program, game.world
    bound = read_expression(program, world, expression, {})
    space = {**program.constants, **world.functions, "W": world, "O": world.options}
    plain = value_of(program.rules, bound, "<plain>", space)
    assert evaluate(program, world, bound, {}) == plain
    return plain


def readable(program):
    """What a program is emitted as for play, with the words of the rules in their places."""
    return ast.unparse(checked(program.source.text, program.source.words))


def names(things):
    """The ids of things, sorted."""
    return sorted(x.label or x.id for x in things)


def do(game, command, side=None):
    """Gives a command, for the side that is waited for unless said otherwise."""
    return game.offer(Input("do", side or game.awaiting[0].side, command))


def answer(game, text, side=None):
    return game.offer(Input("answer", side or game.awaiting[0].side, text))


def roll(game, text):
    return game.offer(Input("roll", "umpire", text))


def texts(events):
    return [e.text for e in events]


def line_of(function, words):
    """The line of a test's rule text that holds these words."""
    found = [i for i, line in enumerate(story(function).split("\n"), 1) if words in line]
    assert len(found) == 1, (words, found)
    return found[0]


def waits(game):
    """What a game waits for, in short: (kind, side, name) of each."""
    return [(a.kind, a.side, a.name) for a in game.awaiting]
