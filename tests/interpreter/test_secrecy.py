"""What is hidden from a side stays hidden: no byte of what it sees depends on it.

Two games are played side by side that differ only in what red hides. Blue must not be able to find out which one it is in.
"""

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.messages.inputs import Input, Refused
from tests.interpreter.rulebook import answer, ask, do, game_of, roll, texts, waits

SPIES = """\
enum plan: ambush, feint, rest-up
unit scout, held by corps:
  speed      number, starts 2
  nerve      number
  eyes       number
  dug-in     mark
  plan       plan, starts feint
  printed sheet "<nerve>/<eyes>"
  hidden from enemy: nerve, dug-in, plan
list bureau of scout:
  name   | sheet
  dragon | 7/3
  mouse  | 2/9
order dig of s (a scout):
  given by side of s
  refused when s is dug-in because "it is dug in already"
  refused when nerve of s < 2 because "it lost its nerve"
  s becomes dug-in
order plot of s (a scout) to p (a plan):
  given by side of s
  refused when plan of s is p because "that is the plan already"
  plan of s becomes p
order sneak of s (a scout) to goal (a hex):
  given by side of s
  reaching goal by path-of-scout of s
  move s to goal
path path-of-scout of s (a scout):
  from place of s
  at most speed of s points
  entering h (a hex) costs 1
  never into h (a hex) when there is enemy scouts in h because "somebody is there"
order raid of s (a scout) against target (a scout):
  given by side of s
  refused when s is not next to target because "too far"
  do clash with s as raider and target as prey
procedure clash of raider (a scout) against prey (a scout):
  foe of active chooses secretly reaction: fight-back or run-off
  active chooses helpers: some of own scouts next to raider
  let own-nerve be nerve of raider
  let other-nerve be nerve of prey
  let both be own-nerve + other-nerve
  let mood be whether reaction is fight-back
  let eyes-there be eyes of prey
  active rolls 1d6 as die
  speed of prey becomes 1
  nerve of prey gains 1 points
value threat of s (a scout):
  start with nerve of s
  plus eyes of s
value open-threat of s (a scout):
  start with eyes of s
  plus speed of s
value gap in clash:
  start with nerve of prey - nerve of raider
value bravest of s (a side):
  start with (highest nerve of own scouts) else 0
sequence game-turn:
  for each s in turn-order, as active:
    phase spying:
      active may dig, plot, sneak, raid
scenario spies "Spies" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of scout:
    name | type   | in
    b-1  | dragon | 0202
    b-2  | mouse  | 0203
  forces red of scout:
    name | type   | in
    r-1  | mouse  | 0303
    r-2  | dragon | 0602
  turn-order is blue, red
"""
COMMANDS = [
    "dig b-1", "plot b-1 to ambush", "plot b-1 to feint", "sneak b-2 to 0204", "sneak b-2 to 0303", "raid b-1 against r-1",
    "raid b-1 against r-2", "dig r-1", "dig r-2", "plot r-1 to ambush", "plot r-1 to feint", "sneak r-1 to 0404",
    "raid r-1 against b-1", "done", "fly", "plot r-1 to nowhere",
]  # fmt: skip
ASKED = [
    "threat of b-1", "threat of r-1", "open-threat of r-1", "nerve of r-2", "plan of r-1 is ambush", "r-1 is dug-in",
    "bravest of red", "bravest of blue", "gap", "own-nerve", "other-nerve", "both", "mood", "reaction", "eyes-there", "die", "prey",
    "count scouts (where nerve of it > 4)", "sum eyes of scouts", "highest nerve of scouts",
]  # fmt: skip

hidden = st.fixed_dictionaries({
    i: st.fixed_dictionaries({"nerve": st.integers(0, 9), "dug-in": st.booleans(), "plan": st.sampled_from(["ambush", "feint", "rest-up"])})
    for i in ("r-1", "r-2")
})  # fmt: skip
steps = st.lists(
    st.sampled_from(
        ["sneak b-2 to 0204", "dig b-1", "plot b-2 to ambush", "done", "raid b-1 against r-1", "answer", "roll", "red"]
    ),
    max_size=8,
)


def spies(facts=None):
    game = game_of(SPIES, scenario="spies")
    hide(game, facts or {})
    return game


def hide(game, facts):
    for thing, fields in facts.items():
        for field, value in fields.items():
            game.world.effects.set(game.world.by_id[thing], field, value)


def refusal_of(game, given_):
    before = game.digest()
    try:
        game.offer(given_)
    except Refused as refused:
        return repr(refused.refusal)
    game.inputs_of_turn.pop()
    assert before
    return "taken"


def explained(game, what, side):
    try:
        return game.explain(what, side)
    except Refused as refused:
        return repr(refused.refusal)


def reasons(game, command, side):
    try:
        return game.why_not(side, command)
    except Refused as refused:
        return repr(refused.refusal)


def known_to(game, side, asked=ASKED):
    """Everything that a side can find out without giving an input."""
    return {
        "view": repr(attrs.asdict(game.view(side))),
        "legal": game.legal(side),
        "why": [reasons(game, c, side) for c in COMMANDS],
        "explained": [repr(explained(game, what, side)) for what in asked],
        "phase": (game.turn, game.phase, game.active, game.over),
    }


def wrong_inputs(game, side):
    """What the refusals of a side say when it is not its turn."""
    if game.awaiting[0].side == side and game.awaiting[0].kind == "orders":
        return []
    given_ = [Input("do", side, c) for c in COMMANDS]
    given_ += [Input("answer", side, text, name) for text in ("fight-back", "none") for name in ("", "reaction", "odd")]
    if any(a.side in {side, ""} for a in game.awaiting):
        return []
    return [refusal_of(game, g) for g in given_]


def next_input(game, step):
    """The same step in both games; what red does may differ only in what is hidden."""
    awaited = game.awaiting[0]
    if awaited.kind == "dice":
        return Input("roll", "umpire", "4")
    if awaited.kind == "question":
        return Input("answer", awaited.side, awaited.choices[0] if awaited.name == "reaction" else "none")
    if awaited.side == "red":
        return Input("do", "red", "done")
    return Input("do", "blue", step if step not in {"answer", "roll", "red"} else "done")


@settings(max_examples=15)
@given(hidden, hidden, steps)
def test_blue_cannot_tell_what_red_hides(one, other, steps):
    first, second = spies(one), spies(other)
    assert known_to(first, "blue") == known_to(second, "blue")
    for step in steps:
        told = []
        for game in (first, second):
            try:
                events = game.offer(next_input(game, step))
                told.append([e for e in events if e.to in {"all", "blue"}])
            except Refused as refused:
                told.append(repr(refused.refusal))
        assert told[0] == told[1]
        assert known_to(first, "blue", ()) == known_to(second, "blue", ())
        assert wrong_inputs(first, "blue") == wrong_inputs(second, "blue")
    assert known_to(first, "blue") == known_to(second, "blue")


@settings(max_examples=8)
@given(
    st.lists(
        st.sampled_from(["dig r-1", "dig r-2", "plot r-1 to ambush", "plot r-1 to rest-up", "plot r-2 to ambush"]),
        max_size=4,
    )
)
def test_what_red_orders_in_secret_is_not_told_to_blue(orders):
    game, quiet = spies(), spies()
    for each in (game, quiet):
        do(each, "done", "blue")
    seen = known_to(quiet, "blue")
    for order in orders:
        if order in game.legal("red"):
            events = do(game, order, "red")
            assert [e for e in events if e.to in {"all", "blue"}] == []
            assert any(e.to == "red" for e in events)
        assert known_to(game, "blue") == seen


def test_a_view_leaves_out_what_is_hidden_and_the_entry_that_would_print_it():
    game = spies({"r-1": {"plan": "ambush"}})
    blue, red, umpire = ({t.id: t for t in game.view(s).things} for s in ("blue", "red", "umpire"))
    assert blue["r-1"].fields == {"speed": "2", "eyes": "9"}
    assert blue["r-1"].template == ""
    assert (red["r-1"].template, red["r-1"].fields["plan"]) == ("mouse", "ambush")
    assert umpire["r-1"] == red["r-1"]
    assert blue["b-1"].template == "dragon"
    assert blue["b-1"].fields["nerve"] == "7"


def test_who_may_not_give_an_order_learns_nothing_else_about_it():
    game = spies({"r-1": {"dug-in": True}})
    for command in ("dig r-1", "plot r-1 to feint"):
        assert [r.message for r in game.why_not("blue", command)] == ["This order is given by red, not by blue."]
    do(game, "done")
    assert [r.message for r in game.why_not("red", "dig r-1")] == ["It is dug in already."]


def test_hints_do_not_tell_what_is_asked_in_secret():
    game = spies()
    do(game, "raid b-1 against r-1")
    assert waits(game) == [("question", "red", "reaction")]
    for given_ in (
        Input("do", "blue", "done"),
        Input("answer", "blue", "run-off", "nonsense"),
        Input("roll", "blue", "3"),
    ):
        with pytest.raises(Refused) as refused:
            game.offer(given_)
        assert "reaction" not in refused.value.message + refused.value.hint
        assert "run-off" not in refused.value.message + refused.value.hint
    (seen,) = game.view("blue").awaiting
    assert seen.prompt == "red must make a secret choice."


def test_an_explanation_for_a_side_reads_nothing_that_is_hidden_from_it():
    game = spies()
    do(game, "raid b-1 against r-1")
    answer(game, "run-off", "red")
    answer(game, "none", "blue")
    assert waits(game) == [("dice", "", "die")]
    free = {
        "threat of b-1": "10",
        "open-threat of r-1": "11",
        "bravest of blue": "7",
        "own-nerve": "7",
        "eyes-there": "9",
        "prey": "r-1",
        "sum eyes of scouts": "24",
    }
    for what, value in free.items():
        assert game.explain(what, "blue").value == value
    for what in (
        "threat of r-1",
        "nerve of r-1",
        "bravest of red",
        "gap",
        "other-nerve",
        "both",
        "reaction",
        "mood",
        "highest nerve of scouts",
        "r-1 is dug-in",
    ):
        with pytest.raises(Refused) as refused:
            game.explain(what, "blue")
        assert refused.value.message == f"`{what}` depends on something that is hidden from blue."
    assert game.explain("reaction", "red").value == "run-off"
    assert game.explain("both").value == "9"  # the umpire: 7 + 2
    assert ask(game, "nerve of r-1") == 2  # everything is back in its place
    events = roll(game, "3")
    assert [e.text for e in events if e.to in {"all", "blue"}] == [
        "blue rolls 3 on 1d6 (die).",
        "speed of r-1 becomes 1 (was 2).",
    ]
    assert [e.text for e in events if e.to == "red"] == ["nerve of r-1 becomes 3 (was 2)."]


def test_a_path_that_rests_on_what_is_hidden_is_refused_and_not_a_fault():
    game = game_of(SPIES.replace("at most speed of s points", "at most nerve of s points"), scenario="spies")
    assert game.explain("path-of-scout of r-1", "red").value
    with pytest.raises(Refused, match="hidden from blue"):
        game.explain("path-of-scout of r-1", "blue")


def test_an_explanation_leaves_no_trace():
    game, other = spies(), spies()
    for each in (game, other):
        do(each, "raid b-1 against r-1")
        answer(each, "run-off", "red")
        answer(each, "none", "blue")
    for what in ASKED:
        explained(game, what, "blue")
        explained(game, what, "red")
    assert game.digest() == other.digest()
    assert texts(roll(game, "3")) == texts(roll(other, "3"))
    assert game.digest() == other.digest()


def test_what_is_revealed_to_a_side_is_seen_and_told_and_may_be_explained():
    text = (
        SPIES
        + """\
order expose of s (a scout):
  refused when side of s is active because "not your own"
  reveal s to active
order wait-a-bit:
  tell active "waiting"
rule later-phase after phase spying:
  foe of active may expose, wait-a-bit
"""
    )
    game = game_of(text, scenario="spies")
    do(game, "done", "blue")
    do(game, "wait-a-bit", "red")
    do(game, "done", "red")
    game.world.effects.reveal(game.world.by_id["r-1"], game.world.by_id["blue"])
    blue = {t.id: t for t in game.view("blue").things}
    assert blue["r-1"].fields["nerve"] == "2"
    assert "nerve" not in blue["r-2"].fields
    assert game.explain("threat of r-1", "blue").value == "11"
    (told,) = [e for e in do(game, "plot r-1 to ambush", "red") if e.kind == "change"]
    assert (told.to, told.text) == ("all", "plan of r-1 becomes ambush (was feint).")
    (told,) = [e for e in do(game, "plot r-2 to ambush", "red") if e.kind == "change"]
    assert told.to == "red"


COUNTED = """\
unit scout:
  nerve number, starts 1
  hidden from enemy: nerve
order count of s (a scout):
  given by side of s
  do census with s as who
procedure census of who (a scout):
  LINES
sequence game-turn:
  phase all:
    sides may count alternately
scenario patrol "Patrol" on field:
  side red "The Reds"
  side blue "The Blues"
  forces red of scout:
    name | nerve | in
    r-1  | N     | 0202
    r-2  | 1     | 0303
  forces blue of scout:
    name | nerve | in
    b-1  | 1     | 0601
"""


@pytest.mark.parametrize(
    "lines",
    [
        "for each found in own scouts (where nerve of it > 5): do note-down",
        "let found be 1 when nerve of who > 5",
        "when nerve of who > 5:\n    let found be 1",
        "when nerve of who < 5:\n    do note-down\n  otherwise:\n    let found be 1",
        "stop census when nerve of who < 5\n  let found be 1",
        "when nerve of who < 5:\n    stop census\n  let found be 1",
        "repeat at most 2 times while nerve of who > 5:\n    let found be 1",
    ],
)
def test_that_a_name_was_given_at_all_is_not_told_where_that_rests_on_what_is_hidden(lines):
    told = []
    for nerve in ("9", "2"):
        text = COUNTED.replace("LINES", lines).replace("| N ", f"| {nerve} ")
        game = game_of(f"{text}procedure note-down:\n  let noted be 1\n", scenario="patrol", seed=1)
        do(game, "count r-1", "red")
        told.append((explained(game, "found", "blue"), explained(game, "found", "red")))
    (high, own), (low, other) = told
    assert high == low
    assert own != other, "red knows what it has"
