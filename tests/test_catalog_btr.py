"""The catalog of btr against its rules: every option and module, every cell of its tables, every printed unit.

The catalog's figures are written into examples, and the examples run against the rules.
"""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from campaigns.library.rule_texts import load_path
from dsl.syntax import declarations as d
from tests.catalogs import hold

ROOT = Path(__file__).parents[1] / "examples" / "btr"
CATALOG = tomllib.loads((ROOT / "catalog.toml").read_text())
TABLES = CATALOG["tables"]
POSTURES = ("AA", "HA", "DA", "PA", "HD", "DD", "PD")
WAVES = dict(zip(POSTURES, ("march", "hasty", "deliberate", "prepared", "defense", "defense", "defense"), strict=True))
OTHERWISE = {
    ("organic-fs", "prevailing"): "prevailing-value",
    ("organic-fs", "average"): "average-value",
    ("mixed-posture", "prevailing"): "prevailing-posture",
}
"""Words of options that are spelled otherwise, as they are words of the language."""
ARMS = {"specops": "special-forces"}
ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
ENTRY = {"da-one-hex": "deliberate", "minimum": "minimum", "no": "closed", "one-hex": "one-hex", "pa-only": "prepared"}


def number(value):
    return str(Fraction(value).limit_denominator(16))


# ---- names -----------------------------------------------------------------------------------------------------------
def test_options_are_those_of_the_catalog():
    def word(option, value):
        if isinstance(value, bool):
            return "yes" if value else "no"
        return OTHERWISE.get((option, value), str(value))

    mine = {
        x.name: ([str(t) for t in x.terms], str(x.default))
        for x in load_path("btr").declarations
        if isinstance(x, d.Option)
    }
    assert mine == {
        o["name"]: ([word(o["name"], v) for v in o["values"]], word(o["name"], o["default"])) for o in CATALOG["option"]
    }


def test_modules_are_those_of_the_catalog():
    modules = [x for x in load_path("btr").declarations if isinstance(x, d.Module)]
    theirs = [m for m in CATALOG["module"] if m["name"] != "basic"]
    assert {x.name: x.default for x in modules} == {m["name"]: m["default_on"] for m in theirs}
    assert {x.name: list(x.needs) for x in modules} == {m["name"]: m["needs"] for m in theirs}


# ---- tables ----------------------------------------------------------------------------------------------------------
def crt():
    for row in TABLES["crt"]["row"]:
        for column, attacker, defender in zip(TABLES["crt"]["columns"], row["attacker"], row["defender"], strict=True):
            yield f"attacker-hits of (crt at ({row['die']}, {column})) = {attacker}"
            yield f"defender-hits of (crt at ({row['die']}, {column})) = {defender}"


def mirror():
    """The defender's hits at r:1 are the attacker's at 1:r; 7:1 has no other half."""
    for row in TABLES["crt"]["row"]:
        for column, hits in zip(TABLES["crt"]["columns"], row["attacker"], strict=True):
            if column != "7:1":
                yield f"defender-result of {row['die']} under {':'.join(reversed(column.split(':')))} = {hits}"


def postures():
    columns = {"doctrine": "doctrine", "infantry": "infantry", "armor": "armor", "fire": "fs", "fire-towed": "fs_towed"}
    for posture, row in TABLES["posture"].items():
        for mine, theirs in (*columns.items(), ("survival", "survivability")):
            yield f"{mine} of (posture-effect at {posture}) = {number(row[theirs])}"
    for band in TABLES["modifier"]["bands"]:
        for gap in (band["low"], band.get("high", 99)):
            yield f"modifier-for of {gap} = {band['modifier']}"


def sizes():
    for table, bands in (("lower", "lower-bound"), ("upper", "upper-bound")):
        for band in TABLES["size_bands"][bands]:
            for size in (band["low"], band.get("high", 99)):
                yield f"size-column-{table} at {size} is {band['column']}"


def terrain():
    columns = {
        "doctrine": "doctrine",
        "armor": "armor",
        "fire": "fs",
        "light-infantry": "light_infantry",
        "stacking": "stacking",
    }
    for name, row in TABLES["terrain"].items():
        if row["placement"] == "hex":
            for mine, theirs in columns.items():
                yield f"{mine} of (terrain-effect at {name}) = {number(row[theirs])}"
            yield f"needs-road of (terrain-effect at {name}) is {'yes' if row['supply'] == 'road' else 'no'}"
            for gait, cost in (("mech", row["mech"]), ("foot", row["foot"]), ("light-foot", row["light"])):
                way = ENTRY[cost] if isinstance(cost, str) else "free"
                yield f"entry-rule at ({name}, {gait}) is {way}"
                yield f"{gait} of (hex-cost at {name}) = {0 if isinstance(cost, str) else cost}"
        elif row["placement"] == "hexside":
            for mine in ("doctrine", "armor"):
                yield f"{mine} of (hexside-effect at {name}) = {number(row[mine])}"
            yield f"light-infantry of (hexside-effect at {name}) = {row['light_infantry']}"
            yield f"infantry of (hexside-effect at {name}) = {row['infantry']}"


def raids_and_depots():
    for kind in ("interdiction", "bombardment"):
        for posture, hits in TABLES["results"][kind].items():
            for result, due in zip(TABLES["results"]["result_order"], hits, strict=True):
                yield f"raid-damage at ({kind}, {posture}, {result}) = {due}"
    for guns, rows in TABLES["artillery_class"].items():
        for posture in POSTURES:
            yield f"class-share at ({guns}, {posture}) = {number(rows.get(posture, 1))}"
    for row in TABLES["infiltration"]["rows"]:
        yield f"getting-in of (infiltration at {row['distance']}) = {row['infiltrate']}"
        yield f"getting-out of (infiltration at {row['distance']}) = {row['exfiltrate']}"
    depots = TABLES["depot_roll"]
    for quality in ("veteran", "experienced", "trained", "green", "regular", "elite"):
        yield f"depot-chance at {quality} = {depots[depots['alias'].get(quality, quality)]}"


def cells():
    for some in (crt, postures, sizes, terrain, raids_and_depots):
        yield from (f"then {cell}" for cell in some())


def symmetric():
    yield "set crt-edition symmetric:"
    yield from (f"  then {cell}" for cell in mirror())


def printed():
    """Each row of the printed table adds up to what is legible of it."""
    yield "set crt-edition as-printed:"
    for row in TABLES["crt"]["row"]:
        hits = [
            f"{side}-result of {row['die']} under {column}"
            for column in TABLES["crt"]["columns"]
            for side in ("attacker", "defender")
        ]
        legible = sum(int(x) for x in row["printed"].split() if x.isdigit())
        yield f"  then {' + '.join(f'({x})' for x in hits)} = {legible}"


def orders():
    """What order may follow what, and what it costs."""
    yield 'put a (a unit, side blue, mobility "4/4 M") in 0504'
    for before in POSTURES:
        yield f"given posture of a is {before}"
        for after, share in zip(POSTURES, TABLES["order_transitions"][before], strict=True):
            yield f"given wave is {WAVES[after]}-wave"
            yield f"then blue may {'' if share else 'not '}write-order a to {after}"
    for before in POSTURES:
        yield f"given posture-before of a is {before}"
        for after, share in zip(POSTURES, TABLES["order_transitions"][before], strict=True):
            if share and after in ("AA", "HA", "DA"):
                yield f"given posture of a is {after}"
                yield f"then allowance of a = {number(4 * share)}"


# ---- units -----------------------------------------------------------------------------------------------------------
def pair(u, field, rating):
    if not rating:
        yield f"there is no {field} of {u}"
        return
    yield f"mean of {field} of {u} is {ROMAN[rating['avg']]}"
    yield f"high of {field} of {u} is {ROMAN[rating['high']]}"


def ground(unit, u):
    yield f"arm of {u} is {ARMS.get(unit['type'], unit['type'])}"
    yield f"size of {u} = {unit.get('size', 0)}"
    if "strength" in unit:
        yield f"strength of power of {u} = {unit['strength']}"
        yield f"infantry of power of {u} else 0 = {unit.get('infantry', 0)}"
        yield f"(light of power of {u} else no) is {'yes' if unit.get('light') else 'no'}"
    else:
        yield f"there is no power of {u}"
    yield from pair(u, "armor", unit.get("armor"))
    yield from pair(u, "at", unit.get("at"))
    yield f"{u} is {'' if unit.get('armor', {}).get('special') else 'not '}special-armor"
    yield f"{u} is {'' if unit.get('at', {}).get('atgm') else 'not '}with-missiles"
    fs = unit.get("fs", {})
    yield f"size of fs of {u} else 0 = {fs.get('size', 0)}"
    yield f"worth of fs of {u} else 0 = {fs.get('value', 0)}"
    yield f"organic of fs of {u} else 0 = {unit.get('organic_fs', 0)}"
    yield f"organic of ad of {u} else 0 = {unit.get('organic_ad', 0)}"
    if "class" in fs:
        yield f"guns of {u} is {fs['class']}"
        yield f"{u} is {'' if fs['towed'] else 'not '}towed"
    area = unit.get("area_ad", {})
    yield f"size of ad of {u} else 0 = {area.get('size', 0)}"
    yield f"worth of ad of {u} else 0 = {area.get('value', 0)}"
    if "move" in unit:
        yield f"points of mobility of {u} else 0 = {unit['move']}"
        yield f"exploitation of mobility of {u} else 0 = {unit['exploit']}"
        yield f"way of mobility of {u} is {unit['mobility']}"
    yield f"points of flying of {u} else 0 = {unit.get('air_move', 0)}"
    yield f"exploitation of flying of {u} else 0 = {unit.get('air_exploit', 0)}"
    if "value" in unit:
        yield f"surface of {u} = {unit['value']}"
        yield f"skill of Recon by {u} = {unit['recon']}"
    yield f"there is no doctrine of {u}" if "doctrine" not in unit else f"doctrine of {u} = {unit['doctrine']}"


def air(unit, u):
    yield f"size of {u} = {unit['size']}"
    yield f"class of {u} is {unit['class']}"
    yield f"air of detection of {u} else 0 = {unit['det_air']}"
    yield f"surface of detection of {u} else 0 = {unit['det_surface']}"
    yield f"value of air of {u} else 0 = {unit['air']}"
    yield f"(defends-only of air of {u} else no) is {'yes' if unit['air_limited'] else 'no'}"
    yield f"surface of {u} = {unit['surface']}"
    yield f"value of survival of {u} else 0 = {unit['survivability']}"
    for kind, field in (("missile", "missile-bonus"), ("mission", "mission-bonus")):
        bonus = next((b["value"] for b in unit.get("brackets", ()) if b["kind"] == kind), 0)
        yield f"{field} of survival of {u} else 0 = {bonus}"
    for field, steps in zip(("short", "medium", "long"), unit["ranges"], strict=True):
        yield f"{field} of ranges of {u} else 0 = {steps}"


def units():
    for unit in CATALOG["unit"]:
        yield f"put a-{unit['id']} (a unit {unit['id']}, side blue)"
    for unit in CATALOG["unit"]:
        u = f"a-{unit['id']}"
        figures = (air if unit["kind"] == "air" else ground)(unit, u)
        yield from (f"then {line}" for line in figures)
        yield f"then tech of {u} = {unit['tech']}"
        yield f"then quality of {u} is {unit['quality']}"


EXAMPLES = {f.__name__: tuple(f()) for f in (cells, symmetric, printed, orders, units)}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_rules_are_as_the_catalog(name):
    hold("btr", EXAMPLES, name)
