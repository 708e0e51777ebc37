"""Things made of parts on the screen and in print: what is left of them, and orders that aim at a part.

The game is `tests/interpreter/toy/ships.rules`: iris at 0202 has six guns (one of the scenario's own), otto at 0203 five. In the long
form the keyboard aims on a wide screen as well, as the mouse does daily.
"""

import json
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import OptionList

from campaigns.play.starting import create_campaign
from campaigns.views.parts_in_words import PartsOfThings, boxes
from interpreter.commands.command import Argument, LegalCommand, worded
from interpreter.messages.inputs import Input
from interpreter.messages.view import ThingView
from tests.long import either
from tests.ui.drawing import screen_text
from tests.ui.seat import Seat
from ui.app.ophex_app import CampaignApp
from ui.app.panes import ForcesPane, HerePane
from ui.app.seat_desk import Desk
from ui.main import main
from ui.wording.folding import rows

SHIPS = (Path(__file__).parents[1] / "interpreter" / "toy" / "ships.rules").read_text(encoding="utf-8")


@pytest.fixture
def duel(tmp_path):
    """A campaign in which otto has lost a gun, has another out, and has been hit twice."""
    (tmp_path / "ships").mkdir()
    (tmp_path / "ships" / "ships.rules").write_text(SHIPS)
    with create_campaign(tmp_path / "a.ophex", str(tmp_path / "ships" / "duel"), seed=4) as campaign:
        for line in ("remove otto-secondary-2", "otto-main becomes out", "hull of otto = 10"):
            campaign.offer(Input("override", "umpire", line, "hit before"))
        yield campaign


@pytest.fixture
def sit(duel):
    @asynccontextmanager
    async def open_app(size=(160, 48), seat="blue"):
        app = CampaignApp(Desk(duel, seat))
        app.follow_every = 0
        async with app.run_test(size=size) as pilot:
            person = Seat(app, pilot)
            await person.settle()
            yield person

    return open_app


def listed(person):
    """What the list of orders shows."""
    choices = person.app.query_one("#choices", OptionList)
    return [str(choices.get_option_at_index(n).prompt) for n in range(choices.option_count)]


def ship(name, *made, **tracks):
    """A ship of a view: what it is made of, and what its tracks hold and held."""
    fields = {track: left for track, (left, _) in tracks.items()}
    return ThingView(name, name, "ship", "unit", "cruiser", "blue", "0202", "", fields, tracks={t: f for t, (_, f) in tracks.items()}, made=made)  # fmt: skip


class TestInPrint:
    """The output of `ophex status`."""

    def test_a_whole_is_told_with_what_is_left_of_it(self, duel, capsys):
        assert main(["status", str(duel.path)]) == 0
        out = capsys.readouterr().out
        assert "main 1/1 (1 out) · secondary 3/4 · cutter 2/2 · hull ■■■■■■■■■■□□ 10/12 · rower 4/4 · cox 2/2" in out
        assert "otto-main" not in out
        assert "Red: 2 units" in out

    def test_the_map_tells_it_of_who_stands_in_a_hex(self, duel, capsys):
        assert main(["map", str(duel.path)]) == 0
        assert "0203: R otto 3 (main 1/1 (1 out) · secondary 3/4 · cutter 2/2 · hull" in capsys.readouterr().out
        assert main(["map", str(duel.path), "--format", "svg"]) == 0
        assert "<title>R: otto 3 main 1/1 (1 out) · secondary 3/4" in capsys.readouterr().out

    def test_all_about_one_thing_lists_each_part(self, duel, capsys):
        assert main(["status", str(duel.path), "--of", "OTTO"]) == 0
        out = capsys.readouterr().out.splitlines()
        assert out[0] == "otto: cruiser ship, Red, in 0203"
        assert "  hull: ■■■■■■■■■■□□ 10/12" in out
        assert out[out.index("  main 1/1 (1 out)") + 1] == "    otto-main  out yes"
        assert [line.strip() for line in out if "secondary" in line] == [
            "secondary 3/4",
            *(f"otto-secondary-{n}" for n in (1, 3, 4)),
        ]

    def test_a_part_is_told_alone_as_well_and_what_is_hidden_is_not(self, duel, capsys):
        assert main(["status", str(duel.path), "--of", "otto-main"]) == 0
        assert capsys.readouterr().out.startswith("otto-main: main gun, part of otto, Red, in 0203\n")
        assert main(["status", str(duel.path), "--as", "red", "--of", "eel"]) == 2
        assert "There is no eel here." in capsys.readouterr().err

    def test_json_has_the_parts_and_what_they_were(self, duel, capsys):
        assert main(["status", str(duel.path), "--of", "otto", "--json"]) == 0
        blue, red = json.loads(capsys.readouterr().out)["sides"]
        assert blue["things"] == []
        otto, *parts = red["things"]
        assert otto["made"] == [["main", "gun", 1, 1], ["secondary", "gun", 3, 4], ["cutter", "boat", 2, 2]]
        assert otto["tracks"] == {"hull": 12}
        assert {part["part"] for part in parts} == {True}
        assert len(parts) == 4 + 2 + 6

    def test_where_no_boxes_can_be_printed_there_are_other_signs(self):
        assert boxes("10", 12, ascii_only=True) == "##########.. 10/12"
        whole = ship("iris", ("main", "gun", 1, 2), hull=("1", 60))
        told = PartsOfThings([whole]).summary(whole, ascii_only=True)
        assert told == "main 1/2, hull #................... 1/60"
        assert told.isascii()

    def test_a_long_track_is_drawn_in_shares(self):
        assert boxes("60", 60) == "■" * 20 + " 60/60"
        assert boxes("31", 60) == "■" * 11 + "□" * 9 + " 31/60"
        assert boxes("0", 60) == "□" * 20 + " 0/60"


def ordered(order, who, word, whom):
    arguments = Argument("who", "", (who,)), Argument("whom", "", (whom,), word)
    return LegalCommand(worded(order, arguments), order, arguments)


class TestFolding:
    """Orders that differ only in a part."""

    PARTS = PartsOfThings(
        [ship("iris"), ship("otto")]
        + [
            ThingView(f"{whole}-{n}", f"{whole}-{n}", "gun", "component", "", "", "", whole, {}, part=True)
            for whole in ("iris", "otto")
            for n in (1, 2)
        ]
    )
    ORDERS = (
        *(ordered("shell", f"iris-{a}", "against", f"otto-{b}") for a in (1, 2) for b in (1, 2)),
        ordered("sail", "iris", "to", "0302"),
        LegalCommand("done", "done"),
    )

    def told(self, opened=(), aimed=()):
        return [str(row) for row in rows(self.ORDERS, self.PARTS, opened, aimed)]

    def test_they_are_one_line(self):
        assert self.told() == ["▸ shell a part of iris against a part of otto (4)", "sail iris to 0302", "done"]

    def test_opened_each_part_of_the_first_whole_has_a_line(self):
        assert self.told({"shell a part of iris against a part of otto"})[:3] == [
            "▾ shell a part of iris against a part of otto (4)",
            "  ▸ shell iris-1 against a part of otto (2)",
            "  ▸ shell iris-2 against a part of otto (2)",
        ]

    def test_opened_to_the_end_there_are_the_orders(self):
        told = self.told({"shell a part of iris against a part of otto", "shell iris-2 against a part of otto"})
        assert told[3:5] == ["    shell iris-2 against otto-1", "    shell iris-2 against otto-2"]

    def test_what_is_aimed_at_is_not_folded(self):
        assert self.told(aimed=["otto"])[:2] == [
            "▸ shell a part of iris against otto-1 (2)",
            "▸ shell a part of iris against otto-2 (2)",
        ]


async def test_the_map_shows_wholes_and_what_is_left_of_them(sit):
    async with sit() as person:
        await person.press("g")
        await person.type("0203")
        await person.press("enter")
        assert [thing.id for thing in person.app.map.cell.things] == ["otto"]
        under = str(person.app.query_one("#under").render())
        assert "otto main 1/1 (1 out) · secondary 3/4" in under
        here = str(person.app.query_one(HerePane).query_one("#here-text").render())
        assert "hull: ■■■■■■■■■■□□ 10/12" in here
        assert "secondary 3/4" in here
        assert "rower 4/4" in here


async def test_in_the_forces_parts_are_folded_under_their_whole_until_it_is_opened(sit):
    async with sit(seat="umpire") as person:
        forces = person.app.query_one(ForcesPane)
        side = forces.root.children[0]
        assert str(side.label) == "B Blue (2)"
        iris = side.children[0]
        assert iris.data == "iris"
        assert not iris.is_expanded
        assert "secondary 4/4" in str(iris.label)
        iris.expand()
        await person.order("sail iris to 0302")
        again = forces.root.children[0].children[0]
        assert (again.data, again.is_expanded) == ("iris", True)


async def test_of_a_whole_the_forces_tell_what_has_changed_as_of_any_unit(tmp_path):
    (tmp_path / "ships").mkdir()
    rigged = SHIPS.replace(
        "  hull         track\n",
        '  hull         track\n  rig  one of square or lateen, starts square, kept for "the eye"\n',
    )
    (tmp_path / "ships" / "ships.rules").write_text(rigged)
    with create_campaign(tmp_path / "a.ophex", str(tmp_path / "ships" / "duel"), seed=4) as campaign:
        campaign.offer(Input("override", "umpire", "rig of otto = lateen", "refitted"))
        app = CampaignApp(Desk(campaign, "umpire"))
        app.follow_every = 0
        async with app.run_test(size=(160, 48)) as pilot:
            person = Seat(app, pilot)
            await person.settle()
            said = [str(ship.label) for side in app.query_one(ForcesPane).root.children for ship in side.children]
    assert [line.split()[0] for line in said if "lateen" in line] == ["otto"]
    assert not [line for line in said if "square" in line]


@pytest.mark.parametrize("size", either([(80, 24)], [(80, 24), (160, 48)]))
async def test_aiming_at_a_whole_by_keyboard_leads_to_its_parts(sit, size):
    async with sit(size) as person:
        await person.press("g")
        await person.type("iris")
        await person.press("enter")
        assert "0203" in person.app.map.sheet.marked
        assert "▸ shell a part of iris against a part of otto (24)" in listed(person)
        await person.press("down", "enter")  # to otto in 0203
        assert person.app.map.cell.label == "0203"
        assert "▸ shell a part of iris against otto-main (6)" in listed(person)
        assert "▸ shell a part of iris against otto-secondary-3 (6)" in listed(person)
        assert not [line for line in listed(person) if line.startswith("▸ shell a part of iris against a part of otto")]
        choices = person.app.query_one("#choices", OptionList)
        choices.highlighted = listed(person).index("▸ shell a part of iris against otto-main (6)")
        await person.press("enter")
        choices.highlighted = listed(person).index("  shell iris-main against otto-main")
        await person.press("enter")
        assert person.log[0] == "shell iris-main against otto-main"


async def test_aiming_at_a_whole_by_mouse_leads_to_its_parts(sit):
    async with sit() as person:
        cells = person.app.map.sheet.chart

        async def click(label, times):
            x, y = person.app.map.sheet.corner(*cells.by_label[label])
            for _ in range(times):
                await person.pilot.click("#map", offset=(x + 3, y + 2))
                await person.settle()

        await click("0202", 2)
        assert person.app.chosen.thing == "iris"
        await click("0203", 2)
        assert person.app.chosen.target == "0203"
        row = listed(person).index("▸ shell a part of iris against otto-main (6)")
        await person.pilot.click("#choices", offset=(6, row))
        await person.settle()
        row = listed(person).index("  shell long-tom against otto-main")
        await person.pilot.click("#choices", offset=(6, row))
        await person.settle()
        assert person.log[0] == "shell long-tom against otto-main"


async def test_a_part_may_be_selected_by_itself(sit):
    async with sit() as person:
        await person.press("g")
        await person.type("iris-main")
        await person.press("enter")
        assert person.app.chosen.thing == "iris-main"
        assert person.app.map.cell.label == "0202"
        assert "▸ shell iris-main against a part of otto (4)" in listed(person)
        assert not [line for line in listed(person) if "sail" in line]


async def test_a_filter_finds_parts_by_name(sit):
    async with sit() as person:
        await person.press("2", "f")
        await person.type("long-tom against otto-main")
        assert listed(person) == ["shell long-tom against otto-main"]


async def test_the_screen_at_80_by_24_shows_the_part_list(sit):
    async with sit((80, 24)) as person:
        await person.press("g")
        await person.type("0203")
        await person.press("enter", "5")
        assert "secondary 3/4" in screen_text(person.app)


async def test_what_is_left_of_a_thing_stands_before_its_other_fields(sit):
    async with sit() as person:
        await person.press("g")
        await person.type("0203")
        await person.press("enter")
        told = str(person.app.query_one(HerePane).query_one("#here-text").render())
        assert told.index("hull:") < told.index("main 1/1") < told.index("secondary 3/4") < told.index("speed:")
