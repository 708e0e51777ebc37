"""A company against a company, 252 troopers a side in 36 squads: one round of orders for all, and legal orders are listed.

The rules are those of tests/bench/roster.rules: a platoon's attack value is a sum over the able troopers with weapons that reach,
the best burst dice among them are rolled, and each point of damage goes to the next man of the chart. The peer is the same
in plain Python, with the same dice; what both sides have left is compared before anything is timed. Run:
python tests/bench/bench_roster.py
"""

import statistics
from collections.abc import Callable
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from attrs import define, field
from measure import cpu_seconds, kept_bytes, table

from dsl.load import bound_or_raise, read_system
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.machine import Game, begin
from interpreter.messages.inputs import Input
from interpreter.program.program import Program
from interpreter.runtime.die_rolls import SeededDice, read_dice
from interpreter.setup.compile_rules import compile_program

RULES = Path(__file__).with_name("roster.rules")
ROUNDS = 5
"""Turns that are played and timed: the companies melt away, so the first cost most."""


# ---- in plain Python -----------------------------------------------------------------------------------------
@define(eq=False)
class Weapon:
    av: Fraction
    sort: str
    reach: int
    burst: str = ""


WEAPONS = {
    "carbine": Weapon(Fraction(1, 2), "rifle", 3),
    "lmg": Weapon(Fraction(1), "support", 5, "1d6"),
    "saw": Weapon(Fraction(3, 4), "support", 4, "1d3"),
    "pistol": Weapon(Fraction(1, 4), "pistol", 1),
}
KITS = (("carbine", 1, True), *(("carbine", 0, False),) * 4, ("lmg", 0, False), ("saw", 0, False))
COLUMNS = ((1, 4), (5, 8), (9, 12), (13, 16), (17, 20), (21, 30))
CLUSTERS = {
    (2, 3): (1, 2, 4, 5, 6, 8), (4, 5): (1, 3, 5, 7, 8, 10), (6, 8): (2, 4, 7, 9, 12, 15), (9, 10): (3, 6, 9, 12, 15, 20),
    (11, 12): (4, 8, 12, 16, 20, 28),
}  # fmt: skip


@define(eq=False)
class Trooper:
    arms: tuple[Weapon, Weapon]
    vest: int
    leads: bool
    state: str = "fit"
    strokes: int = 0


@define(eq=False)
class Platoon:
    column: int
    row: int
    troopers: list[Trooper]
    morale: list[int] = field(factory=lambda: [4] * 4)
    last_hit: Trooper | None = None
    fired: bool = False


def platoon(column: int, row: int) -> Platoon:
    men = [Trooper((WEAPONS[gun], WEAPONS["pistol"]), vest, leads) for _ in range(4) for gun, vest, leads in KITS]
    return Platoon(column, row, men)


def arms_of(t: Trooper, sort: str) -> Weapon | None:
    return next((w for w in t.arms if w.sort == sort), None)


def hopeful(p: Platoon, sort: str, gap: int) -> list[tuple[Trooper, Weapon]]:
    out = []
    for t in p.troopers:
        if t.state != "out":
            w = arms_of(t, sort)
            if w is not None and w.reach >= gap:
                out.append((t, w))
    return out


def steps(a: Platoon, b: Platoon) -> int:
    """Of hexes with low even columns."""
    ax, az = a.column, a.row - (a.column + 1) // 2
    bx, bz = b.column, b.row - (b.column + 1) // 2
    return max(abs(ax - bx), abs(az - bz), abs(ax + az - bx - bz))


def looked_up(spread: int, column: int) -> int:
    column = min(max(column, 1), 30)
    at = next(n for n, (low, high) in enumerate(COLUMNS) if low <= column <= high)
    return next(cells[at] for (low, high), cells in CLUSTERS.items() if low <= spread <= high)


def fire(p: Platoon, sort: str, q: Platoon, roll: Callable[[str], int]) -> bool:
    if p.fired or not any(t.state != "out" for t in q.troopers):
        return False
    gap = steps(p, q)
    if not hopeful(p, sort, gap):
        return False
    p.fired = True
    firing = hopeful(p, sort, gap)
    av = sum((w.av for _, w in firing), Fraction(0))
    if any(t.leads for t in p.troopers if t.state != "out"):
        av += 1
    av = ceil(av)
    bursts = [read_dice(w.burst) for _, w in firing if w.burst]
    dice = str(max(bursts, key=lambda x: (x.lowest + x.highest, x.highest))) if bursts else "1d2"
    if roll("2d6") < ceil(Fraction(sum(p.morale), len(p.morale)) + gap):
        return True
    bursting = roll(dice)
    for _ in range(looked_up(roll("2d6"), av + bursting)):
        at = q.troopers.index(q.last_hit) + 1 if q.last_hit is not None else 0
        struck = next((t for t in q.troopers[at:] + q.troopers[:at] if t.state != "out"), None)
        if struck is None:
            break
        struck.strokes += 1
        struck.state = "out" if struck.strokes > struck.vest else "hurt"
        q.last_hit = struck
    return True


# ---- both ----------------------------------------------------------------------------------------------------
def fresh(program: Program, scenario: d.Scenario) -> Game:
    return begin(program, scenario, {"seed": 7})


def orders(turn: int) -> list[tuple[str, int, str, int]]:
    """What each platoon is ordered, side by side: (side, platoon, with what, at which)."""
    sorts = ("rifle", "support")
    return [
        (side, n, sorts[(n + turn) % 2], (n + turn) % 9 if (n + turn) % 9 in {n - 1, n, n + 1} else n)
        for side in ("blue", "red")
        for n in range(9)
    ]


def peer_round(companies: dict[str, list[Platoon]], turn: int, roll: Callable[[str], int]) -> list[bool]:
    foe = {"blue": "red", "red": "blue"}
    done = [fire(companies[s][n], sort, companies[foe[s]][m], roll) for s, n, sort, m in orders(turn)]
    for company in companies.values():
        for p in company:
            p.fired = False
    return done


def our_round(game: Game, turn: int, ordered: list[bool]) -> None:
    """The same orders; those that the peer found impossible are left out."""
    given = list(zip(orders(turn), ordered, strict=True))
    for side in ("blue", "red"):
        for (who, n, sort, m), possible in given:
            if who == side and possible:
                foe = "r" if side == "blue" else "b"
                game.offer(Input("do", side, f"fire {side[0]}-{n + 1} with {sort} against {foe}-{m + 1}"))
        if not game.over:
            game.offer(Input("do", side, "done"))


def states(game: Game) -> list[str]:
    return [t.f_state for p in game.world.all_of("platoon") for s in p.members for t in s.members]


def main() -> None:
    text = read_system([SourceFile(RULES.name, RULES.read_text(encoding="utf-8"))])
    program = compile_program(bound_or_raise(text), text.files)
    scenario = next(x for x in text.declarations if isinstance(x, d.Scenario))
    game, dice = fresh(program, scenario), SeededDice(7)
    companies = {"blue": [platoon(2 + n, 2) for n in range(9)], "red": [platoon(2 + n, 4) for n in range(9)]}

    def roll(text_: str) -> int:
        return dice.roll(read_dice(text_))

    ours: list[float] = []
    peers: list[float] = []
    legal: list[float] = []
    listed = 0
    for turn in range(ROUNDS):
        asked: list[Any] = []
        legal.append(cpu_seconds(lambda asked=asked: asked.extend(game.legal("blue", 2_000))))
        listed = max(listed, len(asked))
        done: list[bool] = []
        peers.append(cpu_seconds(lambda done=done, turn=turn: done.extend(peer_round(companies, turn, roll))))
        ours.append(cpu_seconds(lambda done=done, turn=turn: our_round(game, turn, done)))
        assert states(game) == [t.state for side in ("blue", "red") for p in companies[side] for t in p.troopers]
    fallen = states(game).count("out")
    _, kept = kept_bytes(lambda: fresh(program, scenario))
    title = f"A company against a company, {len(states(game))} troopers: one order round ({fallen} out after {ROUNDS}); memory: the game"
    seconds = {
        "plain Python": statistics.mean(peers),
        "ours, orders read, checked, told and kept": statistics.mean(ours),
    }
    print(table(title, "plain Python", seconds, {"ours, orders read, checked, told and kept": kept}))
    print(
        f"  the dearest round {max(ours) * 1e3:.0f} ms; legal, up to {listed} commands: {max(legal) * 1e3:.1f} ms at most\n"
    )


if __name__ == "__main__":
    main()
