"""`ophex map` as a graph, and the formats of files: a file that networkx reads, with layers, and what is refused."""

import json
from pathlib import Path

import networkx as nx
import pytest

from campaigns.play.starting import create_campaign
from ui.main import main
from ui.maps.map_layer import HIGH, LOW, MapLayer

SHIPS = (Path(__file__).parents[1] / "interpreter" / "toy" / "ships.rules").read_text(encoding="utf-8")


@pytest.fixture
def duel(tmp_path):
    (tmp_path / "ships").mkdir()
    (tmp_path / "ships" / "ships.rules").write_text(SHIPS)
    path = tmp_path / "a.ophex"
    create_campaign(path, str(tmp_path / "ships" / "duel"), seed=4).close()
    return path


def test_the_file_is_read_by_networkx(duel, tmp_path):
    """iris is at 0202, otto at 0203 beside her."""
    file = tmp_path / "map.graphml"
    layer = "far=distance from iris to here"
    assert main(["map", str(duel), "--layer", layer, "-o", str(file)]) == 0
    graph = nx.read_graphml(file)
    assert graph.nodes["0203"]["things"] == "otto"
    assert {x: graph.nodes[x]["far"] for x in ("0202", "0203", "0204")} == {"0202": 0, "0203": 1, "0204": 2}
    assert nx.shortest_path_length(graph, "0202", "0204") == 2


def test_it_is_printed_or_told_as_an_object(duel, capsys):
    assert main(["map", str(duel), "--as", "blue", "--format", "graphml"]) == 0
    printed = capsys.readouterr().out
    assert main(["map", str(duel), "--as", "blue", "--format", "graphml", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["format"] == "graphml"
    assert told["text"] == printed
    assert "0202" in nx.parse_graphml(printed)


@pytest.mark.parametrize(
    ("command", "file", "more", "begins"),
    [
        ("map", "map.svg", [], "<svg"),
        ("map", "map.GRAPHML", [], "<graphml"),
        ("map", "map.txt", [], "The strait"),
        ("map", "svg", [], "The strait"),
        ("map", "map.txt", ["--format", "svg"], "<svg"),
        ("report", "red.html", [], "<!doctype html>"),
        ("report", "red.csv", [], "turn,"),
        ("report", "red.doc", [], "# "),
        ("report", "red.html", ["--format", "md"], "# "),
    ],
)
def test_the_ending_of_the_file_is_its_format_unless_one_is_chosen(duel, tmp_path, command, file, more, begins):
    assert main([command, str(duel), *more, "-o", str(tmp_path / file)]) == 0
    assert (tmp_path / file).read_text().startswith(begins)


@pytest.mark.parametrize(
    ("layers", "code", "said"),
    [
        (["far"], 2, "'far' is not a layer."),
        (["=3"], 2, "'=3' is not a layer."),
        (["x=1", "x=2"], 2, "Two layers are named 'x'."),
        (["x=distance to"], 1, "is not a valid expression."),
        (["things=hull of iris"], 1, "The places of the map already have a field `things`."),
    ],
)
def test_what_is_no_layer_is_refused(duel, capsys, layers, code, said):
    given = [word for layer in layers for word in ("--layer", layer)]
    assert main(["map", str(duel), "--format", "graphml", *given]) == code
    assert said in capsys.readouterr().err


def test_text_and_picture_show_a_layer_in_place_of_the_terrain(duel, tmp_path, capsys):
    """iris is at 0202: 0 steps there, 1 in the hexes around it, 2 in the next."""
    assert main(["map", str(duel), "--layer", "far=distance from iris to here"]) == 0
    told = capsys.readouterr().out
    assert "Values: far = distance from iris to here" in told
    assert "Terrain" not in told
    rows = told.splitlines()
    number = next(at for at, row in enumerate(rows) if "0202" in row)
    column = rows[number].index("0202")
    assert rows[number][column + 5] == "0"
    file = tmp_path / "far.svg"
    assert main(["map", str(duel), "--layer", "far=distance from iris to here", "-o", str(file)]) == 0
    picture = file.read_text()
    assert all(f">{said}<" in picture for said in ("0202: 0", "0203: 1", "0204: 2", "far:"))


def test_a_layer_may_be_a_condition_and_is_the_only_one_of_a_map(duel, capsys):
    assert main(["map", str(duel), "--layer", "near=here is within 1 of iris"]) == 0
    told = capsys.readouterr().out
    assert "yes" in told
    assert "no" in told
    assert main(["map", str(duel), "--layer", "a=1", "--layer", "b=2"]) == 2
    assert "one layer at a time" in capsys.readouterr().err


def test_a_map_of_btr_on_which_a_layer_has_no_values_is_left_out(tmp_path, capsys):
    """No way leads from the hexes to the OpHexes."""
    path = tmp_path / "fulda.ophex"
    create_campaign(path, "btr/fulda-1986", seed=4).close()
    assert main(["map", str(path)]) == 0
    assert capsys.readouterr().out.count("Sides: ") == 2
    assert main(["map", str(path), "--layer", "far=distance from us-11acr to here"]) == 0
    assert capsys.readouterr().out.count("Sides: ") == 1


def test_a_layer_is_shaded_from_its_lowest_to_its_highest_number_and_words_get_shades_of_their_own():
    numbers = MapLayer("far", "x", {"a": 0, "b": 5, "c": 10, "d": 2.5})
    assert [numbers.shade(x) for x in "ac"] == [LOW, HIGH]
    assert numbers.shade("b") == tuple(round((one + other) / 2) for one, other in zip(LOW, HIGH, strict=True))
    assert numbers.text("d") == "2.5"
    assert [said for said, _ in numbers.samples()] == ["0", "2.5", "5", "10"]
    assert [said for said, _ in MapLayer("far", "x", {str(n): n for n in range(100)}).samples()] == [
        "0",
        "25",
        "50",
        "75",
        "99",
    ]
    words = MapLayer("who", "x", {"a": "red", "b": "blue", "c": "no"})
    assert len({words.shade(x) for x in "abcz"}) == 4
    assert (words.text("z"), [said for said, _ in words.samples()]) == ("", ["blue", "no", "red"])
    assert MapLayer("same", "x", {"a": 3}).shade("a") == LOW
