"""The app, played with the keyboard on the small game of tests/ui/fake.py."""

import attrs
import pytest
from textual.widgets import Input, OptionList

from tests.as_recorded import recorded
from tests.long import either
from tests.ui import fake
from tests.ui.drawing import same_as_kept, screen_text, text_of
from ui.app import pane_rack
from ui.app.actions import ACTIONS, bindings
from ui.app.battles_pane import BattlesPane
from ui.app.command_line import CommandLine
from ui.app.dialogs import HelpScreen, help_rows
from ui.app.orders_pane import OrdersPane
from ui.app.palette import CampaignCommands
from ui.app.pane_rack import PANES
from ui.app.panes import ForcesPane, HerePane, LogPane, WhyPane
from ui.app.seat_desk import Desk, Failed
from ui.app.ticks import TickList

SIZES = [(80, 24), (120, 40), (160, 50)]
ROOM = 6
"""So many panes fit on a wide screen."""
TOO_MANY = (
    f"a wide screen has room for {ROOM} panes: any other stands `instead_of` one of them (PANES in ui/app/pane_rack.py)"
)


def shown(app):
    return {pane.id for pane in PANES if app.query_one(f"#{pane.id}").display}


@pytest.mark.parametrize(
    ("size", "panes"),
    [
        ((80, 24), {"map"}),
        ((120, 40), {"map", "orders"}),
        ((160, 50), {"map", "orders", "forces", "log", "here", "why"}),
    ],
)
async def test_more_panes_on_a_wider_terminal(sit, size, panes):
    async with sit(size) as person:
        assert shown(person.app) == panes, TOO_MANY


async def test_a_resize_brings_panes_and_takes_them_away(sit):
    async with sit((80, 24)) as person:
        await person.pilot.resize_terminal(160, 50)
        await person.until(lambda: len(shown(person.app)) == ROOM)
        assert len(shown(person.app)) == ROOM, TOO_MANY
        await person.pilot.resize_terminal(80, 24)
        await person.until(lambda: shown(person.app) == {"map"})
        assert shown(person.app) == {"map"}


async def test_the_battles_stand_in_the_place_of_why_where_there_is_room_for_the_rest(sit):
    async with sit((160, 50)) as person:
        await person.press("b")
        assert shown(person.app) == {"map", "orders", "forces", "log", "here", "battles"}, TOO_MANY
        assert isinstance(person.app.focused, BattlesPane)
        await person.press("6")
        assert shown(person.app) == {"map", "orders", "forces", "log", "here", "why"}, TOO_MANY


@pytest.mark.parametrize("size", either(SIZES[::2], SIZES))
async def test_every_pane_has_its_number(sit, size):
    """The daily form tries the smallest and the largest screen, the long form the one between them as well."""
    async with sit(size) as person:
        for name, title in ((pane.id, pane.title) for pane in PANES):
            call = f"pane({name!r})"
            keys = [action.keys.split(",")[0] for action in ACTIONS if action.call == call]
            assert keys == [title[0]], (
                f"the pane {name} has no Action in ui/app/actions.py whose first key is {title[0]}"
            )
            await person.press(*keys)
            assert name in shown(person.app)
            assert len(shown(person.app)) <= ROOM, TOO_MANY
            pane = person.app.query_one(f"#{name}")
            focused = person.app.focused
            assert focused is pane or (focused is not None and pane in focused.ancestors), (
                f"the pane {name} does not get the focus: can it have it (can_focus), or does something in it (go_to of the rack)?"
            )


async def test_every_pane_is_shown_each_situation(sit, monkeypatch):
    async with sit((160, 50)) as person:
        seen = set()

        def noted(name, done):
            def show(*given):
                seen.add(name)
                done(*given)

            return show

        panes = {pane.id for pane in PANES} - {"why"}  # it is shown what was asked
        by_the_rack = [attrs.evolve(pane, show=noted(pane.id, pane.show)) if pane.show else pane for pane in PANES]
        monkeypatch.setattr(pane_rack, "PANES", by_the_rack)
        for pane in (person.app.query_one(f"#{x.id}") for x in PANES if x.show is None):
            monkeypatch.setattr(pane, "show", noted(pane.id, pane.show))
        await person.press("d")
        assert panes - seen == set(), "PANES (ui/app/pane_rack.py) do not say how it is shown a situation"


@pytest.mark.parametrize("size", SIZES)
async def test_the_screen_as_it_looks(sit, size):
    async with sit(size) as person:
        for _ in range(50):  # the footer fills itself in its own time
            if "Undo" in screen_text(person.app):
                break
            await person.pilot.pause(0.1)
        same_as_kept(f"screen-{size[0]}x{size[1]}", screen_text(person.app))


@pytest.mark.parametrize("zoom", ["far", "middle", "near"])
async def test_the_map_as_it_looks(sit, zoom):
    async with sit((100, 52)) as person:
        await person.press(*{"far": ["t", "minus"], "middle": [], "near": ["plus"]}[zoom])
        same_as_kept(f"map-{zoom}", text_of(person.app.map))


async def test_far_away_without_colour_every_hex_has_its_letter(sit):
    async with sit((100, 30)) as person:
        await person.press("minus")
        lines = text_of(person.app.map).splitlines()
        assert [line.rstrip() for line in fake.ROWS.splitlines()[7:10]] == [
            line[::2].replace(" ", ".").replace("S", ".").ljust(12, ".")[:12] for line in lines[7:10]
        ]  # rows 8 to 10: no counter but S in 1007 above them


async def test_a_map_wider_than_the_window_scrolls_with_the_cursor(sit):
    async with sit((80, 24)) as person:
        await person.press("plus")
        assert "1208" not in text_of(person.app.map)
        await person.press("g")
        await person.type("1208")
        await person.press("enter")
        assert "1208" in text_of(person.app.map)
        assert person.app.map.cell.label == "1208"


async def test_the_mouse_puts_the_cursor_on_the_hex_it_points_at(sit):
    async with sit((80, 24)) as person:
        await person.pilot.click("#map", offset=(9, 6))  # middle size: third column, its fourth row
        assert person.app.map.cell.label == "0304"


async def test_select_a_unit_and_give_it_an_order(sit):
    async with sit() as person:
        await person.press("g")
        await person.type("n-2")
        await person.press("enter")
        assert person.app.chosen.thing == "n-2"
        assert person.app.map.sheet.marked == {"0203", "0204", "0303", "0305", "0403", "0404"}
        await person.press("enter")
        choices = person.app.query_one("#choices", OptionList)
        assert person.app.focused is choices
        assert [str(choices.get_option_at_index(n).prompt) for n in range(choices.option_count)] == [
            *(f"move n-2 to {label}" for label in ("0203", "0204", "0303", "0305", "0403", "0404")),
            "dig-in n-2",
        ]
        await person.press("down", "enter")
        assert person.log == ["move n-2 to 0204"]
        assert person.app.map.sheet.chart.at("0204").things[0].id == "n-2"


async def test_point_at_a_target_to_see_only_orders_there(sit):
    async with sit() as person:
        person.app.go_to("n-1")
        person.app.map.go_to("0406")
        await person.press("enter", "enter")
        assert person.log == ["attack 0406 with n-1"]


async def test_from_the_map_to_an_order_and_back(sit):
    """A player who orders one unit after the other from the map need not go back there each time."""
    async with sit(size=(80, 24)) as person:
        person.app.go_to("n-2")
        person.app.map.go_to("0204")
        await person.press("enter")
        assert not person.app.map.display
        await person.press("enter")
        assert person.log == ["move n-2 to 0204"]
        assert person.app.map.display
        assert person.app.focused is person.app.map


async def test_whoever_went_to_the_list_stays_there(sit):
    async with sit(size=(80, 24)) as person:
        await person.press("2", "enter")
        assert len(person.log) == 1
        assert person.app.orders.display
        assert not person.app.map.display


async def test_a_click_selects_a_unit_and_the_next_its_target(sit):
    async with sit() as person:
        chart = person.app.map.sheet.chart

        async def click(label):
            x, y = person.app.map.sheet.corner(*chart.by_label[label])
            await person.pilot.click("#map", offset=(x + 3, y + 2))
            await person.settle()

        await click("0303")  # nobody is there
        assert person.app.chosen.thing == ""
        await click(next(one.place for one in person.app.situation.view.things if one.id == "n-1"))
        assert person.app.chosen.thing == "n-1"
        assert person.app.focused is person.app.map
        await click("0406")
        assert person.app.chosen.target == "0406"
        assert "Orders that name n-1 and 0406" in screen_text(person.app)
        assert person.log == []


async def test_what_is_selected_and_has_nothing_to_do_is_said(sit):
    async with sit() as person:
        person.app.go_to("n-2")
        await person.order("dig-in n-2")
        await person.order("move n-2 to 0204")
        told = screen_text(person.app)
        assert "Orders that name n-2" not in told
        assert "No orders for n-2 now; all are listed" in told


async def test_space_goes_through_a_stack(sit):
    async with sit() as person:
        person.app.map.go_to("0304")
        await person.press("space")
        assert person.app.chosen.thing == "n-3"  # the strongest first
        await person.press("space")
        assert person.app.chosen.thing == "n-2"
        await person.press("escape")
        assert person.app.chosen.thing == ""


async def test_the_next_unit_is_one_with_orders(sit):
    async with sit(seat="north") as person:
        await person.press("n", "n")
        assert person.app.chosen.thing == "n-1"


async def test_a_question_is_answered_from_the_list(sit):
    async with sit() as person:
        await person.order("attack 0406 with n-1")
        assert person.app.focused is person.app.query_one("#choices")  # the question was brought up
        await person.press("down", "enter")
        assert person.log == ["fall-back", "attack 0406 with n-1"]


async def test_the_answer_to_the_only_question_needs_no_name(sit):
    async with sit() as person:
        await person.order("attack 0406 with n-1")
        await person.order("answer fall-back")
        assert person.log == ["fall-back", "attack 0406 with n-1"]
        assert person.app.desk.campaign.log()[0].input.subject == "reply"


async def test_what_is_typed_while_a_command_is_carried_out_stays(sit):
    async with sit() as person:
        line = person.app.query_one("#line", Input)
        line.focus()
        line.value = "attack 0406 with n-1"
        await line.action_submit()  # the next key comes before anybody has looked at the command
        line.insert_text_at_cursor("answer fall-back")
        await person.settle()
        assert person.log == ["attack 0406 with n-1"]
        assert line.value == "answer fall-back"


async def test_who_went_to_the_line_stays_there_also_when_a_question_had_brought_up_the_list(sit):
    async with sit() as person:
        person.app.map.focus()
        person.app.give("attack 0406 with n-1")
        await person.settle()
        assert person.app.focused is person.app.query_one("#choices")
        await person.press("escape", "c")
        await person.type("answer reply with fall-back")
        await person.press("enter")
        assert person.log == ["fall-back", "attack 0406 with n-1"]
        assert person.app.focused is person.app.query_one("#line", Input)


async def test_advance_gives_what_is_the_only_thing_possible(sit, monkeypatch):
    async with sit(seat="umpire") as person:
        await person.press("v")
        assert person.notices == ["Somebody must decide first.\nhint: 2 shows what the game is waiting for."]
        assert person.log == []
        legal = fake.Game.legal
        monkeypatch.setattr(
            fake.Game, "legal", lambda game, side, *most: ["done"] if side == "north" else legal(game, side, *most)
        )
        await person.press("v")
        assert person.log == ["done"]


async def test_the_app_says_what_the_order_under_the_cursor_is_for(sit, monkeypatch):
    orders = fake.Awaited(
        "orders", "north", "movement", "Move.", ("move", "dig-in", "attack"), titles={"dig-in": "Entrench for good"}
    )
    monkeypatch.setattr(fake.Game, "awaiting", property(lambda game: (orders,)))
    async with sit() as person:
        await person.press("2")
        shown = []
        for _ in range(12):
            shown.append(
                (person.app.query_one("#choices").highlighted_option.said, str(person.app.query_one("#rest").content))
            )
            await person.press("down")
        assert {said.split()[0]: "Entrench" in rest for said, rest in shown} == {
            "dig-in": True,
            "move": False,
            "attack": False,
        }


async def test_a_question_with_several_answers_is_ticked(sit):
    async with sit() as person:
        for text in ("move n-2 to 0305", "done", "done", "move n-2 to 0405", "attack 0406 with n-1"):
            await person.order(text)
        await person.press("enter")
        ticks = person.app.query_one("#ticks", TickList)
        assert person.app.focused is ticks
        await person.press("space", "f2")
        assert person.log[:2] == ["n-2", "stand"]


async def test_a_question_for_each_of_several_things_takes_one_answer_for_each(sit, monkeypatch):
    each = fake.Awaited(
        "question",
        "north",
        "firing",
        "Choose.",
        ("a X", "a Y", "b X", "b Y"),
        4,
        "each",
        named=tuple((x, y) for x in "ab" for y in "XY"),
    )
    monkeypatch.setattr(fake.Game, "awaiting", property(lambda game: (each,)))
    async with sit() as person:
        ticks = person.app.query_one("#ticks", TickList)
        assert ticks.ticked == {"a X", "b X"}
        await person.press("2", "down", "space")
        assert ticks.ticked == {"a Y", "b X"}
        assert "[ ] a X" in screen_text(person.app)
        assert "[x] a Y" in screen_text(person.app)


async def test_dice_are_typed_into_the_command_line(sit):
    async with sit(dice="typed") as person:
        await person.order("attack 0406 with n-1")
        await person.press("enter")
        assert person.app.query_one("#line", Input).value == "roll "
        await person.type("5")
        await person.press("enter")
        assert person.log[0] == "5"


async def test_a_refusal_shows_reason_rule_and_hint(sit):
    async with sit() as person:
        await person.order("move n-1 to 0999")
        assert person.notices == [
            "'move n-1 to 0999' is no legal command now.\nrule: FAKE-3\nhint: See the legal commands."
        ]
        assert person.log == []


async def test_a_command_that_was_refused_can_be_brought_back_and_corrected(sit):
    """It was gone, and had to be typed again."""
    async with sit() as person:
        await person.order("move n-1 to 0999")
        await person.order("dig-in n-9")
        await person.press("d", "up", "up", "up", "down", "down", "down")
        line = person.app.query_one(CommandLine)
        assert line.value == "d", "what was being typed is there again"
        await person.press("up", "up")
        assert line.value == "move n-1 to 0999"
        await person.press("down", "backspace", "1", "enter")
        assert (person.log, line.value) == (["dig-in n-1"], "")
        await person.press("up")
        assert line.value == "dig-in n-1"


async def test_the_log_ends_with_what_happened_before_the_first_entry(sit, monkeypatch):
    opening = (recorded("phase", "Turn 1."), recorded("note", "Snow in the passes."))
    monkeypatch.setattr(fake.Game, "opening", opening, raising=False)
    async with sit() as person:
        log = person.app.query_one(LogPane)
        assert str(log.get_option_at_index(0).prompt).split() == [
            "0",
            "the",
            "game",
            "begins",
            "Turn",
            "1.",
            "Snow",
            "in",
            "the",
            "passes.",
        ]
        await person.order("dig-in n-1")
        assert "the game begins" in str(log.get_option_at_index(1).prompt)
        await person.press("escape", "4", "end", "enter")
        assert "Entry 0: the game begins" in screen_text(person.app)


async def test_undo_and_redo(sit):
    async with sit() as person:
        await person.order("dig-in n-1")
        await person.press("escape", "u")
        assert person.log == []
        assert "x N dig-in n-1" in str(person.app.query_one(LogPane).get_option_at_index(0).prompt)
        await person.press("r")
        assert person.log == ["dig-in n-1"]
        await person.press("r")
        assert person.notices[-1].startswith("There is nothing to redo.")


async def test_why_shows_the_explanation_of_a_value(sit):
    async with sit() as person:
        person.app.go_to("n-1")
        await person.press("w")
        assert person.app.query_one("#question", Input).value == "strength of n-1"
        offered = person.app.query_one("#because", OptionList)
        shown = [str(offered.get_option_at_index(n).prompt).strip() for n in range(offered.option_count)]
        assert shown[0] == "You can ask, for example:"
        assert shown[-2:] == ["reach of n-1", "n-1 is spent"]  # what the rules work out stands behind the fields
        await person.press("enter")
        because = person.app.query_one("#because", OptionList)
        assert because.option_count == 4
        assert "strength of n-1 = 24 [FAKE-19]" in screen_text(person.app)
        await person.press("enter")  # folds
        assert because.option_count == 1


async def test_why_of_a_unit_without_a_number_shows_what_can_be_asked(sit, monkeypatch):
    view = fake.Game.view

    def bare(game, side):
        found = view(game, side)
        things = [attrs.evolve(one, fields={"arm": "armor", "dug-in": "no"}) for one in found.things]
        return attrs.evolve(found, things=tuple(things))

    monkeypatch.setattr(fake.Game, "view", bare)
    monkeypatch.setattr(fake.Game, "explain", lambda _game, said, _side: fake.Explanation(said, "armor"))
    async with sit() as person:
        person.app.go_to("n-3")
        await person.press("w")
        assert all(
            line in screen_text(person.app) for line in ("You can ask, for example:", "arm of n-3", "dug-in of n-3")
        )
        await person.press("enter", "enter")
        assert "arm of n-3 = armor" in screen_text(person.app)


async def test_why_with_nothing_selected_says_what_can_be_asked(sit):
    async with sit() as person:
        await person.press("w", "enter")
        assert "Type a value, such as `place of UNIT`" in screen_text(person.app)


async def test_the_log_explains_an_entry(sit):
    async with sit() as person:
        await person.order("dig-in n-1")
        await person.press("escape", "4", "enter")
        assert "Entry 1: north orders dig-in n-1" in screen_text(person.app)


async def test_why_of_nonsense_is_refused_and_leaves_the_app_running(sit):
    async with sit() as person:
        await person.press("w")
        await person.type("x")
        await person.press("enter")
        assert person.notices[0].startswith("There is nothing called 'x'.")


async def test_done_and_the_other_side(sit):
    async with sit() as person:
        await person.press("d")
        assert "South's turn" in screen_text(person.app)
        assert person.app.orders.awaited.side == "south"


async def test_a_sides_seat_sees_and_does_only_its_own(sit):
    async with sit(seat="south") as person:
        assert "n-4" not in screen_text(person.app)
        assert "The game is not waiting for this seat." in screen_text(person.app)
        await person.press("s")
        assert person.app.desk.seat == "south"
        assert person.notices[0].startswith("You cannot leave the seat of a side.")
        await person.order("dig-in n-1")
        assert person.log == []


async def test_a_sides_seat_takes_back_its_own_inputs_only(sit):
    async with sit(seat="south") as person:
        desk = person.app.desk
        umpire = Desk(desk.campaign, "umpire")
        umpire.give("dig-in n-1", "north")
        with pytest.raises(Failed, match="You cannot undo anything now"):
            desk.undo()
        assert desk.campaign.head == 1
        own = Desk(desk.campaign, "north")
        assert [event.text for event in own.undo().happened] == ["north takes back dig-in n-1."]
        assert "n-1" not in own.campaign.game.dug
        with pytest.raises(Failed, match="You cannot redo anything now"):
            desk.redo()
        own.redo()
        assert "n-1" in own.campaign.game.dug
        with pytest.raises(Failed, match="You cannot redo anything now"):
            own.redo()
        assert "Undone: north: dig-in n-1." in [event.text for event in umpire.undo().happened]


async def test_the_umpire_looks_through_the_eyes_of_each_side(sit):
    async with sit((160, 50)) as person:
        await person.press("s", "s")
        assert "South's seat" in screen_text(person.app)
        assert "n-4" not in screen_text(person.app)
        await person.press("s")
        assert "umpire's seat" in screen_text(person.app)


async def test_a_game_that_is_over_says_so_and_takes_no_orders(sit):
    async with sit(turns=1) as person:
        await person.press("d", "d")
        assert "The game is over" in screen_text(person.app)
        assert "The days are over." in screen_text(person.app)
        await person.press("enter")  # the window says it until it is closed
        assert "the game is over. The days are over." in screen_text(person.app)
        await person.press("d", "n")
        assert person.log == ["done", "done"]


async def test_the_cursor_goes_along_with_the_selected_unit(sit):
    async with sit() as person:
        person.app.go_to("n-2")
        await person.order("move n-2 to 0204")
        assert person.app.map.cell.label == "0204"


async def test_a_fault_of_the_machine_is_said_and_leaves_the_app_running(sit, monkeypatch):
    async with sit() as person:
        monkeypatch.setattr(fake.Game, "ordered", lambda *given: 1 / 0)
        await person.order("dig-in n-1")
        assert "This is a fault in ophex: ZeroDivisionError" in person.notices[0]
        assert person.app.is_running


async def test_the_forces_lead_to_their_place(sit):
    async with sit() as person:
        await person.press("3", "down", "down", "down", "enter")
        assert person.app.chosen.thing == "n-2"
        assert person.app.map.cell.label == "0304"


async def test_the_filter_narrows_the_orders(sit):
    async with sit() as person:
        await person.press("2", "f")
        await person.type("dig-in n-h")
        await person.press("enter", "enter")
        assert person.log == ["dig-in n-hq"]


async def test_help_lists_every_key(sit):
    async with sit((80, 24)) as person:
        await person.press("question_mark")
        assert isinstance(person.app.screen, HelpScreen)
        await person.press("escape")
        assert not isinstance(person.app.screen, HelpScreen)
    assert {action.help for action in ACTIONS} <= {text for _, text in help_rows()}


async def test_every_binding_has_an_id_a_tooltip_and_an_entry_in_the_palette(sit):
    for pane in (OrdersPane, TickList, ForcesPane, LogPane, HerePane, WhyPane):
        for binding in pane.BINDINGS if "BINDINGS" in vars(pane) else ():
            assert binding.id
            assert binding.tooltip
    async with sit() as person:
        provider = CampaignCommands(person.app.screen)
        entries = {hit.display: hit.help async for hit in provider.discover()}
        for binding in (*bindings("app"), *bindings("map")):
            assert binding.id
            assert binding.tooltip in entries.values()


async def test_every_action_runs_from_the_palette(sit):
    async with sit() as person:
        for action in ACTIONS:
            person.app.run_named(action)
            await person.settle()
            assert person.app.is_running
            if len(person.app.screen_stack) > 1:
                await person.press("escape")


async def test_the_palette_finds_an_order_after_many_others(sit, monkeypatch):
    monkeypatch.setattr("ui.app.palette.MOST_ORDERS", 1)
    async with sit() as person:
        orders = [one.text for commands in person.app.situation.legal.values() for one in commands]
        provider = CampaignCommands(person.app.screen)
        hits = [hit async for hit in provider.search(orders[-1].upper())]
        assert any(f"order: {orders[-1]}" in str(hit.match_display) for hit in hits)


async def test_the_palette_finds_units_places_and_orders(sit):
    async with sit() as person:
        provider = CampaignCommands(person.app.screen)
        hits = [hit async for hit in provider.search("dig-in n-1")]
        assert any("order: dig-in n-1" in str(hit.match_display) for hit in hits)
        hits = [hit async for hit in provider.search("Aldern")]
        hits[0].command()
        assert person.app.map.cell.label == "0306"


def test_the_desk_says_no_in_words(tmp_path):
    with fake.new(tmp_path / "x.ophex") as campaign:
        desk = Desk(campaign, "south")
        with pytest.raises(Failed, match="gives orders now"):
            desk.give("dig-in n-1", "south")
        with pytest.raises(Failed, match="You cannot undo anything now"):
            desk.undo()


async def test_the_umpire_rules_from_the_command_line(sit):
    async with sit() as person:
        await person.order('override strength of n-1 = 4 because "counted wrong"')
        assert person.log == ["strength of n-1 = 4"]
        shown_log = person.app.query_one(LogPane).get_option_at_index(0).prompt
        assert "override strength of n-1 = 4 because" in str(shown_log)
        await person.press("escape", "u")
        assert person.log == []


async def test_a_sides_seat_cannot_override(sit):
    async with sit(seat="north") as person:
        await person.order('override strength of n-1 = 4 because "counted wrong"')
        assert person.log == []
        assert any("Only the umpire" in notice for notice in person.notices)


async def test_what_was_pressed_in_a_list_that_has_changed_since_gives_no_other_order(sit):
    async with sit() as person:
        pane = person.app.query_one("#orders", OrdersPane)
        choices = pane.query_one("#choices", OptionList)
        stale = choices.get_option_at_index(0)
        pane.narrow((frozenset({"n-4"}),))
        assert str(stale.prompt) not in [one.text for one in pane._shown]
        choices.post_message(OptionList.OptionHighlighted(choices, stale, 0))
        choices.post_message(OptionList.OptionSelected(choices, stale, 0))
        await person.pilot.pause()
        assert person.log == []


async def test_half_a_typed_command_is_forgotten_on_escape(sit):
    async with sit(seat="north") as person:
        await person.press("c", *"dig", "escape", "c")
        assert person.app.query_one("#line", Input).value == ""
        await person.order("dig-in n-1")
        assert person.log == ["dig-in n-1"]


async def test_a_campaign_that_cannot_be_written_says_so_in_the_app(sit, monkeypatch):
    monkeypatch.setattr("campaigns.file.store.may_write", lambda _path: False)
    async with sit(seat="north") as person:
        assert person.notices[0].startswith("The campaign is read-only: you can look at it")
        await person.order("dig-in n-1")
        assert person.log == []
        assert "cannot be written" in person.notices[-1]
