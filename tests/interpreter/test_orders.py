"""Orders, procedures and sequences: who may do what and why not, who is asked what, and the effects.

The map is that of toy/kit.rules: blue a (strength 7) in 0202, b (4) and the battery g in 0203, the train t1 in 0101;
red x (5) in 0303, y (3) in 0603, z (9) in 0803. Corps b1 is holding, b2 attacking, r1 marching, r2 holding.
"""

import re
import textwrap
from pathlib import Path

import pytest

from interpreter.messages.inputs import Input, Refused, RuleFailure
from interpreter.runtime.runtime import say
from tests.interpreter.rulebook import (
    KIT,
    answer,
    ask,
    compiled,
    do,
    game_of,
    game_with,
    line_of,
    names,
    roll,
    story,
    texts,
    waits,
)

GRAMMAR = Path(__file__).parents[2] / "dsl" / "syntax" / "grammar.lark"
MANUAL = Path(__file__).parents[2] / "docs" / "language.md"


@pytest.fixture
def game(request):
    return game_of(story(request.function))


def refusal(game, command, side=None):
    """Why a command is refused: the sentence and the citations. The machine's list of reasons must say the same."""
    who = side or game.awaiting[0].side
    before = game.digest()
    with pytest.raises(Refused) as refused:
        do(game, command, who)
    assert game.digest() == before
    reasons = game.why_not(who, command)
    assert reasons[0].message == refused.value.message
    assert command not in game.legal(who)
    return refused.value.message, refused.value.cites


# ---- what refuses an order -------------------------------------------------------------------------------------------
def test_an_order_is_given_by_the_side_that_the_rule_names(game):
    """
    order rest of u (a regiment):
      given by side of u                                       [Q-1]
      u becomes tired
    order grumble of c (a corps):
      given by foe of side of c                                [Q-2]
      posture of c becomes marching
    sequence game-turn:
      phase all:
        sides may rest, grumble together
    """
    assert game.legal("blue") == ["rest a", "rest b", "grumble r1", "grumble r2", "done"]
    assert game.legal("red") == ["rest x", "rest y", "rest z", "grumble b1", "grumble b2", "done"]
    assert refusal(game, "rest x", "blue") == ("This order is given by red, not by blue.", ("Q-1",))
    assert refusal(game, "grumble b1", "blue") == ("This order is given by red, not by blue.", ("Q-2",))
    assert refusal(game, "rest a", "red")[1] == ("Q-1",)
    do(game, "grumble b2", "red")
    assert ask(game, "posture of b2") == "marching"


def test_a_step_from_one_word_to_another_must_be_allowed_by_one_line(game):
    """
    option forced "Forced marches": no, yes; default no
    order turn-to of c (a corps) to new (a posture):
      given by side of c
      legal from holding to marching or holding                [Q-3]
      legal from quiet to attacking when any regiments of c is tired [Q-4]
      legal from attacking to marching when forced is yes      [Q-5]
      posture of c becomes new
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may turn-to
    """
    assert game.legal("blue") == ["turn-to b1 to marching", "turn-to b1 to holding", "done"]
    assert refusal(game, "turn-to b1 to attacking") == ("Attacking may not follow holding.", ("Q-4",))
    assert refusal(game, "turn-to b2 to marching") == ("Marching may not follow attacking.", ("Q-3", "Q-5"))
    assert game.why_not("blue", "turn-to b1 to attacking")[0].hint == "Allowed after holding: marching, holding."
    game.world.by_id["a"].f_tired = True
    do(game, "turn-to b1 to attacking")
    assert ask(game, "b1 is attacking") is True
    allowed = game_of(
        story(test_a_step_from_one_word_to_another_must_be_allowed_by_one_line), options={"forced": "yes"}
    )
    assert "turn-to b2 to marching" in allowed.legal("blue")


def test_nothing_follows_a_word_that_is_absent():
    rules = """
    order turn-to of c (a corps) to new (a posture):
      given by side of c
      legal from holding to marching or holding                [Q-3]
      posture of c becomes new
    sequence game-turn:
      phase all:
        sides may turn-to
    """
    kit = KIT.replace("posture    posture, starts holding", "posture    posture, optional")
    game = game_with(*compiled((kit, textwrap.dedent(rules))))
    game.world.by_id["b1"].f_posture = None
    assert refusal(game, "turn-to b1 to marching", "blue") == ("b1 has no posture that marching may follow.", ("Q-3",))
    assert game.why_not("blue", "turn-to b1 to marching")[0].hint == ""


def test_a_reason_is_told_once_however_often_it_holds(game):
    """
    order charge of u (a regiment) against foe-unit (a regiment):
      given by side of u
      refused when foe-unit is not next to u because "it is too far away"
      refused when foe-unit is not within 2 of u because "it is too far away"
      refused when u is not tired because "it is too fresh"
    rule far-off forbids order charge of u (a regiment) against foe-unit (a regiment):
      when foe-unit is not within 3 of u because "it is too far away"
    order rest of u (a regiment):
      given by side of u
      u becomes tired
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may charge, rest
    """
    assert [r.message for r in game.why_not("blue", "charge a against y")] == [
        "It is too fresh.",
        "It is too far away.",
    ]


def test_refusals_come_in_the_order_of_the_text_with_reason_citation_and_place(game):
    """
    order charge of u (a regiment) against foe-unit (a regiment) to goal (a hex): [Q-6]
      given by side of u
      refused when u is tired because "it is tired"            [Q-7]
      refused when foe-unit is not next to u because "it is too far away"
      legal when goal is next to foe-unit because "that is no way to go" [Q-8]
      refused when goal is lake because "there is water"
      move u to goal
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may charge
    """
    here = test_refusals_come_in_the_order_of_the_text_with_reason_citation_and_place
    assert refusal(game, "charge a against y to 0101") == ("It is too far away.", ("Q-6",))
    found = game.why_not("blue", "charge a against y to 0101")
    assert [(r.message, r.cites) for r in found] == [
        ("It is too far away.", ("Q-6",)),
        ("That is no way to go.", ("Q-8",)),
    ]
    assert found[1].place == f"own.rules:{line_of(here, 'legal when')}"
    assert refusal(game, "charge a against x to 0503") == ("That is no way to go.", ("Q-8",))
    game.world.by_id["a"].f_tired = True
    assert refusal(game, "charge a against x to 0304") == ("It is tired.", ("Q-7",))
    do(game, "charge b against x to 0304")
    assert ask(game, "b is in 0304") is True


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("fly a", "There is no order `fly`."),
        ("", "No command was given."),
        ("go a", "`go` needs `to …`."),
        ("go nobody to 0101", "There is no regiment nobody."),
        ("go corps-1 to 0101", "There is no regiment corps-1."),
        ("go a to 9999", "There is no hex 9999."),
        ("go a to a", "There is no hex a."),
        ("sleep a", "`sleep` takes no arguments."),
        ("count-off a under many", "Many is not a whole number."),
        ("count-off a under 2.5", "2.5 is not a whole number."),
        ("count-off a under -5", "The number in an order is 0 or more, not -5."),
        ("set-mood a to sunny", "Sunny is not a morale (low, fair, high, elite)."),
        ("sing a", "`sing` cannot be ordered in this phase."),
    ],
)
def test_what_is_no_command_is_refused_and_says_why(command, message):
    game = game_of("""\
order go of u (a regiment) to goal (a hex):
  given by side of u
  move u to goal
order sleep:
  weather becomes wood
order count-off of u (a regiment) under n (a number):
  strength of u becomes n
order set-mood of u (a regiment) to m (a morale):
  morale of u becomes m
order sing of u (a regiment):
  morale of u becomes high
sequence game-turn:
  phase all:
    blue-side may go, sleep, count-off, set-mood
  phase later:
    blue-side may sing
value blue-side:
  side of first (regiments (where strength of it = 7))
""")
    before = game.digest()
    with pytest.raises(Refused) as refused:
        do(game, command, "blue")
    assert refused.value.message == message
    assert game.digest() == before


def test_a_campaign_of_an_older_edition_takes_a_number_below_0():
    """So it was played, and so it must replay."""
    text = """\
order count-off of u (a regiment) under n (a number):
  strength of u becomes n
sequence game-turn:
  phase all:
    sides may count-off together
"""
    game = game_of(text, edition=6)
    do(game, "count-off a under -5", "blue")
    assert ask(game, "strength of a") == -5


def test_commands_are_read_in_any_case_with_or_without_of(game):
    """
    order go of u (a regiment) to goal (a hex):
      given by side of u
      move u to goal
    order gather of lot (some regiments) to goal (a hex):
      given by side of lot
      refused when any lot is tired because "one of them is tired"
      move lot to goal
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may go, gather
    """
    do(game, "GO of A TO 0101")
    do(game, "go b to 0103")
    assert [ask(game, f"place of {u}").label for u in "ab"] == ["0101", "0103"]
    do(game, "gather a, b to 0105")
    assert names(ask(game, "regiments in 0105")) == ["a", "b"]
    do(game, "gather a and b to 0106")
    assert names(ask(game, "regiments in 0106")) == ["a", "b"]
    assert "gather a to 0101" in game.legal("blue")  # of sets only single things are listed
    game.world.by_id["b"].f_tired = True
    assert refusal(game, "gather a, b to 0101")[0] == "One of them is tired."


def test_reaching_asks_the_path_and_names_what_is_in_the_way(game):
    """
    order go of u (a regiment) to goal (a hex):
      given by side of u
      reaching goal by route of u                              [Q-9]
      move u to goal
    path route of u (a regiment):
      from place of u
      at most 2 points
      entering h (a hex) costs 2 when h is covered
      entering h (a hex) costs 1
      never into h (a hex) when there is enemy regiments in h because "the enemy holds it" [Q-10]
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may go
    """
    # b stands in 0203; around it 0202, 0204, 0103, 0104, 0303 (x) and 0304. 0302 is a wood at distance 2 through 0202.
    reachable = {c.split()[-1] for c in game.legal("blue") if c.startswith("go b")}
    assert reachable == {
        "0202", "0204", "0103", "0104", "0304",
        "0201", "0102", "0205", "0105", "0305", "0404", "0403",
    }  # fmt: skip
    assert refusal(game, "go b to 0303") == ("0303 is closed: the enemy holds it.", ("Q-10",))
    assert refusal(game, "go b to 0203") == ("b is already in 0203.", ("Q-9",))
    assert refusal(game, "go b to 0806") == ("0806 is out of reach of b.", ("Q-9",))
    events = do(game, "go b to 0404")
    moved = next(e for e in events if e.kind == "move")
    assert moved.data["way"] == ["0203", "0304", "0404"]
    assert moved.text == "b moves from 0203 to 0404."


FORBIDDEN = """\
order rest of u (a regiment):
  given by side of u
  worn: refused when strength of u > 6 because "too strong to rest"   [Q-11]
  few: refused when strength of u < 5 because "too weak to rest"      [Q-12]
  refused when u is tired because "it has rested"                     [Q-13]
  u becomes tired
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may rest
"""


def test_a_permission_lifts_the_refusal_with_its_label():
    game = game_of(FORBIDDEN + "rule strong-may permits order rest of v (a regiment):\n  worn: when v is in 0202\n")
    assert game.legal("blue") == ["rest a", "done"]
    assert refusal(game, "rest b") == ("Too weak to rest.", ("Q-12",))
    do(game, "rest a")
    assert refusal(game, "rest a") == ("It has rested.", ("Q-13",))


def test_a_permission_without_a_label_lifts_every_refusal_of_the_base_text_but_none_of_other_rules():
    text = (
        FORBIDDEN
        + """\
rule all-may permits order rest of v (a regiment):
  when v is in 0202, or v is in 0203
rule not-there forbids order rest of v (a regiment):
  when v is in 0203 because "it is noisy there"                       [Q-14]
"""
    )
    game = game_of(text)
    assert game.legal("blue") == ["rest a", "done"]
    assert refusal(game, "rest b") == ("It is noisy there.", ("Q-14",))
    with pytest.raises(Refused, match="given by red"):  # who gives it is never lifted
        do(game, "rest x")
    do(game, "rest a")
    do(game, "rest a")


def test_a_rule_that_forbids_adds_its_refusals_and_hangs_on_its_module():
    text = (
        'module frost "Frost", default off\n'
        + FORBIDDEN
        + """\
rule cold forbids order rest of v (a regiment), with frost:
  when v is in 0603 because "it is too cold"                          [Q-15]
"""
    )
    warm, cold = game_of(text), game_of(text, modules=("frost",))
    assert [r.message for r in warm.why_not("red", "rest y")] == ["Too weak to rest."]
    found = cold.why_not("red", "rest y")
    assert [(r.message, r.cites) for r in found] == [("Too weak to rest.", ("Q-12",)), ("It is too cold.", ("Q-15",))]


# ---- before and after ------------------------------------------------------------------------------------------------
def test_rules_before_and_after_phases_orders_and_procedures_run_in_their_turn(game):
    """
    order rest of u (a regiment):
      given by side of u
      tell active "resting {}" with u
      do sleep with u as sleeper and 2 as hours
    procedure sleep of sleeper (a regiment) under hours (a number):
      let dreams be hours * 3
      tell active "sleeping"
    sequence game-turn:
      for each s in turn-order, as active:
        phase night:
          tell active "night"
          active may rest
    rule lamps before phase night:
      tell active "lamps of {}" with count own regiments
    rule dawn after phase night:
      tell active "dawn"
    rule guard before order rest of r (a regiment):
      tell active "guard for {}" with r
    rule relief after order rest of r (a regiment):
      tell active "relief for {}" with r
    rule blanket before procedure sleep of s1 (a regiment) under n (a number):
      tell active "blanket for {}, {}" with s1, n
    rule wake after procedure sleep of s1 (a regiment) under n (a number):
      tell active "woken after {} dreams" with dreams
    """
    assert texts(do(game, "rest a")) == [
        "blue: rest a.", "guard for a", "resting a", "blanket for a, 2", "sleeping", "woken after 6 dreams", "relief for a",
    ]  # fmt: skip
    assert texts(do(game, "done")) == ["blue is done.", "dawn", "Night.", "lamps of 3", "night"]


def test_a_rule_at_a_step_of_a_procedure_reads_its_names():
    game = game_of(
        textwrap.dedent("""
        order rest of u (a regiment):
          given by side of u
          do sleep with u as sleeper
        procedure sleep of sleeper (a regiment):
          let hours be 2
          step dream:
            tell active "dreams"
          tell active "slept {}" with hours
        sequence game-turn:
          for each s in turn-order, as active:
            phase night:
              active may rest
              refused when any own regiments is tired because "one is still tired"
        rule sheep before step dream:
          tell active "{} counts sheep for {} hours" with sleeper, hours
          sleeper becomes tired
        rule cock after step dream:
          do crow
        procedure crow in sleep:
          tell active "the cock wakes {}" with sleeper
        """)
    )
    assert texts(do(game, "rest a")) == [
        "blue: rest a.",
        "a counts sheep for 2 hours",
        "a is now tired.",
        "dreams",
        "the cock wakes a",
        "slept 2",
    ]
    with pytest.raises(Refused, match="still tired"):
        do(game, "done")


@pytest.mark.parametrize(("first", "second"), [("early", "late"), ("late", "early")])
def test_rules_at_one_place_run_in_the_order_of_their_modules(first, second):
    text = f"""
    module {first} "First", default off
    module {second} "Second", default off
    sequence game-turn:
      for each s in turn-order, as active:
        phase night:
          active may nap
    order nap of u (a regiment):
      given by side of u
      u becomes tired
    rule b before phase night, with late:
      tell active "late"
    rule a before phase night, with early:
      tell active "early"
    rule c before phase night:
      tell active "always"
    """
    game = game_of(textwrap.dedent(text), modules=("early", "late"))
    assert texts(do(game, "done")) == ["blue is done.", "Night.", "always", first, second]


def test_forces_may_hang_on_a_module():
    text = """
    module relief "Relief", default off
    scenario patrol "A patrol" on field:
      side blue "Blue"
      side red "Red"
      forces blue of corps:
        name | posture
        b1   | holding
      forces blue of regiment:
        name | corps | in   | strength
        a    | b1    | 0202 | 7
      forces blue of regiment, with relief:
        name | corps | in   | strength
        b    | b1    | 0203 | 4
      turn-order is blue, red
    order nap of u (a regiment):
      u becomes tired
    sequence game-turn:
      for each s in turn-order, as active:
        phase night:
          active may nap
    """
    text = textwrap.dedent(text)
    assert names(ask(game_of(text, scenario="patrol"), "regiments")) == ["a"]
    assert names(ask(game_of(text, scenario="patrol", modules=("relief",)), "regiments")) == ["a", "b"]


def test_an_optional_field_can_be_emptied():
    text = """
    order strip of u (a regiment):
      given by side of u
      armor of u becomes absent
      tell active "{} has {}" with u, armor of u else 0
    sequence game-turn:
      for each s in turn-order, as active:
        phase night:
          active may strip
    """
    game = game_of(textwrap.dedent(text))
    assert ask(game, "armor of b else 0") == 5
    assert texts(do(game, "strip b"))[-1] == "b has 0"
    assert ask(game, "armor of b else 0") == 0


# ---- windows ---------------------------------------------------------------------------------------------------------
WINDOW = """\
order rest of u (a regiment):
  given by side of u
  refused when u is tired because "it has rested"
  u becomes tired
sequence game-turn:
  phase all:
    sides may rest{}
  phase end-phase:
    sides may rest
"""


def test_once_means_one_order_at_most():
    game = game_of(WINDOW.format(" once"))
    do(game, "rest a")
    assert waits(game) == [("orders", "red", "all")]
    do(game, "done")
    assert waits(game) == [("orders", "blue", "end-phase")]


def test_a_window_knows_every_manner_of_the_grammar():
    """An option that the machine does not know is a fault of the machine (`_window` of interpreter/play/host.py)."""
    written = re.search(r"^!manner: (.*)$", GRAMMAR.read_text(encoding="utf-8"), re.MULTILINE)[1]
    for option in written.split("|"):
        manner = " ".join(re.findall(r'"([a-z]+)"', option))
        assert f"`{manner}`" in MANUAL.read_text(encoding="utf-8"), "describe it in docs/language.md"
        game = game_of(WINDOW.format(f" {manner}"))
        do(game, "rest a")
        assert game.awaiting, manner


@pytest.mark.parametrize("manner", ["", " alternately"])
def test_orders_go_to_and_fro_until_both_are_done(manner):
    game = game_of(WINDOW.format(manner))
    with pytest.raises(Refused, match="It is not red's turn to give orders"):
        do(game, "rest x", "red")
    seen = []
    for command in ("rest a", "rest x", "done", "rest y", "rest z"):
        seen.append(waits(game)[0][1:])
        do(game, command)
    assert seen == [("blue", "all"), ("red", "all"), ("blue", "all"), ("red", "all"), ("red", "all")]
    assert waits(game) == [("orders", "blue", "end-phase")]  # red has nobody left who could rest


TURNS = """\
order rest of u (a regiment):
  given by side of u
  refused when u is tired because "it has rested"
  u becomes tired
order wake of u (a regiment):
  given by side of u
  refused when u is tired because "it sleeps"
  refused when no enemy regiments is tired because "there is nobody to wake"
  for each v in enemy regiments:
    tired of v becomes no
sequence game-turn:
  phase all:
    sides may rest, wake alternately
  phase end-phase:
    sides may rest
"""


def test_whoever_can_order_nothing_is_passed_over_until_he_can_again():
    game = game_of(TURNS)
    for command, side in (("rest a", "red"), ("rest x", "blue"), ("rest b", "red")):
        do(game, command)
        assert waits(game) == [("orders", side, "all")]
    do(game, "rest y")  # blue sleeps: it is red's turn again
    assert waits(game) == [("orders", "red", "all")]
    assert game.host.passed == ["blue"]
    do(game, "wake z")
    assert waits(game) == [("orders", "blue", "all")]


def test_the_window_ends_when_nobody_can_order_anything():
    game = game_of(TURNS)
    for command in ("rest a", "done", "rest b"):
        events = do(game, command)
    assert [(e.text, e.to) for e in events if e.kind == "done"] == [("blue can order nothing more here.", "blue")]
    assert waits(game) == [("orders", "red", "end-phase")]
    done = Input("do", "blue", "done")
    assert game.spend(done)  # it would say what is so
    assert not game.spend(done)
    with pytest.raises(Refused, match="It is not blue's turn"):
        game.offer(done)


HUNGRY = """\
unit patrol:
  rations number, starts 1
  hidden from enemy: rations
order march-on of u (a patrol):
  given by side of u
  refused when rations of u < 1 because "they starve"
  rations of u becomes 0
sequence game-turn:
  phase all:
    sides may march-on alternately
scenario hungry "Hungry" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of patrol:
    name | in
    p    | 0202
  forces red of patrol:
    name | in
    q    | 0602
  turn-order is blue, red
"""


def test_nobody_is_passed_over_where_it_would_tell_what_is_hidden():
    game = game_of(HUNGRY, scenario="hungry")
    do(game, "march-on p", "blue")
    do(game, "march-on q", "red")
    assert waits(game) == [("orders", "blue", "all")]  # that it is asked tells red nothing of its rations
    assert game.legal("blue") == ["done"]


def test_together_takes_orders_from_both_in_any_order():
    game = game_of(WINDOW.format(" together"))
    assert waits(game) == [("orders", "blue", "all"), ("orders", "red", "all")]
    do(game, "rest x", "red")
    do(game, "rest a", "blue")
    do(game, "done", "red")
    assert waits(game) == [("orders", "blue", "all")]
    do(game, "done", "blue")
    assert waits(game) == [("orders", "blue", "end-phase")]


def test_a_window_in_which_nothing_is_legal_is_passed_over():
    game = game_of(WINDOW.format(" together"))
    for command, side in (("rest x", "red"), ("rest y", "red"), ("rest z", "red"), ("done", "red"), ("done", "blue")):
        do(game, command, side)
    assert waits(game) == [("orders", "blue", "end-phase")]
    do(game, "done")
    assert (game.turn, waits(game)) == (2, [("orders", "blue", "all")])  # red has nothing left: not asked at all


def test_a_phase_does_not_end_while_it_refuses_to(game):
    """
    order rest of u (a regiment):
      given by side of u
      u becomes tired
    sequence game-turn:
      for each s in turn-order, as active:
        phase night "The Night":
          active may rest
          refused when no own regiments is tired because "somebody must sleep" [Q-16]
          refused when count own regiments that are tired > 1 because "somebody must watch"
    """
    assert refusal(game, "done") == ("The Night cannot end yet: somebody must sleep.", ("Q-16",))
    do(game, "rest a")
    assert game.why_not("blue", "done") == []
    do(game, "rest b")
    assert [r.message for r in game.why_not("blue", "done")] == ["The Night cannot end yet: somebody must watch."]
    assert "done" not in game.legal("blue")


def test_own_means_whoever_would_end_a_step_of_a_procedure(game):
    """
    order rest of u (a regiment):
      given by side of u
      u becomes tired
    procedure dusk:
      step nap:
        sides may rest together
        refused when no own regiments is tired because "somebody must sleep"
    sequence game-turn:
      for each s in turn-order, as active:
        phase night "The Night":
          do dusk
    """
    do(game, "rest a")
    assert game.why_not("blue", "done") == []
    assert [r.message for r in game.why_not("red", "done")] == ["Nap cannot end yet: somebody must sleep."]
    do(game, "done")
    do(game, "rest x", "red")
    assert game.why_not("red", "done") == []


# ---- until -----------------------------------------------------------------------------------------------------------
def test_values_last_until_their_moment_and_what_was_beneath_returns(game):
    """
    order drill of u (a regiment):
      given by side of u
      strength of u becomes 20 until end of evening
      morale of u becomes elite until end of turn
      u gains 5 strength until end of morning
      do nap with u as sleeper
    procedure nap of sleeper (a regiment):
      sleeper becomes tired until end of nap
      let seen-tired be whether sleeper is tired
      losses of sleeper becomes 2 until start of evening
    order look:
      weather becomes clear
    sequence game-turn:
      phase morning:
        first-side may drill, look
      phase evening:
        first-side may look
      phase last-hour:
        first-side may look
    value first-side:
      side of first (regiments (where name of it is "a"))
    """
    do(game, "drill a")
    assert ask(game, "seen-tired") is True
    assert ask(game, "a is not tired") is True  # the nap is over
    assert [ask(game, f"{f} of a") for f in ("strength", "morale", "losses")] == [25, "elite", 2]
    do(game, "done")
    assert [ask(game, f"{f} of a") for f in ("strength", "morale", "losses")] == [20, "elite", 0]
    do(game, "done")
    assert [ask(game, f"{f} of a") for f in ("strength", "morale", "losses")] == [7, "elite", 0]
    do(game, "done")
    assert (game.turn, ask(game, "morale of a")) == (2, "fair")


def test_a_value_that_was_changed_since_is_not_given_back(game):
    """
    order drill of u (a regiment):
      strength of u becomes 20 until end of morning
    order loss of u (a regiment):
      u loses 1 strength
    sequence game-turn:
      phase morning:
        first-side may drill, loss
      phase evening:
        first-side may loss
    value first-side:
      side of first (regiments (where name of it is "a"))
    """
    do(game, "drill a")
    do(game, "drill b")
    do(game, "loss a")
    do(game, "done")
    assert [ask(game, f"strength of {u}") for u in "ab"] == [19, 4]


def test_a_mark_set_twice_for_one_moment_falls_when_the_moment_comes(game):
    """
    order drill of u (a regiment):
      u becomes tired until end of morning
      u becomes tired until end of morning
    order loss of u (a regiment):
      u loses 1 strength
    sequence game-turn:
      phase morning:
        first-side may drill
      phase evening:
        first-side may loss
    value first-side:
      side of first (regiments (where name of it is "a"))
    """
    do(game, "drill a")
    do(game, "done")
    assert ask(game, "a is tired") is False


# ---- effects ---------------------------------------------------------------------------------------------------------
def test_effects_together_read_the_state_at_their_start_and_gains_add_up(game):
    """
    order swap of u (a regiment) with v (a regiment):
      simultaneously:
        strength of u becomes strength of v
        strength of v becomes strength of u
        u gains 10 strength
        u loses 3 strength
        for each w in regiments (where strength of it > 8):
          w gains strength of u strength
        move u to place of v
        move v to place of u
        remove regiments (where strength of it = 3)
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may swap
    """
    do(game, "swap a with x")
    assert ask(game, "strength of a") == 12  # 5 + 10 - 3
    assert ask(game, "strength of x") == 7
    assert ask(game, "strength of z") == 16  # 9 + 7: a still had 7
    assert [ask(game, f"place of {u}").label for u in "ax"] == ["0303", "0202"]
    assert names(ask(game, "regiments")) == ["a", "b", "x", "z"]


def test_two_different_values_for_one_field_at_once_are_an_error_with_its_place(game):
    """
    order swap of u (a regiment):
      simultaneously:
        strength of u becomes 1
        strength of u becomes 1
        strength of u becomes 2 when u is in 0202
        losses of u becomes 1
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may swap
    """
    do(game, "swap b")
    assert ask(game, "strength of b") == 1
    before = game.digest()
    with pytest.raises(RuleFailure, match="strength of a becomes 1 and 2 at the same time") as failed:
        do(game, "swap a")
    assert (failed.value.file, failed.value.line) == ("own.rules", 6)
    assert game.digest() == before


def test_things_are_put_moved_held_and_removed(game):
    """
    order raise of c (a corps) to h (a hex):
      given by side of c
      put levy (a regiment, corps c, strength 2, morale low) in h
      put store (a train, stock 9)
      morale of levy becomes high when h is town
    order march-off of u (a regiment) to h (a hex):
      given by side of u
      move u to h
    order disband of c (a corps):
      given by side of c
      remove c because "sent home"                             [Q-17]
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may raise, march-off, disband
    """
    do(game, "raise b1 to 0704")
    do(game, "raise b1 to 0101")
    assert [ask(game, f"morale of {u}") for u in ("levy", "levy-2")] == ["high", "low"]
    assert names(ask(game, "regiments of b1")) == ["a", "b", "levy", "levy-2"]
    assert ask(game, "side of levy").id == "blue"
    assert ask(game, "side of store").id == "blue"
    assert ask(game, "place of store is absent") is True
    assert texts(do(game, "march-off levy to 0101"))[1:] == ["levy moves from 0704 to 0101."]
    assert names(ask(game, "regiments in 0101")) == ["levy", "levy-2"]
    events = do(game, "disband b1")
    assert [(e.text, e.cites) for e in events if e.kind == "remove"] == [
        (f"{what} is removed: sent home.", ("Q-17",))
        for what in ("a in 0202", "b in 0203", "levy in 0101", "levy-2 in 0101", "b1")
    ]
    assert names(ask(game, "regiments")) == ["x", "y", "z"]
    assert names(ask(game, "regiments within 9 of 0101")) == ["x", "y", "z"]
    with pytest.raises(Refused, match="A is no longer in the game"):
        do(game, "march-off a to 0101")


def test_a_number_that_does_not_fit_its_field_is_an_error_of_the_rule(game):
    """
    order hit of u (a regiment) under n (a number):
      u gains n losses
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may hit
    """
    do(game, "hit a under 3")
    with pytest.raises(RuleFailure, match=r"losses of a runs from 0 to 3; 4 does not fit") as failed:
        do(game, "hit a under 1")
    assert (failed.value.file, failed.value.line) == ("own.rules", 3)
    assert ask(game, "losses of a") == 3


# ---- choices ---------------------------------------------------------------------------------------------------------
CHOICE = """\
order start of u (a regiment):
  given by side of u
  do it-all with u as lead
procedure it-all of lead (a regiment):
  {}
  active rolls 1d6 as die
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may start
"""


def choosing(text, command="start a", **settings):
    game = game_of(CHOICE.format(text), **settings)
    do(game, command)
    return game


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("one of own regiments except lead", "b"),
        ("one of own regiments such that picked is not lead", "b"),
        ("exactly 2 of own regiments", "a, b"),
        ("exactly 5 of own regiments", "a, b"),  # exactly N of fewer gives them all
        ("up to 0 of own regiments", "none"),
        ("up to 3 of own regiments (where it is tired)", "none"),
        ("some of own regiments (where it is tired)", "none"),
        ("a number up to 0", "0"),
    ],
)
def test_a_choice_with_one_legal_answer_is_taken_without_asking(choice, expected):
    game = choosing(f"active chooses picked: {choice}")
    assert waits(game) == [("dice", "", "die")]
    assert say(game.world.frames["procedure it-all"].n_picked) == expected


def test_a_choice_without_a_legal_answer_is_an_error_of_the_rule():
    game = game_of(CHOICE.format("active chooses picked: one of own regiments (where strength of it > 100)"))
    before = game.digest()
    with pytest.raises(RuleFailure, match="blue must choose picked, but there is no legal answer") as failed:
        do(game, "start a")
    assert (failed.value.file, failed.value.line) == ("own.rules", 5)
    assert game.digest() == before


def test_some_up_to_exactly_and_numbers_are_checked():
    game = choosing("foe of active chooses picked: up to 2 of own regiments")
    (asked,) = game.awaiting
    assert (asked.side, asked.form, asked.choices) == ("red", "up to 2", ("x", "y", "z"))
    for wrong, why in [
        ("x, y, z", "You may choose at most 2, not 3."),
        ("a", "`a` is not an answer to picked."),
        ("all", "You may choose at most 2, not 3."),
    ]:
        with pytest.raises(Refused) as refused:
            answer(game, wrong)
        assert refused.value.message == why
    with pytest.raises(Refused, match="This question is for red, not for blue"):
        answer(game, "x", "blue")
    answer(game, "x, y and x")
    assert names(ask(game, "picked")) == ["x", "y"]

    game = choosing("foe of active chooses picked: exactly 2 of own regiments")
    with pytest.raises(Refused, match="You must choose exactly 2, not 1"):
        answer(game, "x")
    answer(game, "z, y")
    assert names(ask(game, "picked")) == ["y", "z"]

    game = choosing(
        'foe of active chooses picked: some of own regiments such that picked is empty, or sum strength of picked > 8 because "that is too few"'
    )
    with pytest.raises(Refused, match="That is too few"):
        answer(game, "x, y")
    answer(game, "none")
    assert ask(game, "picked") == []

    game = choosing("active chooses picked: a number up to 3")
    for wrong in ("4", "-1", "one", "1.5", ""):
        with pytest.raises(Refused, match="is not a number from 0 to 3"):
            answer(game, wrong)
    answer(game, "3")
    assert ask(game, "picked") == 3


def test_a_number_from_one_to_what_a_field_says():
    """x, y and z have strengths 3, 4 and 5 in the kit: the number is between 1 and the strength of lead."""
    game = choosing("active chooses picked: a number from 1 to strength of lead")
    most = ask(game, "strength of a")
    assert game.awaiting[0].choices == tuple(str(n) for n in range(1, int(most) + 1))
    assert game.awaiting[0].prompt.endswith(f": one of {', '.join(str(n) for n in range(1, int(most) + 1))}.")
    for wrong in ("0", str(most + 1), "-1", "one"):
        with pytest.raises(Refused, match="is not an answer to picked"):
            answer(game, wrong)
    answer(game, "2")
    assert ask(game, "picked") == 2
    assert ask(choosing("active chooses picked: a number from 3 to 3"), "picked") == 3
    game = choosing(
        'active chooses picked: a number from (1 + 1) to 4 such that picked != 3 because "three is unlucky"'
    )
    assert game.awaiting[0].choices == ("2", "4")
    with pytest.raises(Refused, match="Three is unlucky"):
        answer(game, "3")


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("from 1 to 0", "there is no legal answer"),
        ("from 1 to 5 / 2", "A choice of numbers needs whole numbers, but the rule says 1 to 2 1/2"),
        ("from 1 to 1001", "is too large: the limit is 1,000 numbers"),
    ],
)
def test_numbers_that_nobody_can_choose_from_fail_the_rule(choice, said):
    with pytest.raises(RuleFailure, match=said):
        choosing(f"active chooses picked: a number {choice}")


def test_words_to_choose_between_are_words_of_their_own():
    game = choosing("active chooses way: left-hand or right-hand\n  let went-left be whether way is left-hand")
    assert game.awaiting[0].choices == ("left-hand", "right-hand")
    with pytest.raises(Refused, match="`up` is not an answer to way"):
        answer(game, "up")
    answer(game, "LEFT-HAND")
    assert ask(game, "went-left") is True


def test_a_question_for_each_thing_is_put_once_to_each_owner():
    """a and b may take any, red is asked about x; no two of one side may take the same."""
    text = """each u in (own regiments together with x-alone) chooses gait: walk or trot or run
      such that gait of u is not run, or strength of u > 4 because "it is too weak to run\""""
    more = "value x-alone:\n  regiments in 0303\n"
    game = game_of(CHOICE.format(text) + more)
    do(game, "start a")
    (asked,) = game.awaiting
    assert (asked.side, asked.name, asked.form) == ("blue", "gait", "each")
    assert asked.choices == ("a walk", "a trot", "a run", "b walk", "b trot", "b run")
    with pytest.raises(Refused, match="The answer to gait is missing for b"):
        answer(game, "a run")
    with pytest.raises(Refused, match="run is not allowed for b: it is too weak to run"):
        answer(game, "all run")
    answer(game, "a run, others trot")
    assert game.awaiting[0].side == "red"
    answer(game, "walk")
    assert [ask(game, f"gait of {u}") for u in "abx"] == ["run", "trot", "walk"]


def test_a_later_question_under_the_same_name_joins_the_earlier():
    text = "each u in own regiments chooses gait: walk or trot\n  each u in enemy regiments chooses gait: walk or trot"
    game = game_of(CHOICE.format(text))
    do(game, "start a")
    answer(game, "all walk")
    answer(game, "y walk, others trot")
    assert [ask(game, f"gait of {u}") for u in "abxyz"] == ["walk", "walk", "trot", "walk", "trot"]


def test_each_side_rolls_the_acting_side_first():
    game = choosing("each side rolls 2d6 as throw")
    assert [a.prompt for a in game.awaiting] == ["The Blues must roll 2d6 (throw)."]
    events = roll(game, "7 12")
    assert texts(events) == ["blue rolls 7 on 2d6 (throw).", "red rolls 12 on 2d6 (throw)."]
    assert waits(game) == [("dice", "", "die")]


def test_a_secret_choice_is_asked_even_when_there_is_one_answer_and_told_to_nobody_else():
    game = game_of(
        CHOICE.format("foe of active chooses secretly picked: one of own regiments (where strength of it = 9)")
    )
    do(game, "start a")
    (asked,) = game.awaiting
    assert (asked.kind, asked.side, asked.secret, asked.choices) == ("question", "red", True, ("z",))
    (seen,) = game.view("blue").awaiting
    assert (seen.prompt, seen.choices, seen.count, seen.name) == ("red must make a secret choice.", (), 0, "")
    (told,) = [e for e in answer(game, "z", "red") if e.kind == "choice"]
    assert told.to == "red"


def test_a_procedure_can_be_left_and_a_game_ended(game):
    """
    order start of u (a regiment):
      given by side of u
      do outer with u as lead
      tell active "back"
    procedure outer of lead (a regiment):
      do inner with lead as man
      tell active "outer goes on"
    procedure inner of man (a regiment):
      stop when strength of man = 4 because "too weak"
      end game won by active when strength of man = 7 because "seven wins"
      tell active "inner goes on"
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may start
    """
    assert texts(do(game, "start b"))[1:] == ["Too weak.", "outer goes on", "back"]
    events = do(game, "start a")
    assert "Seven wins: The Blues wins." in texts(events)
    assert game.over == "seven wins"
    assert waits(game) == [("over", "", "over")]
    with pytest.raises(Refused, match="The game is over"):
        do(game, "start a", "blue")


def test_loops_end_and_go_in_the_order_asked_for(game):
    """
    order start of u (a regiment):
      given by side of u
      let n be 0
      repeat at most 5 times while n < 3:
        n gains 1 points
      for each w in regiments, in order of strength of w:
        tell active "{} {}" with w, n
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may start
    """
    assert texts(do(game, "start b"))[1:] == ["y 3", "b 3", "x 3", "a 3", "z 3"]


# ---- off the map and on again, and what a way costs --------------------------------------------------------------------
def test_things_leave_the_map_and_come_back(game):
    """
    order hide of u (a regiment):
      given by side of u
      refused when u is not on the map because "it is off the map"
      move u off the map
    order show of u (a regiment) to goal (a hex):
      given by side of u
      refused when u is on the map because "it is on the map"
      move u to goal
    value watchers of h (a hex):
      count of regiments in h
    sequence game-turn:
      phase all:
        sides may hide, show together
    """
    assert ask(game, "watchers of 0202") == 1
    do(game, "hide a", "blue")
    assert ask(game, "watchers of 0202") == 0
    view = game.view("red")
    assert next(x.place for x in view.things if x.id == "a") == ""
    assert refusal(game, "hide a", "blue")[0] == "It is off the map."
    do(game, "show a to 0304", "blue")
    assert ask(game, "watchers of 0304") == 1


def test_leaving_the_map_together(game):
    """
    order vanish of u (a regiment):
      given by side of u
      simultaneously:
        move own regiments off the map
        strength of u gains 1 points
    sequence game-turn:
      phase all:
        sides may vanish together
    """
    do(game, "vanish b", "blue")
    assert ask(game, "strength of b") == 5
    assert [x.place for x in game.world.all_of("regiment") if x.side.id == "blue"] == [None, None]


def test_the_cost_of_reaching_a_place(game):
    """
    path walk of u (a regiment):
      from place of u
      at most 5 points
      entering h (a hex) costs 1/2 when crossing is trail
      entering h (a hex) costs 2 when terrain of h is wood
      entering h (a hex) costs 1
    value price of h (a hex) to u (a regiment):
      cost of reaching h by walk of u
    order rest of u (a regiment):
      given by side of u
      u becomes tired
    sequence game-turn:
      phase all:
        sides may rest together
    """
    assert ask(game, "cost of reaching 0203 by walk of a") == 1
    assert ask(game, "price of 0302 to a") == 2
    assert ask(game, "price of 0202 to a") == 0
    assert ask(game, "price of 0803 to a") is None
    assert ask(game, "(price of 0803 to a) else 9") == 9
    game.world.positions.move_off(game.world.by_id["a"])
    assert ask(game, "price of 0203 to a") is None


# ---- what modules add to phases and paths, other holders -------------------------------------------------------------
def test_a_rule_adds_orders_and_refusals_to_a_phase(game):
    """
    order rest of u (a regiment):
      given by side of u
      u becomes tired
    order grumble of c (a corps):
      given by side of c
      posture of c becomes marching
    rule grumbling adds to phase all:
      active may grumble
      refused when any own corps is marching because "nobody is sent off grumbling" [Q-5]
    sequence game-turn:
      for each s in sides, as active:
        phase all:
          active may rest
    """
    assert game.legal("blue") == ["rest a", "rest b", "grumble b1", "grumble b2", "done"]
    do(game, "grumble b1", "blue")
    with pytest.raises(Refused) as refused:
        do(game, "done", "blue")
    assert (refused.value.message, refused.value.cites) == (
        "All cannot end yet: nobody is sent off grumbling.",
        ("Q-5",),
    )


def test_a_rule_adds_orders_to_a_window_of_several_sides_in_a_step_of_a_procedure(game):
    """
    order rest of u (a regiment):
      given by side of u
      u becomes tired
    order grumble of c (a corps):
      given by side of c
      posture of c becomes marching
    rule grumbling adds to step evening:
      (front, foe of front) may grumble alternately
    procedure close-day:
      let front be foe of active
      step evening:
        (front, foe of front) may rest alternately
    sequence game-turn:
      for each s in sides, as active:
        phase all:
          do close-day
    """
    assert {"rest x", "grumble r1", "done"} <= set(game.legal("red"))
    do(game, "grumble r1", "red")
    assert game.legal("blue") == ["rest a", "rest b", "grumble b1", "grumble b2", "done"]


def test_a_rule_opens_a_window_of_its_own_for_another_side(game):
    """
    order rest of u (a regiment):
      given by side of u
      u becomes tired
    rule both-rest adds to phase all:
      foe of active may rest
    sequence game-turn:
      for each s in sides, as active:
        phase all:
          active may rest
    """
    assert game.awaiting[0].side == "blue"
    do(game, "done", "blue")
    assert game.awaiting[0].side == "red"
    do(game, "done", "red")
    assert game.awaiting[0].side == "red"


def test_a_rule_adds_bans_halts_and_costs_to_a_path(game):
    """
    path walk of u (a regiment):
      from place of u
      at most 3 points
      entering h (a hex) costs 1
    rule hard-going adds to walk of v (a regiment):
      entering k (a hex) costs 2 when terrain of k is wood
      never into k (a hex) when terrain of k is lake and v is not tired because "too deep"
      halting in k (a hex) when k is town because "it rests in the town"
    order march of u (a regiment) to goal (a hex):
      given by side of u
      reaching goal by walk of u                               [Q-6]
      move u to goal
    sequence game-turn:
      phase all:
        sides may march together
    """
    assert ask(game, "cost of reaching 0302 by walk of a") == 2
    assert ask(game, "cost of reaching 0203 by walk of a") == 1
    assert refusal(game, "march x to 0503", "red")[0] == "0503 is closed: too deep."
    assert ask(game, "cost of reaching 0704 by walk of z") == 1
    assert ask(game, "cost of reaching 0705 by walk of z") == 2
    assert ask(game, "cost of reaching 0604 by walk of z") == 3  # round the town; through it, it would be 2


def test_a_thing_goes_over_to_another_holder(game):
    """
    order attach of u (a regiment) to c (a corps):
      given by side of u
      refused when corps of u is c because "it is there already"
      corps of u becomes c
    sequence game-turn:
      phase all:
        sides may attach together
    """
    assert names(ask(game, "regiments of corps of a")) == ["a", "b"]
    events = do(game, "attach a to b2", "blue")
    assert texts(events)[-1] == "a is now held by b2."
    assert names(ask(game, "regiments held by (corps of a)")) == ["a"]
    assert refusal(game, "attach a to b2", "blue")[0] == "It is there already."
    do(game, "attach a to b1", "blue")
    assert names(ask(game, "regiments of corps of b")) == ["a", "b"]


def test_the_entry_of_a_thing_in_its_list(game):
    """
    list lines of regiment:
      name  | strength
      guard | 6
    order raise of c (a corps):
      given by side of c
      put new (a regiment guard, corps c) in 0101
      put other (a regiment, corps c, strength 2) in 0101
    value like of u (a regiment):
      count of own regiments (where entry of it is entry of u)
    sequence game-turn:
      phase all:
        sides may raise together
    """
    do(game, "raise b1", "blue")
    do(game, "raise b1", "blue")
    assert ask(game, "entry of new") == "guard"
    assert ask(game, "like of new") == 2
    assert ask(game, "entry of a") is None


def test_rules_before_and_after_a_sequence(game):
    """
    order rest of u (a regiment):
      given by side of u
      u becomes tired
    rule dawn before sequence game-turn:
      strength of regiments gains 1 points
    rule dusk after sequence game-turn:
      strength of regiments gains 10 points
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may rest once
    """
    assert ask(game, "sum strength of regiments") == 33  # 28 and 1 for each of 5
    do(game, "rest a", "blue")
    assert ask(game, "sum strength of regiments") == 33
    do(game, "rest x", "red")
    assert ask(game, "sum strength of regiments") == 88


def test_a_rule_replaces_a_sequence(game):
    """
    module sleepy "Sleepy", default off
    order rest of u (a regiment):
      given by side of u
      u becomes tired
    sequence game-turn:
      phase all:
        sides may rest together
    rule one-after-the-other replaces sequence game-turn:
      for each s in sides, as active:
        phase night:
          active may rest
    """
    assert [w.side for w in game.awaiting] == ["blue"]
    do(game, "done", "blue")
    assert [w.side for w in game.awaiting] == ["red"]


# ---- several at once, and where a window stands ------------------------------------------------------------------------
def test_a_command_is_given_to_several_things_or_to_all_that_may_be_given_it(game):
    """
    order rest of u (a regiment) to m (a morale):
      given by side of u
      refused when strength of u > 8 because "too strong to rest"
      legal from fair to high or low
      morale of u becomes m
    order ask of u (a regiment):
      given by side of u
      side of u chooses how: marching or holding
    sequence game-turn:
      for each m in (marching, holding):
        phase day:
          sides may rest, ask together
          weather becomes hill
    """
    start = game.digest()
    told = texts(do(game, "rest a, b to high", "blue"))
    assert told[-1] == "morale of b becomes high (was fair)."
    assert names(x for x in game.world.all_of("regiment") if x.f_morale == "high") == ["a", "b"]
    assert texts(do(game, "rest ALL to low", "red"))[-1] == "morale of y becomes low (was fair)."  # not z: too strong
    assert names(x for x in game.world.all_of("regiment") if x.f_morale == "low") == ["x", "y"]
    before = game.digest()
    for command, why in [
        ("rest all to low", "This order is not possible for anything now. Low may not follow low."),
        ("rest z, x to high", "Too strong to rest."),
        ("rest q, x to high", "There is no regiment q."),
    ]:
        with pytest.raises(Refused, match=why):
            do(game, command, "red")
        assert game.digest() == before
    assert start != before


def test_of_several_commands_all_are_taken_or_none():
    text = """\
order rest of u (a regiment):
  given by side of u
  refused when there is (regiments that are tired) because "one at a time"
  u becomes tired
order ask of u (a regiment):
  given by side of u
  side of u chooses how: marching or holding
sequence game-turn:
  phase day:
    sides may rest, ask together
"""
    game = game_of(text)
    before = game.digest()
    with pytest.raises(Refused, match=r"rest b: One at a time\."):
        do(game, "rest a, b", "blue")
    with pytest.raises(Refused, match=r"This order asks a question for each of them\."):
        do(game, "ask all", "blue")
    assert game.digest() == before
    do(game, "rest a", "blue")


def test_a_window_in_a_loop_over_words_says_which_it_is():
    text = """\
enum watch: early "the first watch", late
order rest of u (a regiment):
  given by side of u
  u becomes tired
sequence game-turn:
  phase night "The night":
    for each w in (early, late):
      sides may rest together
"""
    game = game_of(text)
    assert game.awaiting[0].prompt == "The Blues may give orders (The night: the first watch): rest, or done."
    do(game, "done", "blue")
    do(game, "done", "red")
    assert game.awaiting[0].prompt == "The Blues may give orders (The night: late): rest, or done."


def test_an_order_takes_things_for_its_side(game):
    """
    order seize of u (a regiment) against v (a regiment):
      given by side of u
      refused when side of v is side of u because "it is yours"
      side of v becomes side of u
    order swap of u (a regiment) with v (a regiment):
      given by side of u
      refused when side of v is side of u because "it is yours"
      let mine be side of u
      simultaneously:
        side of u becomes side of v
        side of v becomes mine
    rule cheered always for u (a regiment) when there is no enemy regiments next to u and place of u is 0303:
      u becomes tired
    sequence game-turn:
      phase all:
        sides may seize, swap together
    """
    assert "seize a against x" in game.legal("blue")
    events = do(game, "seize a against x", "blue")
    assert "x is now of The Blues (was of The Reds)." in texts(events)
    assert ask(game, "x is tired")  # what always holds is looked at
    assert "seize a against x" not in game.legal("blue")
    assert "seize x against y" in game.legal("blue")
    again = game_of(story(test_an_order_takes_things_for_its_side))
    do(again, "swap a with x", "blue")
    assert ask(again, "side of a").id == "red"
    assert ask(again, "side of x").id == "blue"
