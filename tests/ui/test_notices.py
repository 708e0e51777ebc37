"""Notices over the panes: the results of an input, and no more than can be read."""

from types import SimpleNamespace

from tests.as_recorded import recorded
from ui.app.notices import brought_about


def told(*events):
    return brought_about(SimpleNamespace(happened=events), "red").splitlines()


def test_phases_are_told_only_where_nothing_else_is():
    phases = [recorded("done", "blue is done.", "blue"), recorded("phase", "Fire."), recorded("turn", "Turn 2.")]
    assert told(*phases, recorded("note", "a is removed.")) == ["a is removed."]
    assert told(*phases) == ["blue: done.", "Fire.", "Turn 2."]


def test_of_much_the_last_is_told_and_how_much_stood_before():
    notes = [recorded("note", f"Shot {n}.") for n in range(1, 12)]
    assert told(*notes) == ["… and 3 earlier lines; 4 shows all", *(f"Shot {n}." for n in range(4, 12))]


def test_the_card_of_a_battle_is_left_to_the_log_and_to_its_pane():
    fought = [
        recorded("note", "fox fires at ash: 11 or more."),
        recorded("roll", "red rolls 8 on 2d6 (die)."),
        recorded("note", "Missed."),
    ]
    card = recorded("story", "fox fires.", data={"rows": [], "roles": []})
    assert told(*fought, card) == [event.text for event in fought]
    assert told(recorded("phase", "Fire."), card) == ["Fire."]
