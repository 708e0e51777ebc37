"""`ophex map` as a graph, and the formats of files: a file that networkx reads, with layers, and what is refused."""

import json
from pathlib import Path

import networkx as nx
import pytest

from campaigns.play.starting import create_campaign
from ui.main import main

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


def test_only_a_graph_has_layers(duel, capsys):
    assert main(["map", str(duel), "--layer", "x=1"]) == 2
    assert "--layer needs --format graphml." in capsys.readouterr().err
