"""Days of a shipped campaign week played by hand through the commands, both sides, with dice rolled at a table.

A contact in force leads to a battle: one is fought out on the sectors, the other on a real table and typed in.
The results of the fights were computed on paper from the charts. The daily form plays the battle at the real table. The long form
plays both, and opens the file for each command, too (`tests/test_btr_turn.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from campaigns.play.auto_play import auto_play
from campaigns.play.campaign import Campaign
from campaigns.play.starting import create_campaign, start
from tests.long import either, in_the_long_form
from tests.test_btr_turn import Table


class War(Table):
    """Two commanders at one file of the week of Gorsk."""

    def answer(self, side: str, name: str, said: str) -> str:
        return self("answer", name, said, "--as", side)

    @property
    def awaited(self) -> tuple[str, str]:
        """Whose turn it is, and for what; dice are nobody's."""
        first = json.loads(self("status", "--json"))["awaiting"][0]
        return first["side"], first["name"]

    def places(self, *names: str) -> list[str]:
        things = {t["id"]: t["place"] for s in json.loads(self("status", "--json"))["sides"] for t in s["things"]}
        return [things[n] for n in names]

    def things(self, side: str) -> list[dict[str, Any]]:
        """All that a side may see."""
        return [t for s in json.loads(self("status", "--as", side, "--json"))["sides"] for t in s["things"]]

    def value(self, what: str) -> str:
        return str(self.why(what)["value"])


@pytest.fixture
def war(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[War]:
    """The week's first morning, up to where the orders of the week are filed: clear weather, good reports, fair ones."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    with closing(War(tmp_path / "gorsk.ophex")) as war:
        war("new", "--scenario", "ww2/gorsk-week", "--dice", "typed")
        said = war.roll(2, 5, 3)
        assert said.count("In Z-0301 is r-181, with about 9 bases.") == 1
        yield war


def start_of_week(war: War) -> None:
    """Supply, replacements, aircraft, policies in three zones, who moves first: the same dice for all."""
    war.roll(4, 5)
    war.red("rebuild r-19-t4", "done")
    assert war.awaited == ("", "service-die")
    assert "must roll 1d6 for b-jg" in war("status")
    war.roll(3, 3, 3, 3, 3, 3)
    for _ in range(3):
        war.answer("blue", "ruling", "neutral")
        war.roll(3)
    assert "The Corps march in this order: b-corps, r-corps." in war.roll(5, 4)
    war.roll(3, 4)
    war.blue("done")
    war.red("done")


def night(war: War) -> None:
    """The air on a day without battle, the search for partisans, and these lie low."""
    war.roll(3, 3)
    war.roll(2)
    assert war.awaited == ("red", "strikes")
    war.answer("red", "strikes", "no")


@in_the_long_form
@pytest.mark.timeout(900)
def test_a_battle_that_grows_out_of_the_week_is_fought_on_the_sectors(war: War) -> None:
    # Orders are sealed: red hears of none, and need not file any.
    war.blue("file b-9pz to offensive")
    assert "Z-0302" in war.answer("blue", "objective", "Z-0302")
    war.blue("prefer b-9pz", "done")
    war.red("done")
    assert "offensive" not in war("log", "--as", "red")
    start_of_week(war)

    # Both mobile Divisions meet the Guards in Gorsk: a contact in force. They gather in the zone that they came from.
    assert "Its order names another objective" in war.refused("blue", "advance b-9pz to Z-0203")
    war.blue("advance b-9pz to Z-0302")
    war.blue("advance b-10 to Z-0302", "done")
    war.red("done")
    assert "A battle will be fought in Z-0302: 2 days" in war.roll(1)
    assert war.places("b-9pz-t1", "b-10-m1") == ["Z-0202", "Z-0202"]
    night(war)

    # The defender deploys first; a day on Hold is worth two digs. What is not set out by hand sets itself out.
    assert war.awaited == ("red", "deployment")
    assert "This is not in its deployment area" in war.refused("red", "deploy r-70-mo to 0905")
    war.red("entrench r-70 to 1006", "entrench r-70 to 1006", "deploy r-70-mo to 1105", "done")
    assert war.value("digs of 1006") == "2"
    war.blue(
        "deploy b-9pz-t1, b-9pz-t2, b-9pz-ar, b-9pz-m1 to 0806", "deploy b-10-m1, b-10-m2, b-10-m3 to 0807", "done"
    )
    war.roll(4, 4)
    assert "This is not in the contested zone" in war.refused("blue", "aim b-9pz to 0706")
    war.blue("aim b-9pz to 0906")
    war.red("done")
    war.blue("aim b-10 to 0906", "done")
    assert war.thing("b-9pz", "red")["fields"].get("objective", "") == ""
    war.roll(4, 4, 4)
    war.blue("done")
    war.red("done")
    war.roll(3, 3)

    # Dawn. 5 + 1, 2 and 3 + 1: the panzers act first. Over the bridge they come upon the Guards, whom nobody had seen.
    war.roll(5, 2, 3)
    war.blue("march b-9pz-t1 to 0906")
    said = war.answer("blue", "along", "b-9pz-t2, b-9pz-ar, b-9pz-m1")
    guards = [x["id"] for x in war.things("blue") if x["place"] == "1006"]
    assert len(guards) == 2
    assert all(name.startswith("base-r") for name in guards)  # that they are the Guards is not seen
    assert any(f"{' and '.join(pair)} are now seen." in said for pair in (guards, guards[::-1])), said
    war.blue("done")
    pips = war.value("pips of b-9pz")
    war.blue("assault b-9pz-m1 to 1006")
    war.answer("blue", "beside", "b-9pz-t1, b-9pz-t2")
    assert int(war.value("pips of b-9pz")) == int(pips) - 2
    assert war.places("b-9pz-m1") == ["0906-1006"]
    assert war.awaited == ("blue", "joining")
    war.blue("done")
    war.answer("red", "called", "none")
    war.answer("red", "stand", "r-70-r1")
    # A veteran rifle base, two tanks beside it, a city: 4 + 1 + 2 - 2. Against it 4 + 1, and the other base.
    assert war.value("attack-factor of b-9pz-m1 against r-70-r1") == "5"
    assert war.value("defence-factor of r-70-r1 against b-9pz-m1") == "6"
    assert "A dig absorbs the hit." in war.roll(5)
    war.roll(7)
    war.answer("blue", "goes-on", "yes")
    war.answer("blue", "next-lead", "b-9pz-m1")
    war.answer("red", "stand", "r-70-r1")
    war.roll(5)
    assert war.value("digs of 1006") == "0"
    # The answer hits with 6, and a veteran saves with 6 or less.
    said = war.roll(6, 7)
    assert "state of b-9pz-m1 becomes dispersed" in said
    war.answer("blue", "goes-on", "no")
    assert war.places("b-9pz-t1", "b-9pz-m1") == ["0906", ""]
    war.blue("done")

    # The Guards may not open fire on Defend, but dig; then the motorised Division comes up.
    war.red("done")
    assert "Its order does not allow it to open fire" in war.refused("red", "open-fire r-70-at")
    assert "It is being assaulted this phase" in war.refused("red", "dig r-70 to 1006")
    war.red("dig r-70 to 1007", "done")
    assert war.value("digs of 1007") == "1"
    assert "its order requires it to advance" in war.refused("blue", "done")
    war.blue("march b-10-m1 to 0806")
    war.answer("blue", "along", "b-10-m2, b-10-m3")
    war.blue("done")
    war.blue("done")

    # The rest is left to automated sides. On the second night the battle ends, and all go back to the campaign.
    with Campaign.open(Path(war.file), start) as campaign:
        told = [e.text for e in auto_play(campaign, turns=2, policy="greedy", seed=3)]
    assert [t for t in told if t.startswith("The battle in Z-0302 is over")]
    assert "turn 4" in war("status").lower()
    stands = json.loads(war("status", "--json"))
    assert not [t for s in stands["sides"] for t in s["things"] if t["kind"] == "battle" and t["place"] == "Z-0302"]
    assert war.value("battle of b-9pz") == "none"
    assert "All is well" in war("verify")


@pytest.mark.timeout(900)
def test_a_battle_fought_at_a_real_table_is_typed_in(war: War) -> None:
    war.blue("file b-258 to offensive")
    war.answer("blue", "objective", "Z-0301")
    war.blue("done")
    war.red("done")
    start_of_week(war)
    war.blue("advance b-258 to Z-0301", "done")
    war.red("done")
    assert "A battle will be fought in Z-0301: 2 days" in war.roll(2)
    night(war)

    # The defender takes it to the table; the phases of the day pass by, and at night somebody tells how it stands.
    war.red("fight-at-table clash", "done")
    war.blue("done")
    war.roll(4, 4)
    war.blue("done")
    war.red("done")
    war.blue("done")
    war.red("done")
    war.roll(3, 3)
    assert war.awaited == ("blue", "is-over")
    war.answer("blue", "is-over", "yes")
    assert war.awaited == ("blue", "outcome")
    war.answer("blue", "outcome", "b-258-r1 broken-up, b-258-r2 scattered, others unhurt")
    war.answer(
        "red",
        "outcome",
        "r-181-r1 destroyed, r-181-r2 captured, r-181-r3 broken-up, r-181-r4 away-two-days, others unhurt",
    )
    war.answer("blue", "decorated-there", "b-258-r3")
    war.answer("red", "decorated-there", "none")
    war.answer("blue", "ground-held", "held-by-attacker")
    # Three bases lost for good are a point, the zone two; one lost is none. The loser goes to a zone of his own.
    assert war.awaited == ("red", "haven-zone")
    assert "The battle in Z-0301 is over: blue holds the zone." in war.answer("red", "haven-zone", "Z-0401")
    assert [war.value(f"victory of {s}") for s in ("blue", "red")] == ["3", "0"]
    assert war.value("owner of Z-0301") == "blue"
    assert war.places("b-258-r3", "b-258-r1", "r-181-hmg", "r-181-r4") == ["Z-0301", "", "Z-0401", ""]
    assert (war.value("state of r-181-r1"), war.value("out-until of r-181-r4")) == ("annihilated", "4")
    assert "medal yes" in war("status", "--as", "blue")
    assert war.value("battle of b-258") == "none"
    assert "All is well" in war("verify")


@pytest.mark.timeout(600)
def test_two_corps_a_side_fight_side_by_side(tmp_path: Path) -> None:
    """Four Corps march in their order; Divisions of both blue ones strike at the city, and red strikes elsewhere.

    The long form also plays the day of battle that follows.
    """
    with create_campaign(tmp_path / "front.ophex", "ww2/gorsk-front", seed=1) as campaign:
        told = [e.text for e in auto_play(campaign, turns=either(1, 2), policy="greedy", seed=1)]
        (march,) = [t for t in told if t.startswith("The Corps march in this order: ")]
        assert sorted(march.rstrip(".").split(": ")[1].split(", ")) == ["b-inf", "b-pz", "r-gd", "r-mech"]
        begun = [t.split()[6].rstrip(":") for t in told if t.startswith("A battle will be fought in ")]
        assert {"Z-0302", "Z-0203"} <= set(begun)
        battles = {d.id: d.f_battle for d in campaign.game.world.all_of("division")}
        assert battles["b-11pz"] == battles["b-88"] == battles["r-51"] != battles["r-49"] == battles["b-112"]
        assert battles["b-16"] is None  # it has yet to come
