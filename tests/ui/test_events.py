"""How events are shown: moves folded, no repetition, nothing that the input already says."""

import pytest

from interpreter.messages.happening import Happening
from interpreter.messages.happenings import DeadlinePassed, FieldChanged, StoryEnded, ThingMoved
from interpreter.messages.inputs import Input, told
from interpreter.messages.recorded_events import UNTOLD, with_names
from interpreter.messages.sentences import sentence_of
from interpreter.messages.story_parts import StoryRow
from tests.as_recorded import recorded
from ui.wording.events import event_lines, log_lines
from ui.wording.spoken import in_words


@pytest.fixture(params=["told just now", "read from a record"], autouse=True)
def read(request, monkeypatch):
    """Each event as it was just told, or as a record has it: what a thing is called stands in its sentence alone."""
    monkeypatch.setattr(f"{__name__}.IS_READ", request.param == "read from a record")


IS_READ = False


def event(what, to="all"):
    made = told(what, "red", to)
    return recorded(made.kind, made.text, "red", to, (), made.data) if IS_READ else made


def moved(thing, start, *others, to="all"):
    return event(ThingMoved(thing, (start, *others), thing), to)


def marked(thing, value="yes", to="all", **more):
    was = "no" if value == "yes" else "yes"
    return event(FieldChanged((thing,), "seen", value, was, (thing,), is_mark=True, **more), to)


def test_a_deadline_for_a_question_and_for_orders_is_told():
    events = [
        event(DeadlinePassed(question="goes-to", title="Kafers")),
        event(DeadlinePassed(title="Kafers", then="standing instructions give an order")),
        event(DeadlinePassed(title="Kafers")),
    ]
    assert event_lines(events, "umpire") == [
        "Kafers did not choose goes-to: standing instructions do.", "Kafers: standing instructions give an order.", "The umpire closes the orders of Kafers.",
    ]  # fmt: skip


@pytest.mark.parametrize("question", [None, "goes-to"])
@pytest.mark.parametrize("then", ["", "standing instructions give an order"])
def test_who_acts_for_an_absent_side_is_read_back_from_the_record(question, then):
    acts = DeadlinePassed(question=question, title="Kafers", then="" if question else then, by="The umpire")
    read = with_names(DeadlinePassed(question=question), sentence_of(acts))
    assert (read.title, read.by, read.then) == (acts.title, acts.by, acts.then)
    assert "deadline" not in sentence_of(acts)


def test_moves_along_one_way_share_a_line_and_others_do_not():
    events = [
        moved("a-1", "0101", "0102"),
        moved("a-2", "0101", "0102"),
        moved("a-3", "0101", "0103"),
        recorded("note", "Contact.", "red"),
        moved("a-4", "0101", "0103"),
    ]
    assert event_lines(events, "red") == [
        "a-1 and a-2 move from 0101 to 0102.",
        "a-3 moves from 0101 to 0103.",
        "Contact.",
        "a-4 moves from 0101 to 0103.",
    ]


def test_steps_of_one_way_share_a_line():
    steps = [("0101", "0102"), ("0102", "0103"), ("0103", "0104")]
    events = [moved(thing, *step) for step in steps for thing in ("a-1", "a-2")]
    assert event_lines(events, "red") == ["a-1 and a-2 move from 0101 via 0102 and 0103 to 0104."]


def test_a_way_that_is_broken_off_or_another_one_has_its_own_line():
    events = [
        moved("a-1", "0101", "0102"),
        recorded("note", "Mines.", "red"),
        moved("a-1", "0102", "0103"),
        moved("a-1", "0202", "0203"),
        moved("a-2", "0203", "0204"),
    ]
    assert event_lines(events, "red") == [
        "a-1 moves from 0101 to 0102.",
        "Mines.",
        "a-1 moves from 0102 to 0103.",
        "a-1 moves from 0202 to 0203.",
        "a-2 moves from 0203 to 0204.",
    ]


def test_of_a_long_way_the_last_places_are_told():
    events = [moved("a-1", f"01{n:02}", f"01{n + 1:02}") for n in range(1, 10)]
    assert event_lines(events, "red") == ["a-1 moves from 0101 via …, 0104, 0105, 0106, 0107, 0108 and 0109 to 0110."]


def test_changes_of_one_sort_share_a_line():
    events = [marked("a-1"), marked("a-2"), marked("a-3", "no")]
    assert event_lines(events, "red") == ["a-1 and a-2 are now seen.", "a-3 is no longer seen."]


def test_a_mark_of_many_things_at_once_names_some_of_them():
    """Twelve are still named one by one; a week of the big game began with two lines of thirty names."""
    some = [marked(f"a-{n}") for n in range(1, 13)]
    assert event_lines(some, "red")[0].endswith(" a-10, a-11 and a-12 are now seen.")
    many = [*some, marked("a-13")]
    assert event_lines(many, "red") == ["a-1, a-2, a-3, a-4, a-5, a-6, a-7, a-8, a-9, a-10 and 3 others are now seen."]


def test_what_is_veiled_for_others_the_umpire_reads_as_it_is():
    events = [
        marked("a-1", to="umpire"),
        marked("base-r20", to="blue", veiled=True),
    ]
    assert event_lines(events, "umpire") == ["a-1 is now seen."]
    assert event_lines(events, "blue") == ["base-r20 is now seen."]


def test_moves_that_a_side_may_not_read_are_not_folded_in():
    seen, hidden = moved("a-1", "", "0102"), moved("a-2", "", "0102", to="red")
    assert event_lines([seen, hidden], "blue") == ["a-1 moves to 0102."]
    assert event_lines([seen, hidden], "red") == ["a-1 and a-2 move to 0102."]


def test_the_umpire_reads_once_what_each_side_is_told_as_it_may_know():
    events = [
        recorded("choice", "red chooses guns: g-1.", "red", "red", data={"name": "guns"}),
        recorded("choice", "red chooses guns.", "red", "blue", data={"name": "guns"}),
    ]
    assert event_lines(events, "umpire") == ["red chose guns: g-1."]
    assert event_lines(events, "blue") == ["red chose guns."]
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
        moved("a-1", "", "0102"),
    )
    assert log_lines(order, "umpire") == ["a-1 moves to 0102."]
    done = Said(Input("do", "red", "done"), recorded("done", "red is done.", "red"), recorded("phase", "Combat."))
    assert log_lines(done, "red") == ["Combat."]
    assert log_lines(done, "blue") == ["red: done.", "Combat."]
    answer = Said(Input("answer", "red", "g-1", "guns"), recorded("choice", "red chooses guns: g-1.", "red"))
    assert log_lines(answer, "red") == []


def test_a_side_that_answers_for_itself_is_named_once():
    """`each side chooses plan`: the record says of which side the plan is."""
    own = recorded("choice", "red chooses plan: red attack.", "red", data={"name": "plan"})
    assert event_lines([own], "umpire") == ["red chose plan: attack."]
    assert log_lines(Said(Input("answer", "red", "attack", "plan"), own), "umpire") == []
    both = recorded("choice", "red chooses plan: red attack; blue wait.", "red", data={"name": "plan"})
    assert event_lines([both], "umpire") == ["red chose plan: red attack; blue wait."]


def test_fields_of_several_things_become_something():
    changed = {"things": ["a-1", "a-2"], "field": "hits", "value": "3", "was": "1"}
    assert event_lines([recorded("change", "hits of a-1 and a-2 becomes 3 (was 1).", data=changed)], "red") == [
        "hits of a-1 and a-2 become 3 (were 1)."
    ]


def test_who_may_not_read_the_input_reads_the_event():
    secret = Said(Input("do", "red", "file a to march"), recorded("order", "red gives an order.", "red", "blue"))
    assert log_lines(secret, "blue") == ["red gives an order."]


def test_things_that_have_other_names_than_their_ids_are_told_by_these():
    events = [event(ThingMoved(thing, ("0101", "0102"), name)) for thing, name in (("a-1", "Old Guard"), ("a-2", "b"))]
    assert event_lines(events, "red") == ["Old Guard and b move from 0101 to 0102."]


def test_who_goes_over_together_shares_a_line():
    titles = "Blue", "Red"
    events = [event(FieldChanged((thing,), "side", "blue", "red", (thing,), titles)) for thing in ("a-1", "a-2")]
    assert event_lines(events, "red") == ["a-1 and a-2 are now of Blue (was of Red)."]


def test_changes_that_are_not_alike_for_many_have_their_own_lines():
    gone = [moved(thing, "0101", "") for thing in ("a-1", "a-2")]
    strength = [event(FieldChanged((thing,), "strength", "1", "2", (thing,))) for thing in ("a-1", "a-2")]
    assert event_lines([*gone, *strength], "red") == [
        "a-1 leaves the map from 0101.",
        "a-2 leaves the map from 0101.",
        "strength of a-1 becomes 1 (was 2).",
        "strength of a-2 becomes 1 (was 2).",
    ]


def test_of_a_record_that_somebody_wrote_himself_the_sentences_are_read():
    events = [recorded("move", f"{thing} wanders off.", data={"thing": thing, "way": way}) for thing, way in (("a-1", []), ("a-2", ["1", "2"]))]  # fmt: skip
    assert event_lines(events, "red") == ["a-1 wanders off.", "a-2 wanders off."]


def test_words_of_its_own_are_made_of_parts_that_can_be_read():
    """Otherwise the sentence of the record stands in their place, unnoticed."""
    reworded = {one for one in in_words.registry if one not in {object, Happening}}
    assert reworded - {*UNTOLD, FieldChanged} == set(), (
        "list in UNTOLD (interpreter/messages/recorded_events.py) what only the sentence says"
    )


def test_a_value_of_a_story_that_is_told_round_after_round_is_counted():
    told_in_rounds = [StoryRow(name, str(n), ()) for n, name in enumerate(("losses", "might", "odds", "might"))]
    story = StoryEnded("fight", "Main", (), tuple(told_in_rounds), title="The battle of a-1")
    assert event_lines([event(story)], "red") == [
        "The story: The battle of a-1.", "  losses: 0", "  might (1): 1", "  odds: 2", "  might (2): 3",
    ]  # fmt: skip
