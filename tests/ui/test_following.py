"""The app follows other sessions: nothing moves on the screen, and nothing reveals what the seat may not know."""

import gc
from weakref import WeakSet

import pytest
from textual.widgets import Input, OptionList
from textual.widgets._footer import FooterKey

from campaigns.play.campaign import Campaign
from campaigns.play.starting import create_campaign, open_campaign
from interpreter.messages.inputs import Input as Given
from tests.interpreter.rulebook import KIT
from tests.ui import fake
from tests.ui.drawing import screen_text
from ui.app.hexmap import HexMap
from ui.app.panes import ForcesPane, HerePane, LogPane
from ui.app.seat_desk import Desk, Failed
from ui.app.ticks import TickList


async def elsewhere(person, *given, follow=True):
    """Another process gives something, and the app follows, as it does every two seconds."""
    with Campaign.open(person.app.desk.campaign.path, fake.start) as other:
        told = [other.offer(one if isinstance(one, fake.Input) else fake.Input("do", *one)) for one in given]
    if follow:
        person.app.follow()
        await person.settle()
    return [event for events in told for event in events]


def lit(person, which="#choices"):
    found = person.app.query_one(which, OptionList)
    return "" if found.highlighted_option is None else str(found.highlighted_option.prompt)


async def test_another_sessions_input_is_followed(sit):
    async with sit(seat="south") as person:
        head = person.app.situation.number
        person.app.follow()
        await person.settle()
        assert person.app.situation.number == head, "nothing has happened"
        told = await elsewhere(person, ("north", "dig-in n-1"))
        assert person.log == ["dig-in n-1"]
        assert [e.text for e in person.app.situation.happened] == [e.text for e in told if e.to in {"all", "south"}]


async def test_the_lit_order_stays_lit_and_is_the_one_that_is_given(sit):
    async with sit(seat="north") as person:
        await person.press("2", *["down"] * 7)
        meant = lit(person)
        assert meant == person.listed[7]
        await elsewhere(person, ("north", person.listed[0]), ("north", "dig-in n-2"))
        assert lit(person) == meant
        await person.press("enter")
        assert person.log[0] == meant


async def test_where_the_lit_order_is_gone_enter_gives_nothing(sit):
    async with sit(seat="north") as person:
        await person.press("2", "down")
        await elsewhere(person, ("north", lit(person)))
        assert lit(person) == ""
        await person.press("enter")
        assert len(person.log) == 1
        await person.press("down", "enter")
        assert len(person.log) == 2, "what is lit again can be given again"


async def test_what_was_lit_for_one_side_is_not_given_for_another(sit):
    async with sit() as person:
        await person.press("2", "end")
        assert lit(person) == "done"
        await elsewhere(person, ("north", "done"))
        assert person.app.orders.awaited.side == "south"
        await person.press("enter")
        assert person.log == ["done"]


async def test_the_filter_stays_and_what_is_scrolled_stays(sit):
    async with sit((80, 24), seat="north") as person:
        await person.press("2", "f")
        await person.type("move")
        await person.press("enter", "end")
        shown = person.app.query_one("#choices", OptionList)
        row = shown._index_to_line[shown.highlighted] - shown.scroll_offset.y
        meant = lit(person)
        await elsewhere(person, ("north", person.listed[0]))  # lines above are gone
        assert person.app.query_one("#filter", Input).value == "move"
        assert person.listed == [one.text for one in person.app.orders.commands if one.order == "move"]
        assert lit(person) == meant
        assert shown._index_to_line[shown.highlighted] - shown.scroll_offset.y == row


async def test_the_window_of_a_long_list_stays_where_it_is(sit):
    async with sit((80, 16), seat="north") as person:
        await person.press("2", "pagedown", "pagedown")
        shown = person.app.query_one("#choices", OptionList)
        before = shown.scroll_offset.y
        assert before
        await elsewhere(person, ("north", "dig-in n-5"))
        assert shown.scroll_offset.y == before


async def test_ticks_stay(sit):
    async with sit() as person:
        for text in ("move n-2 to 0305", "done", "done", "move n-2 to 0405", "attack 0406 with n-1", "answer stand"):
            await person.order(text)
        ticks = person.app.query_one("#ticks", TickList)
        await person.press("2", "space")
        assert ticks.ticked == {"n-2"}
        await elsewhere(person, fake.Input("override", "umpire", "strength of s-1 = 4", "counted wrong"))
        assert ticks.ticked == {"n-2"}
        assert lit(person, "#ticks") == "[x] n-2"
        await person.press("f2")
        assert person.log[0] == "n-2"


async def test_a_question_that_another_has_answered_is_not_answered_again(sit):
    async with sit() as person:
        await person.order("attack 0406 with n-1")
        question = person.app.orders.awaited
        await elsewhere(person, fake.Input("answer", "south", "stand", "reply"), follow=False)
        told = len(person.notices)
        person.app.orders.post_message(person.app.orders.Answered(question, "fall-back"))
        await person.until(lambda: len(person.notices) > told)
        assert person.log[0] == "stand"
        assert person.notices[-1] == "This question is no longer open.\nhint: 2 shows what the game is waiting for."


async def test_a_question_that_comes_up_takes_no_key_that_was_meant_for_something_else(sit):
    async with sit(seat="south") as person:
        await elsewhere(person, ("north", "attack 0406 with n-1"))
        assert person.app.focused is person.app.map
        assert any(notice.endswith("2 shows what the game is waiting for.") for notice in person.notices)
        assert lit(person) == ""
        await person.press("2", "enter")
        assert len(person.log) == 1
        await person.press("down", "enter")
        assert person.log[0] == "stand"


async def test_what_is_typed_stays(sit):
    async with sit(seat="south") as person:
        await person.press("c")
        await person.type("dig-in s-")
        await elsewhere(person, ("north", "attack 0406 with n-1"))
        line = person.app.query_one("#line", Input)
        assert (line.value, person.app.focused) == ("dig-in s-", line)


async def test_the_target_of_the_selected_unit_stays(sit):
    async with sit(seat="north") as person:
        person.app.go_to("n-1")
        person.app.map.go_to("0406")
        await person.press("enter")
        assert person.listed == ["attack 0406 with n-1"]
        await elsewhere(person, ("north", "dig-in n-2"))
        assert person.listed == ["attack 0406 with n-1"]


async def test_cursor_and_window_of_the_map_stay(sit):
    async with sit(seat="north") as person:
        person.app.go_to("n-2")
        await person.press("plus", "plus", "1")
        found = person.app.query_one("#map", HexMap)
        cell, window = found.cell.label, found.scroll_offset
        await elsewhere(person, ("north", "move n-2 to 0204"))
        assert (found.cell.label, found.scroll_offset) == (cell, window)


async def test_the_lit_entry_of_the_log_stays_while_somebody_reads_it(sit):
    async with sit((80, 16), seat="north") as person:
        for name in ("n-1", "n-2", "n-3", "n-4", "n-5", "n-hq"):
            await person.order(f"dig-in {name}")
        await person.press("escape", "4")
        log = person.app.query_one(LogPane)
        await elsewhere(person, ("north", "move n-1 to 0307"))
        assert log.highlighted_option.id == "6"
        await person.press("down", "down", "down", "down")
        before = log._index_to_line[log.highlighted] - log.scroll_offset.y
        await elsewhere(person, ("north", "done"))
        assert log.highlighted_option.id == "2"
        assert log._index_to_line[log.highlighted] - log.scroll_offset.y == before


async def test_who_does_not_read_the_log_sees_its_newest_entry(sit):
    async with sit((160, 50), seat="north") as person:
        await elsewhere(person, ("north", "dig-in n-1"), ("north", "dig-in n-2"))
        log = person.app.query_one(LogPane)
        assert (log.highlighted_option.id, log.scroll_offset.y) == ("2", 0)


async def test_the_lit_line_of_the_forces_stays(sit):
    async with sit(seat="south") as person:
        await person.press("3", "end", "up")
        forces = person.app.query_one(ForcesPane)
        meant = forces.cursor_node.data
        await elsewhere(person, ("north", "dig-in n-1"), ("north", "dig-in n-2"))
        assert forces.cursor_node.data == meant
        assert forces.cursor_line == forces.cursor_node.line


async def test_where_the_lit_line_of_the_forces_is_gone_enter_goes_nowhere(sit, monkeypatch):
    async with sit(seat="north") as person:
        await person.press("3", "down", "down", "down")
        forces = person.app.query_one(ForcesPane)
        gone = forces.cursor_node.data
        view = fake.Game.view

        def without(game, side):
            game.places.pop(gone, None)
            return view(game, side)

        monkeypatch.setattr(fake.Game, "view", without)
        await person.press("f5")
        assert forces.cursor_line == -1
        await person.press("enter")
        assert person.app.chosen.thing == ""


async def test_the_pane_of_the_hex_stays_scrolled(sit):
    async with sit((80, 16), seat="north") as person:
        person.app.go_to("n-2")
        await person.press("5", "pagedown")
        here = person.app.query_one(HerePane)
        before = here.scroll_offset.y
        assert before
        await elsewhere(person, ("north", "dig-in n-3"))
        assert here.scroll_offset.y == before


async def test_a_screen_changes_only_when_what_the_seat_may_see_does(sit):
    async with sit((160, 50), seat="south") as person:
        await person.press("2")
        number, screen = person.app.situation.number, screen_text(person.app)
        await elsewhere(person, ("north", "move n-4 to 0503"))  # n-4 is hidden from south, and so is its move
        assert person.app.desk.campaign.head == 1
        assert person.app.situation.number == number
        assert screen_text(person.app) == screen
        await elsewhere(person, ("north", "dig-in n-1"))
        assert person.app.situation.number > number


async def test_an_order_that_is_legal_still_is_taken_though_another_came_before_it(sit):
    async with sit(seat="north") as person:
        await elsewhere(person, ("north", "dig-in n-1"), follow=False)
        await person.order("dig-in n-2")
        assert person.log == ["dig-in n-2", "dig-in n-1"]
        assert person.notices == ["n-2 digs in."]


TWO_DICE = """
order raid of u (a regiment):
  given by side of u
  side of u rolls 1d6 as first-die
  side of u rolls 1d6 as second-die
  strength of u becomes first-die
order rest of u (a regiment):
  given by side of u
  u becomes tired
order sleep of u (a regiment):
  given by side of u
  u becomes tired
sequence game-turn:
  for each s in turn-order, as active:
    phase raids:
      active may raid, rest
    phase rests:
      active may sleep, rest
"""


@pytest.fixture
def two(tmp_path):
    """A desk, and another session of the same campaign, whose dice are typed."""
    (tmp_path / "raids").mkdir()
    (tmp_path / "raids" / "raids.rules").write_text(f"{KIT}\n{TWO_DICE}", encoding="utf-8")
    create_campaign(tmp_path / "c.ophex", f"{tmp_path / 'raids'}/meeting", seed=1, dice="typed").close()
    with open_campaign(tmp_path / "c.ophex") as mine, open_campaign(tmp_path / "c.ophex") as other:
        desk = Desk(mine, "umpire")
        desk.look()
        assert other.head == 0
        yield desk, other


def test_dice_that_another_has_typed_before_are_not_taken_for_the_next_ones(two):
    """A die typed for the first roll, which another session had already answered, was given to the second."""
    desk, other = two
    desk.give("raid a", "blue")
    other.refresh()
    other.offer(Given("roll", "umpire", "5"))
    with pytest.raises(Failed, match="The game went on before this was accepted"):
        desk.give("roll 3", "umpire")
    assert [one.name for one in desk.campaign.game.awaiting] == ["second-die"]
    desk.give("roll 3", "umpire")
    assert desk.campaign.game.explain("strength of a").value == "5"


def test_what_was_meant_for_one_phase_is_not_given_in_the_next(two):
    desk, other = two
    other.offer(Given("do", "blue", "done"))
    with pytest.raises(Failed, match="The game went on before this was accepted"):
        desk.give("rest a", "blue")
    assert desk.campaign.head == 1


def test_an_order_for_this_phase_is_given_again_in_its_turn(two):
    desk, other = two
    other.offer(Given("do", "blue", "rest b"))
    desk.give("rest a", "blue")
    assert [one.input.text for one in desk.campaign.log()] == ["rest a", "rest b"]


async def test_undo_says_the_same_whether_there_is_nothing_or_another_side_was_at_it_in_secret(sit):
    async with sit(seat="south") as person:
        await person.press("u")
        await elsewhere(person, ("north", "move n-4 to 0503"), follow=False)
        await person.press("u")
        await person.press("r")
        nothing, secret, again = person.notices
        assert nothing == secret
        assert nothing.startswith("You cannot undo anything now.")
        assert again.startswith("You cannot redo anything now.")
        assert len(person.log) == 1


@pytest.fixture
def only_new_garbage():
    """What earlier tests have kept is not looked through for garbage: it is much."""
    gc.freeze()
    yield
    gc.unfreeze()


async def test_keys_of_the_footer_do_not_pile_up(sit, monkeypatch, only_new_garbage):
    made = WeakSet()
    begin = FooterKey.__init__

    def counted(key, *given, **named):
        made.add(key)
        begin(key, *given, **named)

    def alive():
        gc.collect()
        return len(made)

    monkeypatch.setattr(FooterKey, "__init__", counted)

    async with sit() as person:
        await person.press("f5", "2", "1", "c", "escape")  # now the footer has shown all that it can show
        before = alive()
        assert before > 0
        for keys in (("f5", "2", "1", "c", "escape"), ("f5", "2", "1", "c", "escape"), ("f5", "f5", "f5")):
            await person.press(*keys)
            await person.until(lambda: alive() <= before)
            assert alive() <= before
