"""A turn of a campaign of a shipped system played by hand through the commands, both sides, with dice rolled at a table.

The expected results were computed on paper from the charts: the air battle, the raid on the march and the ground battle.
In the daily form the campaign stays open from command to command; in the long form each command opens the file again, as at a shell.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from campaigns.play.campaign import Campaign
from campaigns.play.starting import start
from interpreter.machine import Game
from tests.long import LONG
from ui.cli.talking import AT_HAND, at_hand
from ui.main import main


class Sitting(Campaign[Game]):
    """A campaign that stays open when a command is done with it."""

    def __exit__(self, *_: object) -> None:
        pass


class Table:
    """Two players and the dice at one campaign file."""

    def __init__(self, file: Path) -> None:
        self.file = str(file)
        self.sitting: Sitting | None = None

    def run(self, command: str, *words: str) -> tuple[int, str]:
        """A command with its exit code and all that it says."""
        said = io.StringIO()
        with self._named(command) as file, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = main([command, file, *words])
        assert "Traceback" not in said.getvalue()
        return code, said.getvalue()

    @contextlib.contextmanager
    def _named(self, command: str) -> Iterator[str]:
        """What a command is given for the campaign: the file, or the session that has it open."""
        if LONG or command in {"new", "verify"}:
            yield self.file
            return
        if self.sitting is None:
            self.sitting = Sitting.open(self.file, start)
        self.sitting.refresh()  # others may have played on
        with at_hand(self.sitting):
            yield AT_HAND

    def close(self) -> None:
        if self.sitting is not None:
            self.sitting.close()

    def __call__(self, command: str, *words: str) -> str:
        code, said = self.run(command, *words)
        assert code == 0, said
        return said

    def blue(self, *orders: str) -> str:
        return self("do", "--as", "blue", *orders)

    def red(self, *orders: str) -> str:
        return self("do", "--as", "red", *orders)

    def roll(self, *faces: int) -> str:
        return self("roll", *map(str, faces))

    def refused(self, side: str, order: str) -> str:
        """Why an order is refused; `why-not` says the same."""
        before = self("log", "--json")
        code, said = self.run("do", "--as", side, order)
        assert code == 1, said
        assert self("log", "--json") == before
        return said

    def march(self, how: str) -> str:
        """Red marches, with no company."""
        said = self.red(f"march {how}")
        return self("answer", "company", "none", "--as", "red") if "The question is company" in said else said

    def pass_over(self, title: str) -> None:
        """Ends a window for whoever is waited for, if it is open at all."""
        while awaited := [a for a in json.loads(self("status", "--json"))["awaiting"] if title in a["prompt"]]:
            self("do", "--as", awaited[0]["side"], "done")

    def why(self, *what: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self("why", *what, "--json"))
        return found

    def thing(self, name: str, side: str = "umpire") -> dict[str, Any]:
        sides = json.loads(self("status", "--as", side, "--json"))["sides"]
        return next(t for s in sides for t in s["things"] if t["id"] == name)


def part(told: dict[str, Any], name: str) -> dict[str, Any]:
    """A value among those of which an explanation is made, at any depth."""
    for p in told["parts"]:
        if p["name"].partition(" of ")[0] == name:
            found: dict[str, Any] = p
            return found
        with contextlib.suppress(KeyError):
            return part(p, name)
    raise KeyError(name)


def cited(told: dict[str, Any]) -> list[tuple[str, str]]:
    """The lines that applied, as citation and value."""
    return [(", ".join(s["cites"]), s["value"]) for s in told["steps"] if s["applied"]]


@pytest.mark.timeout(900)
def test_a_turn_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    with contextlib.closing(Table(tmp_path / "fulda.ophex")) as table:
        play_a_turn(table)


def play_a_turn(table: Table) -> None:
    table("new", "--scenario", f"{Path(__file__).parent / 'byhand'}/fulda-by-hand", "--dice", "typed")

    # The special forces are called back from their own country, to be sent elsewhere: 8 or less, next to a depot.
    assert "get it out first" in table.refused("blue", "infiltrate us-10sf to O-0301")
    table.blue("exfiltrate us-10sf")
    assert "us-10sf leaves the map" in table.roll(8)
    table.blue("done")
    table.red("done")

    # Orders are written in waves, seen by nobody until a wave is over.
    assert "Orders are written in waves" in table.refused("red", "write-order sov-79gtd to HA")
    table.blue("done")
    table.red("done")
    table.red("write-order sov-79gtd, sov-11gtd, sov-9td, sov-336ovp to HA", "done")
    assert table.thing("sov-336ovp", "blue")["fields"]["posture"] == "HD"
    assert "posture of sov-336ovp becomes HA" in table.blue("done")
    table.red("write-order sov-39gmrd, sov-57gmrd, sov-27gmrd, sov-390gab, sov-308gun, sov-307mlr to DA", "done")
    table.blue("done")
    table.pass_over("prepared advances")
    said = table.refused("red", "done")
    assert "a unit has no order yet" in said
    assert "It concerns sov-18sam, sov-35gdshb." in said
    table.red("write-order all to HD", "done")
    table.blue("write-order us-3ad-1, us-3ad-2, wg-pz-14 to DD", "write-order all to HD", "done")

    # Missions are laid in secret and seen together, the defensive ones after the others.
    table.blue("send us-81tfw to O-0301 with interdiction", "send wg-jbg31 to O-0301 with interdiction", "done")
    seen = table("log", "--as", "red") + table("status", "--as", "red")
    assert "interdiction" not in seen
    assert "us-81tfw         O-0201" in seen
    assert "after the offensive ones are revealed" in table.refused("red", "send sov-33iap to O-0301 with CAP")
    said = table.red("send sov-559apib to O-0201 with bombardment", "send sov-773iap to O-0201 with escort", "done")
    assert "us-81tfw moves from O-0201 to O-0301." in said
    assert "sov-559apib moves from O-0301 to O-0201." in said
    table.blue("send us-36tfw to O-0201 with CAP", "send nato-e3a to O-0201 with early-warning", "done")

    # Over the west the escort (size 4) goes for the patrol (7), 4 to 7 or 1:2, and 8 columns off. Then the patrol for all.
    assert "4 to 7, column 1:6" in table.red("done")
    assert "7 to 8, column 7:1" in table.roll(5)
    said = table.roll(2, 6)
    assert "sov-559apib in O-0201 is removed: shot down." in said
    # 7 to 8 is 1:1.5. The eye in the sky sees 9 farther, 4 columns, the depot's radar 1; Air 7 against 3/2, 5 columns.
    lost = table.why("hits of sov-559apib")
    assert lost["value"] == "4"
    column = part(lost, "air-column")
    assert [(p["name"], p["value"]) for p in column["parts"][:3]] == [
        ("air-odds-column", "1:1.5"), ("detection-shift", "5"), ("air-shift", "5"),
    ]  # fmt: skip
    # It survives 4, the fighters have 7: twice the difference. Nobody jams, but the depot does.
    modifier = part(lost, "air-modifier")
    assert cited(modifier)[:3] == [
        ("BTR-AIR-20, BTR-AIR-24", "-6"), ("BTR-AIR-20", "-7"), ("BTR-AIR-25", "-7"),
    ]  # fmt: skip
    assert part(lost, "air-rolled")["value"] == "6"
    assert table.why("air-result of sov-773iap")["value"] == "4"

    # The raid on the march: size 9 is 1.5:1, worth (5 + 6) / 2; own air defense 3, Hasty Advance -2: 8 is 4, two hits.
    assert "column 1:1.5 against us-81tfw, wg-jbg31" in table("log")
    table.roll(10, 9)
    assert "Movement Phase: hasty advances" in table("status")
    assert "against sov-11gtd: column 1.5:1." in table.march("sov-11gtd to 0908")
    assert "hits of sov-11gtd becomes 2 (was 0)." in table.roll(8)
    assert [v for _, v in cited(part(table.why("hits of sov-11gtd"), "raid-modifier"))][:3] == ["-5", "-2", "-4"]
    table.red("done")
    table.march("sov-39gmrd to 0807")
    table.roll(10)
    table.march("sov-57gmrd to 0806")
    table.roll(10)
    table.red("done")

    # Two divisions of 12 (8) against a regiment of 7 (1): 40 to 8, 5:1; Doctrine 8 against 10, halved in the rough, 1 column.
    assert "The hex is not next to it." in table.refused("red", "attack sov-39gmrd against 0706")
    table.red("attack sov-39gmrd against 0707")
    table("answer", "helpers", "sov-57gmrd", "--as", "red")
    assert "40 against 8, column 5:1, after doctrine 4:1" in table("answer", "joiners", "none", "--as", "blue")
    table("answer", "answer-to-attack", "withdraw", "--as", "blue")
    # The attackers: missiles do not fight from a Deliberate Advance, so armor (2 + 6) / 2 against (5 + 7) / 2, halved: -1;
    # fire support 3 + 2 at density 1 against 4 + 3: -2; hits of their own: -2. 5 - 5 is 0 at 4:1: two hits.
    said = table.roll(5, 5, 5)
    assert "hits of sov-39gmrd and sov-57gmrd become 3 (were 1)." in said
    assert table.why("armor-gap")["value"] == "-1"
    assert [v for _, v in cited(part(table.why("hits of sov-39gmrd"), "die-modifier"))][-1:] == ["-5"]
    # With three hits they are disrupted, and do not follow up.
    assert "Who follows up?" not in table("answer", "hex-behind", "0606", "--as", "blue")

    # On to the next turn: whoever advanced and is cut off suffers, aircraft come home, and the file is whole.
    table("undo")
    table("redo")
    table.red("done")
    stands = json.loads(table("status", "--json"))
    for _ in range(8):
        if stands["turn"] == 2:
            break
        table("do", "--as", stands["awaiting"][0]["side"], "done")
        stands = json.loads(table("status", "--json"))
    assert stands["turn"] == 2
    places = {t["id"]: t["place"] for s in stands["sides"] for t in s["things"]}
    assert (places["us-81tfw"], places["us-11acr"], places["sov-39gmrd"]) == ("O-0201", "0606", "0807")
    assert "0807: W sov-39gmrd 5" in table("map")
    assert "All is well" in table("verify")
