"""The gate: a side can name only what is in its name book, and anything else it types is answered as a word without meaning.

The scenario of `test_incognito` in two copies. In one red has a counter named `r-tank`, with a label for blue. In the other
the same counter with the same label has another name, so that `r-tank` means nothing at all.
"""

import pytest

from dsl.text.diagnostics import nearest
from dsl.text.withheld import plain, withheld
from interpreter.messages.inputs import Input, Refused
from interpreter.play.rehearsal import RefusedThere
from interpreter.world.incognito import Incognito
from interpreter.world.incognito import incognito as as_drawn
from interpreter.world.seat import Seat
from tests.interpreter.rulebook import do, game_of
from tests.interpreter.test_incognito import LANES, PLACES

NAMES = ["r-tank", "R-TANK", "r-guard", "r-wagon", "r-tan", "counter-r71", "COUNTER-R71", "counter-r99", "b-line"]
"""What blue types in place of a name: hidden in one world or in both, spelt almost so, labels it reads, a label there is not, its own."""
ASKED = [
    "worth of {}", "place of {}", "{} is named", "{}", "worth of b-line + worth of {}", "count counters next to {}",
    "sum worth of ({}, b-line)", "{} is shaken", "side of {} is red", "worths of {}",
]  # fmt: skip
ORDERED = ["shove {} to 0601", "spy b-line against {}", "spy {} against b-line", "shove b-line to {}", "pick {}", "rattle b-line, {}",
           "{}", "shove b-line to 0404 via {}", "spy b-line against {}, b-guard"]  # fmt: skip


def world_with(rows, monkeypatch):
    """Blue's view of red: three counters under the same labels at the same places, called as `rows` says."""
    listed = "".join(f"    {name} | {place}\n" for name, place in rows)
    text = LANES.replace("    r-guard | 0601\n    r-tank  | 0602\n    r-train | 0603\n", listed)

    def by_place(world, scenario, seed):
        found = as_drawn(world, scenario, seed)
        drawn = {x.id: PLACES[x.place.label] for x in world.by_kind["counter"] if x.side.id == "red"}
        order = sorted({**found._labels, **drawn}.items(), key=lambda one: one[1])
        return Incognito(world, dict(order), found._sides)

    monkeypatch.setattr("interpreter.setup.setup.incognito", by_place)
    return game_of(text, scenario="lanes", seed=4)


CALLED = (
    ("r-guard", "r-tank", "r-train"), ("r-guard", "r-wagon", "r-train"), ("r-lorry", "r-gun", "r-x"),
    ("spy", "against", "worth"), ("is", "victim", "far"),  # which are words of the rules, too
)  # fmt: skip


@pytest.fixture
def make(monkeypatch):
    """Makes the worlds anew."""
    return lambda: [world_with(list(zip(names, PLACES, strict=True)), monkeypatch) for names in CALLED]


@pytest.fixture
def worlds(make):
    return make()


def said(call):
    try:
        return repr(call())
    except Refused as refused:
        return repr(refused.refusal)
    except RefusedThere as there:
        return repr(there.refused.refusal)


@pytest.mark.parametrize("name", NAMES)
def test_why_resolves_no_name_that_is_not_in_the_book(worlds, name):
    for asked in ASKED:
        answers = {said(lambda g=game, a=asked: g.explain(a.format(name), "blue")) for game in worlds}
        assert len(answers) == 1, asked


@pytest.mark.parametrize("name", NAMES)
def test_no_order_names_what_is_not_in_the_book(make, worlds, name):
    for order in ORDERED:
        text = order.format(name)
        assert len({said(lambda g=game, t=text: g.why_not("blue", t)) for game in worlds}) == 1, text
        given = [Input("do", "blue", text)]
        found = {said(lambda g=game, t=given: g.rehearse(t, "blue")) for game in make()}
        assert len(found) == 1, text


@pytest.mark.parametrize("name", NAMES)
def test_no_answer_names_what_is_not_in_the_book(worlds, name):
    answers = set()
    for game in worlds:
        do(game, "pick b-line", "blue")
        may = game.may_answer("blue", "victim", name)
        answers.add((may, said(lambda g=game: [e.text for e in g.offer(g.as_typed(Input("answer", "blue", name, "victim")))
                                               if e.to in {"all", "blue"}])))  # fmt: skip
    assert len(answers) == 1
    assert next(iter(answers))[0] == (name.lower() == "counter-r71")


def test_an_unknown_word_is_answered_as_it_was_typed(worlds):
    for word in ("r-tank", "r-nobody", "counter-r99"):
        with pytest.raises(Refused) as refused:
            worlds[0].explain(f"worth of {word}", "blue")
        assert refused.value.message == f"Unknown name `{word}`."
        with pytest.raises(Refused) as refused:
            worlds[0].offer(worlds[0].as_typed(Input("do", "blue", f"spy b-line against {word}")))
        assert refused.value.message.startswith(f"There is no counter {word}")


def test_a_name_that_is_nearly_a_hidden_one_is_not_helped_on(worlds):
    """`r-tan` is one letter from `r-tank`: no hint may show its label."""
    with pytest.raises(Refused) as refused:
        worlds[0].why_not("blue", "spy b-line against r-tan")
    assert "r71" not in refused.value.message
    with pytest.raises(Refused) as refused:
        worlds[0].why_not("blue", "spy b-line against counter-r72")
    assert "did you mean counter-r71" in refused.value.message


def test_its_own_side_and_the_umpire_go_by_names(worlds):
    assert worlds[0].explain("worth of r-tank", "red").value == "3"
    assert worlds[0].explain("worth of r-tank").value == "3"
    assert Seat(worlds[0].world, "umpire").heard("spy b-line against r-tank") == "spy b-line against r-tank"
    assert worlds[0].explain("place of counter-r71", "blue").value == "0602"


def test_once_it_is_known_it_may_be_named(worlds):
    do(worlds[0], "spy b-line against counter-r71", "blue")
    assert worlds[0].explain("worth of r-tank", "blue").value == "3"


def test_a_rehearsal_does_not_bring_to_light_what_the_order_will(make):
    spied = [Input("do", "blue", text) for text in ("spy b-line against counter-r71", "spy b-line against r-tank")]
    found = {said(lambda g=game: g.rehearse(spied[:1], "blue")) for game in make()}
    assert len(found) == 1
    assert "counter-r71 is now named" in found.pop()
    for game in make():
        with pytest.raises(RefusedThere) as there:
            game.rehearse(spied, "blue")
        assert (there.value.position, there.value.refused.message) == (1, "There is no counter r-tank.")


def test_marks_come_off_and_only_marks():
    assert plain(f"no {withheld('r-tank')} here") == "no r-tank here"
    assert plain("0x0 stays, and a-0x01") == "0x0 stays, and a-0x01"


def test_a_hint_does_not_tell_whether_a_withheld_word_names_a_thing():
    """Found by `ophex leaks`: a hidden thing may have the name of a field, and only then did the hint name the field."""
    known = ["store", "stores", "score"]
    assert nearest(withheld("store"), known) == nearest("store", known) == ["stores", "score"]
