"""The catalog of ogre against its rules: modules, options, every row of the unit tables, every cell of its other tables.

The catalog's figures are written into examples, and the examples run against the rules.
"""

import itertools
import re
import tomllib
from pathlib import Path

import pytest

from campaigns.library.rule_texts import load_path
from campaigns.play.starting import create_campaign
from dsl.syntax import declarations as d
from dsl.text.diagnostics import RuleTextError
from tests.catalogs import hold

ROOT = Path(__file__).parents[1] / "examples" / "ogre"
CATALOG = tomllib.loads((ROOT / "catalog.toml").read_text())
TABLES = CATALOG["tables"]
GOING = {"infantry": "foot", "gev": "hover", "ogre": "giant"}
"""The catalog's words for ways of going, where the rules have others."""
SHARED = {"construction"}
"""Modules that only hold what others need together."""
OURS = {"table-battles"}
"""Modules that no printed rule speaks of."""
HAZARDS = {"": "free", "s": "stops", "sd": "disables", "sx": "sticks"}


def rows(table):
    return [dict(zip(TABLES[table]["columns"], row, strict=True)) for row in TABLES[table]["rows"]]


# ---- names -----------------------------------------------------------------------------------------------------------
def test_modules_are_those_of_the_catalog():
    mine = {x.name for x in load_path("ogre").declarations if isinstance(x, d.Module)}
    assert mine == {rule["module"] for rule in CATALOG["rule"]} - {"base"} | SHARED | OURS


def test_options_are_those_of_the_catalog():
    mine = {x.name: (list(x.terms), x.default) for x in load_path("ogre").declarations if isinstance(x, d.Option)}
    wanted = {}
    for option in CATALOG["option"]:
        values = [("no", "yes")[v] if isinstance(v, bool) else str(v) for v in option["values"]]
        default = option["default"]
        wanted[option["name"]] = (values, ("no", "yes")[default] if isinstance(default, bool) else str(default))
    assert mine == wanted


def test_both_forms_of_faster_infantry_are_refused_by_name(tmp_path):
    """OGR-GEN-03: both faster infantry modules chosen -> creation refused, naming both."""
    both = ["faster-mobile-infantry", "faster-mobile-infantry-second-move"]
    with pytest.raises(RuleTextError) as refused:
        create_campaign(tmp_path / "x.ophex", "ogre/duel", with_=both)
    assert all(re.search(rf"{name}(?![\w-])", str(refused.value)) for name in both)
    assert not (tmp_path / "x.ophex").exists()


# ---- units -----------------------------------------------------------------------------------------------------------
def machines():
    for n, row in enumerate(rows("units"), 1):
        on_foot = row["mobility"] == "infantry"
        yield f"put u{n} (a {'platoon' if on_foot else 'vehicle'} {row['id']}, side blue) in 0202"
        for field in ("attack", "range", "defence", "movement", "points"):
            yield f"then {field} of u{n} = {row[field]}"
        yield f"then second of u{n} = {row['second_movement']}"
        if on_foot:
            yield f"then u{n} is {'' if row['class'] == 'mobile-infantry' else 'not '}suited"
        else:
            yield f"then mobility of u{n} is {GOING.get(row['mobility'], row['mobility'])}"
            yield f"then capacity of u{n} = {row['squads_carried']}"
            yield f"then u{n} is {'' if row['class'] == 'structure' else 'not '}building"


def parts():
    yield "put o (an ogre mark-vi, side blue) in 0202"
    for row in rows("ogre_parts"):
        for field in ("attack", "range", "defence"):
            yield f"then {field} of o-{row['id']}-1 = {row[field]}"


def marks():
    for n, row in enumerate(rows("ogres"), 1):
        yield f"put o{n} (an ogre {row['id']}, side blue) in 0202"
        for field in ("mark", "movement", "treads", "points"):
            yield f"then {field} of o{n} = {row[field]}"
        yield f"then store of o{n} = {row['internal_missiles']}"
        for part in ("main", "secondary", "ap"):
            yield f'then count ((weapons of o{n}) (where entry of it is "{part}")) = {row[part]}'
        for part in ("missile", "rack"):
            yield f'then count ((weapons of o{n}) (where entry of it is "{part}")) = {row[part + "s"]}'
        built = "works" + row["id"].removeprefix("mark")
        yield f"put w{n} (an ogre {built}, side blue) in 0202"
        yield f"then w{n} is engineers"
        for field in ("mark", "movement", "treads", "points"):
            yield f"then {field} of w{n} = {row[field]}"
        yield f"then count weapons of w{n} = {row['main'] + row['ap']}"


# ---- tables ----------------------------------------------------------------------------------------------------------
def results():
    for face, *cells in TABLES["crt_base"]["rows"]:
        for column, cell in zip(TABLES["crt_base"]["columns"][1:], cells, strict=True):
            yield f"then result-at of {column.replace('-', ':')} by {face} is {cell}"
        yield f"then result-at of 1:3 by {face} is {TABLES['crt_base']['below_first_column']}"
        yield f"then result-at of 5:1 by {face} is {TABLES['crt_base']['at_or_above_5_1']}"


def ground():
    for row in rows("terrain"):
        yield f"then on-foot of (shelter at {row['id']}) = {row['defence_infantry']}"
        yield f"then others of (shelter at {row['id']}) = {row['defence_other']}"
        for name in ("infantry", "gev", "ogre", "heavy-tracked", "light-tracked", "wheeled"):
            cell = f"(going at ({row['id']}, {GOING.get(name, name)}))"
            if row[name] == "-":
                yield f"then there is no points of {cell}"
            else:
                found = re.fullmatch(r"(\d)(s?[dx]?)", row[name])
                yield f"then points of {cell} = {found[1]}"
                yield f"then hazard of {cell} is {HAZARDS[found[2]]}"


def kessel():
    """Terrain by letter, roads and streams; 0410 and 0509 do not touch on this grid, so the road goes by 0409."""
    legend, drawn = CATALOG["scenario"]["legend"], CATALOG["scenario"]["map"]
    yield "on map kessel"
    for row, letters in enumerate(drawn, 1):
        for column, letter in enumerate(letters, 1):
            yield f"then terrain of {column:02d}{row:02d} is {legend[letter]}"
    for road in CATALOG["scenario"]["roads"]:
        for a, b in itertools.pairwise(road):
            for c, e in ((a, "0409"), ("0409", b)) if (a, b) == ("0410", "0509") else ((a, b),):
                yield f"then there is road from {c} to {e}"
    for a, b in CATALOG["scenario"]["streams"]:
        yield f"then there is stream from {a} to {b}"


EXAMPLES = {f.__name__: tuple(f()) for f in (machines, parts, marks, results, ground, kessel)}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_figure_of_the_base_is_as_in_the_catalog(name):
    hold("ogre", EXAMPLES, name)
