"""Six days for nine bridges, against the catalog: who fights, with what, and on which terrain."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from campaigns.play.starting import create_campaign

CATALOG = tomllib.loads(
    (Path(__file__).parents[1] / "examples" / "infantry" / "catalog.toml").read_text(encoding="utf-8")
)
DAYS = CATALOG["campaign"]
SIDES = {"AZ": "azure", "OC": "ochre"}


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    path = tmp_path_factory.mktemp("bridges") / "bridges.ophex"
    with create_campaign(path, "infantry/nine-bridges", (), (), {}, "seeded", 7) as campaign:
        yield campaign.game


def test_modules_days_and_pools(game):
    assert {module.name for module in game.modules_now() if module.on} == set(DAYS["modules"])
    world = game.world
    assert world.by_id["game"].f_days == DAYS["days"]
    assert world.by_id["game"].f_fight_turns == DAYS["scenario_turns"]
    for code, side in SIDES.items():
        assert world.by_id[side].f_pool == DAYS["night"]["pool"][code]
        assert world.by_id[side].f_beds == DAYS["night"]["field_hospital_places"]


@pytest.mark.parametrize("company", CATALOG["oob_company"], ids=lambda one: one["id"])
def test_each_company_has_its_platoons_and_its_armour(game, company):
    by_id, side = game.world.by_id, SIDES[company["side"]]
    strength = 0
    for unit in company["units"]:
        platoon = by_id[unit["id"].lower()]
        assert (platoon.side.id, platoon.template) == (side, unit["template"])
        assert platoon.f_gunnery == company["gunnery"]
        assert platoon.f_leadership == company["leadership"]
        strength += len(men_of(game, platoon))
    assert strength == company["strength"]
    if "armour" in company:
        armour = Counter(
            v.template for v in game.world.all_of("vehicle") if v.side.id == side and v.f_build != "carrier"
        )
        assert armour == Counter({one["target"]: one["count"] for one in company["armour"]})


def men_of(game, platoon):
    return [t for t in game.world.all_of("trooper") if t.holder.holder is platoon]


def test_troopers_in_all(game):
    found = Counter(t.side.id for t in game.world.all_of("trooper"))
    assert found == {side: CATALOG["oob_strength"][f"{code}_troopers"] for code, side in SIDES.items()}


def test_each_gun_platoon_has_its_three_guns(game):
    guns = Counter((g.f_crew.id, g.f_weapon) for g in game.world.all_of("field-gun"))
    assert guns == {("az-d3", "ac5"): 3, ("oc-gun", "ac5"): 3}


def test_nine_bridges_two_fords_in_the_woods_and_a_block_on_the_far_bank(game):
    hexes = game.world.all_of("hex")
    sites = Counter(h.f_site for h in hexes)
    assert (sites["bridge"], sites["ford"], sites["block"]) == (9, 2, 1)
    ochre = game.world.by_id["ochre"]
    (block,) = [h for h in hexes if h.f_site == "block"]
    assert ochre.f_first_row <= block.row <= ochre.f_last_row
    azure = game.world.by_id["azure"]
    assert all(azure.f_first_row <= h.row <= azure.f_last_row for h in hexes if h.f_site == "hospital-road")
    for ford in (h for h in hexes if h.f_site == "ford"):
        banks = {h.row - ford.row for h in ford.near if h.f_terrain == "light-woods"}
        assert min(banks) < 0 < max(banks)
