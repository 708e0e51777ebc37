"""The catalog of bth against its rules: every option and module, every cell of its tables, every printed unit.

The catalog's figures are written into examples, and the examples run against the rules.
"""

import tomllib
from itertools import product
from pathlib import Path

import pytest

from campaigns.library.rule_texts import load_path
from dsl.syntax import declarations as d
from tests.catalogs import hold

ROOT = Path(__file__).parents[1] / "examples" / "bth"
CATALOG = tomllib.loads((ROOT / "catalog.toml").read_text())
TABLES = CATALOG["tables"]
ENTRIES = {
    "usa-mib-tf": "mib-task-force",
    "usa-mib-artillery": "mib-artillery",
    "usa-mib-walkers": "mib-walkers",
    "usa-mib-gunships": "mib-gunships",
    "usa-mib-rifles": "mib-rifles",
    "usa-mib-transport": "mib-transports",
    "fra-armored": "french-armored",
    "fra-mechanized": "french-mechanized",
    "fra-hover-artillery": "french-hover-artillery",
    "fra-light-armor": "french-light-armor",
    "fra-infantry": "french-infantry",
    "fra-wheeled-artillery": "french-artillery",
    "fra-airmobile": "french-airmobile",
    "fra-heavy-armored": "french-heavy-armor",
    "fra-walkers": "french-walkers",
    "fra-heavy-artillery": "french-heavy-artillery",
    "fra-zephyr": "french-zephyr",
    "ger-hover-kg": "german-hover-kg",
    "ger-tracked-kg": "german-tracked-kg",
    "gbr-armoured-infantry": "british-armoured-infantry",
    "gbr-armoured": "british-armoured",
    "mex-cc21": "cc21",
    "mex-abr76": "abr76",
    "mex-wheeled-vet": "wheeled-veteran",
    "mex-wheeled-line": "wheeled-line",
    "mex-mixed-hover": "mixed-hover",
    "mex-hover": "hover-squadron",
    "mex-heavy-artillery": "heavy-howitzers",
    "tfl-hover": "legion-hover",
    "tfl-motorized": "legion-motorized",
    "tfl-airmobile": "legion-airmobile",
    "kaf-war-party-u": "war-party",
    "kaf-war-party-a": "war-party-aroused",
    "kaf-deathsled-u": "deathsled-pack",
    "kaf-deathsled-a": "deathsled-pack-aroused",
    "kaf-apc-u": "apc-pack",
    "kaf-apc-a": "apc-pack-aroused",
    "kaf-mrl-u": "rocket-pack",
    "kaf-mrl-a": "rocket-pack-aroused",
    "kaf-behemoth-u": "behemoth-pack",
    "kaf-behemoth-a": "behemoth-pack-aroused",
    "kaf-floater": "floater-pack",
    "kaf-safe-place-u": "safe-place",
    "kaf-safe-place-a": "safe-place-aroused",
    "vtol-base": "vtol-base",
}
"""The catalog's units, and what the rules' lists call them."""
ARMIES = {"CAR (warlord forces)": "car-warlords", "Inca Republic": "inca-republic"}
ARMS = {"transport-vtol": "transport", "base": "maneuver", "safe-place": "artillery"}
MARKS = {"recon": "recon", "separate": "separate", "kafer": "kafer", "towed": "towed"}


# ---- names -----------------------------------------------------------------------------------------------------------
def test_options_are_those_of_the_catalog():
    mine = {x.name: (list(x.terms), x.default) for x in load_path("bth").declarations if isinstance(x, d.Option)}
    assert mine == {o["name"]: (o["values"], o["default"]) for o in CATALOG["option"]}


def test_modules_are_those_of_the_catalog():
    mine = {x.name for x in load_path("bth").declarations if isinstance(x, d.Module)}
    assert mine == {m["name"] for m in CATALOG["module"] if not m.get("always_on")}


# ---- tables ----------------------------------------------------------------------------------------------------------
def crt():
    for row in TABLES["crt"]["rows"]:
        for column, (attacker, defender) in zip(TABLES["crt"]["columns"], row["cells"], strict=True):
            yield f"attacker-loss of (crt at ({row['die']}, {column})) = {attacker}"
            yield f"defender-loss of (crt at ({row['die']}, {column})) = {defender}"


def multipliers():
    for ground, kind, tech, armor, infantry in TABLES["multipliers"]["rows"]:
        yield f"armor of (battle-multiplier at ({ground}, {kind}, {tech})) = {armor}"
        yield f"infantry of (battle-multiplier at ({ground}, {kind}, {tech})) = {infantry}"


def infantry():
    for sort, _, attacking, defending, otherwise in TABLES["infantry_types"]["rows"]:
        if sort != "regular":
            for posture in ("HA", "DA"):
                yield f"{sort} of (infantry-fit at (positional, {posture})) = {attacking}"
            for posture in ("HD", "DD", "PD"):
                yield f"{sort} of (infantry-fit at (positional, {posture})) = {defending}"
            for posture in ("AA", "HA", "DA", "HD", "DD", "PD"):
                yield f"{sort} of (infantry-fit at (maneuver, {posture})) = {otherwise}"


def movement():
    columns = TABLES["movement_cost"]["columns"][1:]
    for terrain, *costs in TABLES["movement_cost"]["rows"]:
        for motion, cost in zip(columns, costs, strict=True):
            yield f"march-cost at ({terrain}, {motion}) = {cost}"
    for code, _, points, aliases in TABLES["movement_classes"]["rows"]:
        for letters in (code, *aliases):
            yield f"movement-points at {letters} = {points}"


def terrain():
    for ground in ("open", "intermediate", "close"):
        for name in TABLES["battle_terrain"][ground]:
            word = {"mountains": "mountain", "light woods": "light-woods"}.get(name, name)
            if word in {
                "open",
                "foothills",
                "light-woods",
                "rough",
                "forest",
                "jungle",
                "mountain",
                "heavy-forest",
                "urban",
            }:
                yield f"fights-as at {word} is {ground}"


def fire():
    for posture, *shares in TABLES["fire_support_posture"]["rows"]:
        for weight, share in zip("LMH", shares, strict=True):
            yield f"fire-by-posture at ({posture}, {weight}) = {share}"
        yield f"fire-by-posture at ({posture}, VH) = {shares[2]}"
    for ground, *shares in TABLES["fire_support_terrain"]["rows"]:
        for weight, share in zip(("L", "M", "H", "VH"), (*shares, shares[2]), strict=True):
            where = f"fire-in-city at {weight}" if ground == "city" else f"fire-by-ground at ({ground}, {weight})"
            yield f"{where} = {share}"


def losses():
    for percent, hexes in ((0, 0), (20, 0), (29, 0), *TABLES["retreat"]["rows"], (59, 1), (89, 2), (100, 3)):
        yield f"retreat-hexes at {percent} = {hexes}"
    for posture, shift in (("AA", 0), ("HA", -2), ("DA", -2), ("HD", -2), ("DD", -4), ("PD", -6)):
        yield f"shift of (bombarded-posture at {posture}) = {shift}"
    for raw, right in ((0, 0), (4, 0), (5, 2), (8, 2), (9, 4), (12, 4), (13, 6), (16, 6), (40, 6)):
        yield f"density at {raw} = {right}"


def initiative():
    for name, low in (("rs_6_11", (6, 11)), ("rs_12_17", (12, 17)), ("rs_18_up", (18, 99))):
        column = TABLES["victory_level"]["columns"].index(name)
        for row, raw in product(TABLES["victory_level"]["rows"], low):
            level, needed = ("one", "two", "three")[int(row[0]) - 1], row[column]
            if isinstance(needed, int):
                yield f"{level} of (victory-levels at {raw}) = {needed}"
            else:
                yield f"{level} of (victory-levels at {raw}) is absent"
    for markers, maneuver, positional in TABLES["initiative_shift"]["rows"]:
        for number in {"1-2": (1, 2), "3": (3,), "4+": (4, 5, 20)}[markers]:
            yield f"initiative-columns at ({number}, maneuver) = {-maneuver}"
            yield f"initiative-columns at ({number}, positional) = {-positional}"
    for difference, markers in ((0, 0), (4, 0), (5, 1), (8, 1), (9, 2), (12, 2), (13, 3), (30, 3)):
        yield f"contact-markers at {difference} = {markers}"


def troops():
    for quality, bonus in TABLES["engineer"]["quality"].items():
        yield f"digging-by-quality at {quality} = {bonus}"
    for quality, bonus in TABLES["abort_return"]["modifier"].items():
        yield f"return-bonus at {quality} = {bonus}"
    for quality, *sets in TABLES["reconstitution"]["rows"]:
        yield f"infantry of (units-for-one at {quality}) = {sets[0]}"
        yield f"vehicles of (units-for-one at {quality}) = {sets[1]}"
    for quality, times in TABLES["quality"]["multiplier"].items():
        yield f"quality-multiplier at {quality} = {times}"
    for tech, times in TABLES["tech"]["multiplier"].items():
        yield f"tech-multiplier at {tech} = {times}"
    ranks = {"1": "first-rank", "2": "second-rank", "3": "third-rank", "4": "fourth-rank"}
    for table, name in (("quality", "quality-by-rank"), ("tech", "tech-by-rank")):
        for rank, words in TABLES[table]["army_rank_first_elite_second"].items():
            for line, word in zip(("first-line", "elite-line", "second-line"), words, strict=False):
                yield f"{name} at ({ranks[rank]}, {line}) is {word}"
    for number in "1234":
        for army in TABLES["armies"][f"rank_{number}"]:
            name = ARMIES.get(army, army.lower())
            yield f"soldiers of (rank-of-army at {name}) is {ranks[number]}"
            yield f"equipment of (rank-of-army at {name}) is {ranks[number]}"


def companies():
    for sort, protection in TABLES["protection"].items():
        if sort != "apc":
            yield f"protection of (company-figures at {sort}) = {protection}"
    sizes = {"heavy-tank": "afv", "battery": "artillery-weapon", "walker": "combat-walker", "light-gunship": "gunship"}
    for sort, size in {**sizes, "missile-vehicle": "heavy-at-weapon", "foot": "infantry"}.items():
        yield f"size of (company-figures at {sort}) = {TABLES['company_size'][size]}"
    for weight, _, hexes in TABLES["artillery"]["rows"]:
        yield f"range-by-class at {weight} = {hexes}"
    for sort, radius in (
        ("light-gunship", "light"),
        ("heavy-gunship", "heavy_attack"),
        ("heavy-transport", "heavy_transport"),
    ):
        yield f"vtol-radius at {sort} = {TABLES['vtol_radius'][radius]}"
    for aircraft, factor in TABLES["aircraft_formulas"]["air_to_air"].items():
        yield f"in-the-air of (air-factors at {aircraft}) = {factor}"
    for aircraft, factor in TABLES["aircraft_formulas"]["air_to_ground"].items():
        yield f"at-the-ground of (air-factors at {aircraft}) = {factor}"


def cells():
    for some in (crt, multipliers, infantry, movement, terrain, fire, losses, initiative, troops, companies):
        yield from (f"then {cell}" for cell in some())


# ---- units -----------------------------------------------------------------------------------------------------------
def figures(unit):
    yield f"strength of u = {unit['strength']}"
    yield f"raw of u = {unit['raw']}"
    if unit["quality"] != "as its army":
        yield f"quality of u is {unit['quality']}"
        yield f"tech of u is {unit['tech']}"
    yield f"arm of u is {ARMS.get(unit['kind'], unit['kind'])}"
    for position, field in (("A", "a-armor"), ("B", "b-armor"), ("C", "c-armor")):
        rating = unit.get("armor", {}).get(position) or (position == "A" and unit.get("armor", {}).get("V"))
        if not rating:
            yield f"there is no {field} of u"
            continue
        yield f"value of {field} of u = {rating['value']}"
        yield f"qualifier of {field} of u is {rating.get('aq', 'absent')}"
        yield f"in-brackets of {field} of u is {'yes' if rating.get('paren') else 'no'}"
        yield f"plus-sign of {field} of u is {'yes' if rating.get('plus') else 'no'}"
    yield f"sum value of infantry of u = {sum(part['value'] for part in unit['infantry'])}"
    for field, rating in (("fs", unit.get("fs")), ("ad", unit.get("ad"))):
        yield f"value of {field} of u else 0 = {rating['value'] if rating else 0}"
        if rating:
            yield f"reach of {field} of u is {rating.get('range', 'absent')}"
        if rating and "class" in rating:
            yield f"class of {field} of u is {rating['class']}"
    if "radius" in unit:
        yield f"radius of mobility of u = {unit['radius']}"
    elif unit["mobility"]:
        first = unit["mobility"][0]
        yield f"class of mobility of u is {'SW' if first == 'W' else first}"
    yield f"capacity of u = {unit.get('capacity', 0)}"
    for flag, mark in MARKS.items():
        yield f"{mark} of u is {'yes' if flag in unit['flags'] else 'no'}"


def units():
    yield "put b (a brigade, side blue)"
    for unit in CATALOG["unit"]:
        yield f"put a-{unit['id']} (a battalion {ENTRIES[unit['id']]}, side blue, brigade b) in 0505"
    for unit in CATALOG["unit"]:
        of = f" of a-{unit['id']}"
        yield from (f"then {line.replace(' of u', of)}" for line in figures(unit))


def aircraft():
    for flight in CATALOG["aircraft"]:
        yield f"put a-{flight['id']} (a flight {flight['id']}, side blue)"
    for flight in CATALOG["aircraft"]:
        name = f"a-{flight['id']}"
        yield f"then aircraft of {name} is {flight['type']}"
        yield f"then crew of {name} is {flight['quality']}"
        yield f"then machine of {name} is {flight['tech']}"
        yield f"then flight-strength of {name} = {flight['strength']}"
        yield f"then air-to-air of {name} = {flight['aa']}"
        yield f"then air-to-ground of {name} = {flight['ag']}"
        yield f"then class of ground-value of {name} is {flight['ag_class']}"
        yield f"then ground-by-formula of {name} = {flight['ag_formula']}"


EXAMPLES = {"cells": tuple(cells()), "units, with vtol": tuple(units()), "aircraft, with air": tuple(aircraft())}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_rules_are_as_the_catalog(name):
    hold("bth", EXAMPLES, name)
