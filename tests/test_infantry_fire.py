"""The fire of infantry: its tables match the catalog, and the chances of casualties match an independent computation.

The computation below knows nothing of the rules' texts: it takes the cluster table from the catalog and adds up all rolls.
"""

import itertools
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from campaigns.library.rule_texts import load_path
from campaigns.trials.casebook import run_variant
from dsl.rules.variants import variants
from dsl.syntax.parse import parse
from dsl.text.source import SourceFile
from tests.long import in_the_long_form

CATALOG = tomllib.loads((Path(__file__).parents[1] / "examples" / "infantry" / "catalog.toml").read_text())
TABLES = CATALOG["tables"]
BANDS = {"PB": "pb", "S": "short", "M": "medium", "L": "long", "EX": "extreme"}
EFFECTS = {"HE": "explosive", "STUN": "stun", "SMOKE": "smoke", "FIRE": "fire", "TEAR-GAS": "tear-gas"}
"""What the catalog writes among the type codes, and the rules as an effect of its own."""
CODES = {code for code in TABLES["type_codes"] if code.isupper()}
PLATOON = 28
FIRERS = ["put a (a platoon foot-rifle-lmg, side blue) in 0505", "put d (a platoon foot-rifle, side red) in 0507"]


def hold(lines):
    """Tries the lines as one example; each of them must hold. The rules are bound once for all, not with each example."""
    text = load_path("infantry")
    source = SourceFile("try/fire.rules", 'example "Fire":\n' + "".join(f"  {line}\n" for line in lines))
    found = parse(source)
    assert found.diagnostics == ()
    (example,) = found.declarations
    (variant,) = variants(example, text.defaults, text.modules)
    outcome = run_variant(text, example, variant)
    assert outcome.failures == []
    assert outcome.checks == sum(line.strip().startswith("then ") for line in lines) > 0


# ---- tables ----------------------------------------------------------------------------------------------------------
def printed(weapon):
    """The lines that say of a weapon what its row in the catalog prints."""
    name = weapon["id"]
    yield f"then class of {name} is {weapon['class']}"
    for field, column in (("load", "encumbrance"), ("set-up", "setup"), ("load-time", "load")):
        yield f"then {field} of {name} = {weapon[column]}"
    for field, column in (("crew-fire", "crew_fire"), ("crew-carry", "crew_carry")):
        yield f"then {field} of {name} = {weapon[column]}"
    yield f"then fixed of {name} is {'yes' if weapon['fixed_mount'] else 'no'}"
    if name == "mml":  # damage, bands and rounds are those of its missiles
        return
    yield f"then dv of {name} = {Fraction(weapon['dv'])}"
    yield f"then minimum of {name} is {weapon.get('minimum_range', 'absent')}"
    bands = {band: (reach, hardness) for band, reach, hardness in weapon["bands"]}
    for band, field in BANDS.items():
        if band in bands:
            yield f"then reach of {field} of {name} = {bands[band][0]}"
            yield f"then hardness of {field} of {name} = {bands[band][1]}"
        else:
            yield f"then {field} of {name} is absent"
    yield f"then burst of {name} is {weapon.get('burst', 'absent').lower()}"
    effects = [EFFECTS[code] for code in weapon["types"] if code in EFFECTS]
    yield f"then effect of {name} is {effects[0] if effects else 'plain'}"
    codes = {code for code in weapon["types"] if code in CODES} | ({"OS"} if weapon["ammo"] == "OS" else set())
    for code in sorted(CODES):
        yield f"then {'any' if code in codes else 'no'} codes of {name} is {code}"
    shots = {"unlimited": "absent", "OS": 1}.get(weapon["ammo"], weapon["ammo"])
    yield f"then shots of {name} is {shots}"
    yield f"then carried of {name} is {weapon.get('ammo_at_encumbrance_3', 'absent')}"


def test_every_row_of_the_weapon_tables():
    lines = [line for weapon in TABLES["weapons"] for line in printed(weapon)]
    assert len(TABLES["weapons"]) == 38
    hold(lines)


def test_every_cell_of_the_cluster_table():
    table = TABLES["cluster_hits"]
    lines = [
        f"then cluster-hits of {column['size']} by {roll} = {hits}"
        for column in table["columns"]
        for roll, hits in zip(table["rolls"], column["hits"], strict=True)
    ]
    lines.append("given cluster-column-8 is printed")
    for roll, hits in zip(table["rolls"], table["column_8_printed"], strict=True):
        lines.append(f"then cluster-hits of 8 by {roll} = {hits}")
    hold(lines)


HELPERS = [f"a-mortars-{n}-{who}" for n in range(1, 5) for who in ("light-sergeant", "light-rifleman-1")]
"""Who serves the eight mortars of the mortar platoon with their gunners; its rifles are those of the others."""
MORTARS = [
    "blue orders attack a with support-fire against d",
    "answer holding with none",
    f"answer helping with {', '.join(HELPERS)}",
]


def afoot():
    """The platoons that ride in no carrier, with the attack types for which the catalog prints a value."""
    for unit in CATALOG["unit"]:
        if not unit["motive"].startswith("mech"):
            yield from ((unit["id"], slot, av) for slot, av in unit["attack_values"].items())


@pytest.mark.parametrize(("platoon", "slot", "av"), list(afoot()))
def test_attack_values_of_the_platoons(platoon, slot, av):
    """At one hex, where every weapon reaches; hover bikes have grenades as well as rockets to choose from."""
    lines = [f"put a (a platoon {platoon}, side blue) in 0505", "put d (a platoon foot-rifle, side red) in 0506"]
    if (platoon, slot) == ("foot-mortar", "primary"):
        lines += [*MORTARS, "remove volleys"]
    lines.append(f"blue orders attack a with {slot.partition('_')[0]}-fire against d")
    if platoon == "hoverbike-laaw" and slot != "primary":
        lines.append(f"answer kind with {'plain' if slot == 'secondary_laaw' else 'explosive'}")
    lines.append("answer holding with none")
    if (platoon, slot) == ("foot-mortar", "support"):
        lines.append(MORTARS[-1])
    hold([*lines, f"then sum av of volleys = {av}"])


# ---- how likely what is ----------------------------------------------------------------------------------------------
def thrown(number, sides=6):
    """How likely each sum of some dice is."""
    sums = Counter(sum(faces) for faces in itertools.product(range(1, sides + 1), repeat=number))
    return {total: Fraction(count, sides**number) for total, count in sums.items()}


def cluster(value, roll):
    """The points that an attack value up to 30 scores by a roll."""
    column = next(one for one in TABLES["cluster_hits"]["columns"] if one["size"] == value)
    return column["hits"][TABLES["cluster_hits"]["rolls"].index(min(roll, 12))]


def falling(points_by_chance, target, factor=1):
    """How likely each number of men down is, of a platoon of 28: nobody where the shot misses its target number."""
    hit = sum(chance for roll, chance in thrown(2).items() if roll >= target)
    out = Counter({0: 1 - hit})
    for points, chance in points_by_chance.items():
        out[min(PLATOON, int(points * factor))] += hit * chance
    return out


def volley_of(value, bonus):
    """Points by chance: dice are added to the attack value, then comes the cluster roll."""
    out = Counter()
    for (more, likely), (roll, chance) in itertools.product(bonus.items(), thrown(2).items()):
        out[cluster(value + more, roll)] += likely * chance
    return out


def chances(expected):
    """The lines that give each number of men left its chance; together they are all there is."""
    assert sum(expected.values()) == 1
    return [
        f"then chance that (count men of d = {PLATOON - down}) = {likely}"
        for down, likely in expected.items()
        if likely
    ]


SUPPORT = ["blue orders attack a with support-fire against d", "answer holding with none", "do resolve-all"]


@pytest.mark.parametrize(("ground", "cover"), [("clear", 2), ("rough", 1)])
def test_rifles_at_two_hexes(ground, cover):
    """20 rifles, AV 10, at medium range: 6 is needed, and every point is two men in the open."""
    lines = [*FIRERS, f"given terrain of 0507 is {ground}", SUPPORT[0].replace("support", "primary"), *SUPPORT[1:]]
    hold(lines + chances(falling(volley_of(10, {0: Fraction(1)}), 6, cover)))


def test_assault_weapons_with_a_burst_in_the_open():
    """3 squad assault weapons, AV 2 and 1D3, at short range: 4 is needed."""
    firers = ["put a (a platoon jump-rifle, side blue) in 0505", FIRERS[1]]
    hold(firers + SUPPORT + chances(falling(volley_of(2, thrown(1, 3)), 4, 2)))


@in_the_long_form
def test_a_single_squad_bursts_by_a_die_less_three():
    """2 light machine guns of one squad, AV 2. In the daily form the burst of assault weapons covers both."""
    firers = ["put a (a platoon foot-rifle-lmg, side blue, squads lmg) in 0505", FIRERS[1]]
    bonus = Counter()
    for face, chance in thrown(1).items():
        bonus[max(0, face - 3)] += chance
    hold(firers + SUPPORT + chances(falling(volley_of(2, bonus), 4, 2)))


def test_machine_guns_at_men_dug_in():
    lines = [*FIRERS, "d becomes entrenched", *SUPPORT]
    hold(lines + chances(falling(volley_of(8, {0: Fraction(1)}), 4, Fraction(1, 2))))


def test_phosphorus_at_men_dug_in_and_in_the_open():
    """Four grenades, AV 2: two dice, against which a hole is no shelter and which count double in the open."""
    put = [
        "put a (a platoon foot-rifle, side blue, squads none) in 0506",
        'put s (a squad rifles, platoon a, troopers "4 phosphorus-rifleman")',
        FIRERS[1],
    ]
    throw = ["blue orders attack a with secondary-fire against d", *SUPPORT[1:]]
    hold([*put, "d becomes entrenched", *throw, *chances(falling(thrown(2), 4))])
    hold([*put, *throw, *chances(falling(thrown(2), 4, 2))])


def test_margins_move_the_cluster_roll_both_ways():
    """20 rifles needing a 6: two for every point of the margin, nothing at 1 or less, a 12 at most."""
    expected = Counter()
    for (aim, likely), (roll, chance) in itertools.product(thrown(2).items(), thrown(2).items()):
        moved = roll + 2 * (aim - 6)
        expected[cluster(10, moved) if moved > 1 else 0] += likely * chance
    shoot = ["given terrain of 0507 is rough", SUPPORT[0].replace("support", "primary"), *SUPPORT[1:]]
    lines = ["with margin-of-success:"] + [f"  {line}" for line in [*FIRERS, *shoot, *chances(expected)]]
    hold(lines)
