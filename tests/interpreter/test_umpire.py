"""The umpire's inputs: facts that the umpire sets, options that they change, windows that they close at a deadline.

Most of it uses toy/war.rules; a 7 and b 4 of blue are in 0202 and 0203, x 5 of red in 0303.
"""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsl.rules.editions import CLOSED_BY, FIRST, SINCE
from interpreter.explain.explain import explain
from interpreter.machine import resume
from interpreter.messages.inputs import Input, Refused
from interpreter.play.state import state_of
from tests.interpreter.rulebook import WAR, answer, ask, compiled, do, game_of, names, roll, texts, waits

FOG = """\
rule dimness adds to allowance of u (a regiment), with fog:
  minus 1 because "fog"
"""


def override(game, *changes, reason="counted wrong", side="umpire"):
    return game.offer(Input("override", side, "\n".join(changes), reason))


def option(game, text, reason="as agreed", side="umpire"):
    return game.offer(Input("option", side, text, reason))


def frozen(game):
    return game.digest(), game.awaiting, json.dumps(state_of(game.world)), game.snapshot(), tuple(game.inputs_of_turn)


def refused(game, kind, text, reason="counted wrong", side="umpire"):
    """The refusal, which has changed nothing."""
    before = frozen(game)
    with pytest.raises(Refused) as caught:
        game.offer(Input(kind, side, text, reason))
    assert frozen(game) == before
    return caught.value


# ---- what can be set
@pytest.mark.parametrize(
    ("change", "expression", "value"),
    [
        ("strength of a = 4", "strength of a", 4),
        ("given strength of a = 4", "strength of a", 4),
        ("strength of a is 4", "strength of a", 4),
        ("strength of a becomes strength of x + 1", "strength of a", 6),
        ("strength of a gains 2 points", "strength of a", 9),
        ("a loses 2 strength", "strength of a", 5),
        ("armor of b is absent", "armor of b else 0", 0),
        ("armor of a = 3", "armor of a", 3),
        ("a is tired", "a is tired", True),
        ("morale of a is elite", "morale of a", "elite"),
        ("a is elite", "morale of a", "elite"),
        ("mount of a is horse", "mount of a", "horse"),
        ("posture of b1 is marching", "posture of b1", "marching"),
        ("weather = wood", "weather", "wood"),
        ("weather is hill", "weather", "hill"),
        ("terrain of 0202 is wood", "terrain of 0202", "wood"),
        ("0101 is town", "0101 is town", True),
        ("claimed-by of 0202 is red", "claimed-by of 0202 is red", True),
    ],
)
def test_any_field_is_set_in_the_words_of_rules_and_examples(change, expression, value):
    game = game_of(WAR)
    events = override(game, change)
    assert events[0].kind == "override"
    assert events[0].text == "Override by the umpire: counted wrong."
    assert len(events) > 1
    assert ask(game, expression) == value


def test_things_are_moved_held_marked_and_removed():
    game = game_of(WAR)
    override(game, "a is in 0606", "corps of a is b2", "b is not on the map", "remove y", "place of z = 0604")
    assert ask(game, "place of a is 0606")
    assert names(ask(game, "regiments of b2")) == ["a"]
    assert not ask(game, "b is on the map")
    assert names(ask(game, "enemy regiments")) == ["x", "z"]
    assert ask(game, "place of z is 0604")
    override(game, "a is tired")
    assert "march a to 0605" not in game.legal("blue")
    override(game, "a is not tired")
    assert "march a to 0605" in game.legal("blue")


def test_what_is_put_into_the_game_is_told():
    game = game_of(WAR)
    events = override(game, "put n (a regiment, side red, corps r2, strength 6) in 0604", "n is tired")
    assert "n is put into the game in 0604." in texts(events)
    assert ask(game, "strength of n") == 6
    assert ask(game, "n is tired")


def test_a_thing_becomes_another_sides():
    game = game_of(WAR)
    assert "march a to 0101" in game.legal("blue")
    events = override(game, "side of a is red", "side of x becomes blue", reason="captured")
    assert texts(events)[1:] == ["a is now of The Reds (was of The Blues).", "x is now of The Blues (was of The Reds)."]
    assert {e.to for e in events} == {"all"}
    assert not any(command.startswith("march a ") for command in game.legal("blue"))
    assert any(command.startswith("march x ") for command in game.legal("blue"))
    assert names(ask(game, "enemy regiments")) == ["a", "y", "z"]
    assert [(x.id, x.side) for x in game.view("red").things if x.id in {"a", "x"}] == [("a", "red"), ("x", "blue")]
    (step,) = game.explain("side of a").steps
    assert (step.text, step.value, step.because) == ("override by the umpire in turn 1", "red", "captured")
    do(game, "done", "blue")
    assert any(command.startswith("march a ") for command in game.legal("red"))


def test_what_was_captured_bars_the_way_of_its_old_side_at_once():
    """Everything that depends on the owners of things is the same as in a game that begins that way."""
    game = game_of(WAR)
    game.legal("blue")
    override(game, "side of b is red", "side of y is blue")
    state = json.dumps({"state": state_of(game.world), "rolled": 0}).encode()
    again = resume(game.program, game.scenario, game.settings, state)
    for side in ("blue", "red"):
        assert game.legal(side) == again.legal(side)
    for x in ("a", "x", "y"):
        assert ask(game, f"fit of {x}") == ask(again, f"fit of {x}")


def test_what_is_hidden_and_captured_is_told_to_whoever_knew_it_or_knows_it_now():
    game = game_of(MINES, scenario="mined")
    events = override(game, "side of m is red")
    assert [(e.text, e.to) for e in events[1:]] == [
        ("m is now of The Reds (was of The Blues).", "blue"),
        ("m is now of The Reds (was of The Blues).", "red"),
    ]
    assert [x.id for x in game.view("red").things] == ["m"]
    assert game.view("blue").things == ()


MINES = """\
unit mine:
  worth number, starts 1
  hidden from enemy: place
order lay of u (a mine):
  given by side of u
  worth of u becomes 2
sequence game-turn:
  phase all:
    sides may lay together
scenario mined "Mined" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of mine:
    name | in
    m    | 0202
  turn-order is blue, red
"""


def test_a_thing_is_called_otherwise():
    game = game_of(WAR)
    assert "a is now called Old Guard." in texts(override(game, 'name of a = "Old Guard"'))
    assert next(x.name for x in game.view("red").things if x.id == "a") == "Old Guard"
    assert "march a to 0101" in game.legal("blue")


def test_the_game_can_be_ended():
    game = game_of(WAR)
    override(game, 'end game won by blue because "red has gone home"')
    assert game.over == "red has gone home"
    assert refused(game, "override", "strength of a = 1").message == "The game is over."


# ---- what is refused
@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("strength of q = 4", "Unknown name `q`.", ""),
        ("strenth of a = 4", "A regiment has no field strenth.", "Did you mean strength?"),
        ("strength of a = elite", "needed", ""),
        ("losses of a = 7", "losses of a runs from 0 to 3; 7 does not fit.", ""),
        ("morale of a = lofty", "Unknown name `lofty`.", "Did you mean"),
        ("armor of a = 1 / 0", "divides by zero", ""),
        ("strength of a = 7", "changes nothing: that is already the case", "why"),
        ("strength of a", "changes nothing", "Write it as"),
        ("strength of a > 4", "does not say clearly", "Write it as"),
        ("strength of a is at least 4", "does not say clearly", "Write it as"),
        ("every regiments is tired", "does not say clearly", "Write it as"),
        ("a is in 0202 or b is tired", "is not a valid change", "Write it as in rules"),
        ("a is in 9999", "no place 9999", ""),
        ("move a to x1", "Unknown name `x1`.", ""),
        ("foo bar", "is not a valid change", "Write it as in rules"),
        ("do fight", "changes nothing", "Write it as"),
        ("active = red", "The active side is set by the course of play", "undo"),
        ("turn = 4", "The turn number is set by the course of play", "undo"),
        ("side of a is blue", "changes nothing: that is already the case", "why"),
        ("side of 0202 is red", "A hex has no field side.", "Write it as"),
        ("side of a is absent", "a side is needed", "Write it as"),
        ("allowance of a = 9", "calculated by the rules", "ophex why"),
        ("halves = up", "is an option of the rules", "ophex option"),
        ("put n (a regiment, side red) in 0604", "n has no strength", "Give it in brackets"),
        ("put n (a regiment, strength 3) in 0604", "n belongs to no side", "side"),
        ("strength of a = 4\nstrength of q = 1", "Unknown name `q`.", ""),
        ("strength of a = 4\nlosses of a = 9", "runs from 0 to 3", ""),
        ("", "The override changes nothing.", "Write what to change"),
        ("\n".join(["strength of a gains 1 points"] * 201), "201 changes", "several inputs"),
        ("strength of a = (((((((((((((((((((((((((((((((((((((((((((((((((((((((1", "not a valid change", ""),
        ("🙂", "not a valid change", ""),
    ],
)
def test_what_cannot_be_set_is_refused_with_nothing_changed(text, says, hint):
    error = refused(game_of(WAR), "override", text)
    assert says in error.message
    assert hint in error.hint


def test_what_is_no_longer_in_the_game_is_said_to_be_so():
    game = game_of(WAR)
    override(game, "remove y")
    assert refused(game, "override", "strength of y = 4").message == "y is no longer in the game."


@pytest.mark.parametrize("kind", ["override", "option", "deadline"])
@pytest.mark.parametrize("side", ["blue", "red", "green"])
def test_only_the_umpire_rules(kind, side):
    error = refused(game_of(WAR), kind, "strength of a = 4", side=side)
    assert error.message == f"Only the umpire may do this, not {side}."
    assert "umpire" in error.hint


@pytest.mark.parametrize("kind", ["override", "option"])
@pytest.mark.parametrize("reason", ["", "   ", " .\n", "…", "x" * 1001])
def test_a_reason_is_needed(kind, reason):
    error = refused(game_of(WAR), kind, "strength of a = 4", reason)
    assert "must give a reason" in error.message or "1,001 characters" in error.message
    assert error.hint


# ---- while somebody is asked
def fight(game):
    """Blue's a and then what it takes until red is asked for its helpers in secret."""
    do(game, "assault a against 0303")
    return game


def test_an_open_question_is_put_anew_as_things_stand():
    game = game_of(WAR)
    override(game, "y is in 0304", "z is in 0404")
    fight(game)
    assert waits(game) == [("question", "red", "helpers")]
    assert game.awaiting[0].choices == ("y",)
    override(game, "z is in 0403")
    assert game.awaiting[0].choices == ("y", "z")
    override(game, "remove y")
    assert game.awaiting[0].choices == ("z",)
    with pytest.raises(Refused):
        answer(game, "y")
    answer(game, "z")


def test_a_question_with_one_answer_left_is_taken_as_always():
    """
    order call of u (a regiment):
      given by side of u
      side of u chooses friend: one of own regiments except u
      strength of friend gains 10 points
    rule calls adds to phase moves:
      active may call
    """
    game = game_of(WAR, _doc(test_a_question_with_one_answer_left_is_taken_as_always))
    override(game, "put n (a regiment, side blue, corps b1, strength 1) in 0101")
    do(game, "call a")
    assert game.awaiting[0].choices == ("b", "n")
    events = override(game, "remove n")
    assert waits(game) == [("orders", "blue", "moves")]
    assert "strength of b becomes 14 (was 4)." in texts(events)


def test_an_override_that_leaves_nothing_to_answer_is_refused():
    game = game_of(WAR, _doc(test_a_question_with_one_answer_left_is_taken_as_always))
    override(game, "put n (a regiment, side blue, corps b1, strength 1) in 0101")
    do(game, "call a")
    error = refused(game, "override", "remove n\nremove b")
    assert "there is no legal answer" in error.message
    assert waits(game) == [("question", "blue", "friend")]


def test_what_was_removed_leaves_the_lists_of_the_procedure_that_waits():
    game = game_of(WAR)
    override(game, "y is in 0304")
    fight(game)
    answer(game, "y")
    assert [a.side for a in game.awaiting] == ["blue"]
    answer(game, "a bold")
    override(game, "remove y")
    assert game.awaiting[0].choices == ("x bold", "x careful")
    answer(game, "x bold")
    roll(game, "6 6")
    # power 7 + 1 against 5 + 1: 1:1, and each side's 6 is one hit
    assert (ask(game, "losses of x"), ask(game, "losses of a")) == (1, 1)


STRIKES = """
order strike of u (a regiment) to goal (a hex):
  given by side of u
  let struck be enemy regiments in goal
  remove struck because "gone"
rule strikes adds to phase moves:
  active may strike
"""


def test_what_rules_removed_stays_named_whatever_the_umpire_sets():
    """Otherwise a side that asks for the name could find out about a ruling that is not reported to it."""
    game = game_of(WAR, STRIKES)
    do(game, "strike a to 0303")
    assert explain(game, "struck").value == "x"
    override(game, "strength of b = 9")
    assert explain(game, "struck").value == "x"


def test_in_the_first_edition_a_ruling_takes_all_that_is_out_of_the_game_out_of_names():
    """Campaigns that were begun then are replayed to the recorded states."""
    game = game_of(WAR, STRIKES, edition=FIRST)
    do(game, "strike a to 0303")
    assert explain(game, "struck").value == "x"
    override(game, "strength of b = 9")
    assert explain(game, "struck").value == "none"


def test_names_of_the_procedure_that_waits_can_be_set():
    game = fight(game_of(WAR))
    answer(game, "none")
    answer(game, "a bold", "blue")
    answer(game, "x careful", "red")
    roll(game, "6")
    override(game, "attacker becomes defender", reason="to try it")
    assert ask(game, "attacker is red")
    step = explain(game, "attacker").steps[0]
    assert (step.text, step.because) == ("override by the umpire in turn 1", "to try it")


def test_dice_that_are_awaited_stay_awaited():
    game = fight(game_of(WAR))
    answer(game, "none")
    answer(game, "a bold", "blue")
    answer(game, "x careful", "red")
    roll_awaited = game.awaiting
    override(game, "strength of a = 20")
    assert game.awaiting == roll_awaited
    roll(game, "4 1")
    # 21 to 5 is at least 1.5:1, so that blue has two hits
    assert ask(game, "losses of x") == 2


SEALED = """\
order vie of u (a regiment):
  given by side of u
  do vying
procedure vying:
  let attacker be active
  let defender be foe of attacker
  simultaneously:
    attacker chooses first-pick: one of regiments-of of attacker
    defender chooses second-pick: one of regiments-of of defender
  remove first-pick
  remove second-pick
value regiments-of of s (a side):
  regiments (where side of it is s)
rule vies adds to phase moves:
  active may vie
"""


def test_sealed_answers_that_are_still_good_stand():
    game = game_of(WAR, SEALED)
    do(game, "vie a")
    assert sorted(a.side for a in game.awaiting) == ["blue", "red"]
    answer(game, "b", "blue")
    override(game, "remove y")
    assert waits(game) == [("question", "red", "second-pick")]
    assert game.awaiting[0].choices == ("x", "z")
    answer(game, "x", "red")
    assert names(ask(game, "all regiments")) == ["a", "z"]


def test_a_sealed_answer_that_is_good_no_more_is_asked_for_again():
    game = game_of(WAR, SEALED)
    override(game, "put n (a regiment, side blue, corps b1, strength 1) in 0101")
    do(game, "vie a")
    answer(game, "b", "blue")
    override(game, "remove b")
    assert sorted(a.side for a in game.awaiting) == ["blue", "red"]
    assert next(a for a in game.awaiting if a.side == "blue").choices == ("a", "n")


PLANS = """\
order scheme of u (a regiment):
  given by side of u
  each r in all regiments chooses secretly scheme-now: bold or careful
  for each r in all regiments:
    strength of r gains 10 points when scheme-now of r is bold
rule schemes adds to phase moves:
  active may scheme
"""


def test_secret_answers_for_several_things_stand_where_the_things_are_the_same():
    game = game_of(WAR, PLANS)
    do(game, "scheme a")
    answer(game, "a bold, b careful", "blue")
    override(game, "remove y")  # one of red's, who is still to answer
    assert waits(game) == [("question", "red", "scheme-now")]
    override(game, "remove b")  # one of blue's, who has answered
    assert sorted(waits(game)) == [("question", "blue", "scheme-now"), ("question", "red", "scheme-now")]
    answer(game, "a bold", "blue")
    answer(game, "all careful", "red")
    assert ask(game, "strength of a") == 17
    assert names(ask(game, "all regiments")) == ["a", "x", "z"]


def test_no_rule_comes_about_that_waits_for_an_event():
    game = game_of(WAR, "rule mines whenever u (a regiment) enters h (a hex) when h is hill:\n  remove u\n")
    override(game, "a is in 0303")
    assert ask(game, "place of a is 0303")


def test_what_always_holds_is_looked_at_after_the_next_effect():
    rules = 'rule lost-heart always for u (a regiment) when strength of u < 2:\n  remove u because "too few"\n'
    game = game_of(WAR, rules)
    override(game, "strength of y = 1")
    assert "y" in names(ask(game, "all regiments"))
    do(game, "march a to 0101")
    assert "y" not in names(ask(game, "all regiments"))


# ---- who is told what
SECRET = """\
marker cache:
  size       number, starts 1
  hidden from enemy: size
"""
LINES = """
scenario caches "Caches" on field:
  side blue "The Blues" blue
  side red "The Reds" red
  forces blue of cache:
    name | in   | size
    c1   | 0101 | 4
  forces blue of corps:
    name | posture
    b1   | holding
  forces blue of regiment:
    name | corps | in   | strength
    a    | b1    | 0202 | 7
  turn-order is blue, red
"""


def told(events, side):
    return [e.text for e in events if side == "umpire" or e.to in {"all", side}]


def test_a_hidden_fact_is_told_to_nobody_from_whom_it_is_hidden():
    game = game_of(WAR, SECRET + LINES, scenario="caches")
    events = override(game, "size of c1 = 9", reason="the cache was bigger")
    assert told(events, "blue") == ["Override by the umpire: the cache was bigger.", "size of c1 becomes 9 (was 4)."]
    assert told(events, "red") == []
    with pytest.raises(Refused):
        explain(game, "size of c1", "red")
    assert explain(game, "size of c1", "blue").steps[0].because == "the cache was bigger"


def test_of_a_change_that_is_half_hidden_a_side_sees_its_half_without_the_reason():
    game = game_of(WAR, SECRET + LINES, scenario="caches")
    events = override(game, "size of c1 = 9", "strength of a = 3", reason="the cache fed them")
    assert told(events, "red") == ["strength of a becomes 3 (was 7)."]
    assert len(told(events, "blue")) == 3
    step = explain(game, "strength of a", "red").steps[0]
    assert (step.text, step.because, step.value) == ("override by the umpire in turn 1", "", "3")
    assert explain(game, "strength of a", "blue").steps[0].because == "the cache fed them"


def test_all_that_a_side_is_told_is_the_same_whatever_is_hidden():
    games = [game_of(WAR, SECRET + LINES, scenario="caches") for _ in range(2)]
    for game, size in zip(games, (5, 9), strict=True):
        events = override(game, f"size of c1 = {size}", reason=f"it held {size}")
        assert told(events, "red") == []
    assert games[0].view("red") == games[1].view("red")


# ---- why
def test_why_names_each_override_with_its_reason_among_what_the_rules_did():
    game = game_of(WAR)
    override(game, "losses of x = 1", reason="forgotten last week")
    fight(game)
    answer(game, "none")
    answer(game, "a bold", "blue")
    answer(game, "x careful", "red")
    roll(game, "1 1")  # 8 to 5 is above 1.5:1: one hit
    override(game, "losses of x = 0", reason="a slip of mine")
    found = explain(game, "losses of x")
    assert found.value == "0"
    said = [(s.text.partition(" in turn")[0], s.value, s.because) for s in found.steps]
    assert said[0] == ("override by the umpire", "1", "forgotten last week")
    assert said[-1] == ("override by the umpire", "0", "a slip of mine")
    assert [v for _, v, _ in said] == ["1", "2", "0"]


def test_why_remembers_an_override_of_long_ago_and_that_it_has_changed_since():
    game = game_of(WAR)
    override(game, "strength of a = 5", "a is in 0101", reason="one was ill")
    for _ in range(6):
        do(game, "done")
    assert game.turn == 4
    (step,) = explain(game, "strength of a").steps
    assert (step.text, step.applied, step.because) == ("override by the umpire in turn 1", True, "one was ill")
    (step,) = explain(game, "place of a").steps
    assert (step.value, step.applied) == ("0101", True)
    do(game, "march a to 0201")
    (step,) = explain(game, "place of a").steps
    assert (step.text, step.value, step.applied) == ("move u to goal", "0201", True)
    for _ in range(6):
        do(game, "done")
    (step,) = explain(game, "place of a").steps
    assert (step.value, step.applied) == ("", False)
    assert "it has changed since" in step.because


# ---- options
HALVES = """\
value shown:
  7 when halves is up
  otherwise 3
order show of u (a regiment):
  given by side of u
  side of u chooses number-now: a number up to shown
  strength of u becomes shown
rule shows adds to phase moves:
  active may show
"""


def test_an_option_counts_from_the_input_that_changes_it_on():
    game = game_of(WAR, HALVES)
    assert ask(game, "shown") == 3
    events = option(game, "halves=up")
    assert texts(events) == ["The umpire changes the option halves to up (was down): as agreed."]
    assert ask(game, "shown") == 7
    assert [(o.name, o.value, o.changed) for o in game.options_now()] == [("halves", "up", True)]
    do(game, "show a")
    assert game.awaiting[0].form == "number"
    assert game.awaiting[0].choices[-1] == "7"


def test_an_option_that_changes_while_a_question_is_open_counts_in_it():
    game = game_of(WAR, HALVES)
    do(game, "show a")
    assert game.awaiting[0].choices[-1] == "3"
    option(game, "halves = up")
    assert game.awaiting[0].choices[-1] == "7"
    answer(game, "6")
    assert ask(game, "strength of a") == 7


def test_an_option_outlives_the_turn_and_a_snapshot():
    game = game_of(WAR, HALVES)
    option(game, "halves=up")
    do(game, "done")
    do(game, "done")
    program, text = compiled_war()
    again = resume(program, game.scenario, game.settings, game.snapshot())
    assert again.digest() == game.digest()
    assert ask(again, "shown") == 7
    assert text


def compiled_war():
    from tests.interpreter.rulebook import KIT

    return compiled((KIT, WAR, HALVES))


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("halfs=up", "no option halfs", "Did you mean halves?"),
        ("halves=sideways", "cannot be sideways", "down, up"),
        ("halves=down", "is already down", "down, up"),
        ("halves", "does not set an option", "NAME=WORD"),
        ("fog", "does not set an option", "with fog"),
        ("halves=", "cannot be nothing", "down, up"),
        ("with fog\nhalves=up", "cannot be changed in one input", "Change the options separately"),
        ("", "names no option", "NAME=WORD"),
    ],
)
def test_an_option_that_cannot_be_is_refused(text, says, hint):
    error = refused(game_of(WAR), "option", text)
    assert says in error.message
    assert hint in error.hint


# ---- the deadline
def test_a_deadline_ends_the_window_of_an_absent_side_and_says_so():
    game = game_of(WAR)
    events = game.offer(Input("deadline", "umpire", "done", "blue"))
    assert told(events, "red") == ["The umpire closes the orders of The Blues.", "blue is done.", "Moves."]
    assert told(events, "blue")[1] == "The Blues: it has given no orders here, and what stands is kept."
    do(game, "march x to 0403")
    events = game.offer(Input("deadline", "umpire", "done", "red"))
    assert told(events, "red")[1] == "The Reds: its orders are closed as they stand."
    assert game.turn == 2


def test_a_deadline_answers_for_the_side_that_is_asked_and_tells_the_others_no_secret():
    game = game_of(WAR)
    override(game, "y is in 0304")
    fight(game)
    events = game.offer(Input("deadline", "umpire", "y", "red helpers"))
    assert told(events, "red")[0] == "The umpire acts for The Reds: standing instructions choose helpers."
    assert not any("umpire acts" in text for text in told(events, "blue"))
    old = game_of(WAR, edition=SINCE[CLOSED_BY] - 1)
    assert (
        told(old.offer(Input("deadline", "umpire", "done", "blue")), "red")[0]
        == "The deadline has passed for The Blues."
    )


@pytest.mark.parametrize(
    ("text", "subject", "says"),
    [
        ("done", "red", "the game is not waiting for red"),
        ("done", "green", "no side green"),
        ("done", "", "no side"),
        ("y", "red helpers", "No question is open for red"),
        ("march a to 0801", "blue", "0801"),
    ],
)
def test_a_deadline_closes_only_what_is_open(text, subject, says):
    assert says in refused(game_of(WAR), "deadline", text, subject).message


# ---- any course of a game
CHANGES = [
    "strength of a = 4", "strength of a gains 1 points", "losses of x = 2", "a is in 0606", "b is not on the map", "remove y",
    "x is tired", "x is not tired", "weather = wood", "terrain of 0203 is wood", "corps of a is b2", "losses of a = 9",
    "put n (a regiment, side red, corps r2, strength 6) in 0604", "strength of n = 2", "nonsense",
]  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_rulings_in_any_course_of_a_game_play_again_to_the_same_digests(data):
    game = game_of(WAR, HALVES)
    accepted, digests, starts = [], [game.digest()], []
    for _ in range(data.draw(st.integers(3, 20))):
        if game.over:
            break
        awaited = data.draw(st.sampled_from(game.awaiting))
        kind = data.draw(st.integers(0, 5))
        if kind < 2:
            changes = data.draw(st.lists(st.sampled_from(CHANGES), min_size=1, max_size=2))
            given_ = Input("override", "umpire", "\n".join(changes), "a reason")
        elif kind == 2:
            given_ = Input("option", "umpire", data.draw(st.sampled_from(["halves=up", "halves=down"])), "a reason")
        elif awaited.kind == "orders":
            given_ = Input("do", awaited.side, data.draw(st.sampled_from(game.legal(awaited.side) or ["done"])))
        elif awaited.kind == "dice":
            given_ = Input("roll", "umpire", data.draw(st.sampled_from(["1", "6"])))
        elif awaited.form == "each":
            units = dict.fromkeys(c.split()[0] for c in awaited.choices)
            given_ = Input("answer", awaited.side, ", ".join(f"{u} careful" for u in units), awaited.name)
        else:
            chosen = data.draw(st.sampled_from(awaited.choices or ("none",)))
            given_ = Input("answer", awaited.side, chosen, awaited.name)
        before = frozen(game)
        try:
            game.offer(given_)
        except Refused:
            assert frozen(game) == before
            continue
        accepted.append(given_)
        digests.append(game.digest())
        if game.snapshot() is not None:
            starts.append((len(accepted), game.snapshot()))
    again = game_of(WAR, HALVES)
    for given_, digest in zip(accepted, digests[1:], strict=True):
        again.offer(given_)
        assert again.digest() == digest
    program, _ = compiled_war()
    for number, snapshot in starts:
        later = resume(program, game.scenario, game.settings, snapshot)
        assert later.digest() == digests[number]
        for given_, digest in zip(accepted[number:], digests[number + 1 :], strict=True):
            later.offer(given_)
            assert later.digest() == digest


def _doc(function):
    import textwrap

    return textwrap.dedent(function.__doc__)
