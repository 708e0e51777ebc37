"""A complete turn of the theatre: how long the machine works on it, without the time that the automated sides think.

Automated sides play turns first, and their inputs are kept. Then the same inputs are given to a fresh game, and only that is
timed: orders read and checked, windows opened, movement, air war, battles, supply. Run: python tests/bench/bench_turn.py
"""

import random
import time
from typing import Any

from measure import cpu_seconds

from campaigns.library.compiling import active_modules, chosen_options, compiled
from campaigns.library.systems_by_name import scenario_of
from interpreter.automated.policies import make_policy, step
from interpreter.machine import Game, begin
from interpreter.messages.inputs import Input

SCENARIO = "btr/theatre"
TURNS = 2
SEED = 5


def fresh() -> Game:
    """The game at its beginning, with dice from the seed."""
    text, scenario, _ = scenario_of(SCENARIO)
    program = compiled(text, frozenset(active_modules(text, scenario, (), ())))
    return begin(program, scenario, {"seed": SEED, "options": chosen_options(text, {})})


def played(policy: str) -> tuple[list[list[Input]], float]:
    """The inputs of each turn, as automated sides gave them, and how long they took for a turn."""
    game, player, chance = fresh(), make_policy(policy, SEED), random.Random(SEED)
    turns: list[list[Input]] = []
    begun = time.process_time()
    while not game.over and game.turn <= TURNS:
        if len(turns) < game.turn:
            turns.append([])
        given = step(game, player, chance)
        turns[-1].append(given)
        game.offer(given)
    return turns, (time.process_time() - begun) / len(turns)


def bench(policy: str) -> None:
    turns, thought = played(policy)
    game = fresh()
    print(f"{SCENARIO}, {policy} sides; {thought:.2f} s a turn with what they think about")
    for number, inputs in enumerate(turns, 1):
        units = [u for u in game.world.all_of("unit") if u.place is not None]
        sides = ", ".join(f"{sum(u.side is s for u in units)} {s.id}" for s in game.world.all_of("side"))

        def resolve(inputs: list[Input] = inputs) -> None:
            for given in inputs:
                game.offer(given)

        seconds = cpu_seconds(resolve)
        kinds: dict[str, int] = {}
        for given in inputs:
            word = given.text.split()[0] if given.kind == "do" else given.kind
            kinds[word] = kinds.get(word, 0) + 1
        told: Any = ", ".join(f"{n} {w}" for w, n in sorted(kinds.items(), key=lambda x: -x[1])[:6])
        print(f"  turn {number}: {sides} on the map, {len(inputs)} inputs ({told}): {seconds:.2f} s")


if __name__ == "__main__":
    bench("greedy")
    bench("random")
