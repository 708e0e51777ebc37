"""Hidden names: another side reads and writes labels, everything else uses the names of the scenario."""

from itertools import permutations

import pytest

from interpreter.machine import resume
from interpreter.messages.inputs import Input, Refused
from interpreter.world.incognito import Incognito
from interpreter.world.incognito import incognito as as_drawn
from tests.interpreter.rulebook import do, game_of

LANES = """\
unit counter:
  title  text, optional
  worth  number, starts 3
  named  mark
  shaken mark
  hidden from enemy until named: name, worth
order shove of u (a counter) to goal (a hex):
  given by side of u
  refused when goal is not next to u because "too far"
  move u to goal
order spy of u (a counter) against v (a counter):
  given by side of u
  refused when side of v is side of u because "it is your own"
  refused when worth of u < 3 because "not worth it"
  v becomes named
order pick of u (a counter):
  given by side of u
  side of u chooses victim: one of enemy counters
  worth of victim becomes 9
order rattle of u (a counter):
  given by side of u
  for each v in enemy counters:
    v becomes shaken
    move v to u
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may shove, spy, pick, rattle
scenario lanes "Lanes" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of counter:
    name    | in
    b-guard | 0202
    b-line  | 0303
  forces red of counter:
    name    | in
    r-guard | 0601
    r-tank  | 0602
    r-train | 0603
  turn-order is blue, red
"""


def lanes(**settings):
    return game_of(LANES, scenario="lanes", seed=settings.pop("seed", 4), **settings)


def ids(game, viewer, side):
    return [x.id for x in game.view(viewer).things if x.side == side]


def labels(game, viewer="blue", side="red"):
    """The labels of the other side's counters, by where they stand."""
    return {x.place: x.id for x in game.view(viewer).things if x.side == side}


def test_another_side_reads_labels_its_own_and_the_umpire_names():
    game = lanes()
    assert ids(game, "red", "red") == ids(game, "umpire", "red") == ["r-guard", "r-tank", "r-train"]
    seen = ids(game, "blue", "red")
    assert all(x.startswith("counter-r") for x in seen)
    assert len(set(seen)) == 3
    assert seen == sorted(seen)  # the order of the scenario would tell which is which
    assert "r-tank" not in repr(game.view("blue"))


def test_labels_rest_on_the_seed_alone_and_on_no_order_of_rows():
    assert labels(lanes()) == labels(lanes())
    assert len({tuple(labels(lanes(seed=seed)).values()) for seed in range(8)}) > 4


def test_orders_and_answers_may_be_written_with_labels_and_are_kept_so():
    game = lanes()
    tank = labels(game)["0602"]
    assert f"spy b-line against {tank}" in game.legal("blue")
    assert "spy b-line against r-tank" in game.legal("blue", reader="umpire")
    do(game, "pick b-line", "blue")
    assert tank in game.view("blue").awaiting[0].choices
    assert list(game.view("blue").awaiting[0].choices) == sorted(game.view("blue").awaiting[0].choices)
    assert tank in game.view("blue").awaiting[0].prompt
    game.offer(Input("answer", "blue", tank, "victim"))
    assert game.world.by_id["r-tank"].f_worth == 9
    again = lanes()
    for given in game.course()[-1][1]:
        again.offer(given)
    assert again.digest() == game.digest()


def test_events_tell_each_side_what_it_may_call_the_thing():
    game = lanes()
    train = labels(game)["0603"]
    do(game, "done", "blue")
    events = do(game, "shove r-train to 0604", "red")
    told = {side: [e.text for e in events if e.to in {"all", side}] for side in ("blue", "red")}
    assert any(text.startswith(f"{train} moves") for text in told["blue"])
    assert not any("r-train" in text for text in told["blue"])
    assert any(text.startswith("r-train moves") for text in told["red"])
    assert not any(train in text for text in told["red"])
    assert not any("r-train" in repr(e.data) for e in events if e.to in {"all", "blue"})


def test_once_it_is_known_its_name_is_read():
    game = lanes()
    tank = labels(game)["0602"]
    do(game, f"spy b-line against {tank}", "blue")
    assert "r-tank" in ids(game, "blue", "red")
    assert tank not in repr(game.view("blue"))
    assert len([x for x in ids(game, "blue", "red") if x.startswith("counter-r")]) == 2


def test_refusals_and_reasons_use_labels():
    game = lanes()
    tank = labels(game)["0602"]
    try:
        do(game, f"shove {tank} to 0101", "blue")
    except Refused as refused:
        said = repr(refused.refusal)
    assert "r-tank" not in said
    assert "r-tank" not in repr(game.why_not("blue", f"spy {tank} against b-line"))
    assert "r-tank" not in repr(game.explain(f"place of {tank}", "blue"))


def test_a_game_goes_on_from_a_snapshot_with_the_same_labels():
    game = lanes(snapshots=True, dice="seeded")
    before = labels(game)
    do(game, "done", "blue")
    do(game, "done", "red")
    snapshot = game.snapshot()
    assert snapshot is not None
    settings = {"seed": 4, "dice": "seeded"}
    assert labels(resume(game.program, game.scenario, settings, snapshot)) == before


def test_without_hidden_names_there_are_no_labels():
    assert game_of().world.incognito is None


PLACES = {"0601": "counter-r55", "0602": "counter-r71", "0603": "counter-r12"}


def as_blue_is_told(rows, monkeypatch):
    """All that blue is shown and told in a short game in which red's counters are listed so, under labels by place."""
    listed = "".join(f"    {name} | {place}\n" for name, place in rows)
    text = LANES.replace("    r-guard | 0601\n    r-tank  | 0602\n    r-train | 0603\n", listed)
    drawn = {name: PLACES[place] for name, place in rows}

    def by_place(world, scenario, seed):
        found = as_drawn(world, scenario, seed)
        order = sorted({**found._labels, **drawn}.items(), key=lambda one: one[1])
        return Incognito(world, dict(order), found._sides)

    monkeypatch.setattr("interpreter.setup.setup.incognito", by_place)
    game = game_of(text, scenario="lanes", seed=4)
    told = []

    def look(events=()):
        told.append([e for e in events if e.to in {"all", "blue"}])
        told.append((game.view("blue"), game.legal("blue")))

    look()
    look(do(game, "rattle b-line", "blue"))
    look(do(game, "pick b-line", "blue"))
    look(game.offer(Input("answer", "blue", "counter-r71", "victim")))
    look(do(game, "spy b-line against counter-r71", "blue"))
    told.append(game.why_not("blue", "spy b-line against counter-r12"))
    told.append(game.why_not("blue", "shove counter-r12 to 0101"))
    return repr(told)


def test_who_is_who_makes_no_difference_to_what_another_side_is_told(monkeypatch):
    """Which counter is where, and in what order the scenario lists them: not one letter reveals it."""
    named = ["r-guard", "r-tank", "r-train"]
    first = list(zip(named, PLACES, strict=True))
    plain = as_blue_is_told(first, monkeypatch)
    assert "counter-r12" in plain
    assert "r-guard" not in plain
    for rows in permutations(first):  # the same counters, listed otherwise
        assert as_blue_is_told(rows, monkeypatch) == plain
    found_out = {name: as_blue_is_told(list(zip(names, PLACES, strict=True)), monkeypatch).replace(name, "it")
                 for names in permutations(named) for name in [names[1]]}  # fmt: skip
    assert len(set(found_out.values())) == 1  # only of the one that is found out


@pytest.mark.parametrize("kind", ["do", "deadline"])
def test_what_is_given_for_a_side_is_recorded_in_its_own_words(kind):
    game = lanes()
    tank = labels(game)["0602"]
    given = Input(kind, "blue", "spy b-line against r-tank", "")
    if kind == "deadline":
        given = Input(kind, "umpire", given.text, "blue")
    said = game.in_own_words(given)
    assert said.text == f"spy b-line against {tank}"
    assert game.in_own_words(Input("do", "red", "shove r-tank to 0604")).text == "shove r-tank to 0604"
    assert game.in_own_words(Input("do", "umpire", given.text)).text == given.text
    assert any(tank in e.text for e in game.offer(said) if e.to in {"all", "blue"})
