"""A campaign of the small game, and systems to choose from, for the tests of the screens."""

from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from types import SimpleNamespace

import pytest
from attrs import frozen
from textual._compositor import Compositor
from textual.app import App
from textual.css.stylesheet import Stylesheet

from campaigns.library.locate import NotFound
from campaigns.play.campaign import Campaign
from dsl.text.diagnostics import at, render
from dsl.text.source import SourceFile, Span
from tests.long import LONG
from tests.ui import fake
from tests.ui.drawing import screen_text
from tests.ui.seat import Seat
from ui import main as door
from ui.app.ophex_app import CampaignApp
from ui.app.seat_desk import Desk

COUNT = count()
PARSED = {}
"""Rules of styles, by their text and the colours that they name."""
ABOUT = "Two armies meet in a valley, and neither of them knows why."


@pytest.fixture(autouse=True)
def styles_are_parsed_once(monkeypatch):
    """Every app has the same styles: every day they are parsed once for all; in the long form by each app anew."""
    if LONG:
        return
    parse = Stylesheet._parse_rules

    def parsed(sheet, *given, **named):
        key = given, frozenset(named.items()), frozenset(sheet._variables.items())
        if key not in PARSED:
            PARSED[key] = parse(sheet, *given, **named)
        return PARSED[key]

    monkeypatch.setattr(Stylesheet, "_parse_rules", parsed)


@pytest.fixture(autouse=True)
def looked_often_whether_it_is_idle(monkeypatch):
    """Every day a pilot that waits for the app to settle looks every 4 ms; in the long form every 20 ms, as Textual does."""
    if not LONG:
        monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 0.004)


@pytest.fixture(autouse=True)
def painted_when_it_is_read(monkeypatch):
    """Every day a screen is painted when a test reads it, and before its app is closed; in the long form after every change."""
    if LONG:
        return
    opened = App.run_test

    @asynccontextmanager
    async def run_test(app, **how):
        async with opened(app, **how) as pilot:
            yield pilot
            if app.is_running:
                screen_text(app)

    monkeypatch.setattr(App, "run_test", run_test)
    monkeypatch.setattr(Compositor, "render_update", lambda compositor, **_how: compositor._dirty_regions.clear())


@frozen
class Report:
    diagnostics: tuple
    files: dict
    rendered: tuple
    errors: int
    warnings: int
    elsewhere: int = 0


class Rooms:
    """What commands take from `campaigns`, over the small game."""

    def __init__(self):
        self.calls = []
        self.found = SimpleNamespace(
            name="fake", title="A fake", version="1.0", modules=(("works", "Works", "on"),),
            options=(("dice-size", "The die", ("six", "ten"), "six"),), scenarios=("fake/duel", "fake/valley"),
        )  # fmt: skip

    def list_systems(self, *names):
        if {*names} - {"fake"}:
            raise NotFound(f"There is no rule system '{names[0]}'.")
        return [self.found]

    def names_of_systems(self):
        return [one.name for one in self.list_systems()]

    def scenarios(self, system=None):
        if system not in {None, "fake"}:
            raise NotFound(f"There is no rule system '{system}'.")
        sides = (("north", "North"), ("south", "South"))
        return [
            SimpleNamespace(name="fake/duel", title="Duel", about="", sides=sides, modules=(), maps=("valley",), rows=2, lesson=""),
            SimpleNamespace(name="fake/valley", title="The valley", about=ABOUT, sides=sides, modules=("works",), maps=("valley",), rows=7, lesson=""),
        ]  # fmt: skip

    def create_campaign(self, path, scenario, with_, without, options, dice, seed, undo="before-dice"):
        self.calls.append((scenario, with_, without, options, dice, seed))
        return fake.new(path, dice=dice, seed=seed or 1)

    def open_campaign(self, path):
        return Campaign.open(path, fake.start)

    def check(self, path, drawings=()):
        wrong = at("E001", "This is no rule.", Span("a.rules", 3, 1, 3, 5), hint="Begin with a keyword.")
        found = (wrong,) if path == "wrong" else ()
        return Report(
            found, {"a.rules": SourceFile("a.rules", "")}, tuple(render(one, {}) for one in found), len(found), 0
        )

    def run_examples(self, paths, pattern="", progress=None, workers=None):
        failed = [{"name": "two and two", "file": "a.rules", "line": 7, "expected": "4", "got": "5"}]
        return SimpleNamespace(examples=3, passed=3 - ("wrong" in paths), failed=failed if "wrong" in paths else [])

    def coverage(self, system):
        return {"rules": 4, "cited": 3, "tested": 2, "missing": ["F-4"], "untested": ["F-3"], "not_modelled": [{"rule": "F-9", "reason": "Done by hand."}],
                "modules": {"basic": {"rules": 4, "cited": 3, "tested": 2}}, "mutants": 0, "killed": 0, "survivors": []}  # fmt: skip

    def mutate(self, system, workers=None, progress=None, only=(), again=None, by=()):
        if only and "a.rules" not in only:
            return {"mutants": 0, "killed": 0, "survivors": []}
        lost = {"file": "a.rules", "line": 4, "change": "3 becomes 4", "text": "start with 3", "reached": True}
        if again is not None:
            return {"mutants": len(again), "killed": 0, "survivors": again}
        return {"mutants": 4, "killed": 3, "survivors": [lost]}

    def try_file(self, system, file):
        step = fake.Step("start with 2", True, "2", cites=("F-1",))
        line = SimpleNamespace(text="then sum", value="4", explanation=fake.Explanation("sum", "4", ("F-2",), (step,)))
        return [
            SimpleNamespace(
                name="two and two",
                lines=[line],
                failures=["line 3: expected 5; got 4"] if "wrong" in file else [],
                modules=("adding",),
                options={"rounding": "up"},
            )
        ]

    def simulate(
        self,
        scenario,
        games,
        seed,
        policy,
        workers,
        progress=None,
        with_=(),
        without=(),
        turns=None,
        options=None,
        module_sets=None,
    ):
        assert options in ({}, {"odds-rounding": "nearest"})
        names = ("finished", "turns", "decisions", "errors", "dead_ends", "decisions_per_second", "seconds")
        found = dict.fromkeys(names, 0) | {"unused_phases": [], "unused_orders": [], "victories": {"north": games}}
        return {"games": games, **found, "errors": ["a.rules:3: It fell over."] if scenario == "wrong" else []}

    def auto_play(self, campaign, turns=0, policy="random"):
        events = []
        for _ in range(turns):
            for side in ("north", "south"):
                events += campaign.offer(fake.Input("do", side, "done"))
        return events


@pytest.fixture
def rooms(monkeypatch):
    found = Rooms()
    monkeypatch.setattr("campaigns.play.starting.start", fake.start)
    for module, names in APART.items():
        for name in names:
            monkeypatch.setattr(f"campaigns.{module}.{name}", partial(_of_room, found, name))
    return found


APART = {
    "library.systems_by_name": ("list_systems", "names_of_systems", "scenarios"),
    "play.starting": ("create_campaign", "open_campaign"),
    "trials.casebook": ("run_examples", "try_file", "coverage"),
    "library.checking": ("check",),
    "trials.mutation": ("mutate",),
    "trials.sweep": ("simulate",),
    "play.auto_play": ("auto_play",),
}
"""What commands take from modules of their own."""


def _of_room(room, name, *given, **named):
    return getattr(room, name)(*given, **named)


@pytest.fixture
def campaign(tmp_path, rooms):
    """The path of a fresh campaign with seeded dice."""
    path = tmp_path / "valley.ophex"
    fake.new(path).close()
    return str(path)


@pytest.fixture
def typed(tmp_path, rooms):
    """The path of a fresh campaign with typed dice."""
    path = tmp_path / "typed.ophex"
    fake.new(path, dice="typed").close()
    return str(path)


@pytest.fixture
def ophex(capsys):
    """Runs a command line: exit code, stdout, stderr."""

    def run(*line):
        code = door.main([str(word) for word in line])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def sit(tmp_path):
    """Opens the app on a fresh campaign."""

    @asynccontextmanager
    async def open_app(size=(120, 40), seat="umpire", **settings):
        with fake.new(tmp_path / f"valley-{next(COUNT)}.ophex", **settings) as campaign:
            app = CampaignApp(Desk(campaign, seat))
            app.follow_every = 0
            async with app.run_test(size=size) as pilot:
                person = Seat(app, pilot)
                await person.settle()
                yield person

    return open_app
