"""The catalog of ww2 against its rules: modules, options, every cell of its tables, every row of the unit table.

The catalog's figures are written into examples, and the examples run against the rules.
"""

import functools
import shutil
import tomllib
from pathlib import Path

import pytest

from campaigns.library.checking import check
from campaigns.library.rule_texts import load_path
from campaigns.play.starting import create_campaign
from dsl.syntax import declarations as d
from interpreter.messages.inputs import Refused
from tests.catalogs import hold
from tests.long import LONG

ROOT = Path(__file__).parents[1] / "examples" / "ww2"
CATALOG = tomllib.loads((ROOT / "catalog.toml").read_text())
TABLES = CATALOG["tables"]
ON_A_TABLE = {"board-metric", "support-base-size"}
"""Options of the catalog that are fixed by the map or mean the figures on a table."""
SPECIALS = {
    "indirect-only": "indirect-only",
    "indirect-only-inferred": "indirect-only",
    "direct-only": "direct-only",
    "two-attacks-first-round": "two-attacks",
    "indirect-support-soft-only": "soft-support",
    "spot-3": "spots-far",
    "corps": "corps-gun",
}
FATES = {
    "surrendered": "gives-up",
    "annihilated": "wiped-out",
    "broken": "breaks",
    "out-2-days": "out-two",
    "out-1-day": "out-one",
    "heroic": "heroic",
    "no-effect": "holds",
    "inspiring": "inspiring",
}


def yes(value):
    return "yes" if value else "no"


# ---- names -----------------------------------------------------------------------------------------------------------
def test_modules_are_those_of_the_catalog():
    mine = {x.name for x in load_path("ww2").declarations if isinstance(x, d.Module)}
    assert mine == {rule["module"] for rule in CATALOG["rule"]} - {"basic"}


def test_options_are_those_of_the_catalog():
    mine = {x.name: (list(x.terms), x.default) for x in load_path("ww2").declarations if isinstance(x, d.Option)}
    wanted = {}
    for option in CATALOG["option"]:
        if option["name"] not in ON_A_TABLE:
            values = [("no", "yes")[v] if isinstance(v, bool) else str(v) for v in option["values"]]
            default = option["default"]
            wanted[option["name"]] = (values, ("no", "yes")[default] if isinstance(default, bool) else str(default))
    assert mine == wanted


# ---- tables ----------------------------------------------------------------------------------------------------------
def grades():
    for grade, *figures in TABLES["grades"]["rows"]:
        for column, figure in zip(TABLES["grades"]["columns"][1:], figures, strict=True):
            yield f"{column} of (grade-values at {grade}) = {figure}"


def orders():
    for name, fire, price, assaulted, assaults, opens, digs, extra, *_ in TABLES["orders"]["rows"]:
        row = f"of (order-rules at {name})"
        yield f"return-fire {row} is {({'auto': 'automatic', 'none': 'never'}).get(fire, fire)}"
        yield f"when-assaulted {row} is {assaulted}"
        yield f"may-assault {row} is {yes(assaults)}"
        yield f"may-open-fire {row} is {yes(opens)}"
        yield f"may-dig {row} is {yes(digs)}"
        yield f"extra-moves {row} = {extra}"
        assert price in (-1, 0, 1)


def prices():
    names = {"assault": "new-assault", "assault-join": "join-assault", "assault-continue": "continue-assault"}
    bought = TABLES["pip_prices"]["division"]
    for action in ("adjust", "ranged-fire", "artillery", "disengage", "dig", "emergency-move", "return-fire", *names):
        yield f"division-prices at {names.get(action, action)} = {bought[action]}"
    names = {"order": "new-order", "new-hq": "new-headquarters"}
    for action, price in TABLES["pip_prices"]["corps"].items():
        yield f"corps-prices at {names.get(action, action)} = {price}"


def fire():
    names = {"D": "D", "A": "A"}
    for row, name, volleys in TABLES["exchange"]["rows"]:
        if row > 1:
            yield f'name of (exchange at {row}) is "{name}"'
        for column, volley in zip(
            ("one", "two", "three", "four"), [*volleys, *[None] * (4 - len(volleys))], strict=True
        ):
            yield f"{column} of (exchange at {row}) is {names.get(volley, 'ceasefire')}"
    for number, fate in TABLES["catastrophe"]["rows"]:
        yield f"catastrophe at {number} is {FATES[fate]}"
    for number, fate in TABLES["catastrophe_medal"]["rows"]:
        yield f"catastrophe-with-medal at {number} is {FATES[fate]}"


def ground():
    for terrain, *figures in TABLES["terrain"]["rows"]:
        names = ("foot-cost", "vehicle-cost", "ranged", "assault", "conceals-at")
        for column, figure in zip(names, figures, strict=True):
            yield f"{column} of (terrain-effects at {terrain}) = {figure}"
    for feature, loss in TABLES["terrain"]["borders"].items():
        yield f"across-border at {feature} = {loss}"
    for weather, moves, vehicles, column, spotting, price, allowed in TABLES["weather_effects"]["rows"]:
        row = f"of (weather-effects at {weather})"
        yield f"all-moves {row} = {moves}"
        yield f"vehicle-moves {row} = {vehicles}"
        yield f"column-bonus {row} is {yes(column)}"
        yield f"spotting {row} = {spotting}"
        yield f"air-price {row} = {price}"
        yield f"air-allowed {row} is {yes(allowed)}"
    names = {"supplied": "supplied", "low": "low", "out": "out-of-supply"}
    for state, loss in TABLES["supply"]["pip_modifier"].items():
        yield f"supply-effects at {names[state]} = {loss}"


def air():
    for low, high, level in TABLES["air"]["superiority"]:
        yield f"superiority at {low} = {level}"
        yield f"superiority at {min(high, 12)} = {level}"
    for craft, factor in TABLES["air"]["bombing"].items():
        yield f"bombing at {craft} = {factor}"


def flak():
    flak = TABLES["flak"]
    return [
        "put c (a corps, side red)",
        "put e (a division, side red, corps c)",
        "put x (a base rifle, side red, division e) in 0303",
        f"then flak-factor of 0303 against blue = {flak['base']}",
        "put hq (a base hq, side red, division e) in 0303",
        f"then flak-factor of 0303 against blue = {flak['base'] + flak['hq']}",
        "put y (a base rifle, side red, division e) in 0911",
        f"then flak-factor of 0911 against blue = {flak['base'] + flak['town_or_city']}",
        "put h1 (a base hmg-coy, side red, division e) in 0404",
        "put h2 (a base hmg-coy, side red, division e) in 0404",
        f"then flak-factor of 0404 against blue = {flak['base'] + 2 * flak['per_hmg']}",
        "put depot (a base supply-dump, side red, division e) in 0505",
        f"then flak-factor of 0505 against blue = {flak['base'] + flak['airfield_or_dump']}",
        "put f (a squadron, side red, corps c, craft fighter)",
        f"then air-number of f = {TABLES['air']['air_combat']}",
    ]


def campaign():
    for season in ("summer", "autumn", "winter", "spring"):
        for number, weather in enumerate(TABLES["weather"][season], 1):
            yield f"weather-table at ({number}, {season}) is {weather}"
        for month in TABLES["weather"]["seasons"][season]:
            yield f"season-of-month at {month} is {season}"
    names = {"probe": "campaign-probe", "support": "campaign-support"}
    for order, day_order in TABLES["campaign_orders"]["day_order"].items():
        yield f"day-order of (week-order-effects at {names.get(order, order)}) is {day_order}"
        yield f"demand of (week-order-effects at {names.get(order, order)}) = {TABLES['supply']['demand'][order]}"
    names = {"road": "made-road", "none": "no-link"}
    for link, points in TABLES["supply"]["link"].items():
        yield f"link-value at {names.get(link, link)} = {points}"
    for state, foot, others in TABLES["refit"]["rows"]:
        yield f"refit-price at ({state}, foot) = {foot}"
        yield f"refit-price at ({state}, tracked) = {others}"


# ---- bases -----------------------------------------------------------------------------------------------------------
def bases():
    puts = ["put c (a corps, side blue)", "put d (a division, side blue, corps c)"]
    lines = []
    columns = TABLES["units"]["columns"]
    for row in TABLES["units"]["rows"]:
        base = dict(zip(columns, row, strict=True))
        name, motors = f"a-{base['id']}", f"m-{base['id']}"
        puts.append(f"put {name} (a base {base['id']}, side blue, division d) in 0303")
        puts.append(f"put {motors} (a base {base['id']}, side blue, division d, transport motors) in 0303")
        specials = {SPECIALS[s] for s in base["special"]}
        lines += [
            f"then soft of firepower of {name} = {base['soft']}",
            f"then hard of firepower of {name} = {base['hard']}",
            f"then armour of {name} = {base['armour']}",
            f"then reach of {name} = {base['range']}",
            f"then moves of {name} = {base['moves']}",
            f"then moves of {motors} = {base['moves_motor']}",
            f"then backing of {name} = {base['support']}",
            f"then mobility of {name} is {base['mobility']}",
            *(
                f"then {'any' if s in specials else 'no'} specials of {name} is {s}"
                for s in sorted(set(SPECIALS.values()))
            ),
        ]
    return puts + lines


def then(cells):
    return tuple(f"then {cell}" for cell in cells)


EXAMPLES = {
    **{f.__name__: then(f()) for f in (grades, orders, prices, fire, ground)},
    "air, with air": (*then(air()), *flak()),
    "campaign, with campaign": then(campaign()),
    "bases": tuple(bases()),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_rules_are_as_the_catalog(name):
    hold("ww2", EXAMPLES, name)


# ---- scenarios that are spoilt ---------------------------------------------------------------------------------------
GUNS, ORDER, CORPS = "no-guns", "no-order", "no-corps"
UNFIT = {
    "two-headquarters": (
        [("r-hq", "+    r-hq2 | hq | r-181 | 0803 | horses")],
        "181st Rifle Division (r-181): it has more than one headquarters base [WW2-ARMY-02]",
    ),
    "no-dump": (
        [("b-dump", None)],
        "XLVI Motorised Corps (b-corps): a Corps needs a supply dump [WW2-ARMY-25]",
    ),
    "full-sector": (
        [("b-tank-1", "+" + "\n".join(f"    b-x{n} | tank | b-10 | 0303 | motors" for n in range(4)))],
        "0303, 10th Motorised Division (blue): a sector holds at most six bases [WW2-SCEN-02, WW2-MOVE-03]",
    ),
}
"""Of each spoilt scenario the lines of Lipki that are left out, or are followed by others; and what is said of it."""


def lipki_but(*changed):
    """The text of the scenario Lipki, in which some lines are left out, or others follow them."""
    lines = (ROOT / "scenarios" / "lipki.rules").read_text().splitlines()
    for name, new in changed:
        at = next(n for n, line in enumerate(lines) if line.lstrip().startswith(name + " "))
        lines[at : at + 1] = [] if new is None else [lines[at], new]
    return "\n".join(line.removeprefix("+") for line in lines) + "\n"


def without_an_order():
    lines = lipki_but().splitlines()
    at = next(n for n, line in enumerate(lines) if "forces red of division" in line)
    without = [
        " | ".join(cell for n, cell in enumerate(line.split(" | ")) if n != 4) if at < n <= at + 3 else line
        for n, line in enumerate(lines)
    ]
    return "\n".join(without) + "\n"


def without_a_corps():
    head, _, rest = lipki_but().partition("  forces red of corps:")
    return head.replace("  dug-by of 0603 is red\n", "") + rest[rest.index("  end game") :]


@functools.cache
def copy_with(folder, names):
    """A copy of the system without its examples and scenarios, but with these, each in a file of its name; and what check says.

    Every day it is checked under the modules of these scenarios alone, in the long form (`OPHEX_LONG=1`) under all choices of modules.
    """
    made = {CORPS: without_a_corps, ORDER: without_an_order, GUNS: lambda: lipki_but(("r-heavy", None))}
    made |= {name: functools.partial(lipki_but, *changed) for name, (changed, _) in UNFIT.items()}
    copy = folder / f"ww2-{names[0]}"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("examples*.rules", "scenarios"))
    (copy / "scenarios").mkdir()
    for name in names:
        text = made[name]().replace("scenario lipki ", f"scenario {name} ")
        (copy / "scenarios" / f"{name}.rules").write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        if not LONG:
            patch.setattr("dsl.load.module_sets", lambda text: [text.defaults])
        return copy, check(str(copy)).diagnostics


@pytest.fixture
def spoilt(tmp_path_factory):
    """All that can only be found when a scenario is set up, in one copy."""
    return copy_with(tmp_path_factory.getbasetemp(), (CORPS, GUNS, *UNFIT))


def said_of(diagnostics, name):
    return [x for x in diagnostics if x.span.file.endswith(f"{name}.rules")]


def test_a_scenario_says_the_order_of_every_division(tmp_path_factory):
    """WW2-SCEN-01: a scenario file without an initial order for one Division is refused, naming the Division."""
    _, found = copy_with(tmp_path_factory.getbasetemp(), (ORDER,))
    assert {x.code for x in said_of(found, ORDER)} == {x.code for x in found if x.is_error} == {"E324"}
    assert "The scenario does not give the order of r-181." in [x.message for x in found]


@pytest.mark.parametrize("name", UNFIT)
def test_army_lists_that_no_game_begins_with(name, spoilt, tmp_path):
    """WW2-ARMY-02, -25, WW2-SCEN-02: the catalog's checks; the message names thing and rule, and no campaign is made."""
    system, found = spoilt
    told = UNFIT[name][1]
    assert [(x.code, told in x.message) for x in said_of(found, name)] == [("E328", True)]
    with pytest.raises(Refused) as caught:
        create_campaign(tmp_path / "war.ophex", f"{system}/scenarios/{name}")
    assert caught.value.message.splitlines()[1:] == [f"  {told}"]
    assert list(tmp_path.glob("war.*")) == []


def test_a_side_without_a_corps_begins_no_campaign(spoilt):
    """WW2-ARMY-24, WW2-GEN-01: refused with the rule's id."""
    (found,) = [x for x in said_of(spoilt[1], CORPS) if x.code == "E328"]
    assert "a side needs a Corps" in found.message
    assert "[WW2-ARMY-24, WW2-GEN-01]" in found.message


def test_a_corps_without_guns_is_warned_of(spoilt, tmp_path):
    """WW2-ARMY-25: without heavy artillery there is only a warning."""
    system, found = spoilt
    assert [(x.code, x.is_error) for x in said_of(found, GUNS)] == [("W703", False)]
    with create_campaign(tmp_path / "war.ophex", f"{system}/scenarios/{GUNS}", seed=1) as campaign:
        assert campaign.game.warnings == ("17th Rifle Corps (r-corps): a Corps without heavy artillery [WW2-ARMY-25]",)
