"""A small game for the tests of the screens: two sides on a map of 12 by 10 hexes.

    move U to HEX      to a neighbouring hex that no enemy holds; once a turn
    dig-in U           once
    attack HEX with U  asks the other side `reply` (stand, fall-back), then the attacker `pursuers` (some of its
                       neighbours), then waits for a die where dice are typed
    done               hands over to the other side; after both a new turn begins

Side `south` cannot see the unit `n-4` of north. It is a machine that meets the contract of `campaigns.play.campaign`.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from attrs import frozen

from campaigns.file.history import Document
from campaigns.play.campaign import Campaign
from interpreter.commands.command import Argument, LegalCommand
from interpreter.geometry.hexgrid import HexGrid
from interpreter.messages.inputs import Awaited, Event, Input, Refused
from interpreter.messages.view import MapView, ModuleView, OptionView, PlaceView, SideView, ThingView, View
from interpreter.play.rehearsal import RefusedThere, Rehearsal
from interpreter.runtime.refusals import Refusal, Why
from tests.as_recorded import recorded

GRID = HexGrid(12, 10)
ROWS = """\
............
....ff......
...fff...hh.
...ff...hhh.
.........h..
..c.........
........c...
.ss.....ww..
.sss....www.
..s......ww.
"""
TERRAIN = {".": "clear", "f": "forest", "h": "hills", "c": "city", "s": "swamp", "w": "water"}
NAMES = {"0306": "Aldern", "0907": "Brück"}
ROAD = ("0106", "0206", "0306", "0406", "0506", "0607", "0707", "0807", "0907", "1007", "1108", "1208")
RIVER = ("0501", "0502", "0503", "0504", "0505", "0505")

UNITS = {
    "n-hq": ("headquarters", "north", "0104", 2, ""),
    "n-1": ("infantry", "north", "0306", 24, "n-hq"),
    "n-2": ("infantry", "north", "0304", 18, "n-hq"),
    "n-3": ("armor", "north", "0304", 30, "n-hq"),
    "n-4": ("recon", "north", "0502", 6, "n-hq"),
    "n-5": ("artillery", "north", "0103", 12, "n-hq"),
    "s-hq": ("headquarters", "south", "1206", 2, ""),
    "s-1": ("infantry", "south", "0406", 21, "s-hq"),
    "s-2": ("infantry", "south", "0907", 20, "s-hq"),
    "s-3": ("armor", "south", "0806", 33, "s-hq"),
    "s-4": ("engineers", "south", "0907", 9, "s-hq"),
    "s-5": ("artillery", "south", "1007", 14, "s-hq"),
}
DOCUMENTS = (Document("fake/rules", "rule", "A fake.\n"),)


@frozen
class Step:
    text: str
    applied: bool
    value: str = ""
    because: str = ""
    cites: tuple[str, ...] = ()
    module: str = ""
    place: str = ""


@frozen
class Explanation:
    name: str
    value: str
    cites: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    parts: tuple[Any, ...] = ()
    rulings: tuple[str, ...] = ()
    word: str = ""
    of: tuple[str, ...] = ()


PREPS = {"with", "to"}


def as_data(command: str) -> LegalCommand:
    """A command of the fake rules: an order, and one value for each argument."""
    order, *words = command.split()
    befores = ["" if n == 0 else words[n - 1] for n in range(len(words))]
    found = (Argument(f"a{n}", "", (word,), befores[n]) for n, word in enumerate(words) if word not in PREPS)
    return LegalCommand(command, order, tuple(found))


class Game:
    """The machine of the fake."""

    program = SimpleNamespace(rules=SimpleNamespace(routines={}))
    world = SimpleNamespace(places=())
    host = SimpleNamespace(is_interrupted=lambda _side: False)
    warnings: tuple[str, ...] = ()
    opening: tuple[Event, ...] = ()
    unfinished: tuple[str, ...] = ()

    pending: Any = None
    """It has no rules that wait for anybody: what it waits for is in `awaiting`."""

    def __init__(self, settings: Mapping[str, Any], image: bytes | None = None) -> None:
        self.settings = settings
        self.turn, self.active, self.over = 1, "north", ""
        self.places = {name: unit[2] for name, unit in UNITS.items()}
        self.strengths = {name: unit[3] for name, unit in UNITS.items()}
        self.dug: list[str] = []
        self.moved: list[str] = []
        self.battle: dict[str, Any] = {}
        self.back: list[list[str]] = []  # of each input: kind, side, text, subject, and the image before it
        if image:
            self.__dict__.update(json.loads(image))

    def taking_back(self, side: str) -> Input:
        if not self.back or self.back[-1][1] != side or self.back[-1][0] == "undo":
            raise Why.NOT_NOW("You cannot undo anything now.", hint="The umpire can.")
        kind, _, text, subject, _ = self.back[-1]
        return Input("undo", side, text, f"{kind} {subject}".strip())

    def given_again(self, side: str) -> Input:
        if not self.back or self.back[-1][:2] != ["undo", side]:
            raise Why.NOT_NOW("You cannot redo anything now.", hint="The umpire can.")
        kind, _, subject = self.back[-1][3].partition(" ")
        return Input(kind, side, self.back[-1][2], subject)

    def may_answer(self, side: str, name: str, text: str) -> bool:
        """Whether an answer would be taken: all but those that a test says."""
        return text not in self.refused

    refused: frozenset[str] = frozenset()

    @property
    def phase(self) -> str:
        return "movement"

    def is_in_phase(self, name: str) -> bool:
        return name == self.phase

    @property
    def phases(self) -> dict[str, str]:
        return {"movement": "Movement Phase", "combat": "Combat Phase"}

    @property
    def awaiting(self) -> tuple[Awaited, ...]:
        if self.over:
            return (Awaited("over", "", "over", self.over, ()),)
        foe = other(self.active)
        match self.battle.get("step"):
            case "reply":
                prompt = f"{self.battle['attacker']} attacks {self.battle['target']}: will you stand or fall back?"
                return (Awaited("question", foe, "reply", prompt, ("stand", "fall-back"), 2, "one", where="FAKE-7"),)
            case "pursuers":
                near = tuple(self.joiners())
                prompt = "Who shall join the attack?"
                return (
                    Awaited("question", self.active, "pursuers", prompt, near, 2 ** len(near), "some", where="FAKE-8"),
                )
            case "die":
                return (Awaited("dice", "", "attack", "Throw a die for the attack.", (), form="1d6", where="FAKE-9"),)
        return (Awaited("orders", self.active, "movement", "Move your units.", ("move", "dig-in", "attack")),)

    def joiners(self) -> list[str]:
        near = GRID.neighbours(GRID.index(self.battle["target"]))
        return [u for u in self.own() if u != self.battle["attacker"] and GRID.index(self.places[u]) in near]

    def own(self) -> list[str]:
        return [name for name in UNITS if name in self.places and UNITS[name][1] == self.active]

    def legal(self, side: str, limit: int = 500, reader: str = "") -> list[str]:
        if self.battle or self.over or side != self.active:
            return []
        found = []
        for name in self.own():
            here = GRID.index(self.places[name])
            for near in GRID.neighbours(here):
                label = GRID.label(near)
                if self.held_by(label) == other(side):
                    found.append(f"attack {label} with {name}")
                elif name not in self.moved and terrain_of(label) != "water":
                    found.append(f"move {name} to {label}")
            if name not in self.dug:
                found.append(f"dig-in {name}")
        return [*found, "done"][:limit]

    def legal_commands(self, side: str, limit: int = 500, reader: str = "") -> list[LegalCommand]:
        return [as_data(text) for text in self.legal(side, limit, reader)]

    def held_by(self, label: str) -> str:
        return next((UNITS[name][1] for name, place in self.places.items() if place == label), "")

    def why_not(self, side: str, command: str) -> list[Refusal]:
        if command in self.legal(side):
            return []
        words = command.split()
        if side != self.active:
            return [Refusal(f"{self.active} gives orders now.", ("FAKE-1",), "fake.rules:3", "Wait for your turn.")]
        if words and words[0] == "move" and words[1:2] and words[1] in self.moved:
            return [Refusal(f"{words[1]} has moved this turn.", ("FAKE-2",), "fake.rules:12", "Move it next turn.")]
        return [
            Refusal(f"'{command}' is no legal command now.", ("FAKE-3",), "fake.rules:9", "See the legal commands.")
        ]

    def as_data(self, side: str, command: str) -> LegalCommand | None:
        words = command.split()
        return as_data(command) if words and words[0] in {"move", "dig-in"} else None

    def asked_of(self, kind: str) -> tuple[tuple[str, str], ...]:
        return (("value", "reach"), ("status", "spent")) if kind else ()

    def seen_by(self, side: str) -> "Game":
        """The game that a side looks at."""
        del side
        return self

    def explain_changes(self, side: str = "umpire") -> list[Explanation]:
        return []

    def explain(self, expression: str, side: str = "umpire") -> Explanation:
        name = expression.rpartition(" of ")[2]
        if {x.id: x for x in self.view(side).things}.get(name) != {x.id: x for x in self.view("umpire").things}.get(
            name
        ):
            raise Why.NO_VALUE(f"`{expression}` depends on something that is hidden from {side}.")
        if name not in self.strengths:
            raise Why.UNKNOWN_NAME(f"There is nothing called '{name}'.", hint="Write for example: strength of n-1.")
        base = Explanation(f"printed of {name}", str(UNITS[name][3]), ("FAKE-20",))
        steps = (
            Step("start with printed of u", True, str(UNITS[name][3]), "", ("FAKE-20",), "", "fake.rules:20"),
            Step("doubled when u is dug-in", name in self.dug, str(2 * self.strengths[name]) if name in self.dug else "",
                 "dug in", ("FAKE-21",), "works", "fake.rules:21"),
        )  # fmt: skip
        value = self.strengths[name] * (2 if name in self.dug else 1)
        return Explanation(expression, str(value), ("FAKE-19",), steps, (base,))

    def offer(self, given: Input) -> tuple[Event, ...]:
        before = self._image(("settings", "back")).decode()
        if given.kind == "undo":
            self.__dict__.update(json.loads(self.back.pop()[4]))
            events = (recorded("undo", f"{given.side} takes back {given.text}.", given.side, given.side),)
        else:
            events = self.given(given)
        self.back.append([given.kind, given.side, given.text, given.subject, before])
        return events

    def given(self, given: Input) -> tuple[Event, ...]:
        waiting = self.awaiting[0]
        match given:
            case Input("roll", _, text) if waiting.kind == "dice" and text in "123456":
                return self.fight(int(text))
            case Input("answer", side, text, subject) if waiting.kind == "question" and subject == waiting.name:
                if side not in {waiting.side, "umpire"}:
                    raise Why.NOT_YOURS(f"{waiting.side} is asked, not {side}.", (waiting.where,))
                return self.answered(waiting, text)
            case Input("override", side, text, reason):
                return self.ruled(side, text, reason)
            case Input("do", side, text):
                reasons = self.why_not(side, text)
                if reasons:
                    raise Refused(reasons[0])
                return self.ordered(side, text)
        raise Why.NOT_NOW(f"'{given.text}' is not awaited now.", (), "`ophex status` tells what is.")

    def ruled(self, side: str, text: str, reason: str) -> tuple[Event, ...]:
        """`strength of U = N`, from the umpire, with a reason."""
        if side != "umpire":
            raise Why.NOT_YOURS(f"Only the umpire may do this, not {side}.")
        if not reason:
            raise Why.NOT_UNDERSTOOD("The umpire must give a reason.")
        found = re.fullmatch(r"strength of (\S+) = (\d+)", text)
        if not found or found[1] not in self.strengths:
            raise Why.NOT_UNDERSTOOD(f"`{text}` is not a valid change.")
        self.strengths[found[1]] = int(found[2])
        return (recorded("override", f"Override by the umpire: {reason}."), recorded("change", f"{text}."))

    def options_now(self) -> tuple[OptionView, ...]:
        return (OptionView("dice-size", "The die", "six", ("six", "ten"), False),)

    def modules_now(self) -> tuple[ModuleView, ...]:
        return (ModuleView("works", "Works", True),)

    def ordered(self, side: str, text: str) -> tuple[Event, ...]:
        match text.split():
            case ["done"]:
                self.active = other(side)
                events = [recorded("phase", f"{side} has ended its turn.", side)]
                if self.active == "north":
                    self.turn += 1
                    self.moved = []
                    events.append(recorded("turn", f"Turn {self.turn} begins."))
                if self.turn > self.settings.get("turns", 9):
                    self.over = "the days are over"
                return tuple(events)
            case ["move", name, "to", label]:
                start = self.places[name]
                self.places[name] = label
                self.moved.append(name)
                to = side if name == "n-4" else "all"
                return (recorded("move", f"{name} moves from {start} to {label}.", side, to, ("FAKE-2",)),)
            case ["dig-in", name]:
                self.dug.append(name)
                return (recorded("change", f"{name} digs in.", side, "all", ("FAKE-4",)),)
            case ["attack", label, "with", name]:
                self.battle = {"step": "reply", "attacker": name, "target": label, "with": [name]}
                return (recorded("order", f"{name} attacks {label}.", side, "all", ("FAKE-6",)),)
        raise AssertionError(text)

    def answered(self, waiting: Awaited, text: str) -> tuple[Event, ...]:
        said = [] if text == "none" else [word.strip() for word in text.split(",")]
        if not set(said) <= set(waiting.choices) or (waiting.form == "one" and len(said) != 1):
            raise Why.NOT_UNDERSTOOD(
                f"'{text}' is not an answer to {waiting.name}.", (waiting.where,), f"Answers: {waiting.choices}."
            )
        event = recorded("choice", f"{waiting.side} answers {text}.", waiting.side, "all", (waiting.where,))
        if waiting.name == "reply":
            self.battle |= {"reply": text, "step": "pursuers" if self.joiners() else "die"}
        else:
            self.battle |= {"with": [self.battle["attacker"], *said], "step": "die"}
        if self.battle["step"] == "die" and self.settings.get("dice") != "typed":
            return (event, *self.fight(1 + (self.settings.get("seed", 1) + self.turn) % 6))
        return (event,)

    def fight(self, die: int) -> tuple[Event, ...]:
        target, lost = self.battle["target"], []
        for name in [name for name, place in self.places.items() if place == target]:
            self.strengths[name] -= die
            lost.append(recorded("change", f"{name} loses {die}.", "", "all", ("FAKE-10",)))
        self.battle = {}
        return (recorded("roll", f"A {die} is thrown.", "", "all", ("FAKE-9",), {"dice": [die]}), *lost)

    def standing(self, given: Input) -> Any:
        return None if given.kind == "roll" else (given.kind, self.phase, self.turn)

    def spend(self, given: Input) -> bool:
        return False

    def in_own_words(self, given: Input) -> Input:
        return given

    def as_typed(self, given: Input) -> Input:
        return given

    def rehearse(self, inputs: list[Input], side: str) -> Rehearsal:
        events: list[Event] = []
        for position, given in enumerate(inputs):
            try:
                events += self.offer(given)
            except Refused as refused:
                raise RefusedThere(position, refused) from refused
        return Rehearsal(tuple(events), "", len(inputs))

    def digest(self) -> str:
        return hashlib.sha256(self._image(("settings", "back"))).hexdigest()

    def _image(self, without: tuple[str, ...] = ("settings",)) -> bytes:
        state = {name: value for name, value in self.__dict__.items() if name not in without}
        return json.dumps(state, sort_keys=True).encode()

    def snapshot(self) -> bytes | None:
        return None if self.battle else self._image()

    @property
    def sides(self) -> tuple[SideView, ...]:
        return SideView("north", "North", "blue"), SideView("south", "South", "red")

    def view(self, side: str) -> View:
        things = tuple(
            ThingView(
                name, name.upper(), "battalion" if UNITS[name][4] else "headquarters", "unit", UNITS[name][0],
                UNITS[name][1], place, UNITS[name][4],
                {"strength": str(self.strengths[name]), "arm": UNITS[name][0], "dug-in": "yes" if name in self.dug else "no"},
                (*(("strength",) if self.strengths[name] != UNITS[name][3] else ()), *(("dug-in",) if name in self.dug else ())),
            )
            for name, place in self.places.items()
            if side != "south" or name != "n-4"
        )  # fmt: skip
        waiting = tuple(one for one in self.awaiting if side == "umpire" or not one.secret or one.side == side)
        return View(
            side, "fake", "fake/valley", "The valley", self.turn, self.phase, "Movement Phase", self.active, self.over,
            self.sides, things, {"weather": "fair"},
            (board(),), waiting,
        )  # fmt: skip


def other(side: str) -> str:
    return "south" if side == "north" else "north"


def terrain_of(label: str) -> str:
    return TERRAIN[ROWS.splitlines()[int(label[2:]) - 1][int(label[:2]) - 1]]


def board() -> MapView:
    places = tuple(
        PlaceView(label, NAMES.get(label, ""), int(label[:2]), int(label[2:]),
                  {"terrain": terrain_of(label), "city": "yes" if terrain_of(label) == "city" else "no"})
        for label in GRID.labels()
    )  # fmt: skip
    links = tuple(("road", one, two) for one, two in pairwise(ROAD))
    river = tuple(("river", one, two) for one, two in pairwise(RIVER) if one != two)
    return MapView("valley", "The valley", "hex", 12, 10, "even", places, (*links, *river))


def start(documents: tuple[Document, ...], settings: Mapping[str, Any], snapshot: bytes | None) -> Game:
    assert documents == DOCUMENTS
    return Game(settings, snapshot)


def new(path: Any, **settings: Any) -> Campaign[Game]:
    return Campaign.create(path, DOCUMENTS, {"dice": "seeded", "seed": 1, **settings}, start)
