"""The parts of a game alone, each with a stand-in that has only what its contract requires."""

from types import SimpleNamespace

import attrs
import pytest

from interpreter.messages.asking import AGAIN, DONE, UNSETTLED, EachQuestion, Question, Roll, Sealed
from interpreter.messages.inputs import Input, Refused
from interpreter.messages.sentences import sentence_of
from interpreter.messages.sides import side_called
from interpreter.play.answer_reader import AnswerReader, Incomplete
from interpreter.play.host import Asks
from interpreter.play.runner import Runner, chain_of, frames_in
from interpreter.play.throwing import BadFace, Throwing
from interpreter.runtime.runtime import RuleTrouble


@attrs.define(eq=False)
class Side:
    id: str
    f_title: str = ""


@attrs.define(eq=False)
class Piece:
    side: Side
    alive: bool = True

    @property
    def name(self):
        return f"a {self.side.id} piece"


RED, BLUE = Side("red"), Side("blue")


class Ledger:
    """A journal that keeps the kinds and texts of events."""

    def __init__(self):
        self.told = []

    def happened(self, what, *_args, **_more):
        self.told.append((what.kind, sentence_of(what)))


def world_of(**more):
    known = SimpleNamespace(veils_flow=lambda *_: False)
    facts = {
        "turn": 3, "phases": [], "active": RED, "over": "", "journal": Ledger(), "stories": SimpleNamespace(open=()), "thrown": {},
        "rulings": SimpleNamespace(count=0), "sites": [SimpleNamespace(span="here", cites=("R1",))], "knowledge": known,
        "all_of": lambda _kind: [RED, BLUE],
    }  # fmt: skip
    return SimpleNamespace(**{**facts, **more})


class TestRunner:
    @staticmethod
    def asking(*items, log=None):
        """A routine that needs some things one after the other."""
        for item in items:
            answer = yield item
            if log is not None:
                log.append(answer)

    def test_what_is_at_hand_is_given_until_something_is_not(self):
        log, at_hand = [], {"a": 1, "b": 2}
        runner = Runner(lambda item: at_hand.get(item, UNSETTLED))
        runner.start(self.asking("a", "b", "c", "a", log=log))
        assert (runner.pending, log) == ("c", [1, 2])
        runner.go_on(3)
        assert (runner.pending, runner.run, log) == (None, None, [1, 2, 3, 1])

    def test_what_was_come_between_goes_on_when_the_other_is_over(self):
        log = []
        runner = Runner(lambda _: UNSETTLED)
        runner.start(self.asking("order", log=log))
        runner.interpose(self.asking("ruling", log=log))
        assert runner.pending == "ruling"
        runner.go_on("done")
        assert runner.pending == "order"
        runner.go_on("march")
        assert (runner.pending, log) == (None, ["done", "march"])

    def test_what_is_dropped_does_not_come_back(self):
        runner = Runner(lambda _: UNSETTLED)
        runner.start(self.asking("order"))
        runner.interpose(self.asking("ruling"))
        runner.drop()
        assert (runner.pending, runner.run, runner.beneath) == (None, None, [])

    def test_an_error_of_the_rules_is_told_as_who_made_it_says(self):
        def fails():
            yield "a"
            raise KeyError("x")

        class Told(Exception):
            pass

        runner = Runner(lambda _: UNSETTLED, lambda error: Told(type(error).__name__))
        runner.start(fails())
        with pytest.raises(Told, match="KeyError"):
            runner.go_on(None)
        plain = Runner(lambda _: UNSETTLED)
        plain.start(fails())
        with pytest.raises(KeyError):
            plain.go_on(None)

    def test_rules_without_end_are_stopped(self, monkeypatch):
        monkeypatch.setattr("interpreter.play.runner.MOST_STEPS", 5)

        def endless():
            while True:
                yield "again"

        with pytest.raises(RuleTrouble, match="endlessly"):
            Runner(lambda _: None).start(endless())

    def test_what_stands_still_is_seen_from_the_outermost_in(self):
        def inner(F):  # noqa: N803 (so emitted routines name it)
            yield F

        def outer(F):  # noqa: N803
            yield from inner("in")

        runner = Runner(lambda _: UNSETTLED)
        runner.start(outer("out"))
        assert [one.__name__ for one in chain_of(runner.run)] == ["outer", "inner"]
        assert list(frames_in(runner.run)) == ["out", "in"]
        assert list(chain_of(None)) == []


class Staff:
    """Who knows of orders: each side can give so many."""

    def __init__(self, **left):
        self.left = left

    def any_legal(self, giver, _order):
        return self.left[giver.id] > 0

    def carry_out(self, command):
        self.left[command] -= 1
        return iter(())


class TestAsks:
    def window(self, host, who, manner, *, done=False):
        """Plays a window through; who was waited for at each step. done: whether each says that it is done, or gives an order."""
        run, answer, seen = host.window(SimpleNamespace(acting=None), who, ("march",), manner), None, []
        while True:
            try:
                item = run.send(answer)
            except StopIteration:
                return seen
            assert host.open_windows == [item.key]
            seen.append([s.id for s in item.waiting])
            answer = item.waiting[0], DONE if done else item.waiting[0].id

    def test_a_side_that_can_order_nothing_is_not_waited_for(self):
        host = Asks(world_of(), Staff(red=0, blue=1))
        assert self.window(host, [RED, BLUE], "together", done=True) == [["blue"]]
        assert host.open_windows == []

    def test_sides_that_take_turns_are_passed_over_when_they_can_order_nothing_more(self):
        world = world_of()
        host = Asks(world, Staff(red=2, blue=1))
        steps = self.window(host, [RED, BLUE], "alternately")
        assert steps == [["red"], ["blue"], ["red"]]
        assert host.passed == ["blue", "red"]
        assert [text for _, text in world.journal.told] == [
            "blue can order nothing more here.", "red can order nothing more here.",
        ]  # fmt: skip
        assert host.spend(Input("do", "red", "done"))
        assert not host.spend(Input("do", "red", "done"))
        assert not host.spend(Input("do", "blue", "march a"))

    def test_a_choice_with_one_answer_is_taken_and_heard_of(self):
        heard = []
        listener = SimpleNamespace(settled=lambda *told: heard.append(told), settled_each=heard.append)
        host = Asks(world_of(), Staff(), listener)
        with pytest.raises(StopIteration) as taken:
            next(host.ask(0, RED, "prey", "one", lambda: ["x", "x"], None, None, "", False))
        assert taken.value.value == "x"
        assert heard == [(RED, "prey", "one", "x")]
        asked = next(host.ask(0, RED, "prey", "one", lambda: ["x"], None, None, "", True))
        assert isinstance(asked, Question), "that a secret choice was not asked would tell what can be chosen"

    def test_a_question_is_put_anew_when_things_have_changed(self):
        left = ["x", "y", "z"]
        run = Asks(world_of(), Staff()).ask(0, RED, "prey", "one", lambda: left, None, None, "", False)
        assert next(run).candidates == ["x", "y", "z"]
        left.remove("x")
        assert run.send(AGAIN).candidates == ["y", "z"]

    def test_secret_choices_of_several_owners_are_put_at_once(self):
        a, b = Piece(RED), Piece(BLUE)
        host = Asks(world_of(), Staff())
        run = host.ask_each(0, [b, a], "aim", "one", lambda _: ["x", "y"], None, None, "", True)
        sealed = next(run)
        assert isinstance(sealed, Sealed)
        assert [q.side.id for q in sealed.questions] == ["red", "blue"], "the acting side first"
        with pytest.raises(StopIteration) as chosen:
            run.send([{a: "x"}, {b: "y"}])
        assert chosen.value.value == {a: "x", b: "y"}

    def test_open_choices_are_asked_one_owner_after_the_other(self):
        a, b = Piece(RED), Piece(BLUE)
        run = Asks(world_of(), Staff()).ask_each(0, [a, b], "aim", "one", lambda _: ["x", "y"], None, None, "", False)
        assert next(run).side is RED
        second = run.send({a: "x"})
        assert (second.side, second.known) == (BLUE, {a: "x"})

    def test_things_done_at_once_ask_together(self):
        def branch(name):
            answer = yield Question(RED, name, "one", ["x", "y"], None, None, "", False, 0)
            told.append((name, answer))

        told = []
        run = Asks(world_of(), Staff()).branches([branch("one"), branch("two")])
        assert [q.name for q in next(run).questions] == ["one", "two"]
        with pytest.raises(StopIteration):
            run.send(["x", "y"])
        assert told == [("one", "x"), ("two", "y")]


class TestThrowing:
    ROLL = Roll(RED, "1d6", "shot", 0)

    def thrown(self, settings, world=None):
        return Throwing(world or world_of(), {}, Runner(lambda _: UNSETTLED), settings)

    def test_the_same_seed_throws_the_same(self):
        faces = [
            [dice.face(self.ROLL) for _ in range(20)] for dice in (self.thrown({"seed": 4}), self.thrown({"seed": 4}))
        ]
        assert faces[0] == faces[1]
        assert set(faces[0]) <= set(range(1, 7))
        assert len(set(faces[0])) > 1

    def test_dice_of_the_table_are_waited_for_and_must_have_such_a_face(self):
        world = world_of()
        dice = self.thrown({"dice": "typed"}, world)
        assert dice.waits()
        dice.given = [5]
        assert not dice.waits()
        assert dice.face(self.ROLL) == 5
        assert world.journal.told == [("roll", "red rolls 5 on 1d6 (shot).")]
        dice.given = [7]
        with pytest.raises(BadFace):
            dice.face(self.ROLL)

    def test_where_dice_come_from_is_changed_with_a_reason_and_no_secret_order_open(self):
        dice = self.thrown({})
        with pytest.raises(Refused, match="secret order"):
            dice.rule("typed", "we meet", order_is_open=True)
        assert dice.data() == {}
        assert dice.rule("typed", "we meet", order_is_open=False) is UNSETTLED
        assert (dice.typed, dice.data()["dice"]["manner"]) == (True, "typed")
        with pytest.raises(Refused, match="already typed"):
            dice.rule("typed", "we meet", order_is_open=False)


class TestAnswerReader:
    READER = AnswerReader(SimpleNamespace(sites=[SimpleNamespace(cites=("R1",))]))

    def each(self, *things):
        options = [["hold", "go"] for _ in things]
        return EachQuestion(RED, "stance", "one", list(things), options, [None] * len(things), None, "", False, 0, {})

    def test_answers_for_several_things(self):
        question = self.each("a", "b", "c")
        meant = self.READER.meant
        assert meant(question, "a hold, others go") == {"a": "hold", "b": "go", "c": "go"}
        assert meant(question, "a, b hold, c go") == {"a": "hold", "b": "hold", "c": "go"}
        assert meant(question, "stance with go") == {"a": "go", "b": "go", "c": "go"}
        with pytest.raises(Incomplete, match="missing for c"):
            meant(question, "a hold, b go")
        with pytest.raises(Refused, match="not about d"):
            meant(question, "a hold, d go")

    def test_a_split_must_come_to_what_is_split(self):
        question = Question(RED, "fuel", "split", ["a", "b"], 3, None, "", False, 0)
        assert dict(self.READER.meant(question, "a 2, others 1")) == {"a": 2, "b": 1}
        assert dict(self.READER.meant(question, "even")) == {"a": 2, "b": 1}
        with pytest.raises(Refused, match="add up to 5"):
            self.READER.meant(question, "a 4, b 1")


def test_a_side_is_known_by_its_name_however_it_is_written():
    assert side_called(world_of(), "Blue") is BLUE
    with pytest.raises(Refused, match="no side green") as refused:
        side_called(world_of(), "green")
    assert "red, blue" in refused.value.hint
