"""Names are not words: however the things of a side are named, the other side does not read a single different letter.

toy/levers.rules, which uses every statement, with hidden names. In one world blue's things have unique names, in the
other the names are words of the rules and of the machine's sentences. Their labels are the same. Everything that red reads must
be the same, too.
"""

import functools
import re

import pytest

from dsl.load import bound_or_raise, read_system
from dsl.syntax.declarations import Scenario
from dsl.text.source import SourceFile
from interpreter.machine import begin
from interpreter.messages.inputs import Input, Refused
from interpreter.runtime.references import ShyName, named_in, projected, without_marks, without_references
from interpreter.setup.compile_rules import compile_program
from interpreter.world.incognito import Incognito
from interpreter.world.incognito import incognito as as_drawn
from tests.interpreter.rulebook import TOY
from tests.test_effects import EFFECTS

ODD = {"a": "q-1", "b": "q-2", "c": "q-3", "b-1": "q-4", "b-2": "q-5"}
WORDS = {"a": "low", "b": "becomes", "c": "in", "b-1": "removed", "b-2": "moves"}
"""By the name in the text what a thing is called: as nothing else, or by a word that red reads in sentences."""
MORE = """\
order grumble of u (a battalion):
  given by side of u
  side of u chooses friend: one of own battalions
  tell sides "low spirits in {} removed from {}" with u, friend
  remove friend because "it moves in low spirits"
order doubt of u (a battalion):
  given by side of u
  side of u rolls 1d6 as die
  stop doubt when die > 0 because "in low light it moves"
order peer of u (a battalion) against v (a battalion):
  given by side of u
  refused when steps of v > 1 because "it becomes low"
  reveal v to side of u
"""


def text_with(called):
    """The rules and the scenario, with names that are hidden, and some more orders that tell something."""
    text = (TOY / "levers.rules").read_text(encoding="utf-8").replace("order rest of u", f"{MORE}order rest of u")
    text = text.replace("active may wear", "active may grumble, doubt, peer, wear")
    text = text.replace(
        "  hidden from enemy, with fog: brigade", "  hidden from enemy: name\n  hidden from enemy, with fog: brigade"
    )
    text = text.replace("  shaken    mark\n", "  shaken    mark\n  hidden from enemy: name\n")
    rules, scenario = text.split("scenario levers")
    for old, new in called.items():
        scenario = re.sub(rf"(?<![\w-]){old}(?= *\|)", new, scenario)
    return f"{rules}scenario levers{scenario}"


@functools.lru_cache(maxsize=8)
def program_with(called):
    """The program and the scenario in which blue's things are called so."""
    text = read_system([SourceFile("levers.rules", text_with(dict(called)))])
    scenario = next(x for x in text.declarations if isinstance(x, Scenario))
    return compile_program(bound_or_raise(text, frozenset()), text.files), scenario


@pytest.fixture
def world(monkeypatch):
    """Makes a game in which blue's things are called so; the labels rest on their places in the scenario alone."""

    def by_place(world, scenario, seed):
        found = as_drawn(world, scenario, seed)
        return Incognito(world, {name: f"one-x{10 + n}" for n, name in enumerate(found._sides)}, found._sides)

    def made(called):
        monkeypatch.setattr("interpreter.setup.setup.incognito", by_place)
        game = begin(*program_with(tuple(called.items())), {"dice": "typed", "seed": 1})
        return game, lambda said: re.sub(r"(?<![\w-])(?:a|b|c|b-1|b-2)(?![\w-])", lambda one: called[one[0]], said)

    return made


def label_of(game, name):
    return game.world.incognito.label(name, "red")


BRINGS_TO_LIGHT = {"turn-coat a", "show a"}
ORDERS = [
    *sorted({command for command, _, _ in EFFECTS.values()} - BRINGS_TO_LIGHT),
    "withdraw a",
    "rest a",
    "drill-it a",
    "march a to 0104 with spent",
    "grumble a",
    "doubt a",
]
"""What blue orders: each statement that changes something, and those that only tell."""


def read_by_red(game, events):
    """All that red is told: what happened, how things stand, what it may do, and why."""
    told = [[(e.kind, e.text, e.side, e.to, e.cites, e.data) for e in events if e.to in {"all", "red"}]]
    told += [
        game.view("red"),
        game.legal("red"),
        game.legal_commands("red"),
        game.explain_changes("red"),
        game.what("red"),
    ]
    for label in (label_of(game, name) for name in game.world.by_id if label_of(game, name)):
        for order in (
            "wear {0}",
            "jump {0} to 0505",
            "jump x to {0}",
            "peer x against {0}",
            "march {0} to 0505 with ready",
            "{0}",
        ):
            told.append(answered(lambda order=order, label=label: game.why_not("red", order.format(label))))
        for asked in (
            "steps of {}",
            "place of {}",
            "{} is tired",
            "pace of {}",
            "brigade of {}",
            "battalions",
            "way of {}",
        ):
            told.append(answered(lambda asked=asked, label=label: game.explain(asked.format(label), "red")))
    return repr(told)


def answered(ask):
    try:
        return ask()
    except Refused as refused:
        return refused.refusal


def played(world, called, order):
    """What red reads where blue gives an order, and at each step until nothing more is asked of blue."""
    game, named = world(called)
    told = [read_by_red(game, game.offer(Input("do", "blue", named(order))))]
    while (awaited := game.awaiting[0]).kind in {"question", "dice"}:
        asked = awaited.kind == "question"
        given = Input("answer", "blue", awaited.choices[0], awaited.name) if asked else Input("roll", "umpire", "3")
        if asked and " " in awaited.choices[0]:  # of each of several things
            given = Input("answer", "blue", "all ready", awaited.name)
        told.append(read_by_red(game, game.offer(given)))
    told.append(read_by_red(game, game.offer(Input("do", "blue", "done"))))
    return told


def test_no_letter_of_the_beginning_hangs_on_what_things_are_called(world):
    one, other = (world(called)[0] for called in (ODD, WORDS))
    assert read_by_red(one, one.opening) == read_by_red(other, other.opening)


@pytest.mark.parametrize("order", ORDERS)
def test_no_letter_that_another_reads_hangs_on_what_things_are_called(world, order):
    assert played(world, ODD, order) == played(world, WORDS, order)


@pytest.mark.parametrize("order", sorted(BRINGS_TO_LIGHT))
def test_what_has_come_to_light_is_called_by_its_name(world, order):
    game, named = world(WORDS)
    before = read_by_red(game, ())
    events = game.offer(Input("do", "blue", named(order)))
    assert "one-x13" in before
    assert "one-x13" not in repr(game.view("red"))
    assert "low" in [x.id for x in game.view("red").things]
    assert not any("\ufdd0" in repr(e) for e in events)


def test_no_mark_leaves_the_machine(world):
    """Not even to the umpire, who reads all names."""
    game, _ = world(WORDS)
    for side in ("umpire", "blue", "red"):
        told = [
            game.view(side),
            game.legal(side),
            game.awaiting,
            game.waiting,
            game.what(side),
            game.explain_changes(side),
        ]
        told += [
            answered(lambda s=side, w=w: game.why_not(s, w)) for w in ("wear low", "jump low to in", "wear nothing")
        ]
        told += [
            answered(lambda s=side, w=w: game.explain(w, s))
            for w in ("steps of low", "brigade of low", "battalions", "nothing")
        ]
        assert "\ufdd0" not in repr(told)
        assert "\\ufdd0" not in repr(told)


def test_what_a_player_writes_cannot_be_taken_for_a_reference(world):
    game, _ = world(WORDS)
    typed = game.as_typed(Input("do", "red", "wear \ufdd0low\ufdd1"))
    assert typed == game.as_typed(Input("do", "red", "wear low"))
    with pytest.raises(Refused) as refused:
        game.why_not("red", "wear \ufdd0low\ufdd1")
    assert "one-x13" not in f"{refused.value.message} {refused.value.hint}".partition("did you mean")[0]


def test_a_word_of_an_order_is_no_name_and_a_name_none_of_its_words(world):
    """Blue has things named `jump` and `to`: red may still give orders, and reads that no such things exist."""
    game, _ = world({"a": "jump", "b": "to", "c": "ready"})
    game.offer(Input("do", "blue", "done"))
    assert game.why_not("red", "jump x to 0504") == []
    assert game.why_not("red", "march x to 0504 with ready") == []
    game.offer(game.as_typed(Input("do", "red", "jump x to 0504")))
    assert game.view("red").things[0] is not None
    refused = {w: answered(lambda w=w: game.why_not("red", f"wear {w}")) for w in ("jump", "q-9", "ready")}
    assert {x.message.replace(w, "…") for w, x in refused.items()} == {"There is no battalion …."}
    assert {str(x.as_data()).replace(w, "…") for w, x in refused.items()} == {
        str(refused["q-9"].as_data()).replace("q-9", "…")
    }


def test_a_name_is_data_and_in_a_sentence_a_reference():
    name = ShyName("tf-7")
    assert (name, {name: 1}["tf-7"], len(name), name.upper()) == ("tf-7", 1, 4, "TF-7")
    said = f"{name} meets {ShyName(name)}"
    assert named_in(said) == ("tf-7",)
    assert without_references(said) == "tf-7 meets tf-7"
    assert projected(said, {"tf-7": "fleet-b83"}.get) == "fleet-b83 meets fleet-b83"
    assert without_marks(said) == "tf-7 meets tf-7"


def test_of_a_reference_that_was_cut_short_nothing_is_told(world):
    game, _ = world(WORDS)
    said = f"{ShyName('becomes')}"[:4]
    assert game.world.incognito.told(said, "red") == "…"
    assert game.world.incognito.told("becomes", "red") == "becomes"


def test_what_a_command_names_is_data_with_the_words_of_its_reader(world):
    """Also for a command that may not be given, in `why-not --json`."""
    game, _ = world(WORDS)
    for side, called in (("red", "one-x13"), ("umpire", "low")):
        meant = game.as_data(side, f"march {label_of(game, 'low') if side == 'red' else 'low'} to 0104 with spent")
        assert (meant.order, [(x.name, x.of, x.values) for x in meant.arguments]) == (
            "march", [("u", "battalion", (called,)), ("goal", "hex", ("0104",)), ("s", "stance", ("spent",))]
        )  # fmt: skip
    assert game.as_data("red", "march low to 0104 with spent") is None
    assert game.as_data("red", "fly x") is None
