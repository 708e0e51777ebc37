"""Hostile inputs in the middle of games: commands, answers and dice, the umpire's rulings, questions why and why not.

A case begins with a position, `SCENARIO SEED STEPS`: a game that has played itself so far. What follows is given in order, each part a
kind, a side, a subject and a text. A refused part must have changed nothing; an accepted one must lead to a state that can be written.
"""

import functools
import random
from typing import Any

from campaigns.file.history import Document
from campaigns.library.compiling import active_modules
from campaigns.library.systems_by_name import scenario_of
from campaigns.play.starting import start
from dsl.text.diagnostics import RuleTextError
from interpreter.automated.policies import make_policy, step
from interpreter.automated.policy import NothingLegal
from interpreter.explain.explain import explain
from interpreter.machine import Game
from interpreter.messages.inputs import Input, Refused, RuleFailure
from interpreter.messages.view import View
from tests.hostile.edges import WORDS, spoiled
from tests.hostile.running import Case, Fault, Kind
from tests.hostile.texts import TOY, wide

TOYS: dict[str, tuple[tuple[str, ...], str, list[str]]] = {
    "toy": (("kit.rules", "war.rules"), "meeting", ["fog", "supply"]),
    "ships": (("ships.rules",), "duel", []),
}
"""Small games: the files of their rules, the scenario and its modules."""
NEAR = (*TOYS, "bth/duel")
FAR = (*NEAR, "bth/texas-1", "btr/first-battle", "btr/first-sorties", "ww2/lipki")
STEPS = (0, 4, 11, 25)
SEEDS = 6
APART = "\x1f"


@functools.cache
def _documents(scenario: str) -> tuple[tuple[Document, ...], dict[str, Any]]:
    if scenario in TOYS:
        files, name, modules = TOYS[scenario]
        text = "".join((TOY / file).read_text(encoding="utf-8") for file in files)
        return (Document(f"{scenario}.rules", "rules", text),), {"scenario": name, "modules": modules}
    text, found, _ = scenario_of(scenario)
    documents = tuple(Document(name, "rules", file.text) for name, file in text.files.items())
    return documents, {"scenario": found.name, "modules": sorted(active_modules(text, found, (), ()))}


@functools.cache
def _way_to(position: str) -> tuple[Input, ...]:
    """The inputs that lead to a position."""
    scenario, seed, steps = position.split(" ")
    game, given = _fresh(scenario, seed), []
    policy, chance = make_policy("random", seed), random.Random(seed)
    while len(given) < int(steps) and not game.over:
        try:
            given.append(step(game, policy, chance))
            game.offer(given[-1])
        except (Refused, NothingLegal, RuleFailure):
            return tuple(given[:-1])
    return tuple(given)


def _fresh(scenario: str, seed: str) -> Game:
    documents, chosen = _documents(scenario)
    dice = "typed" if int(seed) % 3 == 0 else "seeded"
    return start(documents, {**chosen, "options": {}, "dice": dice, "seed": seed}, None)


def _begun(position: str) -> Game:
    way = _way_to(position)
    game = _fresh(*position.split(" ")[:2])
    for given in way:
        game.offer(given)
    return game


_games: dict[str, Game] = {}
"""Games that stand at their positions."""


def game_at(position: str) -> Game:
    """The game at a position; nobody has given it anything since."""
    if position not in _games:
        if len(_games) > 200:
            _games.clear()
        _games[position] = _begun(position)
    return _games[position]


@functools.cache
def _view(position: str) -> View:
    """What the umpire sees at a position."""
    return game_at(position).view("umpire")


@functools.cache
def _vocabulary(position: str) -> tuple[str, ...]:
    """The names that a game has, and words from the edge."""
    game, view = game_at(position), _view(position)
    fields = {name for thing in view.things for name in thing.fields}
    values = {value for thing in view.things for value in thing.fields.values()}
    places = [place.label for board in view.maps for place in board.places[:60]]
    orders = list(game.commands.orders)
    return tuple(
        dict.fromkeys(
            [
                *(t.id for t in view.things),
                *(s.id for s in view.sides),
                *sorted(fields),
                *sorted(values),
                *places,
                *orders,
                *view.facts,
                *WORDS,
            ]
        )
    )


def _position(chance: random.Random, *, asked: bool = False) -> str:
    """A position; with `asked` one where something other than orders is awaited, if one is near."""
    found = ""
    for _ in range(12 if asked else 1):
        found = f"{chance.choice(FAR if wide[0] else NEAR)} {chance.randrange(SEEDS)} {chance.choice(STEPS)}"
        if asked and any(one.kind in {"question", "dice"} for one in game_at(found).awaiting):
            break
    return found


def _part(given: Input) -> str:
    return APART.join((given.kind, given.side, given.subject, given.text))


def _side(chance: random.Random, game: Game) -> str:
    named = [one.side for one in game.awaiting if one.side] * 3
    sides = [side.id for side in game.world.by_kind["side"]]
    return chance.choice([*named, "umpire", "umpire", *sides, chance.choice(WORDS)])


def make_orders(chance: random.Random) -> Case:
    """Legal commands, spoiled."""
    position = _position(chance)
    game, words = game_at(position), _vocabulary(position)
    given = []
    for _ in range(chance.randrange(1, 4)):
        side = _side(chance, game)
        text = _spoiled_order(chance, game, words)
        given.append(_part(Input("do", side, text)))
    return position, *given


@functools.cache
def _legal(position: str) -> tuple[str, ...]:
    game = game_at(position)
    sides = dict.fromkeys(one.side for one in game.awaiting if one.side)
    return tuple(command for side in sides for command in game.legal(side, 60)) or ("done",)


def _spoiled_order(chance: random.Random, game: Game, words: tuple[str, ...]) -> str:
    key = next(position for position, known in _games.items() if known is game)
    if chance.random() < 0.1:
        return " ".join(chance.choice(words) for _ in range(chance.randrange(1, 9)))
    return spoiled(chance, chance.choice(_legal(key)), words)


def make_answers(chance: random.Random) -> Case:
    """Answers and dice, spoiled."""
    position = _position(chance, asked=True)
    game, words = game_at(position), _vocabulary(position)
    given = []
    for _ in range(chance.randrange(1, 4)):
        one = chance.choice(game.awaiting)
        text = chance.choice(one.choices) if one.choices else chance.choice(("1", "7 8", "6+4", "1, 2"))
        if one.form == "each" or chance.random() < 0.2:
            text = chance.choice((", ", "; ", " ")).join(
                chance.choice([*one.choices, *words[:30]]) for _ in range(chance.randrange(1, 6))
            )
        kind = "roll" if one.kind == "dice" or chance.random() < 0.1 else "answer"
        name = chance.choice([one.name] * 6 + ["", chance.choice(words)])
        given.append(
            _part(
                Input(
                    kind, one.side if chance.random() < 0.8 else _side(chance, game), spoiled(chance, text, words), name
                )
            )
        )
    return position, *given


CHANGES = (
    "{field} of {thing} = {value}", "{field} of {thing} becomes {value}", "{field} of {thing} gains {value}", "{field} of {thing} loses {value}",
    "{thing} is {value}", "{thing} is not {value}", "{thing} is in {place}", "{thing} becomes {value}", "{thing} gains {value} {field}", "{thing} loses {value} {field}", "move {thing} to {place}", "move {thing} off the map",
    "remove {thing}", "reveal {thing}", "hide {thing}", "reveal {field} of {thing}", "end game", "end game won by {thing}", "{field} = {value}",
    "put zz (a {field} {value}, side {thing}) in {place}", "put {thing} (a {field}) in {place}", "side of {thing} = {value}", 'name of {thing} = "{value}"',
    "place of {thing} = {place}", "{value} is {value}", "turn = {value}", "active = {value}", '{field} of {thing} becomes "{{}}" with {value}',
)  # fmt: skip


def make_overrides(chance: random.Random) -> Case:
    """Rulings with values from the edge."""
    position = _position(chance, asked=chance.random() < 0.3)
    game, words = game_at(position), _vocabulary(position)
    view = _view(position)
    things = [t.id for t in view.things] + [s.id for s in view.sides]
    given = []
    for _ in range(chance.randrange(1, 4)):
        lines = []
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            thing = next(iter(chance.sample(view.things, 1)), None) if view.things else None
            field = chance.choice([*(thing.fields if thing else ()), chance.choice(words)])
            value = chance.choice(
                [
                    thing.fields.get(field, "1") if thing else "1",
                    chance.choice(words),
                    chance.choice(WORDS),
                    f'"{chance.choice(WORDS)}"',
                    chance.choice(things or ["x"]),
                ]
            )
            said = chance.choice(CHANGES).format(
                field=field, thing=thing.id if thing else "x", value=value, place=chance.choice(words)
            )
            lines.append(spoiled(chance, said, words) if chance.random() < 0.2 else said)
        reason = chance.choice(("counted wrong", "", *WORDS))
        kind = chance.choice(("override",) * 8 + ("option", "deadline"))
        if kind == "option":
            lines = [
                chance.choice(("with", "without", chance.choice(words)))
                + chance.choice((" ", "="))
                + chance.choice([*game.settings.get("modules", ()), chance.choice(words)])
            ]
        elif kind == "deadline":
            lines, reason = (
                [chance.choice(("done", chance.choice(words)))],
                f"{_side(chance, game)} {chance.choice(words)}",
            )
        given.append(
            _part(Input(kind, "umpire" if chance.random() < 0.9 else _side(chance, game), "\n".join(lines), reason))
        )
    return position, *given


def make_asked(chance: random.Random) -> Case:
    """Expressions, and commands to be judged."""
    position = _position(chance)
    game, words = game_at(position), _vocabulary(position)
    values, given = list(game.program.ruleset.bodied), []
    for _ in range(3):
        if chance.random() < 0.3:
            given.append(_part(Input("why-not", _side(chance, game), _spoiled_order(chance, game, words))))
            continue
        forms = (
            "{v} of {a}",
            "{v}",
            "{v} of {a} against {b}",
            "sum {v} of {a}",
            "count {a}",
            "{a} is {b}",
            "{v} of {v} of {a}",
            "highest {v} of {a}",
            "{a} = {b}",
            "{v} of all {a}",
            "({v} of {a})",
        )
        said = chance.choice(forms).format(
            v=chance.choice([*values, *words]), a=chance.choice(words), b=chance.choice(words)
        )
        said = spoiled(chance, said, [*values, *words]) if chance.random() < 0.4 else said
        given.append(_part(Input("why", chance.choice(("umpire", _side(chance, game))), said)))
    return position, *given


def feed_asked(case: Case) -> None:
    """Ask; nothing may change."""
    game = game_at(case[0])
    for said in case[1:]:
        kind, side, _, text = said.split(APART)
        try:
            if kind == "why":
                explain(game, text, side)
            else:
                game.why_not(side, text)
        except (Refused, RuleFailure, RuleTextError):
            continue


def feed_inputs(case: Case) -> None:
    """Give the inputs to the game at the position."""
    position = case[0]
    game = game_at(position)
    accepted = False
    try:
        for said in case[1:]:
            kind, side, subject, text = said.split(APART)
            sure = not accepted and len(text) % 4 == 0
            before = game.digest() if sure else ""
            try:
                game.offer(Input(kind, side, text, subject))
            except Refused:
                if sure and game.digest() != before:
                    raise Fault(f"a refused {kind} has changed the game") from None
            except RuleFailure:
                accepted = True
            else:
                accepted = True
                game.view("umpire")
                _look(game, position.split(" ")[0])
    except BaseException:
        accepted = True
        raise
    finally:
        if accepted:
            _games.pop(position, None)


def _look(game: Game, scenario: str) -> None:
    """What people do next: look, list what is legal, and write the state down, out of which the same state must come."""
    try:
        for one in game.awaiting:
            if one.kind == "orders":
                game.legal(one.side, 20)
    except RuleFailure:
        return
    image = game.snapshot()
    if image is not None:
        again = start(_documents(scenario)[0], game.settings, image)
        if again.digest() != game.digest():
            raise Fault("a snapshot leads to another state")


def _given(case: Case) -> int:
    return len(case) - 1


KINDS = (
    Kind("orders", make_orders, feed_inputs, _given),
    Kind("answers", make_answers, feed_inputs, _given),
    Kind("overrides", make_overrides, feed_inputs, _given),
    Kind("asked", make_asked, feed_asked, _given),
)
