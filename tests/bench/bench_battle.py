"""One battle, 25 units against 15, run from the rule files of examples/bth and by hand-written Python, in one process.

It covers the steps from the answered choices to the losses: both strengths, the fire-support modifier, the column and its shifts,
both cells of the combat table, both hits. The rules run as the emitted procedure itself: its generator is advanced to the
answer about the ratings that fire, and timed from that answer until it begins to take losses; how the measurement then leaves
the procedure is not part of it. The peer does the same on
plain objects with equal attributes: exact numbers, tables as nested dicts whose rows are looked up once a side, side
aggregates computed once, units with nothing to fire skipped, options and modules (supply is on) written into the
code. It counts in exact fractions, as one would write them by hand; the rules count in integer parts where they can. Answers are
compared over many random positions before anything is timed. Run: python tests/bench/bench_battle.py
"""

import gc
import random
import statistics
import time
from collections.abc import Callable, Generator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from attrs import define
from measure import kept_bytes, peak_bytes, table

from campaigns.library.compiling import compiled
from campaigns.library.rule_texts import load_path
from dsl.load import bound_or_raise
from dsl.rules.entries import list_rows
from dsl.rules.notation import attribute
from interpreter.codegen.module import Emitter
from interpreter.program.program import Program
from interpreter.runtime.audit_trail import Trail
from interpreter.runtime.exact_numbers import divide, minus, plus, round_nearest, scaled, times
from interpreter.setup.compile_rules import compile_program
from interpreter.setup.setup import add_side, build_maps, new_world
from interpreter.world.world import World

CLASSES: dict[int, dict[str, type]] = {}
POSITIONS = 400
TIMED = 40
ROUNDS = 20
RANK = {"VL": 0, "L": 1, "M": 2, "H": 3, "VH": 4}
STRENGTH = {"AA": 0, "HA": 1, "DA": 2, "HD": 3, "DD": 4, "PD": 5}


# ---- a position --------------------------------------------------------------------------------------------------


@define(eq=False)
class Position:
    """A battle with every choice answered, as things of the world."""

    world: World
    attackers: list[Any]
    defenders: list[Any]
    target: Any
    firing: dict[Any, str]
    batteries: tuple[list[Any], list[Any]]
    dice: tuple[int, int]


def position(program: Program, templates: list[str], seed: int) -> Position:
    """25 attackers around a hex, 15 defenders in it, two batteries a side behind them."""
    rng = random.Random(seed)
    world = new_world(program, {})
    world.classes = CLASSES.setdefault(
        id(program), world.classes
    )  # as in one game: Python remembers where a class has a slot
    build_maps(world, [program.ruleset.maps["proving-ground"]])
    blue, red = add_side(world, "blue", "Blue"), add_side(world, "red", "Red")
    world.active = blue
    target = world.places[len(world.places) // 2]
    target.f_terrain = rng.choice(["open", "rough", "light-woods", "forest", "urban"])
    target.f_city = rng.random() < 0.1
    steady = rng.random() < 0.5

    def brigade(side: Any, number: int) -> Any:
        held = world.maker.create("brigade", f"{side.id}-{number}", f"{side.id}-{number}", side)
        words = ["HA", "DA"] if side is blue else ["DD", "PD"] if steady else ["AA", "HA", "DA", "HD", "DD", "PD"]
        held.f_posture = rng.choice(words)
        return held

    brigades = {side: [brigade(side, n) for n in range(4)] for side in (blue, red)}

    def unit(side: Any, place: Any, pool: list[str]) -> Any:
        made = world.maker.create("battalion", f"u{len(world.by_id)}", "", side)
        world.maker.apply_template(made, rng.choice(pool))
        made.f_losses = "half" if rng.random() < 0.15 else "intact"
        made.f_unsupplied = rng.choice([0] * 7 + [1, 2, 3])
        if rng.random() < 0.2:
            made.f_tech = rng.choice(["low", "medium", "high"])
        world.effects.hold(made, rng.choice(brigades[side]))
        world.positions.stand(made, place)
        return made

    attackers = [unit(blue, rng.choice(target.near), templates) for _ in range(25)]
    defenders = [unit(red, target, templates) for _ in range(15)]
    guns = [t for t in templates if "artillery" in t or "howitzers" in t]
    batteries = tuple(
        [unit(side, place, guns) for _ in range(2)]
        for side, place in ((blue, world.places[0]), (red, world.places[-1]))
    )
    allowed = world.functions = program.functions(world, world.options)
    firing = {u: rng.choice(allowed["v_allowed_firing"](u)) for u in attackers + defenders}
    return Position(world, attackers, defenders, target, firing, batteries, (rng.randint(1, 10), rng.randint(1, 10)))  # type: ignore[arg-type]


# ---- from the rules ----------------------------------------------------------------------------------------------


class Enough(Exception):
    """The losses are about to be taken."""


STOPPED: list[int] = []
"""The CPU time at which the rules began to take losses."""


def led(at: Position, trail: Any = None) -> Callable[[], Any]:
    """The emitted procedure, led to the answer about the ratings; the call that is left works the battle out."""
    world = at.world
    functions = world.functions if trail is None else world.program.functions(world, world.options, None, trail)
    answers = {"joiners": [], "attacking-batteries": at.batteries[0], "defending-batteries": at.batteries[1]}
    frame = World.frame(world, "procedure battle", world.active, None)
    frame.n_attackers, frame.n_target = at.attackers, at.target
    faces = dict(zip(world.all_of("side"), at.dice, strict=True))

    def ask(_site: int, _side: Any, name: str, *_: Any) -> Generator[Any, Any, Any]:
        return answers[name]
        yield

    def ask_each(*_: Any) -> Generator[Any, Any, Any]:
        answer = yield
        return answer

    def roll(_site: int, side: Any, *_: Any) -> Generator[Any, Any, int]:
        return faces[side]
        yield

    def stop(key: str, *_: Any) -> None:
        STOPPED.append(time.process_time_ns())
        raise Enough(key)

    world.host = SimpleNamespace(ask=ask, ask_each=ask_each, roll=roll)  # type: ignore[assignment]
    world.journal.tell = lambda *_: None  # type: ignore[method-assign]
    world.stories.told = False  # nobody is told anything, and the peer tells nobody
    world.effects.set = lambda *_: None  # type: ignore[method-assign]
    world.__dict__.pop("frame", None)
    run = functions["p_procedure_battle"](frame)
    next(run)
    world.frame = stop  # type: ignore[method-assign]

    def work() -> Any:
        try:
            run.send(at.firing)
        except Enough:
            return frame
        raise AssertionError

    return work


def kept_by(at: Position, work: Callable[[], Any], kept: list[Any]) -> Callable[[], Any]:
    """The same, keeping what a game keeps so that `why` can tell every line afterwards: the input that was answered.

    A game has the state at the start of the turn anyway. `interpreter/explain/retelling.py` leads a second game through the inputs
    since, to the moment that is asked about; the way with the trail is what that moment then costs.
    """

    def run() -> Any:
        kept.append(at.firing)
        return work()

    return run


def answers_of(frame: Any) -> tuple[Any, ...]:
    f = frame
    return (
        f.n_attack, f.n_defense, f.n_fire_modifier, f.n_first_column, f.n_final_column, f.n_attacker_percent,
        f.n_defender_percent, f.n_attacker_strength, f.n_defender_strength, f.n_attacker_hits, f.n_defender_hits,
    )  # fmt: skip


# ---- by hand -----------------------------------------------------------------------------------------------------


class Plain:
    """A unit, brigade or hex of the peer: slots as the things of the world have them. Ratings are the very same objects."""

    __slots__ = (
        "a", "arm", "b", "brigade", "c", "city", "fs", "infantry", "losses", "place", "posture", "side", "strength", "tech",
        "terrain", "things", "unsupplied",
    )  # fmt: skip


def plain_of(at: Position) -> SimpleNamespace:
    """The same position as plain objects."""
    made: dict[int, Any] = {}

    def copy(x: Any, **fields: str) -> Any:
        if id(x) not in made:
            made[id(x)] = out = Plain()
            for name, source in fields.items():
                setattr(out, name, getattr(x, attribute(source)))
        return made[id(x)]

    def unit(x: Any) -> Any:
        if id(x) in made:
            return made[id(x)]
        out = copy(
            x, strength="strength", losses="losses", tech="tech", arm="arm", unsupplied="unsupplied", a="a-armor",
            b="b-armor", c="c-armor", infantry="infantry", fs="fs",
        )  # fmt: skip
        out.side, out.brigade = x.side.id, copy(x.holder, posture="posture")
        return out

    target = copy(at.target, terrain="terrain", city="city")
    target.things = [unit(u) for u in at.target.things]
    return SimpleNamespace(
        attackers=[unit(u) for u in at.attackers], defenders=[unit(u) for u in at.defenders], target=target,
        firing={unit(u): word for u, word in at.firing.items()}, active="blue", dice=at.dice,
        batteries=tuple([unit(u) for u in group] for group in at.batteries),
    )  # fmt: skip


GROUND = {
    "open": "open", "water": "open", "rough": "intermediate", "foothills": "intermediate", "light-woods": "intermediate",
    "forest": "close", "heavy-forest": "close", "jungle": "close", "mountain": "close", "urban": "close",
}  # fmt: skip
CLOSE = {"low": (1, 4), "medium": (1, 4), "high": (1, 4)}
MULTIPLIER = {
    "open": {
        "maneuver": {"low": (4, 1), "medium": (8, 2), "high": (12, 3)},
        "positional": {"low": (2, 2), "medium": (2, 2), "high": (3, 3)},
    },
    "intermediate": {
        "maneuver": {"low": (4, 2), "medium": (4, 2), "high": (6, 3)},
        "positional": {"low": (1, 2), "medium": (1, 2), "high": (1, 2)},
    },
    "close": {"maneuver": CLOSE, "positional": CLOSE},
}
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
FIT = {
    "positional": {
        "HA": (2, HALF, 2),
        "DA": (2, HALF, 2),
        "HD": (HALF, 2, 2),
        "DD": (HALF, 2, 2),
        "PD": (HALF, 2, 2),
        "AA": (HALF, HALF, HALF),
    },
    "maneuver": dict.fromkeys(STRENGTH, (HALF, HALF, HALF)),
}
ALL = {"L": 1, "M": 1, "H": 1, "VH": 1}
BY_POSTURE = {
    "AA": ALL, "HA": ALL, "DA": ALL, "HD": ALL, "DD": {"L": QUARTER, "M": HALF, "H": 1, "VH": 1},
    "PD": {"L": 0, "M": QUARTER, "H": HALF, "VH": HALF},
}  # fmt: skip
BY_GROUND = {"open": ALL, "intermediate": ALL, "close": {"L": HALF, "M": 1, "H": 1, "VH": 1}}
IN_CITY = {"L": QUARTER, "M": QUARTER, "H": HALF, "VH": HALF}
COLUMNS = ("1:6", "1:5", "1:4", "1:3", "1:2", "1:1.5", "1:1", "1.5:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1")
STEPS = tuple((i, Fraction(w.split(":")[0]) / Fraction(w.split(":")[1])) for i, w in enumerate(COLUMNS))
HELD = {"HA": "HD", "DA": "HD", "AA": "AA", "HD": "HD", "DD": "DD", "PD": "PD"}
OWN = {word: word for word in STRENGTH}
SHIFT = {"DD": -2, "PD": -4, "AA": 4, "HA": 0, "DA": 0, "HD": 0}
CRT: list[list[tuple[int, int]]] = []


def letters(force: list[Any], firing: dict[Any, str]) -> int:
    """The letters of the ratings that fire, as bits."""
    found = 0
    for u in force:
        word = firing[u]
        if word in {"A", "A-and-C"}:
            letter = u.a.f_qualifier if u.a is not None else None
        elif word in {"B", "B-and-C"}:
            letter = u.b.f_qualifier if u.b is not None else None
        else:
            letter = None
        if letter is not None:
            found |= 1 << RANK[letter]
        if word in {"C", "B-and-C", "A-and-C"} and u.c is not None and u.c.f_qualifier is not None:
            found |= 1 << RANK[u.c.f_qualifier]
    return found


def reference(own: int, other: int) -> int:
    """The lowest own letter above all others opposite, else the highest; very light where there is none."""
    above = own >> other.bit_length() << other.bit_length()
    if above:
        return (above & -above).bit_length() - 1
    return own.bit_length() - 1 if own else 0


def strengths(
    force: list[Any], firing: dict[Any, str], row: dict[str, tuple[int, int]], fits: dict[str, Any], enemy: int,
    stands: dict[str, str], shares: tuple[dict[str, Any], dict[str, Any]], attacking: bool, hasty: bool, maneuver: bool,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Battle strength, fire and present strength of one side."""
    total = fire = present = 0
    total_part: Any = 0
    fire_part: Any = 0
    present_part: Any = 0
    low = row["low"]
    by_posture, by_ground = shares
    for u in force:
        strength = u.strength
        unsupplied = u.unsupplied
        if u.losses == "half":
            part: Any = HALF
            strength = scaled(strength, 1, 2)
        else:
            part = 1
            if u.losses == "eliminated":
                strength = 0
        if type(strength) is int:
            present += strength
        else:
            present_part = plus(present_part, strength)
        heavy_guns, light_guns = row[u.tech] if unsupplied != 3 else low
        word = firing[u]
        guns: Any = 0
        missiles: Any = 0
        if unsupplied != 3:
            if word in {"A", "A-and-C"}:
                rating = u.a
                thin = rating is not None and rating.f_in_brackets
            elif word in {"B", "B-and-C"}:
                rating = u.b
                thin = rating is not None and rating.f_in_brackets
            else:
                rating = None
                thin = False
            if rating is not None:
                guns = rating.f_value
                drop = enemy - (4 if rating.f_qualifier is None else RANK[rating.f_qualifier])
                if drop == 1:
                    guns = scaled(guns, 1, 2)
                elif drop == 2:
                    guns = scaled(guns, 1, 4)
                elif drop >= 3:
                    guns = 0
                factor = light_guns if thin and maneuver and u.arm != "gunship" else heavy_guns
                guns = guns * factor if type(guns) is int else times(guns, factor)
            if word in {"C", "B-and-C", "A-and-C"}:
                rating = u.c
                if rating is not None:
                    missiles = rating.f_value
                    drop = enemy - (4 if rating.f_qualifier is None else RANK[rating.f_qualifier])
                    if drop == 1:
                        missiles = scaled(missiles, 1, 2)
                    elif drop == 2:
                        missiles = scaled(missiles, 1, 4)
                    elif drop >= 3:
                        missiles = 0
                    factor = light_guns if rating.f_in_brackets and maneuver else heavy_guns
                    missiles = missiles * factor if type(missiles) is int else times(missiles, factor)
            if missiles:
                guns = guns + missiles if type(guns) is type(missiles) is int else plus(guns, missiles)
            if part is HALF and guns:
                guns = times(guns, HALF)
        foot: Any = 0
        if u.infantry:
            stance = stands[u.brigade.posture]
            regular = assault = heavy = walker = 0
            for p in u.infantry:
                if p.f_defends_only and attacking:
                    continue
                if p.f_assault:
                    if p.f_heavy:
                        walker += p.f_value
                    else:
                        assault += p.f_value
                elif p.f_heavy:
                    heavy += p.f_value
                else:
                    regular += p.f_value
            foot = regular if part == 1 or not regular else times(regular, HALF)
            if assault or heavy or walker:
                special = part if unsupplied < 2 else divide(part, 2) if unsupplied == 2 else 0
                if special:
                    fit = fits[stance]
                    if assault:
                        foot = plus(foot, times(times(assault, special), fit[0]))
                    if heavy:
                        foot = plus(foot, times(times(heavy, special), fit[1]))
                    if walker:
                        foot = plus(foot, times(times(walker, special), fit[2]))
            if foot:
                foot = times(foot, heavy_guns if hasty and stance == "HA" else light_guns)
        if foot:
            guns = guns + foot if type(guns) is type(foot) is int else plus(guns, foot)
        if type(guns) is int:
            total += guns
        else:
            total_part = plus(total_part, guns)
        if u.fs is not None and unsupplied < 2:
            weight = u.fs.f_class
            if weight is None:
                weight = "L"
            shot = times(times(times(u.fs.f_value, part), by_posture[weight]), by_ground[weight])
            if type(shot) is int:
                fire += shot
            else:
                fire_part = plus(fire_part, shot)
    return plus(total, total_part), plus(fire, fire_part), plus(present, present_part)


def battery_fire(group: list[Any], shares: tuple[dict[str, Any], dict[str, Any]]) -> Any:
    fire: Any = 0
    by_posture, by_ground = shares
    for u in group:
        if u.fs is not None and u.unsupplied < 2:
            weight = u.fs.f_class or "L"
            shot = times(u.fs.f_value, HALF if u.losses == "half" else 1)
            fire = plus(fire, times(times(shot, by_posture[weight]), by_ground[weight]))
    return fire


def by_hand(at: SimpleNamespace) -> tuple[Any, ...]:
    """The whole battle."""
    attackers, defenders, target, firing = at.attackers, at.defenders, at.target, at.firing
    attacking, defending = letters(attackers, firing), letters(defenders, firing)
    stands, holds = (OWN, HELD) if attackers[0].side == at.active else (HELD, OWN)
    speakers = [u for u in target.things if u.arm not in {"artillery", "gunship"}] or target.things
    lowest = 9
    posture = "HD"
    for u in speakers:
        word = (holds if u.side != at.active else stands)[u.brigade.posture]
        if STRENGTH[word] < lowest:
            lowest, posture = STRENGTH[word], word
    fighters = [u for u in attackers if u.arm not in {"artillery", "gunship"}] or attackers
    advance = "DA"
    for u in fighters:
        if stands[u.brigade.posture] != "DA":
            advance = "HA"
            break
    ground = "close" if target.city else GROUND[target.terrain]
    positional = ground == "close"
    if not positional:
        for u in [u for u in defenders if u.arm not in {"artillery", "gunship"}] or defenders:
            word = holds[u.brigade.posture]
            if word not in {"DD", "PD"}:
                break
        else:
            positional = True
    kind = "positional" if positional else "maneuver"
    row, fits = MULTIPLIER[ground][kind], FIT[kind]
    place = IN_CITY if target.city or target.terrain == "urban" else BY_GROUND[ground]
    hasty = posture in {"DD", "PD"}
    there, here = (BY_POSTURE[posture], place), (BY_POSTURE[advance], place)
    attack, fire, attacker_strength = strengths(
        attackers, firing, row, fits, reference(defending, attacking), stands, there, True, hasty, not positional
    )
    defense, counter, defender_strength = strengths(
        defenders, firing, row, fits, reference(attacking, defending), holds, here, False, False, not positional
    )
    attack_guns = all(u.arm == "artillery" for u in attackers)
    defense_guns = all(u.arm == "artillery" for u in defenders)
    if attack_guns:
        attack = divide(attacker_strength, 4)
    if defense_guns:
        defense = divide(defender_strength, 4)
    mine = (
        divide(fire + battery_fire(at.batteries[0], there), attacker_strength)
        if attacker_strength and not attack_guns
        else 0
    )
    theirs = (
        divide(counter + battery_fire(at.batteries[1], here), defender_strength)
        if defender_strength and not defense_guns
        else 0
    )
    modifier = round_nearest(minus(mine, theirs))
    if positional and ground != "close":
        modifier *= 2
    if attack == 0:
        column = 0
    elif defense == 0:
        column = 13
    else:
        odds = divide(attack, defense)
        column = 0
        for index, value in STEPS:
            if value > odds:
                break
            column = index
    final = min(max(column + SHIFT[posture] + (advance == "DA"), 0), 13)
    attacker_percent = CRT[min(max(at.dice[0] + modifier, 1), 10) - 1][final][0]
    defender_percent = CRT[min(max(at.dice[1] + modifier, 1), 10) - 1][final][1]
    return (
        attack, defense, modifier, COLUMNS[column], COLUMNS[final], attacker_percent, defender_percent, attacker_strength,
        defender_strength, divide(attacker_percent * attacker_strength, 100), divide(defender_percent * defender_strength, 100),
    )  # fmt: skip


# ---- both --------------------------------------------------------------------------------------------------------


def seconds_to_the_losses(call: Callable[[], Any]) -> float:
    """The CPU seconds of a battle, up to its losses, without garbage collection."""
    STOPPED.clear()
    gc.disable()
    try:
        begin = time.process_time_ns()
        call()
        end = time.process_time_ns()
    finally:
        gc.enable()
    return ((STOPPED[0] if STOPPED else end) - begin) / 1e9


def least(way: Callable[[Any, Any], Callable[[], Any]], at: Any, same: Any) -> float:
    """The least CPU seconds that a way took for a position, each time right after a call that is not counted."""
    best = float("inf")
    for _ in range(ROUNDS):
        way(at, same)()
        best = min(best, seconds_to_the_losses(way(at, same)))
    return best


def main() -> None:
    text = load_path("bth")
    modules = text.defaults | {"supply"}
    program = compiled(text, modules)
    look = program.constants["T_crt"]
    CRT.extend([tuple(look(die, column)) for column in COLUMNS] for die in range(1, 11))
    # Lists of what fights on the ground: the peer has no rule for lifters.
    lists = {name: found for name, found in program.ruleset.lists.items() if found.of == "battalion"}
    templates = sorted({row for name, found in lists.items() if "lift" not in name for row in list_rows(found)})
    positions = [position(program, templates, seed) for seed in range(POSITIONS)]
    plain = [plain_of(at) for at in positions]
    for number, (at, same) in enumerate(zip(positions, plain, strict=True)):
        mine = answers_of(led(at)())
        assert mine == by_hand(same), (number, mine, by_hand(same))
        assert mine == answers_of(led(at, Trail())()), number
    print(f"{POSITIONS} random positions: the rules, the rules with their trail, and the peer agree")

    chosen = list(zip(positions[:TIMED], plain[:TIMED], strict=True))
    kept: list[Any] = []
    ways: dict[str, Callable[[Any, Any], Callable[[], Any]]] = {
        "hand-written Python": lambda _, same: lambda: by_hand(same),
        "from the rule files": lambda at, _: led(at),
        "the same, with what `why` goes by kept": lambda at, _: kept_by(at, led(at), kept),
        "every line told, when `why` is asked": lambda at, _: led(at, Trail()),
    }
    again = [{name: least(way, at, same) for name, way in ways.items()} for at, same in chosen]
    steady = {name: statistics.mean(found[name] for found in again) for name in ways}
    in_a_row = dict.fromkeys(ways, float("inf"))
    for _ in range(ROUNDS):
        for name, way in ways.items():
            calls = [way(at, same) for at, same in chosen]
            in_a_row[name] = min(in_a_row[name], sum(map(seconds_to_the_losses, calls)) / TIMED)
    memory = {}
    for name, way in ways.items():
        calls = [way(at, same) for at, same in chosen]
        memory[name] = peak_bytes(lambda calls=calls: [call() for call in calls])
    title = (
        f"A battle of 40 units, mean of {TIMED} positions; memory: the most that is allocated meanwhile for all of them"
    )
    print(table(f"{title}. Each position again and again, as in one game", "hand-written Python", steady, memory))
    print(table("One position after the other, each in a world of its own", "hand-written Python", in_a_row, memory))

    bound = bound_or_raise(text, modules)
    seconds = statistics.median(timed(lambda: compile_program(bound, text.files).played) for _ in range(7))
    emitted = statistics.median(timed(lambda: Emitter(bound).module()) for _ in range(7))
    routines = len(bound.routines)
    _, kept = kept_bytes(lambda: compile_program(bound, text.files).played)
    print(
        f"Compiling {routines} rules: {seconds * 1e3:.0f} ms, {seconds / routines * 1e3:.2f} ms a rule (emitting {emitted / routines * 1e3:.2f} ms), {kept / routines / 1e3:.1f} kB a rule kept"
    )


def timed(work: Callable[[], Any]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


if __name__ == "__main__":
    main()
