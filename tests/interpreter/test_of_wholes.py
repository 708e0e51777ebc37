"""Properties read through the whole of something: of a thing that may be absent, of a thing that nothing holds, and in the whole's words."""

import pytest

from dsl.load import check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.messages.inputs import Input, Refused
from tests.interpreter.rulebook import KIT, ask, compiled, game_of, names

RULES = """
enum gait: still, walked, none
unit company:
  strength number, starts 0
unit platoon, held by company:
  gait    gait, starts still
  parent  platoon, optional
  guides  list of trooper
  wrecked mark
component trooper, part of platoon:
  pal     trooper, optional
  ride    platoon, optional
  pace    gait, optional
value elder of t (a trooper):
  parent of platoon of pal of t
status led of t (a trooper):
  when there is parent of platoon of pal of t
sequence game-turn:
  for each s in turn-order, as active:
    phase moves:
      active may ride
order ride of t (a trooper) with p (a platoon):
  given by side of t
  ride of t becomes p
  platoon of t becomes wrecked
scenario march "A march" on field:
  side blue "Blue" blue
  side red "Red" red
  turn-order is blue, red
  forces blue of company:
    name | in
    c    | 0101
  forces blue of platoon:
    name | in   | company | parent
    p    | 0101 | --      | --
    q    | 0102 | c       | p
  forces blue of trooper:
    name | platoon | pal | pace
    s    | p       | --  | still
    t    | q       | s   | --
    u    | q       | t   | --
"""
HEAD = """
  put p (a platoon, side blue) in 0101
  put q (a platoon, side blue, parent p) in 0102
  put s (a trooper, platoon p)
  put t (a trooper, platoon q, pal s)
  put u (a trooper, platoon q, pal t)
"""


def failures(body):
    text = RULES + f'example "An example":{HEAD}' + "".join(f"  {line}\n" for line in body.split("; "))
    program, read = compiled((KIT, text))
    wrong = [x.message for x in check_system(read) if x.is_error]
    example = next(x for x in read.declarations if isinstance(x, d.Example))
    found = run_example(program, example, variants(example, read.defaults)[0])
    assert found.checks or found.failures or wrong
    return wrong + [x.got for x in found.failures]


# ---- what may be absent
def test_the_whole_of_what_may_be_absent_may_be_absent():
    """s has no pal, t the pal s in p, which has no parent, and u the pal t in q, whose parent is p."""
    game = game_of(RULES, scenario="march")
    assert [ask(game, f"elder of {x}") for x in "st"] == [None, None]
    assert ask(game, "elder of u").id == "p"
    assert [ask(game, f"{x} is led") for x in "stu"] == [False, False, True]


def test_that_a_whole_may_be_absent_is_told_where_the_text_is_checked():
    text = RULES.replace("  platoon of t becomes wrecked", "  pal of t becomes first (troopers of platoon of pal of t)")
    _, read = compiled((KIT, RULES))
    read = read_system([SourceFile("kit.rules", KIT), SourceFile("own.rules", text)])
    assert [x.message for x in check_system(read) if x.is_error] == []
    text = RULES.replace("  platoon of t becomes wrecked", "  ride of t becomes wrecked")
    read = read_system([SourceFile("kit.rules", KIT), SourceFile("own.rules", text)])
    assert [x.message for x in check_system(read) if x.is_error] == ["`ride` is optional and may be absent here."]


@pytest.mark.parametrize(
    "body",
    [
        "then there is no company of platoon of s",
        "then there is no company of p",
        "then there is platoon of s",
        "then there is no parent of platoon of pal of s",
        "then there is no platoon of pal of s",
    ],
)
def test_what_nothing_holds_is_told_to_be_so(body):
    assert failures(body) == []


def test_what_there_is_against_expectation_is_told():
    assert failures("then there is no platoon of pal of u") == ["q"]
    assert failures("then there is company of platoon of s") == ["none"]


# ---- words of a whole
@pytest.mark.parametrize(
    "body",
    [
        "given gait of platoon of s is walked; then gait of p is walked",
        "given platoon of s is wrecked; then p is wrecked; then q is not wrecked",
        "given platoon of s is wrecked; given platoon of s is not wrecked; then p is not wrecked",
        "given platoon of s is walked; then gait of p is walked",
        "given platoon of pal of t is wrecked; then p is wrecked",
        "given pal of t is led; then s is led; then pal of t is s",
        "given ride of s is q; given ride of s is wrecked; then q is wrecked; then ride of s is q",
        "given ride of s is q; given ride of s is p; then ride of s is p",
        "given ride of s is q; given ride of s is none; then ride of s is absent",
        "platoon of s becomes walked; then gait of p is walked",
        "blue orders ride s with q; then p is wrecked; then ride of s is q",
    ],
)
def test_a_word_is_said_of_what_it_is_a_word_of(body):
    assert failures(body) == []


@pytest.mark.parametrize(
    ("body", "got"),
    [
        ("given ride of s is wrecked; then p is wrecked", "ride of s is absent here, so it cannot be wrecked."),
        ("given platoon of s is q; then platoon of s is q", "`platoon` of a trooper cannot be set with `given`."),
        ("given ride of s is weary; then p is wrecked", "Unknown name `weary`."),
    ],
)
def test_what_is_no_word_of_it_is_told(body, got):
    assert got in failures(body)


def test_the_umpire_says_words_of_wholes_too():
    game = game_of(RULES, scenario="march")
    game.offer(Input("override", "umpire", "platoon of s is wrecked", "a mine"))
    assert names(ask(game, "platoons that are wrecked")) == ["p"]
    with pytest.raises(Refused, match="optional"):
        game.offer(Input("override", "umpire", "ride of s is wrecked", "a mine"))


# ---- a word `none`
def test_none_is_the_word_of_a_field_that_has_it():
    """A gait may be none; a trooper without a pace is a different case."""
    assert failures("given pace of s is none; then pace of s is none; then pace of s is not absent") == []
    assert failures("given pace of s is none; given pace of s is absent; then pace of s is absent") == []
    game = game_of(RULES, scenario="march")
    for change, expression in (("pace of s = none", "pace of s is none"), ("gait of p is none", "gait of p is none"),
                               ("pace of s = absent", "pace of s is absent"), ("pal of t = none", "pal of t is absent"),
                               ("guides of p = s", "guides of p are s"), ("guides of p = none", "guides of p are none")):  # fmt: skip
        game.offer(Input("override", "umpire", change, "as agreed"))
        assert ask(game, expression)


# ---- sets that are put together
def test_none_may_be_put_together_with_a_set():
    game = game_of(RULES, scenario="march")
    assert names(ask(game, "troopers together with none")) == ["s", "t", "u"]
    assert names(ask(game, "troopers except none")) == ["s", "t", "u"]
    assert names(ask(game, "guides of p together with nobody")) == []


def test_what_both_have_stands_once_in_what_is_put_together_but_properties_are_counted_for_each():
    """t and u are both of q, s is of p."""
    game = game_of(RULES, scenario="march")
    assert ask(game, "count (platoon of troopers)") == 3
    assert ask(game, "count ((platoon of troopers) together with none)") == 3
    assert ask(game, "count (troopers together with troopers)") == 3


BESIDE = """
value beside of u (a regiment) to n (a number):
  (regiments within n of place of u) except u
"""


def test_what_a_value_of_several_arguments_gives_of_each_comes_together():
    game = game_of(BESIDE)
    alone = [names(ask(game, f"beside of {u} to 2")) for u in ("a", "b", "z")]
    together = sorted(name for found in alone for name in found)
    assert names(ask(game, "beside of (a, b, z) to 2")) == together
    assert ask(game, "count (beside of (a, b, z) to 2)") == len(together) > 1
    assert ask(game, "sum strength of (beside of (a, b, z) to 2)") == sum(
        ask(game, f"strength of {name}") for name in together
    )
