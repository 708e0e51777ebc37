"""Things that are completely hidden: a side that must not know of them cannot find out whether and where they are.

Two games differ only in what red hides. Blue plays the same in both and must see the same, byte for byte.
"""

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl.rules.editions import KNOWN_LISTS, SINCE
from interpreter.automated.greedy_policy import GreedyPolicy
from interpreter.automated.policy import NothingLegal
from interpreter.automated.random_policy import RandomPolicy
from interpreter.messages.inputs import Input, Refused
from tests.interpreter.rulebook import ask, do, game_of, names, waits
from tests.long import either

RULES = """\
unit mine:
  power      number, starts 3
  armed      mark
  hidden from enemy: place, power, armed
unit lorry:
  load       number, starts 1
  cargo      mine, optional
  name       text, kept for "the counter"
  hidden from enemy: load, name
order drive of u (a lorry) to goal (a hex):
  given by side of u
  reaching goal by drive-route of u
  refused when there is enemy mines next to goal because "it smells of powder"
  refused when load of u > 9 because "it is too heavy"
  let watched be whether there is enemy mines in goal
  move u to goal
  do blast with goal as spot when watched is yes
path drive-route of u (a lorry):
  from place of u
  at most 2 points
  entering h (a hex) costs 1
  never into h (a hex) when there is enemy mines in h because "a mine"
  halting in h (a hex) when any (enemy lorries next to h) is heavy because "heavy lorries are near"
status heavy of u (a lorry):
  when load of u > 2
order lay of m (a mine) to goal (a hex):
  given by side of m
  refused when goal is not next to m because "too far"
  move m to goal
order arm of m (a mine):
  given by side of m
  do set-fuse with m as m
procedure set-fuse of m (a mine):
  side of m rolls 1d6 as fuse-die
  m becomes armed
order load-up of u (a lorry) with m (a mine):
  given by side of u
  refused when side of m is not side of u because "not yours"
  refused when cargo of u is m because "it is on it"
  cargo of u becomes m
  load of u gains 1 points
order hail of u (a lorry):
  given by side of u
  active chooses spots: some of own mines
  foe of active chooses answered: one of own lorries (where load of it > 0)
  each m in spots rolls 1d6 as luck
  remove spots because "swept"
procedure blast of spot (a hex):
  remove mines in spot because "blown up"
  active rolls 1d6 as blast-die
value danger of u (a lorry):
  start with count of enemy mines within 2 of u
value freight of u (a lorry):
  start with load of u
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may drive, lay, arm, load-up, hail
      refused when any (own lorries next to enemy mines) is not heavy because "the drivers are afraid"
scenario lanes "Lanes" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of lorry:
    name | in   | load
    bl-1 | 0202 | 1
    bl-2 | 0402 | 3
  forces blue of mine:
    name | in
    bm-1 | 0101
  forces red of lorry:
    name | in   | load
    rl-1 | 0303 | 2
    rl-2 | 0602 | 1
  forces red of mine:
    name | in
    rm-1 | 0801
    rm-2 | 0802
  turn-order is blue, red
"""
HEXES = [f"0{c}0{r}" for c in range(1, 9) for r in range(1, 7)]
COMMANDS = [
    "drive bl-1 to 0203", "drive bl-1 to 0302", "drive bl-1 to 0201", "drive bl-2 to 0403", "drive bl-1 to 0203 via 0302",
    "drive rl-1 to 0304", "lay rm-1 to 0202", "arm rm-1", "arm bm-1", "load-up bl-1 with bm-1", "load-up bl-1 with rm-1",
    "hail bl-1", "hail rl-1", "done", "arm rm-9", "arm rm",
]  # fmt: skip
ASKED = [
    "danger of bl-1", "freight of rl-1", "freight of bl-1", "count of mines", "mines in 0203", "place of rm-1", "power of rm-1",
    "rl-1 is heavy", "there is enemy mines in 0302", "distance from bl-1 to rm-1", "drive-route of bl-1", "cargo of rl-1",
    "name of rl-1", "sum load of lorries", "rm-9", "mines next to bl-1",
]  # fmt: skip
LAYERS = [
    "count of mines in here", "count of enemy mines next to here", "distance from here to rm-1", "power of rm-1", "mines next to here",
    "sum power of enemy mines within 2 of here", "here is place of rm-1", "cost of reaching here by drive-route of bl-1", "name of rl-1",
]  # fmt: skip
facts = st.fixed_dictionaries({
    "rm-1": st.sampled_from(HEXES), "rm-2": st.sampled_from(HEXES), "power": st.integers(0, 9), "load": st.integers(1, 3),
    "armed": st.booleans(), "cargo": st.sampled_from(["", "rm-1", "rm-2"]), "dead": st.booleans(), "title": st.sampled_from("pq"),
})  # fmt: skip


def lanes(hidden, dice="typed"):
    game = game_of(RULES, scenario="lanes", snapshots=False, dice=dice)
    world = game.world
    for name in ("rm-1", "rm-2"):
        world.positions.stand(world.by_id[name], world.by_label[hidden[name]])
        world.effects.set(world.by_id[name], "power", hidden["power"])
    world.effects.set(world.by_id["rm-1"], "armed", hidden["armed"])
    world.effects.set(world.by_id["rl-1"], "load", hidden["load"])
    world.by_id["rl-1"].name = f"Title {hidden['title']}"
    if hidden["cargo"]:
        world.effects.set(world.by_id["rl-1"], "cargo", world.by_id[hidden["cargo"]])
    if hidden["dead"]:
        world.positions.remove(world.by_id["rm-2"])
    world.journal.events.clear()
    return game


def told(call):
    try:
        return call()
    except Refused as refused:
        return repr(refused.refusal)


def known_to(game, side, asked=ASKED):
    """Everything that a side can find out without giving an input."""
    return {
        "view": repr(attrs.asdict(game.view(side))),
        "legal": told(lambda: game.legal(side)),
        "why": [repr(told(lambda c=c: game.why_not(side, c))) for c in COMMANDS],
        "explained": [repr(told(lambda w=w: game.explain(w, side))) for w in asked],
        "graph": [repr(told(lambda w=w: list(game.map_graph(side, {"layer": w}).nodes(data=True)))) for w in LAYERS],
        "phase": (game.turn, game.phase, game.active, game.over),
    }


def offered(game, given_):
    """What a side is told of an input."""
    events = told(lambda: game.offer(given_))
    return (
        [e for e in events if e.to in {"all", "blue"}]
        if isinstance(events, tuple) and events and hasattr(events[0], "to")
        else events
    )


def reds_answer(game, awaited):
    return Input("answer", "red", awaited.choices[0] if awaited.name == "answered" else "none", awaited.name)


@settings(max_examples=either(4, 10), deadline=None)
@given(facts, facts, st.lists(st.sampled_from(COMMANDS), max_size=4))
def test_blue_cannot_tell_what_red_hides(one, other, commands):
    games = [lanes(one), lanes(other)]
    assert known_to(games[0], "blue") == known_to(games[1], "blue")
    for command in commands:
        assert waits(games[0]) == waits(games[1])
        awaited = games[0].awaiting[0]
        if awaited.kind == "dice":
            given_ = [Input("roll", "umpire", "4")] * 2
        elif awaited.side == "red" and awaited.kind == "question":
            given_ = [reds_answer(g, g.awaiting[0]) for g in games]
        elif awaited.kind == "question":
            given_ = [Input("answer", "blue", "none", awaited.name)] * 2
        elif awaited.side == "red":
            given_ = [Input("do", "blue", command)] * 2
        else:
            given_ = [Input("do", "blue", command)] * 2
        said = [offered(g, i) for g, i in zip(games, given_, strict=True)]
        if any("mine" in repr(e) or "blown" in repr(e) for e in said[0] + said[1]):
            return  # they met: from here on blue knows more in one of the games
        if games[0].awaiting[0].name == "blast-die" or games[1].awaiting[0].name == "blast-die":
            return
        assert said[0] == said[1]
        assert known_to(games[0], "blue") == known_to(games[1], "blue")


def plain():
    return {
        "rm-1": "0801",
        "rm-2": "0802",
        "power": 3,
        "load": 2,
        "armed": False,
        "cargo": "",
        "dead": False,
        "title": "p",
    }


@settings(max_examples=either(4, 10), deadline=None)
@given(
    st.lists(
        st.sampled_from(["lay rm-1 to 0701", "lay rm-1 to 0702", "arm rm-2", "load-up rl-1 with rm-1", "done"]),
        max_size=4,
    )
)
def test_what_red_does_with_hidden_things_is_not_told(orders):
    game, quiet = lanes(plain(), dice="seeded"), lanes(plain(), dice="seeded")
    for each in (game, quiet):
        do(each, "done", "blue")
    for order in orders:
        if order in game.legal("red") and order != "done":
            events = do(game, order, "red")
            assert [e for e in events if e.to in {"all", "blue"}] == [], (
                "blue is told of what is hidden from it: say what an event speaks of (`about`) where it happens"
            )
            assert known_to(game, "blue") == known_to(quiet, "blue")


def test_dice_about_a_hidden_thing_are_awaited_without_a_word_of_it():
    game = lanes(plain())
    do(game, "done", "blue")
    do(game, "arm rm-2", "red")
    (theirs,), (own,) = game.view("blue").awaiting, game.view("red").awaiting
    assert (theirs.name, theirs.prompt) == ("", "Dice are rolled.")
    assert (own.name, own.prompt) == ("fuse-die", "The Reds must roll 1d6 for rm-2 (fuse-die).")
    (event,) = [e for e in game.offer(Input("roll", "red", "4")) if e.kind == "roll"]
    assert event.to == "red"


def test_a_hidden_thing_is_on_nobody_elses_map():
    game = lanes(plain())
    blue, red, umpire = ({t.id for t in game.view(s).things} for s in ("blue", "red", "umpire"))
    theirs = {name: game.world.incognito.called("blue")(name) for name in ("rl-1", "rl-2")}
    ours = {game.world.incognito.called("red")(name) for name in ("bl-1", "bl-2")}
    assert blue == {"bl-1", "bl-2", "bm-1", *theirs.values()}
    assert red == {*ours, "rm-1", "rm-2", "rl-1", "rl-2"}
    assert not {"rl-1", "rl-2"} & blue
    assert umpire == {"bl-1", "bl-2", "rl-1", "rl-2", "bm-1", "rm-1", "rm-2"}
    assert {t.id: t.name for t in game.view("blue").things}[theirs["rl-1"]] == theirs["rl-1"]
    assert game.explain("danger of bl-1", "blue").value == "0"
    game.world.positions.stand(game.world.by_id["rm-1"], game.world.by_label["0201"])
    assert game.explain("danger of bl-1", "blue").value == "0"
    assert game.explain("danger of bl-1").value == "1"


def test_one_walks_into_what_one_does_not_see_and_the_order_sees_it():
    game = lanes({**plain(), "rm-1": "0201"})
    assert "drive bl-1 to 0201" in game.legal("blue")
    assert game.why_not("blue", "drive bl-1 to 0201") == []
    events = do(game, "drive bl-1 to 0201", "blue")
    assert [e.text for e in events if e.to in {"all", "blue"}] == [
        "blue: drive bl-1 to 0201.",
        "bl-1 moves from 0202 to 0201.",
    ]
    assert waits(game) == [("dice", "", "blast-die")]
    assert ask(game, "count of mines") == 2


def test_what_is_revealed_counts_from_then_on():
    game = lanes({**plain(), "rm-1": "0201"})
    world = game.world
    world.effects.reveal(world.by_id["rm-1"], world.by_id["blue"])
    assert "drive bl-1 to 0201" not in game.legal("blue")
    assert [r.message for r in game.why_not("blue", "drive bl-1 to 0102")] == ["It smells of powder."]
    assert "rm-1" in {t.id for t in game.view("blue").things}
    world.effects.reveal(world.by_id["rm-1"], world.by_id["blue"], True)
    assert "drive bl-1 to 0201" in game.legal("blue")


@pytest.mark.parametrize("policy", [RandomPolicy, GreedyPolicy])
def test_automated_sides_play_by_what_they_know(policy):
    game = game_of(RULES, scenario="lanes", dice="seeded")
    player = policy(3)
    for _ in range(60):
        awaited = game.awaiting[0]
        if awaited.kind == "over":
            break
        try:
            game.offer(player.choose(game, awaited))
        except NothingLegal:
            break
    assert game.world.veil is None


# ---- ids of what comes in hidden, and fields hidden while off the map ----------------------------------------------------
SOWING = (
    (
        RULES.replace("active may drive,", "active may sow, dig-up, board, drive,")
        + """\
order sow of u (a lorry):
  given by side of u
  put charge (a mine, side side of u) in u
  put stake (a post, side side of u) in u
order dig-up of m (a mine):
  given by side of m
  reveal m to foe of side of m
order board of u (a lorry):
  given by side of u
  fuel of u becomes 1
  move u off the map
marker post:
  height number, starts 1, kept for "the counter"
"""
    )
    .replace("unit lorry:\n", "unit lorry:\n  fuel       number, starts 9\n")
    .replace(
        "  hidden from enemy: load, name",
        "  hidden from enemy: load, name\n  hidden from enemy while off the map: fuel",
    )
)
SOWING += "value thirst of u (a lorry):\n  start with fuel of u\n"


def sown(red, blue, seed=1):
    """A game in which each side has put down some mines; what blue is told of its own."""
    game = game_of(SOWING, scenario="lanes", snapshots=False, seed=seed)
    for side, lorry, times in (("blue", "bl-1", blue), ("red", "rl-1", red)):
        for _ in range(times):
            do(game, f"sow {lorry}", side)
        if side == "blue":
            do(game, "done", side)
    return game


def mines(game, side):
    return [t.id for t in game.view(side).things if t.kind == "mine"]


def test_the_id_of_a_hidden_thing_does_not_count_those_before_it():
    game = sown(red=2, blue=0)
    first, second = mines(game, "red")[-2:]
    assert {i.partition("-")[0] for i in (first, second)} == {"charge"}
    assert all(i.partition("-")[2][:1] == "b" and i.partition("-")[2][1:].isdigit() for i in (first, second))
    assert [t.id for t in game.view("blue").things if t.kind == "post"] == ["stake", "stake-2"]
    assert mines(sown(red=2, blue=0), "red") == mines(game, "red")
    assert mines(sown(red=2, blue=0, seed=2), "red") != mines(game, "red")
    do(game, f"dig-up {first}", "red")
    assert first in mines(game, "blue")


@settings(max_examples=either(6, 20), deadline=None)
@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 60))
def test_ids_of_one_s_own_hidden_things_do_not_rest_on_the_enemys(one, other, seed):
    games = [game_of(SOWING, scenario="lanes", snapshots=False, seed=seed) for _ in range(2)]
    for game, times in zip(games, (one, other), strict=True):
        do(game, "done", "blue")
        for _ in range(times):
            game.world.positions.put("mine", "charge", None, {"side": game.world.by_id["red"]}, None, None)
        do(game, "done", "red")
        for _ in range(3):
            do(game, "sow bl-1", "blue")
    assert mines(games[0], "blue") == mines(games[1], "blue")


def test_a_field_is_hidden_while_its_thing_is_off_the_map():
    game = game_of(SOWING, scenario="lanes", snapshots=False)
    lorry = game.world.incognito.called("red")("bl-1")
    shown = {t.id: t.fields for t in game.view("red").things}
    assert shown[lorry]["fuel"] == "9"
    assert game.explain(f"thirst of {lorry}", "red").value == "9"
    events = do(game, "board bl-1", "blue")
    assert [e.kind for e in events if e.to in {"all", "red"}] == ["order", "change", "move"]
    assert "fuel" not in {t.id: t.fields for t in game.view("red").things}[lorry]
    assert {t.id: t.fields for t in game.view("blue").things}["bl-1"]["fuel"] == "1"
    with pytest.raises(Refused, match="hidden"):
        game.explain(f"thirst of {lorry}", "red")
    world = game.world
    world.journal.events.clear()
    world.effects.set(world.by_id["bl-1"], "fuel", 4)
    assert {e.to for e in world.journal.events} == {"blue"}
    world.positions.stand(world.by_id["bl-1"], world.by_label["0202"])
    assert {t.id: t.fields for t in game.view("red").things}[lorry]["fuel"] == "4"


# ---- what one's own hold, where who holds the enemy's is hidden ----------------------------------------------------------
HOLDING = """\
formation troop:
  rations number, starts 0
unit rider, held by troop:
  pace    number, starts 2
  weary   mark
  hidden from enemy: troop
order forage of t (a troop):
  given by side of t
  refused when there is no riders held by t because "nobody rides"
  refused when any (riders held by t) is weary because "a rider is weary"
  refused when count ((riders (where it is not weary)) held by t) > 2 because "enough ride"
  rations of t becomes pace-of of t
order scatter of t (a troop):
  given by side of t
  refused when riding-near of t > 1 because "they stand together"
  rations of t becomes 0
order ride of u (a rider) to goal (a hex):
  given by side of u
  reaching goal by riding-way of u
  move u to goal
path riding-way of u (a rider):
  from place of u
  at most pace-of of troop of u points
  entering h (a hex) costs 1
value pace-of of t (a troop):
  start with (lowest pace of (riders held by t)) else 0
value riding-out of t (a troop):
  start with count (riders held by t)
value riding-near of t (a troop):
  start with count ((riders within 2 of 0202) held by t)
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may forage, scatter, ride
scenario plain "Plain" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of troop:
    name | rations
    bt   | 0
    bu   | 0
  forces blue of rider:
    name | in   | troop
    br-1 | 0202 | bt
    br-2 | 0203 | bt
    br-3 | 0603 | bu
  forces red of troop:
    name | rations
    rt   | 0
  forces red of rider:
    name | in   | troop
    rr-1 | 0303 | rt
    rr-2 | 0602 | rt
  turn-order is blue, red
"""


def test_orders_to_one_s_own_holder_rest_on_nothing_of_the_enemys():
    game = game_of(HOLDING, scenario="plain", snapshots=False)
    assert names(ask(game, "riders held by bt")) == ["br-1", "br-2"]
    assert names(ask(game, "(riders within 2 of 0202) held by bt")) == ["br-1", "br-2"]
    assert names(ask(game, "(riders (where pace of it = 2)) held by rt")) == ["rr-1", "rr-2"]
    assert game.why_not("blue", "forage bt") == []
    assert [r.message for r in game.why_not("blue", "scatter bt")] == ["They stand together."]
    assert game.why_not("blue", "scatter bu") == []
    assert game.why_not("blue", "ride br-1 to 0204") == []
    assert {"forage bt", "forage bu", "ride br-3 to 0602", "scatter bu"} <= set(game.legal("blue"))
    assert game.explain("pace-of of bt", "blue").value == "2"
    do(game, "forage bt", "blue")
    assert ask(game, "rations of bt") == 2


def test_who_holds_what_of_the_enemys_stays_hidden():
    game = game_of(HOLDING, scenario="plain", snapshots=False)
    said = told(lambda: game.explain("riding-out of rt", "blue"))
    game.world.effects.join(
        game.world.by_id["rr-1"],
        game.world.positions.put("troop", "ru", None, {"side": game.world.by_id["red"]}, None, None),
    )
    assert ask(game, "riding-out of rt") == 1
    assert told(lambda: game.explain("riding-out of rt", "blue")) == said


HELD_UNSEEN = """\
unit staff:
  skill   number, starts 1
  hidden from enemy: place
unit gunner, held by staff:
  guns    number, starts 4
  sworn   mark
  hidden from enemy until sworn: staff
value fire of b (a gunner) = guns of b + skill of staff of b
value led of b (a gunner) = 0 when staff of b is absent, otherwise 1
order shell of b (a gunner):
  given by side of b
  guns of b loses 1 points
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may shell
scenario guns "Guns" on field:
  side blue "The Blues"
  side red "The Reds"
  forces red of staff:
    name | in   | skill
    rs-1 | 0303 | 1
    rs-2 | 0602 | 5
  forces red of gunner:
    name | in   | staff | sworn
    rb   | 0404 | rs-1  | yes
    rc   | 0405 | rs-1  | no
  turn-order is blue, red
"""


def test_who_holds_what_one_sees_is_not_told_where_he_is_hidden():
    """Blue sees the gunner, not the staff that directs it: blue must not learn anything that follows from that staff."""
    games = [game_of(HELD_UNSEEN, scenario="guns", snapshots=False) for _ in range(3)]
    games[1].world.effects.join(games[1].world.by_id["rb"], games[1].world.by_id["rs-2"])
    games[2].world.effects.set(games[2].world.by_id["rs-1"], "skill", 9)
    assert [ask(game, "fire of rb") for game in games] == [5, 9, 13]
    asked = ["fire of rb", "led of rb", "staff of rb", "skill of staff of rb", "guns of rb", "rb is held by rs-1"]
    shown = [
        (
            repr(attrs.asdict(game.view("blue"))),
            [told(lambda w=w, g=game: g.explain(w, "blue")) for w in asked],
        )
        for game in games
    ]
    assert shown[0] == shown[1] == shown[2]
    assert games[0].explain("guns of rb", "blue").value == "4"
    assert games[0].explain("fire of rb", "red").value == "5"
    with pytest.raises(Refused):
        games[0].explain("fire of rb", "blue")


TOLD = """
unit pit:
  depth number, starts 3
  seen  mark
  hidden from enemy until seen: place
order dig of p (a pit):
  given by side of p
  tell sides "{} is dug" with p
  tell foe of side of p "beware of {}" with name of p
  tell sides "{} are dug" with own pits
  tell sides "{} dig somewhere" with side of p
sequence game-turn:
  phase all:
    sides may dig together
scenario pits "Pits" on field:
  side blue "Blue"
  side red "Red"
  forces red of pit:
    name  | in   | seen
    deep  | 0303 | no
    known | 0404 | yes
"""


def test_a_message_that_names_what_a_side_must_not_know_of_does_not_reach_it():
    """`tell` used to print it. Blue may know of `known`, which has been seen, not of `deep`."""
    heard = {}
    for name in ("deep", "known"):
        game = game_of(TOLD, scenario="pits")
        told_ = [e for e in do(game, f"dig {name}", "red") if e.kind == "note"]
        for side in ("red", "blue"):
            heard[name, side] = [e.text for e in told_ if e.to in {"all", side}]
        assert {e.text for e in told_} == {
            f"{name} is dug",
            f"beware of {name}",
            "deep, known are dug",
            "red dig somewhere",
        }
    assert heard == {
        ("deep", "blue"): ["red dig somewhere"],
        ("deep", "red"): ["deep is dug", "deep, known are dug", "red dig somewhere"],
        ("known", "blue"): ["known is dug", "beware of known", "red dig somewhere"],
        ("known", "red"): ["known is dug", "deep, known are dug", "red dig somewhere"],
    }


DUG = TOLD.replace(
    '  tell sides "{} are dug" with own pits\n', "  dug of side of p becomes own pits (where seen of it is seen of p)\n"
)


@pytest.mark.parametrize(
    ("edition", "told_blue"), [(SINCE[KNOWN_LISTS], [True, False]), (SINCE[KNOWN_LISTS] - 1, [True, True])]
)
def test_how_a_list_changes_that_names_what_a_side_must_not_know_of_is_not_told_to_it(edition, told_blue):
    """In the log one could count what red hides."""
    game = game_of(f"side side:\n  dug list of pit\n{DUG}", scenario="pits", edition=edition)
    found = []
    for name in ("known", "deep"):
        (change,) = [e for e in do(game, f"dig {name}", "red") if e.kind == "change"]
        found.append(change.to == "all")
    assert found == told_blue
