"""How events are read: moves folded, nothing twice, nothing that the input says already."""

from interpreter.inputs import Input
from tests.as_recorded import recorded
from ui.events import event_lines, log_lines


def moved(thing, how):
    return recorded("move", f"{thing} moves {how}.", "red")


def test_moves_along_one_way_share_a_line_and_others_do_not():
    events = [
        moved("a-1", "from 0101 to 0102"),
        moved("a-2", "from 0101 to 0102"),
        moved("a-3", "from 0101 to 0103"),
        recorded("note", "Contact.", "red"),
        moved("a-4", "from 0101 to 0103"),
    ]
    assert event_lines(events, "red") == [
        "a-1 and a-2 move from 0101 to 0102.",
        "a-3 moves from 0101 to 0103.",
        "Contact.",
        "a-4 moves from 0101 to 0103.",
    ]


def test_steps_of_one_way_share_a_line():
    steps = ["from 0101 to 0102", "from 0102 to 0103", "from 0103 to 0104"]
    events = [moved(thing, step) for step in steps for thing in ("a-1", "a-2")]
    assert event_lines(events, "red") == ["a-1 and a-2 move from 0101 by 0102 and 0103 to 0104."]


def test_a_way_that_is_broken_off_or_another_one_has_its_own_line():
    events = [
        moved("a-1", "from 0101 to 0102"),
        recorded("note", "Mines.", "red"),
        moved("a-1", "from 0102 to 0103"),
        moved("a-1", "from 0202 to 0203"),
        moved("a-2", "from 0203 to 0204"),
    ]
    assert event_lines(events, "red") == [
        "a-1 moves from 0101 to 0102.",
        "Mines.",
        "a-1 moves from 0102 to 0103.",
        "a-1 moves from 0202 to 0203.",
        "a-2 moves from 0203 to 0204.",
    ]


def test_of_a_long_way_the_last_places_are_told():
    events = [moved("a-1", f"from 01{n:02} to 01{n + 1:02}") for n in range(1, 10)]
    assert event_lines(events, "red") == ["a-1 moves from 0101 by …, 0104, 0105, 0106, 0107, 0108 and 0109 to 0110."]


def test_changes_of_one_sort_share_a_line():
    events = [recorded("change", f"{thing} is now seen.", "red") for thing in ("a-1", "a-2")]
    events.append(recorded("change", "a-3 is no longer seen.", "red"))
    assert event_lines(events, "red") == ["a-1 and a-2 are now seen.", "a-3 is no longer seen."]


def test_what_is_veiled_for_others_the_umpire_reads_as_it_is():
    events = [
        recorded("change", "a-1 is now seen.", "red", "umpire"),
        recorded("change", "base-r20 is now seen.", "red", "blue", (), {"veiled": True}),
    ]
    assert event_lines(events, "umpire") == ["a-1 is now seen."]
    assert event_lines(events, "blue") == ["base-r20 is now seen."]


def test_moves_that_a_side_may_not_read_are_not_folded_in():
    seen, hidden = moved("a-1", "to 0102"), recorded("move", "a-2 moves to 0102.", "red", "red")
    assert event_lines([seen, hidden], "blue") == ["a-1 moves to 0102."]
    assert event_lines([seen, hidden], "red") == ["a-1 and a-2 move to 0102."]


def test_the_umpire_reads_once_what_each_side_is_told_as_it_may_know():
    events = [
        recorded("choice", "red chooses guns: g-1.", "red", "red"),
        recorded("choice", "red chooses guns.", "red", "blue"),
    ]
    assert event_lines(events, "umpire") == ["red chooses guns: g-1."]
    assert event_lines(events, "blue") == ["red chooses guns."]
    alike = [recorded("note", "Rain.", "", side) for side in ("red", "blue")]
    assert event_lines(alike, "umpire") == ["Rain."]


def test_what_happens_twice_is_told_twice():
    assert event_lines([recorded("note", "A miss."), recorded("note", "A miss.")], "umpire") == ["A miss.", "A miss."]


class Said:
    """An entry of the log."""

    def __init__(self, given, *events):
        self.input = given
        self.events = events


def test_the_log_does_not_repeat_the_input():
    order = Said(
        Input("do", "red", "march a-1 to 0102"),
        recorded("order", "red: march a-1 to 0102.", "red"),
        moved("a-1", "to 0102"),
    )
    assert log_lines(order, "umpire") == ["a-1 moves to 0102."]
    done = Said(Input("do", "red", "done"), recorded("done", "red is done.", "red"), recorded("phase", "Combat."))
    assert log_lines(done, "red") == ["Combat."]
    assert log_lines(done, "blue") == ["red is done.", "Combat."]
    answer = Said(Input("answer", "red", "g-1", "guns"), recorded("choice", "red chooses guns: g-1.", "red"))
    assert log_lines(answer, "red") == []


def test_who_may_not_read_the_input_reads_the_event():
    secret = Said(Input("do", "red", "file a to march"), recorded("order", "red gives an order.", "red", "blue"))
    assert log_lines(secret, "blue") == ["red gives an order."]
