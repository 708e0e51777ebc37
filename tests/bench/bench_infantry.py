"""`infantry`, a company against a company, 252 troopers a side: every platoon fires everything it has, and legal orders are listed.

Nine platoons of four squads a side are two hexes from each other in the open; each fires its rifles and its machine guns
at the platoon across. The peer is the same in plain Python, with the same dice: who takes part, attack values, attack
rolls, burst dice, the cluster table, damage along the chart. Ours also tests morale and ends the turn. What is left of
both companies is compared. Run: python tests/bench/bench_infantry.py
"""

import statistics
from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

from attrs import define, field
from measure import cpu_seconds, table

from campaigns.library.compiling import compiled
from campaigns.library.rule_texts import load_path
from dsl.load import read_system
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.machine import Game, begin
from interpreter.messages.inputs import Input
from interpreter.program.program import Program
from interpreter.runtime.die_rolls import SeededDice, read_dice

GAMES = 5
"""Games of which the first round is timed, each with dice of its own."""
PLATOONS = 9
SLOTS = ("primary-fire", "support-fire")
COLUMNS = PLATOONS + 2
FIELD = f"""
map open-field "Open field" of hex, {COLUMNS} by 6, even columns low:
  letters:
    letter | terrain
    .      | clear
  grid:
{chr(10).join(f"    0{row} | {' '.join('.' * COLUMNS)}" for row in range(1, 7))}
scenario line "Line against line" on open-field:
  side blue "Blue" blue
  side red "Red" red
{
    chr(10).join(
        f"  forces {side} of platoon:{chr(10)}    name | type | in{chr(10)}"
        + chr(10).join(f"    {side[0]}-{n + 1} | foot-rifle-lmg | {n + 2:02}0{row}" for n in range(PLATOONS))
        for side, row in (("blue", 2), ("red", 4))
    )
}
  turn-order is blue, red
  end game when turn > 1 because "one round is fought"
"""


# ---- in plain Python -----------------------------------------------------------------------------------------
@define(eq=False)
class Weapon:
    worth: Fraction
    bands: tuple[tuple[int, int], ...]
    burst: str = ""


RIFLE = Weapon(Fraction(1, 2), ((1, 0), (2, 2), (3, 4), (4, 6)))
MACHINE_GUN = Weapon(Fraction(1), ((2, 0), (4, 2), (6, 4), (8, 6)), "1d6")
GRENADE = Weapon(Fraction(1, 2), ((1, 0),))


@define(eq=False)
class Trooper:
    primary: Weapon | None
    support: Weapon | None
    secondary: Weapon | None = None
    up: bool = True
    spent: bool = False


@define(eq=False)
class Platoon:
    column: int
    row: int
    men: list[Trooper] = field(factory=list)


@define(eq=False)
class Volley:
    goal: Platoon
    value: int
    needed: int
    bursting: int
    dice: str


def platoon(column: int, row: int) -> Platoon:
    out = Platoon(column, row)
    for _ in range(4):
        out.men += [Trooper(RIFLE, None, GRENADE) for _ in range(5)] + [Trooper(None, MACHINE_GUN) for _ in range(2)]
    return out


def steps(a: Platoon, b: Platoon) -> int:
    """Of hexes with low even columns."""
    ax, az = a.column, a.row - (a.column + 1) // 2
    bx, bz = b.column, b.row - (b.column + 1) // 2
    return max(abs(ax - bx), abs(az - bz), abs(ax + az - bx - bz))


def hardness(weapon: Weapon, gap: int) -> int | None:
    return next((more for reach, more in weapon.bands if gap <= reach), None)


def declare(p: Platoon, slot: str, q: Platoon) -> Volley | None:
    gap = steps(p, q)
    firing: list[tuple[Trooper, Weapon, int]] = []
    for t in p.men:
        weapon = t.primary if slot == "primary-fire" else t.support
        more = hardness(weapon, gap) if weapon is not None and t.up and not t.spent else None
        if weapon is not None and more is not None:
            firing.append((t, weapon, more))
    needed = 4 + max((more for _, _, more in firing), default=99)
    if needed > 12:
        return None
    for t, _, _ in firing:
        t.spent = True
    bursts = [weapon.burst for _, weapon, _ in firing if weapon.burst and slot == "support-fire"]
    value = ceil(sum((weapon.worth for _, weapon, _ in firing), Fraction(0)))
    return Volley(q, value, needed, len(bursts), bursts[0] if bursts else "")


def read_clusters(text: str) -> dict[tuple[int, int], int]:
    """The cluster table as it stands in the rule file: points by roll and attack value, up to 30."""
    rows = [
        line.split("||") for line in text.splitlines() if line.count("|") > 25 and line.split("||")[0].strip().isdigit()
    ]
    return {(int(roll), n + 1): int(cell) for roll, cells in rows for n, cell in enumerate(cells.split("|"))}


def resolve(v: Volley, roll: Callable[[str], int], clusters: dict[tuple[int, int], int]) -> None:
    if roll("2d6") < v.needed:
        return
    strength = v.value
    if v.bursting:
        bonus = roll(v.dice)
        strength += ceil(Fraction(bonus, 2)) if v.bursting == 1 else bonus
    for _ in range(2 * clusters[roll("2d6"), strength]):  # in the open every point counts twice
        left = [t for t in v.goal.men if t.up]
        if not left:
            return
        struck = next((t for t in left if t.support is None), left[0])
        struck.up = False


def peer_round(
    companies: dict[str, list[Platoon]],
    declared: list[tuple[str, int, str]],
    roll: Callable[[str], int],
    clusters: dict[tuple[int, int], int],
) -> None:
    foe = {"blue": "red", "red": "blue"}
    volleys = [declare(companies[side][n], slot, companies[foe[side]][n]) for side, n, slot in declared]
    for v in volleys:
        if v is not None:
            resolve(v, roll, clusters)


# ---- ours ----------------------------------------------------------------------------------------------------
def built() -> tuple[Program, d.Scenario, str]:
    """The rules of `infantry` with the field above, and the text of its cluster table."""
    files = [*load_path("infantry").files.values(), SourceFile("line.rules", FIELD)]
    text = read_system(files)
    scenario = next(x for x in text.declarations if isinstance(x, d.Scenario) and x.name == "line")
    return compiled(text, ()), scenario, next(x.text for x in files if x.name.endswith("clusters.rules"))


def to_the_fire(game: Game) -> None:
    """Nobody moves."""
    while "weapon-attack" not in {name for name, _ in game.world.phases}:
        one = game.waiting[0]
        question = one.kind == "question"
        game.offer(
            Input(
                "answer" if question else "do",
                one.side,
                one.choices[0] if question else "done",
                one.name if question else "",
            )
        )


def our_round(game: Game, declared: list[tuple[str, int, str]]) -> None:
    """Whoever is asked takes the first of his platoons, and fires its rifles and its machine guns."""
    while not game.over:
        one = game.waiting[0]
        if one.kind == "question":
            game.offer(Input("answer", one.side, one.choices[0], one.name))
        acting, side = game.world.game.f_acting.id, one.side
        n, foe = int(acting[2:]), "r" if side == "blue" else "b"
        for slot in SLOTS:
            declared.append((side, n - 1, slot))
            game.offer(Input("do", side, f"attack {acting} with {slot} against {foe}-{n}"))
            game.offer(Input("answer", side, "none", "holding"))
        if (
            not game.over
            and game.waiting[0].kind == "orders"
            and game.world.game.f_acting is not None
            and game.world.game.f_acting.id == acting
        ):
            game.offer(Input("do", side, "done"))


def standing(game: Game) -> list[bool]:
    return [t.f_condition == "active" for p in game.world.all_of("platoon") for s in p.members for t in s.members]


def main() -> None:
    program, scenario, text = built()
    clusters = read_clusters(text)
    ours: list[float] = []
    peers: list[float] = []
    legal: list[float] = []
    listed = troopers = fallen = 0
    for seed in range(1, GAMES + 1):
        game = begin(program, scenario, {"seed": seed})
        to_the_fire(game)
        one = game.waiting[0]
        game.offer(Input("answer", one.side, one.choices[0], one.name))
        asked: list[Any] = []
        legal.append(cpu_seconds(lambda asked=asked, game=game: asked.extend(game.legal(game.waiting[0].side, 2_000))))
        listed = max(listed, len(asked))
        declared: list[tuple[str, int, str]] = []
        ours.append(cpu_seconds(lambda declared=declared, game=game: our_round(game, declared)))
        companies = {side: [platoon(n + 2, row) for n in range(PLATOONS)] for side, row in (("blue", 2), ("red", 4))}
        dice = SeededDice(seed)

        def roll(which: str, dice: SeededDice = dice) -> int:
            return dice.roll(read_dice(which))

        while roll("2d6") == roll("2d6"):
            pass  # initiative, until they differ
        peers.append(
            cpu_seconds(lambda declared=declared, c=companies, roll=roll: peer_round(c, declared, roll, clusters))
        )
        expected = [t.up for side in ("blue", "red") for p in companies[side] for t in p.men]
        assert standing(game) == expected
        troopers, fallen = len(expected), fallen + expected.count(False)
    title = (
        f"`infantry`: a company against a company, {troopers} troopers, every platoon fires ({fallen / GAMES:.0f} fall)"
    )
    seconds = {
        "plain Python": statistics.mean(peers),
        "ours, with morale and the end of the turn": statistics.mean(ours),
    }
    print(table(title, "plain Python", seconds, {}))
    print(
        f"  the dearest round {max(ours) * 1e3:.0f} ms; legal, {listed} commands: {max(legal) * 1e3:.1f} ms at most\n"
    )


if __name__ == "__main__":
    main()
