"""What a person sees of a question: its title, the answers that their unit or hex names, and the hexes to choose among."""

from types import SimpleNamespace

import attrs
import pytest
from textual.widgets import Static

from campaigns.odds.odds_model import Candidate, Left, Open
from tests.ui import fake
from ui.app.orders_pane import OrdersPane
from ui.app.prompts import above
from ui.app.ticks import TickList
from ui.wording.odds_in_words import brief_question

UNITS = fake.Awaited("question", "north", "first", "North chooses first: one of n-3, n-5.", ("n-3", "n-5"), 2, "one")
HEXES = fake.Awaited("question", "north", "goal", UNITS.prompt, ("0205", "0304", "0305"), 3, "one")


@pytest.fixture
def asked(sit, monkeypatch):
    def begin(question):
        monkeypatch.setattr(fake.Game, "awaiting", property(lambda game: (question,)))
        return sit()

    return begin


def lit(person):
    pane = person.app.query_one(OrdersPane)
    return pane._lit


async def test_n_goes_through_the_units_that_answers_name_and_lights_these(asked):
    async with asked(UNITS) as person:
        seen = []
        for _ in range(3):
            await person.press("n")
            seen.append((person.app.chosen.thing, person.app.map.cell.label, lit(person)))
        assert seen == [("n-3", "0304", "n-3"), ("n-5", "0103", "n-5"), ("n-3", "0304", "n-3")]


async def test_n_lights_an_answer_that_is_ticked(asked):
    async with asked(attrs.evolve(UNITS, form="some")) as person:
        await person.press("n", "n")
        assert lit(person) == "n-5"
        await person.press("2", "space")
        assert person.app.query_one(TickList).ticked == {"n-5"}


async def test_the_hexes_to_answer_are_marked_and_enter_on_one_lights_it(asked):
    async with asked(HEXES) as person:
        await person.press("1")
        assert person.app.chosen.marks(person.app.situation, pointing=False) == {"0205", "0304", "0305"}
        person.app.map.go_to("0304")  # where n-2 and n-3 stand
        await person.press("enter")
        assert lit(person) == "0304"
        assert person.app.chosen.thing == ""


async def test_where_the_unit_of_an_answer_stands_is_marked_while_it_is_lit(asked):
    async with asked(UNITS) as person:
        await person.press("2", "down")
        assert person.app.chosen.marks(person.app.situation, pointing=True) == {"0103"}


async def test_above_the_answers_stands_the_title_alone(asked):
    titled = attrs.evolve(UNITS, prompt="North, for 0304: Who acts first? One of n-3, n-5.", title="Who acts first?")
    async with asked(titled) as person:
        first, *_ = str(person.app.query_one("#prompt", Static).render()).splitlines()
        assert first.endswith(", for 0304: Who acts first?")
        bare = above(attrs.evolve(person.app.situation, waiting=(UNITS,)), 0, ())
        assert bare.plain.splitlines()[0].endswith(" chooses first: one of n-3, n-5.")
        typed = attrs.evolve(titled, prompt="North: How many? A number up to 900.", title="How many?", choices=())
        assert "A number up to 900." in above(attrs.evolve(person.app.situation, waiting=(typed,)), 0, ()).plain


def open_question(*worth, left=(Left("due", "2"),)):
    """A question about as many things as there are worths, of whose answers nothing else is known."""
    things = tuple(Candidate(f"g-{n}", "", "blue", "", one, ()) for n, one in enumerate(worth, 1))
    nothing = {"cards": (), "losses": (), "scores": ()}
    answers = tuple(SimpleNamespace(commands=(one.name,), **nothing) for one in things)
    return Open("blue", "victim", "", left, things, answers, False)


def test_what_no_answer_tells_more_of_than_another_is_not_told_as_odds():
    assert list(brief_question(open_question("-1", "-1", "-1"))) == []
    assert list(brief_question(open_question("", ""))) == []
    assert list(brief_question(open_question("7", "8"))) == ["due 2", "g-1: worth 7", "g-2: worth 8"]
    assert list(brief_question(open_question("7", ""))) == ["due 2", "g-1: worth 7"]


async def test_n_goes_to_what_waits_off_the_map_only_where_nothing_on_it_can_be_ordered(sit):
    """A player who deploys finds what is to be deployed."""
    async with sit() as person:
        found = person.app.situation
        assert "n-2" in person.app.chosen.able(found)
        off = [attrs.evolve(one, place="") if one.id == "n-2" else one for one in found.view.things]
        away = attrs.evolve(found, view=attrs.evolve(found.view, things=tuple(off)))
        assert "n-2" not in person.app.chosen.able(away)
        alone = attrs.evolve(away, named=frozenset({"deploy", "n-2", "to", "0304"}))
        assert person.app.chosen.able(alone) == ["n-2"]
