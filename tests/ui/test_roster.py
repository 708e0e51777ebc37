"""`ophex roster` in print: one line for each part, under its wholes, as far as a side may know.

The game is `crews/crews.rules`: its lists say what its ships are made of, and two sailors have titles from the scenario.
"""

import json
import re
import shutil
from itertools import count
from pathlib import Path

import pytest

from campaigns.leaks.compared_worlds import leaks
from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input
from tests.long import LONG
from tests.ui.drawing import same_as_kept
from ui.commands.leaks import printed
from ui.main import main

CREWS = Path(__file__).with_name("crews")


@pytest.fixture
def raid(tmp_path):
    """Blue's wren has lost a rower and a gun is out; a sailor is wounded and has a medal."""
    shutil.copytree(CREWS, tmp_path / "crews")
    with create_campaign(tmp_path / "a.ophex", str(tmp_path / "crews" / "raid"), seed=4) as campaign:
        for line in ("remove wren-cutter-rower-1", "wren-main becomes out", "wounds of hale = 1", "medals of hale = (axe)", "trim of kite-main = -2"):  # fmt: skip
            campaign.offer(Input("override", "umpire", line, "before"))
        yield campaign


@pytest.fixture
def told(raid, capsys, monkeypatch):
    """What a command prints: its exit code, what it says, and what it notes."""

    def run(*words, width=80):
        monkeypatch.setenv("COLUMNS", str(width))
        code = main([words[0], str(raid.path), *words[1:]])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def row(text, name):
    """The cells of the line of a thing."""
    (line,) = [one for one in text.splitlines() if one.split() and one.split()[0] == name]
    return line.split()


@pytest.mark.parametrize("width", [80, 160])
def test_a_roster_is_readable_at_any_width(told, width):
    code, out, _ = told("roster", width=width)
    assert code == 0
    assert max(map(len, out.splitlines())) <= width
    same_as_kept(f"roster-{width}", out)


def test_where_names_take_too_much_room_they_lose_the_name_of_their_whole(told):
    narrow, wide = told("roster", "wren", width=80)[1], told("roster", "wren", width=160)[1]
    assert row(narrow, "-rower-2") == ["-rower-2", "rating", "■■", "2/2"]
    assert row(wide, "wren-cutter-rower-2") == ["wren-cutter-rower-2", "rating", "■■", "2/2", "axe"]


def test_what_is_out_and_what_is_gone_is_shown_so(told):
    out = told("roster", "wren", width=160)[1]
    assert row(out, "wren-main")[-1] == "out"
    assert row(out, "wren-cutter-rower-1")[-1] == "gone"
    assert "Total: ship 1/1, gun 3/3 (1 out), boat 2/2, sailor 4/5" in out


def test_a_wound_chart_and_what_is_carried(told):
    assert row(told("roster", "wren-cutter", width=160)[1], "hale") == [
        "hale", "Cpl.", "Ann", "Hale", "cox", "mate", "■□□", "1/3", "an", "anchor", "knife+rope,", "axe",
    ]  # fmt: skip


def test_wounds_that_are_drawn_as_boxes_fill_them_and_stand_so_for_all(tmp_path, capsys):
    """The record sheet of a trooper has six boxes for wounds (INF-ADVDMG-06). If nobody is hurt, there is no column for them."""
    with create_campaign(tmp_path / "a.ophex", "infantry/skirmish", ("advanced-damage",), seed=3) as campaign:
        whole, path = "fox-jump-1", str(campaign.path)
        assert main(["roster", path, whole, "--as", "red"]) == 0
        assert "□" not in capsys.readouterr().out
        campaign.offer(Input("override", "umpire", f"wounds of {whole}-rifleman-1 = 3", "hurt"))
        assert main(["roster", path, whole]) == 0
        out = capsys.readouterr().out
        assert row(out, "-rifleman-1")[-2:] == ["■■■□□□", "3/6"]
        assert row(out, "-rifleman-2")[-2:] == ["□□□□□□", "0/6"]
        assert main(["status", path, "--of", f"{whole}-rifleman-1"]) == 0
        assert "  wounds: ■■■□□□ 3/6" in capsys.readouterr().out
        assert main(["report", path, "--format", "html"]) == 0
        assert "■■■□□□ 3/6" in capsys.readouterr().out


def rosters(page):
    """The rosters of a page: of each its heading, and its lines, cell by cell; a heading within it is a line of one cell."""
    found = {}
    for article in re.findall(r'<article class="roster">(.*?)</article>', page, re.DOTALL):
        cells = [
            re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line)
            for line in re.findall(r"<tr[^>]*>(.*?)</tr>", article, re.DOTALL)
        ]
        head = re.search(r"<h3>(.*?)</h3>", article)[1]
        found.setdefault(head.partition(":")[0], []).append(
            (head, [[re.sub(r"<[^>]*>", "", x) for x in line] for line in cells])
        )
    return found


def test_the_page_of_a_report_has_a_roster_of_each_whole_with_a_line_for_each_part(told):
    found = rosters(told("report", "--format", "html")[1])
    (_, guns), (head, crew) = found["wren"]
    assert head.startswith("wren: ")
    assert [line[0] for line in guns if "gun" not in line] == ["wren-main", "wren-secondary-1", "wren-secondary-2"]
    assert guns[1][-1] == "out"
    lines = {line[0].partition(":")[0]: dict(zip(crew[0], line, strict=False)) for line in crew[1:]}
    hale, names = lines["hale"], list(lines)
    assert (hale["title"], hale["type"], hale["wounds"]) == ("Cpl. Ann Hale", "cox", "■□□ 1/3")
    assert hale["carries"] == "knife+rope, axe"
    assert lines["wren-cutter-rower-1"]["state"] == "gone"
    assert lines["wren-cutter"].keys() == {crew[0][0]}, "a boat heads those who sit in it"
    assert {"hale", "wren-cutter-rower-1"} <= set(names[names.index("wren-cutter") : names.index("wren-gig")])


def test_the_page_of_a_side_has_no_roster_of_what_it_may_not_know(told):
    red = told("report", "--as", "red", "--format", "html")[1]
    assert "Cpl. Ann Hale" in red
    assert not [word for word in ("by night", "deep", "lamp") if word in "".join(map(str, rosters(red).values()))]
    assert "deep" in rosters(told("report", "--as", "blue", "--format", "html")[1])


def test_fields_that_are_alike_for_all_are_left_out_and_untold_ones_too(told):
    out = told("roster", "kite", width=160)[1]
    assert "trim" in out, "one gun is trimmed"
    assert "trim" not in told("roster", "wren", width=160)[1]
    assert "counted" not in told("roster", width=160)[1]


def test_a_line_for_each_thing_of_a_kind_tells_what_is_under_it(told):
    out = told("roster", "wren", "--per", "boat", width=160)[1]
    assert row(out, "wren-cutter")[:3] == ["wren-cutter", "8", "cox"]
    assert "wren-cutter-cox" not in out
    assert "rower 1/2" in out
    code, _, err = told("roster", "--per", "cannon")
    assert (code, err) == (2, "There is no cannon here.\n  hint: `ophex roster CAMPAIGN` lists everything.\n")


def test_a_side_sees_what_it_may_know_and_no_more(told):
    assert "deep-lamp" in told("roster", "--as", "blue")[1]
    red = told("roster", "--as", "red", width=200)[1]
    assert "Cpl. Ann Hale" in red
    assert not [word for word in ("anchor", "by night", "deep", "lamp") if word in red]
    code, _, err = told("roster", "deep", "--as", "red")
    assert (code, err) == (2, "There is no deep here.\n  hint: `ophex roster CAMPAIGN` lists everything.\n")
    assert told("roster", "nobody", "--as", "red")[2] == err.replace("deep", "nobody")


def test_a_side_or_a_thing_is_asked_for_by_name_in_any_case(told):
    blue = told("roster", "BLUE")[1]
    assert "Red:" not in blue
    assert "wren" in blue
    assert told("roster", "Wren-Gig", width=160)[1].count("wren") == 2
    assert "Did you mean wren-gig" in told("roster", "wren-gigg")[2]


def test_json_has_every_thing_once_with_what_it_was(told):
    found = json.loads(told("roster", "wren", "--json")[1])
    assert found["as"] == "umpire"
    assert [x["name"] for x in found["things"]] == [
        "wren", "wren-main", "wren-secondary-1", "wren-secondary-2", "wren-cutter", "wren-cutter-cox", "wren-cutter-rower-1",
        "wren-cutter-rower-2", "hale", "wren-gig", "wren-gig-rower",
    ]  # fmt: skip
    gone = next(x for x in found["things"] if x["name"] == "wren-cutter-rower-1")
    assert (gone["in_play"], gone["whole"], gone["type"]) == (False, "wren-cutter", "rower")
    assert next(x for x in found["things"] if x["name"] == "hale")["title"] == "Cpl. Ann Hale"


def test_the_sum_counts_what_became_of_them_not_what_they_are(told, raid):
    """The list makes the lamp lit; only an unlit lamp would be news."""
    assert "lamp 1/1\n" in told("roster", "deep")[1]
    raid.offer(Input("override", "umpire", "deep-lamp is not lit", "a gust"))
    assert "lamp 1/1 (1 not lit)" in told("roster", "deep")[1]


def test_what_is_gone_stands_where_it_stood(told, raid):
    """By its number among those of its entry, even if the lists name entries in a different order from the thing's parts."""

    def rows():
        out = told("roster", "kite", "--json")[1]
        return [x["name"] for x in json.loads(out)["things"]]

    before = rows()
    for name in ("kite-secondary-1", "kite-main", "kite-cutter-rower-2", "kite-gig"):
        raid.offer(Input("override", "umpire", f"remove {name}", "lost"))
    assert rows() == before


def test_a_ship_that_is_gone_is_one_line(told, raid):
    raid.offer(Input("override", "umpire", "remove kite", "sunk"))
    out = told("roster", "red")[1]
    assert "kite: sloop ship; gone" in out
    assert "kite-main" not in out
    assert "Total: ship 1/2, gun 0/3, boat 0/2, sailor 0/4" in out


def test_titles_from_the_scenario_stand_in_logs_too(told, raid):
    raid.offer(Input("override", "umpire", "wounds of kite-gig-rower = 0", "a shot"))
    raid.offer(Input("override", "umpire", "remove kite-gig-rower", "lost"))
    out = told("log")[1]
    assert "wounds of kite-gig-rower (Old Ned) becomes 0 (was 2)." in out
    assert "kite-gig-rower (Old Ned) in 0303 is removed." in out
    assert "kite-gig-rower (Old Ned)" in told("log", "--as", "blue")[1]
    assert "hale  Cpl. Ann Hale  medals axe  tattoo an anchor  wounds ■□□ 1/3" in told("status", "--of", "wren")[1]


def test_a_title_that_is_hidden_from_a_side_stands_in_none_of_its_logs(tmp_path, capsys):
    shutil.copytree(CREWS, tmp_path / "crews")
    rules = tmp_path / "crews" / "crews.rules"
    rules.write_text(
        rules.read_text(encoding="utf-8").replace("hidden from enemy: tattoo", "hidden from enemy: tattoo, title")
    )
    with create_campaign(tmp_path / "a.ophex", str(tmp_path / "crews" / "raid"), seed=4) as campaign:
        campaign.offer(Input("override", "umpire", "wounds of hale = 1", "a shot"))
        path = str(campaign.path)
    for side, known in (("red", False), ("blue", True)):
        main(["log", path, "--as", side])
        main(["roster", path, "--as", side])
        out = capsys.readouterr().out
        assert "wounds of hale" in out
        assert ("Ann Hale" in out) is known


def shown(copy, side, look):
    """What is compared: every day rosters, in the long form whatever a side is shown."""
    return printed(copy, side, look) if LONG or look.kind == "roster" else ""


def test_neither_side_learns_from_rosters_what_the_other_hides(raid):
    found = leaks(raid, ["blue", "red"], shown, guesses=6)
    assert found.differences == []
    assert {"fields", "existence", "places"} <= set(found.secrets)
    assert found.outputs["roster"] >= 3 * found.worlds


def test_the_comparison_would_see_a_roster_that_tells_too_much(raid, monkeypatch):
    """The comparison is not blind: if removed things were not filtered, it would reveal parts that nobody may know of."""
    raid.offer(Input("do", "blue", "sink deep-lamp"))
    assert leaks(raid, ["red"], shown, guesses=0).differences == []
    monkeypatch.setattr(
        "interpreter.queries.project._gone", lambda world, _side: [x for x in world.by_id.values() if not x.alive]
    )
    found = leaks(raid, ["red"], shown, guesses=0, kinds=["existence"], rounds=4)
    assert {one.look.kind for one in found.differences} >= {"roster"}


def test_a_comparison_whose_time_is_up_tells_how_far_it_came(raid, monkeypatch, capsys):
    clock = count()
    monkeypatch.setattr("campaigns.leaks.compared_worlds.monotonic", lambda: next(clock))
    whole = leaks(raid, ["red"], shown, guesses=0)
    part = leaks(raid, ["red"], shown, guesses=0, seconds=60)  # it looks at the clock before each output
    assert (part.cut_short, whole.cut_short) == (True, False)
    assert part.outputs.total() < whole.outputs.total()
    assert main(["leaks", str(raid.path), "--as", "red", "--guesses", "0", "--seconds", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "The time was up before everything was tried. Give it more --seconds, or test one side with --as."
    ]


@pytest.fixture
def machine(tmp_path, capsys, monkeypatch):
    """Commands on a campaign of the machine against a post: a Mark III as printed, less an ap gun and some treads."""
    monkeypatch.setenv("COLUMNS", "80")
    path = str(tmp_path / "m.ophex")
    with create_campaign(tmp_path / "m.ophex", "ogre/duel", seed=2) as campaign:
        for line in ("remove huscarl-ap-3", "treads of huscarl = 20"):
            campaign.offer(Input("override", "umpire", line, "hit before"))

    def run(*words):
        assert main([words[0], path, *words[1:]]) == 0
        return capsys.readouterr().out

    return run


def test_a_machine_of_a_shipped_game(machine, tmp_path):
    """A Mark III has a main battery, four secondary, eight anti-personnel, two missiles and 45 treads."""
    out = machine("roster", "huscarl")
    assert "main 1/1, secondary 4/4, ap 7/8, missile 2/2" in out
    assert "■■■■■■■■■□□□□□□□□□□□ 20/45" in out
    assert row(out, "huscarl-ap-3")[-1] == "gone"
    assert "weapon 14/15" in out
    assert max(map(len, out.splitlines())) <= 80
    for name in ("all.csv", "all.toml"):
        machine("roster", "--out", str(tmp_path / name))
        assert machine("roster", "--in", str(tmp_path / name)) == ""
    (tmp_path / "crew.toml").write_text('[[thing]]\nname = "huscarl"\ntitle = "Huscarl the Red"\ntreads = 30\n')
    assert machine("roster", "--in", str(tmp_path / "crew.toml")) == (
        "huscarl (mark-iii ogre):\n  title: -- -> Huscarl the Red\n  treads: 20 -> 30\n"
    )
    assert "huscarl: Huscarl the Red; mark-iii ogre" in machine("roster", "huscarl", "--as", "combine")
