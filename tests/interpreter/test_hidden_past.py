"""Secret actions of others are hidden from a side everywhere: in `why`, in values, in legal orders, in rehearsals."""

import pytest

from interpreter.explain.evaluating import read_expression
from interpreter.messages.inputs import Input, Refused
from interpreter.mirrors.mirror import mirror_of
from interpreter.runtime.hidden import Hidden
from interpreter.world.namebook import NameBook
from tests.interpreter.rulebook import game_of

RULES = """\
unit scout:
  nerve number, starts 2
  wounds number, starts 0
  hidden from enemy: nerve
order brood of s (a scout):
  given by side of s
  nerve of s becomes nerve of s + 1
order curse of s (a scout):
  given by foe of side of s
  nerve of s becomes nerve of s - 1
order limp of s (a scout):
  given by side of s
  wounds of s becomes wounds of s + 1
order steel of s (a scout):
  given by side of s
  nerve of s becomes nerve of s + 1
  do hum of s
procedure hum of s (a scout):
  nerve of s becomes nerve of s + 1
procedure sing of s (a scout):
  wounds of s becomes wounds of s + 1
procedure shiver of s (a scout):
  wounds of s becomes wounds of s
order wait of s (a scout):
  given by side of s
  do sing of s
  for each x in scouts:
    do shiver of x when nerve of x > 2
order ask-after of s (a scout) against v (a scout):
  given by side of s
  refused when v has done brood this turn because "it broods"
  wounds of s becomes wounds of s + 1
value brooders:
  start with count (scouts (where it has done brood this turn))
value limpers:
  start with count (scouts (where it has done limp this turn))
value humming of s (a scout):
  start with 0
  plus 1 when s has done hum this turn, or s has done sing this turn, or s has done shiver this turn, or s has done curse last turn
sequence game-turn:
  phase all:
    sides may brood, curse, limp, steel, wait, ask-after together
scenario past "Past" on field:
  side blue "Blue"
  side red "Red"
  forces blue of scout:
    name | in
    b-1  | 0202
  forces red of scout:
    name | in
    r-1  | 0505
"""

SECRETS = ["r-1 has done brood this turn", "red has done brood this turn", "r-1 has done brood this phase",
           "r-1 has done hum this turn", "red has done hum this turn", "brooders", "b-1 has done curse this turn"]  # fmt: skip


def given(game, side, *commands):
    for command in commands:
        game.offer(Input("do", side, command))
    return game


def new():
    return game_of(RULES, scenario="past")


def told(game, side, question):
    try:
        return game.explain(question, side).value
    except Refused as refused:
        return refused.message


@pytest.mark.parametrize("question", SECRETS)
def test_what_another_did_in_secret_is_told_alike_whether_it_did_or_not(question):
    asked = [told(new(), "blue", question)]
    asked += [told(given(new(), "red", x), "blue", question) for x in ("brood r-1", "steel r-1", "curse b-1")]
    assert len(set(asked)) == 1
    assert "hidden" in asked[0]


def test_who_gave_a_secret_order_knows_it():
    game = given(new(), "red", "brood r-1", "curse b-1")
    assert told(game, "red", "r-1 has done brood this turn") == "yes"
    assert told(game, "red", "red has done brood this turn") == "yes"
    assert told(game, "red", "b-1 has done curse this turn") == "yes"
    assert told(game, "red", "r-1 has done hum this turn") == "no"
    assert told(game, "umpire", "brooders") == "1"
    assert told(game, "blue", "b-1 has done brood this turn") == "no"


def test_what_was_done_openly_is_known_to_all():
    game = given(new(), "red", "limp r-1", "wait r-1")
    for side in ("blue", "red"):
        assert told(game, side, "r-1 has done limp this turn") == "yes"
        assert told(game, side, "r-1 has done sing this turn") == "yes"
        assert told(game, side, "limpers") == "1"


@pytest.mark.parametrize("first", ["steel r-1", "brood r-1"])
def test_a_procedure_that_hangs_on_something_hidden_does_not_tell_of_it(first):
    """Red's scout shivers, for it is brave. Blue must not learn that blue's own does not, since the same rule decides both."""
    plain, other = given(new(), "red", "wait r-1"), given(new(), "red", first, "wait r-1")
    question = "r-1 has done shiver this turn"
    assert told(plain, "umpire", question) != told(other, "umpire", question)
    assert told(plain, "blue", question) == told(other, "blue", question)


def test_an_order_is_not_refused_for_what_another_did_in_secret():
    game = given(new(), "red", "brood r-1")
    assert game.why_not("blue", "ask-after b-1 against r-1") == []
    assert "ask-after b-1 against r-1" in game.legal("blue")
    assert "ask-after r-1 against r-1" not in game.legal("red")
    assert "It broods" in str(game.why_not("red", "ask-after r-1 against r-1"))


def test_the_last_turn_is_no_more_known_than_this_one():
    asked = []
    for commands in ([], ["brood r-1"]):
        game = given(new(), "red", *commands, "done")
        given(game, "blue", "done")
        assert game.world.turn == 2
        assert told(game, "umpire", "r-1 has done brood last turn") == ("yes" if commands else "no")
        asked.append(told(game, "blue", "r-1 has done brood last turn"))
    assert asked[0] == asked[1]


def test_a_rule_that_asks_for_it_meets_what_is_hidden():
    game = given(new(), "red", "brood r-1")
    for side in ("blue", "red"):  # each has an enemy of whom it cannot tell
        with mirror_of(game.world, side).held() as mirror, pytest.raises(Hidden):
            mirror.world.functions["v_brooders"]()
    assert game.world.functions["v_brooders"]() == 1


def test_a_hint_for_an_unknown_name_does_not_tell_which_names_procedures_have_set():
    text = RULES.replace(
        "procedure hum of s (a scout):\n", "procedure hum of s (a scout):\n  let shaken-courage be nerve of s\n"
    )
    game = game_of(text, scenario="past")
    hints = []
    for run in (False, True):
        if run:
            frame = game.world.frames["procedure hum"] = game.world.frame("procedure hum", None, None)
            frame.n_shaken_courage = 2
        with pytest.raises(Refused) as refused:
            read_expression(game.program, game.world, "shaken-courages", {}, NameBook(game.world, "blue"))
        hints.append(refused.value.hint)
    assert hints[0] == hints[1]
