"""What `why` shows is what play used: random games are retold line by line and compared with what play computed for each line.

`python -m tests.one_meaning --values 200000 --seed 7` runs until so many values were compared and prints the differences;
`tests/interpreter/test_one_meaning.py` is the short form. In each game it compares: the reported result of a line with what
play wrote; each value that the line used with the one that play computes; the last reported value with the state at the end of
each input; the events and the state of the retold game with those of play; and the output of `why` with the actual state.
"""

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import attrs

from campaigns.library.compiling import active_modules, compiled
from campaigns.library.systems_by_name import scenario_of
from campaigns.trials.sweep import _Task, drawn_modules
from dsl import ir
from dsl.ir import lines_in
from dsl.rules.entries import entries_of
from dsl.rules.ruleset import PLACE
from interpreter.automated.policies import make_policy, step
from interpreter.codegen.python_names import py
from interpreter.explain.evaluating import _space
from interpreter.explain.retelling import Teller
from interpreter.explain.story import forget, held
from interpreter.explain.told_lines import TOLD, names_told
from interpreter.machine import begin
from interpreter.messages.inputs import Refused
from interpreter.mirrors.veil import veiled
from interpreter.runtime.audit_trail import Trail
from interpreter.runtime.runtime import RuleTrouble, typed
from interpreter.world.ways import Ways
from interpreter.world.written_rows import encode

SCENARIOS = (
    "bth/meeting", "bth/texas-1", "bth/duel", "bth/kafer-invasion", "btr/first-battle", "btr/first-sorties", "btr/theatre",
    "ww2/lipki", "ww2/gorsk-week",
)  # fmt: skip
POLICIES = ("random", "mixed", "greedy")
FAILS = (RuleTrouble, AttributeError, TypeError, KeyError, IndexError, Refused)
MOST_SHOWN = 40


@attrs.define
class Found:
    """What was compared, by sort, and the differences."""

    counts: Counter[str] = attrs.field(factory=Counter)
    differences: list[str] = attrs.field(factory=list)
    failures: list[str] = attrs.field(factory=list)
    silent: Counter[str] = attrs.field(factory=Counter)
    """What changed without a line of the rules."""
    where: str = ""

    @property
    def values(self) -> int:
        return sum(self.counts.values())

    def compare(self, sort: str, what: Any, shown: Any, used: Any) -> None:
        """Counts one value and notes it if `why` and play differ.

        Where nothing counts how often a word stands in a set, play holds it once.
        """
        self.counts[sort] += 1
        if isinstance(shown, list) and isinstance(used, list) and used == list(dict.fromkeys(map(str, shown))):
            return
        if shown != used:
            text = what() if callable(what) else what
            self.differences.append(f"{self.where}: {sort}: {text}: why {shown!r}, play {used!r}")


def plain(world: Any, value: Any) -> Any:
    """A value as it can be compared between two worlds."""
    if isinstance(value, dict):
        return {str(plain(world, k)): plain(world, v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(world, x) for x in value]
    return value.id if hasattr(value, "id") else encode(value)


class Judge(Teller):
    """Tells everything, and compares as it goes."""

    most = sys.maxsize

    def __init__(self, game: Any, found: Found, recorded: list[Any]) -> None:
        lines = [s for r in game.program.rules.routines.values() for s in lines_in(r.body)]
        told = [s for s in lines if (s.DOES.changes in TOLD and not isinstance(s, ir.Remove)) or names_told(s)]
        super().__init__(game, game.program, frozenset(told), "umpire", frozenset(), None)
        self.found, self.recorded = found, recorded

    def tell(self, worked: Any, word: str, thing: Any, before: Any, *, over: bool = False) -> Any:
        given = super().tell(worked, word, thing, before, over=over)
        self.story.row[-1] = given = attrs.evolve(given, notes=[], fields=(), frame=None)
        line = worked.line
        if over or line is None or isinstance(line, ir.Write | ir.Show | ir.Move):
            return given

        def what() -> str:
            return f"{word} of {typed(thing)} by {line.span.file}:{line.span.line}"

        came = given.before + given.came if isinstance(line, ir.Gain) else given.came
        if isinstance(line, ir.Put) and given.came is None:
            return given
        if word == "place" and came is not None:
            came = came.place
        self.found.compare("line", what, plain(self.world, came), plain(self.world, given.value))
        return given

    def name(self, name: str, value: Any, home: str, caller: Any) -> None:
        row = len(self.story.row)
        super().name(name, value, home, caller)
        for given in self.story.row[row:]:
            where = f"{given.line.span.file}:{given.line.span.line}"
            empty = given.when is not None and value in (None, [])  # a name that is not given for want of its condition
            if not empty:
                self.found.compare(
                    "name", f"{name} by {where}", plain(self.world, given.came), plain(self.world, value)
                )
        del self.story.row[row:]

    def _worked_out(self, part: Any, frame: Any) -> Any:
        out = super()._worked_out(part, frame)
        if out is not None:
            compare_notes(self.found, self.world, out[1], frame)
        return out

    def take(self, number: int, given: Any) -> None:
        """One input: the second game must come to where play did, by the same events, and what was told last must stand."""
        self.twin.world.journal.events = []
        super().take(number, given)
        digest, events, state = self.recorded[number]
        self.found.compare("state", f"after {given.text}", self.twin.digest(), digest)
        self.found.compare(
            "events", f"after {given.text}", [(e.text, e.to) for e in self.twin.world.journal.events], events
        )
        last = {(g.thing.id, g.word): g for g in self.story.row if g.thing is not None}
        before = self.recorded[number - 1][2] if number else {}
        for key in state:
            thing = self.world.by_id.get(key[0])
            if thing is not None and thing.part and key[1] in {"place", "side"}:  # they are its whole's
                continue
            if key in before and before[key] != state[key] and (key not in last or last[key].since != number):
                self.found.silent[f"{key[1]} of a {thing.kind}" if thing is not None else key[1]] += 1
        for key, told in last.items():
            if key in state and (told.since == number or number == len(self.recorded) - 1):
                shown = plain(self.world, told.value)
                self.found.compare("told last", f"{key[1]} of {key[0]} after {given.text}", shown, state[key])


MISSING = object()
WORDLESS = frozenset({"title", "name"})
"""Fields that a question about a thing takes for something else."""


def compare_notes(found: Found, world: Any, notes: list[tuple[Any, ...]], frame: Any) -> None:
    """Each value that a trail tells, with what play works out of the same things now."""
    stack: list[tuple[str, tuple[Any, ...]]] = []
    for note in notes:
        if note[0] == "enter":
            stack.append((note[1], note[2]))
        elif note[0] == "leave":
            name, args = stack.pop()
            used = _played(world, name, args, frame)
            if used is not MISSING:
                shown = bool(note[1]) if isinstance(used, bool) else note[1]
                found.compare(
                    "value", f"{name} of {', '.join(map(typed, args))}", plain(world, shown), plain(world, used)
                )


def _played(world: Any, name: str, args: tuple[Any, ...], frame: Any) -> Any:
    """A value as play works it out; MISSING where it has it only as part of others."""
    function, routine = world.functions.get(f"v_{py(name)}"), world.program.rules.routines.get(name)
    if function is None or routine is None:
        return MISSING
    around = []
    if routine.within:
        while frame is not None and type(frame).__name__ != f"Frame_{py(routine.within)}":
            frame = frame.up
        if frame is None:
            return MISSING
        around = [frame]
    try:
        return function(*around, *args)
    except FAILS as error:
        return f"fails: {type(error).__name__}"


def state_of(game: Any) -> dict[tuple[str, str], Any]:
    """All that can be told of all things."""
    world, out = game.world, {}
    for thing in [*world.by_id.values(), world.game]:
        if thing is None or thing.kind == "side" or not thing.alive:
            continue
        info = world.ruleset.kinds[thing.kind]
        for word in [
            *(f for f in info.fields if f != "title"),
            "place",
            "side",
            "entry",
            *([info.holder] if info.holder else []),
        ]:
            out[thing.id, word] = plain(world, held(world, thing, word))
    return out


def ask(game: Any, found: Found, chance: random.Random, changed: list[tuple[str, str]]) -> None:
    """What `why` prints of a field and a value drawn at random, and of what the last input changed, with what there is."""
    world, program = game.world, game.program
    thing = chance.choice([x for x in world.by_id.values() if x.alive and x.kind != "side"])
    fields = [f for f in world.ruleset.kinds[thing.kind].fields if f not in {"title", "name"}]
    keys = [(thing.id, chance.choice(fields))] if fields else []
    keys += chance.sample(changed, min(len(changed), 2))
    for id_, word in keys:
        owner = world.by_id.get(id_) or world.game
        name = id_ if owner is not world.game else world.ruleset.campaign_kind
        shown = _printed(
            game, found, chance, f"{word} of {name}", lambda owner=owner, word=word: held(world, owner, word)
        )
        lines = [s.value.rpartition(" = ")[2] for s in shown.steps if s.applied] if shown is not None else []
        if lines and (id_, word) in changed:
            found.compare("why line", f"{word} of {name}", shown.value in lines, True)
    routine = chance.choice(
        [r for r in program.rules.routines.values() if r.word in {"value", "status"} and not r.within]
    )
    args = [chance.choice(fitting) for p in routine.params if not p.many and (fitting := _of_kind(world, p.type.word))]
    function = world.functions.get(f"v_{py(routine.name)}")
    text = written(routine, args) if len(args) == len(routine.params) and function is not None else ""
    if not text:
        return
    try:
        function(*args)
    except FAILS:
        return
    mark = routine.type.name == "mark"
    _printed(game, found, chance, text, lambda: bool(function(*args)) if mark else function(*args))


def work_out(game: Any, found: Found, chance: random.Random, number: int) -> None:
    """Values and statuses drawn at random, of things drawn at random, with and without their audit trail."""
    world, program = game.world, game.program
    trail = Trail()
    space = _space(program, world, {}, trail)
    before, space["T"], space["PIN"] = (space["T"], space["PIN"]), trail, {}
    routines = [r for r in program.rules.routines.values() if r.word in {"value", "status"}]
    try:
        for routine in chance.sample(routines, min(number, len(routines))):
            within = next((k for k in world.frames if k.partition(" ")[2] == routine.within), None)
            args = [_any(world, p, chance) for p in routine.params]
            name = f"v_{py(routine.name)}"
            if None in args or (routine.within and within is None) or name not in world.functions:
                continue
            frame = [world.frames[within]] if within is not None else []
            trail.notes = []
            shown, used = (
                _tried(world, space[name], [*frame, *args]),
                _tried(world, world.functions[name], [*frame, *args]),
            )
            if "fails" in (shown, used):
                if shown != used:
                    found.failures.append(
                        f"{found.where}: {routine.name} of {', '.join(map(typed, args))}: why {shown!r}, play {used!r}"
                    )
                continue
            compare_notes(found, world, trail.notes, frame[0] if frame else None)
    finally:
        space["T"], space["PIN"] = before


def go(game: Any, found: Found, chance: random.Random, number: int) -> None:
    """What `why` prints of paths drawn at random, with what the way comes to when nothing of it was kept."""
    world = game.world
    paths = [r for r in game.program.rules.routines.values() if r.word == "path" and not any(p.many for p in r.params)]
    for routine in chance.sample(paths, min(number, len(paths))):
        args = [_any(world, p, chance) for p in routine.params]
        if not args or None in args or not all(hasattr(x, "id") for x in args):
            continue
        moves, fresh = game.program.ways[routine.name].moves, Ways(world)
        goals = [x for x in world.places if x.kind == routine.ground]
        if not goals:
            continue
        goal = chance.choice(goals)
        of = written(routine, args)
        text = f"cost of reaching {goal.label} by {of}" if moves else f"there is {of}"
        try:
            used = fresh.cost_to(routine.name, tuple(args), goal) if moves else fresh.exists(routine.name, tuple(args))
            told = game.explain(text)
        except FAILS:
            continue
        shown = told.value if moves else told.value.partition(",")[0]
        found.compare("path", text, shown, typed(used) if moves else typed(bool(used)))


def _tried(world: Any, function: Any, args: list[Any]) -> Any:
    for frame in [x for x in args[:1] if hasattr(x, "memo")]:
        forget(frame)
    try:
        return plain(world, function(*args))
    except FAILS:
        return "fails"


def _any(world: Any, p: Any, chance: random.Random) -> Any:
    """Something that a parameter may be; None where there is nothing."""
    if p.type.name == "number":
        return chance.randint(0, 9)
    if p.type.name == "enum":
        return chance.choice(world.ruleset.enums[p.type.word].words)
    if p.type.name == "mark":
        return chance.random() < 0.5
    if p.type.name == "entry":
        return chance.choice(list(entries_of(world.ruleset, p.type.word)) or [None])
    things = _of_kind(world, p.type.word) if p.type.name == "thing" else []
    if not things:
        return None
    return chance.sample(things, min(len(things), chance.randint(1, 4))) if p.many else chance.choice(things)


def _of_kind(world: Any, kind: str) -> list[Any]:
    info = world.ruleset.kinds.get(kind)
    if info is None:
        return []
    return [x for x in world.places if kind in {x.kind, PLACE}] if info.word == "place" else list(world.all_of(kind))


def written(routine: Any, args: list[Any]) -> str:
    """A value or status of things as it is typed; empty where it cannot be."""
    names = [x if isinstance(x, str) else x.label or typed(x) for x in args]
    preps = [p.prep for p in routine.params]
    if routine.word == "status":
        if not args or preps[0] != "of":
            return ""
        rest = "".join(f" {p} {n}" for p, n in zip(preps[1:], names[1:], strict=True))
        return f"{names[0]} is {routine.name}{rest}"
    return routine.name + "".join(f" {p} {n}" for p, n in zip(preps, names, strict=True))


def _printed(game: Any, found: Found, chance: random.Random, text: str, used: Callable[[], Any]) -> Any:
    """What `why` prints for the umpire; a side that is answered at all is told what play makes of the world that it knows."""
    shown = None
    for side in ("umpire", chance.choice(game.world.all_of("side")).id):
        try:
            told = game.explain(text, side)
        except Refused:
            continue
        shown = shown or told
        if side == "umpire":
            found.compare("why", f"{text} for {side}", told.value, typed(used()))
        elif game.world.incognito is None and game.seat(side).heard(text) == text:  # else a name is another word for it
            with veiled(game.world, side):
                found.compare("why", f"{text} for {side}", told.value, typed(used()))
    return shown


def one_game(
    found: Found,
    scenario: str,
    modules: tuple[str, ...] | None,
    policy: str,
    seed: int,
    most: int,
    wanted: int,
    asked: float = 0.05,
) -> None:
    """One game: up to so many inputs, or until so many values were compared."""
    text, declared, _ = scenario_of(scenario)
    active = active_modules(
        text,
        declared,
        **({} if modules is None else {"with_": modules, "without": [m for m in text.modules if m not in modules]}),
    )
    game = begin(compiled(text, active), declared, {"seed": seed, "dice": "seeded"})
    player, chance = make_policy(policy, seed), random.Random(seed)
    found.where = f"{scenario} {policy} {seed} with {', '.join(sorted(active)) or 'nothing'}"
    inputs: list[Any] = []
    recorded: list[Any] = []
    start, state = game.course()[0][0], state_of(game)
    for _ in range(most):
        if game.over or found.values >= wanted:
            break
        try:
            given = step(game, player, chance)
        except Refused:  # the automated side cannot go on; what it did so far is compared
            break
        made = game.offer(given)
        inputs.append(given)
        before, state = state, state_of(game)
        recorded.append((game.digest(), [(e.text, e.to) for e in made], state))
        if game.course()[0][0] is not start:
            Judge(game, found, recorded).lead(start, inputs, game.scenario)
            inputs, recorded, start = [], [], game.course()[0][0]
        if chance.random() < 4 * asked:
            work_out(game, found, chance, 60)
            go(game, found, chance, 2)
        if chance.random() < asked:
            ask(
                game,
                found,
                chance,
                [k for k in state if k in before and before[k] != state[k] and k[1] not in WORDLESS],
            )
    Judge(game, found, recorded).lead(start, inputs, game.scenario)


def run(values: int, seed: int, seconds: float, inputs: int = 120, scenarios: tuple[str, ...] = SCENARIOS) -> Found:
    """Games of all systems, sets of modules and policies in turn."""
    found, ends = Found(), time.monotonic() + seconds
    for number in itertools.count():
        for place, scenario in enumerate(scenarios):
            sets: list[Any] = [None, *drawn_modules(_Task(scenario, seed + number, "random", (), (), None, ()), 1)]
            before = found.values
            share = max(200, (values - found.values) // len(scenarios))
            one_game(
                found,
                scenario,
                sets[(number + place) % len(sets)],
                POLICIES[(number + place) % 3],
                seed + number,
                inputs,
                before + share,
            )
            print(
                f"{found.values:>8,} values, {len(found.differences)} differences: {found.where}",
                file=sys.stderr,
                flush=True,
            )
            if found.values >= values or time.monotonic() > ends:
                return found
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--values", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--scenario", action="append")
    args = parser.parse_args()
    found = run(args.values, args.seed, args.minutes * 60, scenarios=tuple(args.scenario or SCENARIOS))
    wrong = [*found.differences, *found.failures, *(f"Changed by no line: {word}" for word in found.silent)]
    for line in wrong[:MOST_SHOWN]:
        print(line)
    print(
        f"{found.values:,} values compared ({', '.join(f'{n:,} {s}' for s, n in found.counts.items())}), {len(wrong)} differences."
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
