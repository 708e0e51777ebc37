"""Charts, sheets and their signs: geometry, letters, symbols, on hex, square and drawn maps."""

import itertools
import re
from xml.etree import ElementTree as ET

import attrs
import pytest

from campaigns.play.starting import create_campaign
from dsl.data.colours import COLOURS
from interpreter.geometry.hexgrid import HexGrid
from interpreter.messages.view import BetweenView, MapView, PlaceView, SideView, ThingView
from tests.ui import fake
from ui.app.hexmap import next_place
from ui.app.map_cells import FAR, MIDDLE, NEAR, ZOOMS, MapSheet
from ui.maps import svg_map, text_map
from ui.maps.chart import part_around
from ui.maps.charting import chart_of, chart_of_board, charts_of
from ui.maps.symbols import SIDE_COLOURS, arm_of, echelon_of, ground_of, letters_for, number_of, short_name, strength_of

DIRECTIONS = ("n", "ne", "se", "s", "sw", "nw")


def view_on(board, things=()):
    return attrs.evolve(fake.Game({}).view("umpire"), maps=(board,), things=tuple(things))


def hexes(low, first=1):
    grid = HexGrid(6, 5, low_columns=low, first_column=first, first_row=first)
    places = tuple(PlaceView(label, "", *map(int, (label[:2], label[2:])), {}) for label in grid.labels())
    return grid, MapView("x", "", "hex", 6, 5, low, places, ())


def squares():
    places = tuple(PlaceView(f"{c:02}{r:02}", "", c, r, {"terrain": "open"}) for c in range(1, 5) for r in range(1, 4))
    return MapView("x", "", "square", 4, 3, "", places, (("road", "0101", "0201"),))


def drawn():
    names = ("North", "Ford", "South", "Hill", "East", "West", "Isle")
    places = tuple(PlaceView(name, name, 0, 0, {}) for name in names)
    return MapView("x", "", "drawn", 0, 0, "", places, (("road", "North", "Ford"),))


def thing(name, side="north", place="0101", kind="unit", template="", **fields):
    told = {name.replace("_", "-"): value for name, value in fields.items()}
    return ThingView(name, name, kind, "unit", template, side, place, "", told)


@pytest.mark.parametrize("low", ["even", "odd"])
@pytest.mark.parametrize("first", [0, 1])
def test_a_charts_neighbours_are_the_grids(low, first):
    grid, board = hexes(low, first)
    chart = chart_of(view_on(board))
    for label in grid.labels():
        cell = chart.at(label)
        beside = {chart.beside(cell.column, cell.row, direction) for direction in DIRECTIONS} - {None}
        assert {other.label for other in beside} == {grid.label(n) for n in grid.neighbours(grid.index(label))}


@pytest.mark.parametrize("zoom", ZOOMS, ids=lambda zoom: zoom.name)
@pytest.mark.parametrize(
    "board", [fake.board(), squares(), drawn(), hexes("odd")[1]], ids=["hex", "square", "drawn", "odd"]
)
def test_a_sheet_has_no_gaps_and_knows_what_it_shows(zoom, board):
    sheet = MapSheet(chart_of(view_on(board)), zoom)
    last = sheet.chart.columns - (zoom is not NEAR)
    shown = {}
    for y in range(sheet.height):
        segments = sheet.line(y, 0, last, None)
        width = sheet.start(y, 0) + sum(len(segment.text) for segment in segments)
        assert width in {sheet.width, sheet.width - 1}  # the last border of a hex stands in by one cell or not
        for x in range(sheet.width):
            place = sheet.place_at(x, y)
            shown[place] = shown.get(place, 0) + 1
    sizes = {shown[place] for place in sheet.chart.cells}
    assert sizes == {{"far": 2, "middle": 8, "near": 32}[zoom.name]}


@pytest.mark.parametrize("zoom", ZOOMS, ids=lambda zoom: zoom.name)
def test_a_line_is_the_same_in_blocks_and_whole(zoom):
    sheet = MapSheet(chart_of(fake.Game({}).view("umpire")), zoom)
    for y in range(sheet.height):
        whole = [segment.text for segment in sheet.line(y, 0, 11, (3, 3))]
        parts = [segment.text for first in (0, 4, 8) for segment in sheet.line(y, first, first + 3, (3, 3))]
        assert whole == parts


@pytest.mark.parametrize("zoom", ZOOMS, ids=lambda zoom: zoom.name)
def test_the_cursor_can_be_told_without_colour(zoom):
    sheet = MapSheet(chart_of(fake.Game({}).view("umpire")), zoom)
    segments = [s for y in range(sheet.height) for s in sheet.line(y, 0, 11, (0, 0)) if s.style.bold]
    assert any(segment.style.underline for segment in segments)


@pytest.mark.parametrize("zoom", [MIDDLE, NEAR], ids=["middle", "near"])
def test_marks_can_be_told_without_colour(zoom):
    chart = chart_of(fake.Game({}).view("umpire"))
    plain, marked = MapSheet(chart, zoom), MapSheet(chart, zoom, marked=frozenset({"0101"}))

    def text(sheet):
        return "\n".join("".join(s.text for s in sheet.line(y, 0, 11, None)) for y in range(sheet.height))

    assert text(marked).count("*") == 1 == text(marked).count("*") - text(plain).count("*")


def test_far_away_in_letters_no_half_block_is_drawn():
    sheet = MapSheet(chart_of(fake.Game({}).view("umpire")), FAR, plain=True)
    drawing = "".join(s.text for y in range(sheet.height) for s in sheet.line(y, 0, 11, None))
    assert "▀" not in drawing
    assert sheet.height == 10


def test_the_text_map_of_a_drawn_map_names_its_places():
    chart = chart_of(view_on(drawn(), [thing("n-1", place="Hill", strength="7")]))
    assert "Hill Hill: N n-1 7" in text_map.legend(chart)
    assert svg_map.draw(view_on(drawn())).count("<polygon") == 7


def test_a_square_map_is_not_staggered():
    lines = text_map.draw(chart_of(view_on(squares())))
    assert lines[0].split() == ["0101", "0201", "0301", "0401"]
    assert lines[1].split() == [".=", ".=", ".", "."]


def test_terrains_get_letters_and_colours_of_their_own():
    assert letters_for(["forest", "foothills", "rough", "river"]) == {
        "forest": "f", "foothills": "o", "rough": "r", "river": "i",
    }  # fmt: skip
    known = ["alpha", "beta", "gamma"]
    assert len({ground_of(name, known).colour for name in known}) == 3
    assert ground_of("heavy-woods") == ground_of("forest")
    woods = ["forest", "heavy-forest", "jungle", "light-woods"]
    greens = {name: ground_of(name, woods).colour[1] for name in woods}
    assert greens["light-woods"] > greens["forest"] > greens["heavy-forest"] > greens["jungle"]


def test_sides_without_colours_are_told_apart():
    view = attrs.evolve(
        fake.Game({}).view("umpire"), sides=tuple(SideView(name, name, "") for name in ("alpha", "army", "axis"))
    )
    sides = chart_of(view).sides.values()
    assert len({letter for _, letter, _ in sides}) == len({colour for _, _, colour in sides}) == 3


@pytest.mark.parametrize(
    ("fields", "strength", "number"),
    [
        ({"strength": "28(4)"}, "28", "28"),
        ({"raw": "4", "attack_strength": "28"}, "28", "28"),
        ({"tech": "high", "raw": "4"}, "", "4"),
        ({"tech": "high"}, "", ""),
    ],
)
def test_the_strength_is_the_field_that_speaks_of_it_and_the_counter_shows_a_number_where_there_is_one(
    fields, strength, number
):
    assert strength_of(thing("x", **fields)) == strength
    assert number_of(thing("x", **fields)) == number


@pytest.mark.parametrize(
    ("name", "width", "short"),
    [("tf-1", 6, "tf-1"), ("hussar-1", 6, "hussa1"), ("rockets", 6, "rocket"), ("a-12345678", 4, "5678")],
)
def test_names_are_cut_before_their_number(name, width, short):
    assert short_name(thing(name), width) == short


@pytest.mark.parametrize(
    ("found", "arm", "echelon"),
    [
        (thing("a", kind="battalion", arm="artillery"), "artillery", "II"),
        (thing("a", kind="battalion", template="tank-battalion"), "armor", "II"),
        (thing("a", kind="division", type="mechanized infantry"), "mechanized", "XX"),
        (thing("a", kind="wizard", mood="grim"), "", ""),
    ],
)
def test_symbols_are_told_by_a_things_own_words(found, arm, echelon):
    assert (arm_of(found), echelon_of(found)) == (arm, echelon)


def test_two_sides_in_one_hex_are_both_shown():
    things = [thing("n-1", strength="5"), thing("s-1", side="south", strength="7")]
    view = view_on(fake.board(), things)
    assert text_map.draw(chart_of(view))[0].startswith("0101 . NS ")
    near = MapSheet(chart_of(view), NEAR)
    assert "N  S" in "".join(s.text for s in near.line(1, 0, 0, None))


def test_a_long_name_is_no_wider_than_its_counter_in_a_picture():
    """A name of eight characters is shown in full: `huc23` would be no name of `huc-a23`."""
    squad = thing("squad-1922", unit="rifles")
    view = view_on(fake.board(), [squad, thing("huc-a23", place="0203"), thing("n-2", place="0102", strength="5")])
    texts = ET.fromstring(svg_map.draw(view)).iter()
    sizes = {text.text: float(text.get("font-size")) for text in texts if text.get("font-weight") == "bold"}
    for shown in ("N squa1922", "N huc-a23"):
        assert sizes[shown] * 0.6 * len(shown) < svg_map.COUNTER
    assert sizes["N 5"] == 8.5


def test_the_chosen_thing_lies_on_top_of_its_stack():
    chart = chart_of(fake.Game({}).view("umpire"))
    cell = chart.at("0304")
    assert [thing.id for thing in cell.things] == ["n-3", "n-2"]
    for chosen, top, strength in (("", "n-3", "30"), ("n-2", "n-2", "18")):
        sheet = MapSheet(chart, NEAR, chosen=chosen)
        lines = ["".join(s.text for s in sheet.line(4 * cell.row + part, 2, 2, None)) for part in (1, 2)]
        assert f"N {strength}+1" in lines[0]
        assert top in lines[1]


def test_every_map_of_a_view_is_drawn_with_what_lies_between_its_places():
    sectors = tuple(PlaceView(f"S-{c:02}{r:02}", "", c, r, {"ground": "open"}, "alba") for c in (1, 2) for r in (1, 2))
    between = (
        BetweenView("S-0101-S-0102", "S-0101", "S-0102", "border", {"feature": "wet"}),
        BetweenView("S-0101-S-0201", "S-0101", "S-0201", "border", {"feature": "none"}),
        BetweenView("S-0201-S-0202", "S-0201", "S-0202", "border", {"feature": "none"}),
    )
    front = MapView("front", "The front", "square", 2, 2, "", sectors, (), "sector", between)
    zones = tuple(PlaceView(name, name.title(), 0, 0, {}) for name in ("alba", "bern"))
    realm = MapView("realm", "The realm", "drawn", 0, 0, "", zones, (), "zone", (), (("alba", "bern"),))
    base = attrs.evolve(fake.Game({}).view("umpire"), maps=(front, realm), things=(thing("g1", place="S-0201-S-0202"),))
    first, second = charts_of(base)
    told = "\n".join(text_map.legend(first))
    assert "Between S-0101 and S-0102: wet" in told
    assert "S-0101 and S-0201" not in told
    assert "Between S-0201 and S-0202: N g1" in told
    assert "Next to each other: alba and bern" in text_map.legend(second)
    picture = svg_map.draw(base)
    assert picture.count("<polygon") == 6
    assert "<title>wet</title>" in picture
    assert "The realm" in picture


ZONES = MapView(
    "realm", "The realm", "drawn", 0, 0, "even",
    (PlaceView("alba", "Alba", 0, 0, {"cover": "0"}), PlaceView("bern", "", 0, 0, {"cover": "1"})),
    (("rail", "alba", "bern"),), borders=(("alba", "bern"),),
)  # fmt: skip


def test_on_a_drawn_map_the_area_around_a_place_is_counted_along_its_connections():
    names = ("alba", "bern", "cork", "dove", "ezra", "fano", "gent", "hull")
    zones = tuple(PlaceView(name, "", 0, 0, {}) for name in names)
    borders = (("alba", "hull"), ("bern", "gent"), ("dove", "hull"))
    board = MapView("realm", "The realm", "drawn", 0, 0, "", zones, (("rail", "alba", "hull"),), borders=borders)
    chart = chart_of_board(board)
    assert set(part_around(chart, chart.at("alba"), 0).by_label) == {"alba"}
    near = part_around(chart, chart.at("alba"), 1)
    assert set(near.by_label) == {"alba", "hull"}
    assert "Next to each other: alba and hull (rail)" in text_map.legend(near)
    assert set(part_around(chart, chart.at("alba"), 2).by_label) == {"alba", "hull", "dove"}
    assert set(part_around(chart, chart.at("ezra"), 5).by_label) == {"ezra"}


def board_apart(**spots):
    """A drawn map whose places have spots; alba is joined with all others, by rail with the first."""
    places = tuple(PlaceView(name, "", *spot, {}) for name, spot in spots.items())
    others = [name for name in spots if name != "alba"]
    links, borders = (("rail", "alba", others[0]),), tuple(("alba", name) for name in others)
    return MapView("realm", "The realm", "drawn", 0, 0, "", places, links, borders=borders)


def apart(**spots):
    return chart_of_board(board_apart(**spots))


def test_places_that_stand_apart_are_joined_by_lines_with_the_signs_of_their_links():
    chart = apart(alba=(2, 2), statehouse=(5, 2), cork=(2, 4))
    far, middle = MapSheet(chart, FAR), MapSheet(chart, MIDDLE)
    assert [text_of(far, y) for y in range(2)] == ["  ####", " |"]
    assert [text_of(middle, y) for y in range(6)] == [
        "alba        statehouse",
        "  # ########  #",
        "  |",
        "  |",
        "cork",
        "",
    ]
    picture = svg_map.draw(view_on(board_apart(alba=(2, 2), statehouse=(5, 2))))
    assert picture.index("<line") < picture.index("<polygon")  # the places hide the ends of the lines


def text_of(sheet, y):
    return "".join(piece.text for piece in sheet.line(y, 0, sheet.chart.across - 1, None)).rstrip()


def test_among_places_that_stand_apart_the_cursor_goes_to_the_nearest_in_its_direction():
    chart = apart(alba=(2, 2), bern=(6, 3), cork=(2, 6), dove=(5, 2), ezra=(1, 5))
    steps = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1)}

    def going(label, direction):
        place = next_place(chart, chart.by_label[label], *steps[direction])
        return chart.cells[place].label if place else None

    assert going("alba", "right") == "dove"
    assert going("dove", "right") == "bern"
    assert going("alba", "down") == "ezra"
    assert going("cork", "up") == "ezra"
    assert going("alba", "left") is going("alba", "up") is None


def test_numbers_are_no_ground_and_a_legend_says_nothing_where_there_is_nothing_to_say():
    chart = chart_of_board(ZONES)
    assert list(chart.of_ground()) == []
    assert not any(line.startswith("Terrain") for line in text_map.legend(chart))
    assert "Terrain" not in svg_map.figure(ZONES)
    assert words_of(svg_map.figure(ZONES))[-2:] == ["Links:", "rail"]


def words_of(picture):
    """The texts of a picture, in order."""
    return [text.text for text in ET.fromstring(picture).findall(".//{*}text")]


def test_the_legend_of_a_picture_shows_every_colour_beside_its_word():
    """Two terrains, two sides, a river on hex sides and a road, a ford between two places: each with a sample in its own colour."""
    between = (
        BetweenView("a", "0101", "0102", "border", {"feature": "ford"}),
        BetweenView("b", "0102", "0103", "border", {"feature": "wall"}),
    )
    places = tuple(
        PlaceView(f"010{n}", "", 1, n, {"terrain": word}) for n, word in enumerate(("open", "marsh", "open"), 1)
    )
    links = (("river", "0101", "0102"), ("road", "0102", "0103"))
    board = MapView("x", "", "hex", 1, 3, "even", places, links, "hex", between, sides=frozenset({"river"}))
    picture = svg_map.draw(view_on(board))
    entries = {}
    drawn = list(ET.fromstring(picture).iter())
    for sample, words in itertools.pairwise([x for x in drawn if x.tag.endswith("}g") or x.get("font-size") == "12"]):
        if sample.tag.endswith("}g") and words.get("font-size") == "12":
            entries[words.text] = " ".join(
                f"{part.get('fill')} {part.get('stroke')} {part.get('stroke-dasharray')}" for part in sample
            )
    assert set(entries) >= {". = open", "m = marsh", "river", "road", "ford", "wall"}
    assert len(set(entries.values())) == len(entries)
    for word, colour in (("ford", "#6a4a8a"), ("road", "#7a3b20")):
        assert picture.count(f'stroke="{colour}"') == 2, word  # once on the map, once in the legend


def test_a_long_legend_is_broken_between_its_entries():
    """Thirty names of terrain on a map of two columns: each entry is whole in one of several lines."""
    names = [f"marsh of the {number} kind" for number in range(30)]
    places = tuple(
        PlaceView(f"{1 + n // 15:02}{1 + n % 15:02}", "", 1 + n // 15, 1 + n % 15, {"terrain": name})
        for n, name in enumerate(names)
    )
    board = MapView("strip", "The strip", "hex", 2, 15, "even", places, ())
    tree = ET.fromstring(svg_map.draw(view_on(board)))
    lines = [text.text or "" for text in tree.findall(".//{*}text") if text.get("font-size") == "12"]
    assert all(any(f" = {name}" in line for line in lines) for name in names)
    widest = max(map(len, lines))
    assert widest < len("Terrain: " + ", ".join(names)) / 5
    assert 24 + 7 * widest <= float(tree.get("width"))


def test_a_map_by_itself_is_a_picture_for_a_page_of_any_paper():
    board = fake.board()
    drawn = svg_map.figure(board)
    tree = ET.fromstring(drawn)
    assert tree.get("role") == "img"
    assert tree.get("aria-label") == f"Map: {board.title or board.name}"
    assert len(tree.findall(".//polygon")) == len(board.places)
    low, top, wide, high = map(float, tree.get("viewBox").split())
    for text in tree.findall(".//text"):
        assert low <= float(text.get("x")) <= low + wide
        assert top <= float(text.get("y")) <= top + high
    legend = [text for text in tree.findall(".//text") if (text.text or "").startswith(("Terrain", "Links"))]
    assert len(legend) == 2
    assert {text.get("fill") for text in legend} == {"currentColor"}  # the page's own ink, on light paper and on dark
    assert "<rect width" not in drawn  # and no paper of its own


def test_every_colour_that_a_scenario_can_name_is_drawn():
    assert set(SIDE_COLOURS) == set(COLOURS)


def test_what_lies_on_a_side_is_drawn_along_it_and_a_road_across():
    """Two hexes one above the other: their common side is level between them, a road goes down from centre to centre."""
    places = tuple(PlaceView(label, "", 1, row, {}) for row, label in enumerate(("0101", "0102"), 1))
    links = (("river", "0101", "0102"), ("road", "0101", "0102"))
    board = MapView("x", "", "hex", 1, 2, "even", places, links, sides=frozenset({"river"}))
    found = re.findall(r'<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"', svg_map.figure(board))
    (x1, y1, x2, y2), (a1, b1, a2, b2) = (tuple(map(float, line)) for line in found)
    assert y1 == y2
    assert abs(x2 - x1) == 36.0  # the side of a hex
    assert a1 == a2 == (x1 + x2) / 2  # beside nothing but the river, it runs through the middle
    assert b1 < y1 < b2


def test_the_streams_of_a_shipped_map_lie_on_sides_and_its_roads_do_not(tmp_path):
    with create_campaign(tmp_path / "raid.ophex", "ogre/raid", seed=1) as campaign:
        assert campaign.game.view("umpire").map.sides == {"stream"}


def test_a_counter_out_of_action_is_crossed_out_and_named():
    """Rules say which words and marks cross a counter out; a mark counts only while it is set."""
    drawn = {"wrecked": ("crossed",), "stuck": ("crossed",)}
    board = attrs.evolve(fake.board(), drawn=drawn)
    things = [
        thing("n-1", place="0101", strength="5", state="wrecked", stuck="no"),
        thing("n-2", place="0301", strength="6", state="ready", stuck="yes"),
        thing("n-3", place="0501", strength="7", state="ready", stuck="no"),
    ]
    told = text_map.legend(chart_of(view_on(board, things)))
    assert [line for line in told if line[:2].isdigit()] == [
        "0101: N n-1 5 wrecked", "0301: N n-2 6 stuck", "0501: N n-3 7",
    ]  # fmt: skip
    picture = svg_map.draw(view_on(board, things))
    assert picture.count('stroke-width="2.2"') == 3, "two counters, and the sample of the legend"
    assert "Crossed out:" in picture
    assert ">stuck, wrecked<" in picture
    near = MapSheet(chart_of(view_on(board, things)), NEAR)
    struck = {one.text.strip() for y in (1, 2) for one in near.line(y, 0, 5, None) if one.style and one.style.strike}
    assert struck >= {"n-1", "n-2"}
    assert "n-3" not in struck
    assert "Crossed out:" not in svg_map.draw(view_on(fake.board(), things))
