"""A map of the rules as a Tiled map: places as tiles that carry the words of their letters, names and links as objects.

No maintained library writes Tiled maps. They are JSON and XML, and the standard library writes both.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from attrs import frozen

from campaigns.file.errors import CampaignError
from campaigns.tiled.hexes import HEIGHT, SIDE, WIDTH, TiledSheet
from dsl.data.map_data import NO_PLACE, Numbering, numbering
from dsl.rules.rows import cells
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d

__all__ = ["GRID", "LINKS", "NAMED", "MapText", "as_tmj", "as_tmx", "letters_of", "map_of", "tiled_map"]

GRID, NAMED, LINKS = "grid", "named", "links"
VERSION = "1.10"
Properties = Sequence[Mapping[str, Any]]


@frozen
class MapText:
    """A map of the rules with what is needed to lay it out. square: whether its places are squares; colours: which cells show its terrain."""

    node: d.Map
    square: bool

    @property
    def how(self) -> Numbering:
        """How its places are numbered."""
        found = numbering(self.node)
        assert found is not None, "a map of sound rules is numbered"
        return found

    @property
    def sheet(self) -> TiledSheet:
        """Its size and stagger."""
        low = None
        if not self.square:
            printed = 1 if self.node.low == "odd" else 0
            low = (printed - self.how.first_column) % 2
        return TiledSheet(self.node.columns, self.node.rows, low)


def map_of(ruleset: Ruleset, name: str = "") -> MapText:
    """A map of some rules. name: empty if there is only one.

    Raises:
        CampaignError: there is none with this name, there are several, or it is drawn and has no grid.
    """
    maps = ruleset.maps
    if not name and len(maps) != 1:
        raise CampaignError("There are several maps." if maps else "There is no map.", f"Name one of them: {', '.join(maps)}." if maps else "")  # fmt: skip
    node = maps.get(name) if name else next(iter(maps.values()))
    if node is None:
        from dsl.text.diagnostics import did_you_mean

        raise CampaignError(f"There is no map {name}.", did_you_mean(name, maps) or f"The maps are: {', '.join(maps)}.")
    kind = ruleset.kinds[node.of].node
    if kind is None or not kind.grid:
        raise CampaignError(
            f"The map {node.name} is drawn freehand: its places are not on a grid.",
            "Choose a map with a grid; Tiled supports only those.",
        )
    return MapText(node, kind.grid == "square")


def letters_of(node: d.Map) -> tuple[list[str], dict[str, list[str]], str]:
    """The headings of a map's letters, the cells of each letter, and the letter for no place; empty for none."""
    rows = _rows(node, "letters")
    heading = rows[0][1:] if rows else []
    letters = {row[0]: row[1:] for row in rows[1:]}
    hole = next((letter for letter, row in letters.items() if " ".join(" ".join(row[:1]).split()) == NO_PLACE), "")
    return heading, {letter: row for letter, row in letters.items() if letter != hole}, hole


def _rows(node: d.Map, section: str) -> list[list[str]]:
    found = next((x for x in node.sections if x.name == section), None)
    return [cells(row) for row in found.rows] if found is not None else []


def tiled_map(text: MapText, image: str = "") -> dict[str, Any]:
    """A map as Tiled JSON. image: the file with a picture of each tile, beside the map."""
    node, sheet, how = text.node, text.sheet, text.how
    heading, letters, hole = letters_of(node)
    numbers = {letter: number for number, letter in enumerate(letters, 1)}
    grid = next((x for x in node.sections if x.name == "grid"), None)
    only = [next(iter(numbers.values()), 1)] * node.columns
    rows = [[numbers.get(letter, 0) for letter in row.text.partition("|")[2].split()] for row in grid.rows] if grid else [only] * node.rows  # fmt: skip
    places = {how.label(column, row): (column, row) for column in range(node.columns) for row in range(node.rows)}
    names, links = list(_named(node, sheet, places)), list(_links(node, sheet, places))
    for number, one in enumerate((*names, *links), 1):
        one["id"] = number
    found: dict[str, Any] = {
        "type": "map", "version": VERSION, "tiledversion": "1.10.2", "compressionlevel": -1, "infinite": False,
        "orientation": "orthogonal" if text.square else "hexagonal", "renderorder": "right-down",
        "width": node.columns, "height": node.rows, "tilewidth": WIDTH, "tileheight": HEIGHT,
        "nextlayerid": 4, "nextobjectid": len(names) + len(links) + 1,
        "properties": _properties(_kept(node, heading, hole)),
        "tilesets": [_tileset(node, heading, letters, image)],
        "layers": [
            {"id": 1, "name": GRID, "type": "tilelayer", "x": 0, "y": 0, "width": node.columns, "height": node.rows, "opacity": 1,
             "visible": True, "data": [number for row in rows for number in row]},
            _layer(2, LINKS, links), _layer(3, NAMED, names),
        ],
    }  # fmt: skip
    if sheet.low is not None:
        found |= {"hexsidelength": SIDE, "staggeraxis": "x", "staggerindex": "odd" if sheet.low else "even"}
    return found


def _kept(node: d.Map, heading: Sequence[str], hole: str) -> dict[str, str]:
    """Data that Tiled does not support but that must not be lost: it is stored as properties of the map."""
    sections = {x.name: [row.text for row in x.rows] for x in node.sections if x.name not in {"letters", GRID, NAMED}}
    kept = {
        "map": node.name, "title": node.title, "of": node.of, "numbered": node.numbered, "low": node.low,
        "heading": "|".join(heading), "no-place": hole, "named": "|".join((_rows(node, NAMED) or [[]])[0]),
        **{f"section {name}": "\n".join(lines) for name, lines in sections.items()},
    }  # fmt: skip
    return {key: value for key, value in kept.items() if value}


def _properties(values: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "type": "string", "value": value} for name, value in values.items()]


def _layer(number: int, name: str, objects: Properties) -> dict[str, Any]:
    return {"id": number, "name": name, "type": "objectgroup", "draworder": "index", "x": 0, "y": 0, "opacity": 1, "visible": True, "objects": list(objects)}  # fmt: skip


def _tileset(node: d.Map, heading: Sequence[str], letters: Mapping[str, Sequence[str]], image: str) -> dict[str, Any]:
    tiles = [
        {"id": number, "type": row[0] if row else letter, "properties": _properties({"letter": letter, **dict(zip(heading, row, strict=False))})}
        for number, (letter, row) in enumerate(letters.items())
    ]  # fmt: skip
    found = {
        "firstgid": 1, "name": node.name, "tilewidth": WIDTH, "tileheight": HEIGHT, "spacing": 0, "margin": 0,
        "tilecount": len(tiles), "columns": len(tiles), "tiles": tiles,
    }  # fmt: skip
    if image:
        found |= {"image": image, "imagewidth": WIDTH * len(tiles), "imageheight": HEIGHT}
    return found


def _object(name: str, class_: str, at: tuple[float, float], properties: Mapping[str, str]) -> dict[str, Any]:
    return {
        "name": name, "type": class_, "x": at[0], "y": at[1], "width": 0, "height": 0, "rotation": 0, "visible": True,
        "properties": _properties(properties),
    }  # fmt: skip


def _named(node: d.Map, sheet: TiledSheet, places: Mapping[str, tuple[int, int]]) -> Any:
    """The rows of names: a point in the centre of each place."""
    rows = _rows(node, NAMED)
    heading = rows[0] if rows else []
    for row in rows[1:]:
        told = dict(zip(heading, row, strict=False))
        at = sheet.middle(*places.get(row[0], (0, 0)))
        yield {**_object(told.get("name", ""), "place", at, told), "point": True}


def _links(node: d.Map, sheet: TiledSheet, places: Mapping[str, tuple[int, int]]) -> Any:
    """The lines of links: each a sequence of straight lines through the places that it names; on sides, from the first place to each other."""
    for link in node.links:
        names = [x for other in link.places[1:] for x in (link.places[0], other)] if link.sides else list(link.places)
        points = [sheet.middle(*places.get(name, (0, 0))) for name in names]
        x, y = points[0]
        line = [{"x": across - x, "y": down - y} for across, down in points]
        told = {
            "link": link.link,
            "word": link.word,
            "on": "sides" if link.sides else "way",
            "places": " ".join(link.places),
        }
        yield {**_object(f"{link.word} {link.link}".strip(), link.link, (x, y), told), "polyline": line}


# ---- as text
def as_tmj(found: Mapping[str, Any]) -> str:
    """The map as JSON."""
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def as_tmx(found: Mapping[str, Any]) -> str:
    """The map as XML."""
    root = ET.Element("map", _attributes(found, {"type", "properties", "tilesets", "layers", "compressionlevel"}))
    _add_properties(root, found["properties"])
    for tileset in found["tilesets"]:
        at = ET.SubElement(root, "tileset", _attributes(tileset, {"tiles", "image", "imagewidth", "imageheight"}))
        if "image" in tileset:
            ET.SubElement(at, "image", {"source": tileset["image"], "width": str(tileset["imagewidth"]), "height": str(tileset["imageheight"])})  # fmt: skip
        for tile in tileset["tiles"]:
            _add_properties(ET.SubElement(at, "tile", _attributes(tile, {"properties"})), tile["properties"])
    for layer in found["layers"]:
        if layer["type"] == "tilelayer":
            at = ET.SubElement(root, "layer", {key: str(layer[key]) for key in ("id", "name", "width", "height")})
            wide, data = layer["width"], layer["data"]
            lines = [",".join(map(str, data[n : n + wide])) for n in range(0, len(data), wide)]
            ET.SubElement(at, "data", {"encoding": "csv"}).text = "\n" + ",\n".join(lines) + "\n"
            continue
        at = ET.SubElement(root, "objectgroup", {key: str(layer[key]) for key in ("id", "name", "draworder")})
        for one in layer["objects"]:
            thing = ET.SubElement(at, "object", {key: str(one[key]) for key in ("id", "name", "type", "x", "y")})
            _add_properties(thing, one["properties"])
            if "polyline" in one:
                points = " ".join(f"{p['x']},{p['y']}" for p in one["polyline"])
                ET.SubElement(thing, "polyline", {"points": points})
            else:
                ET.SubElement(thing, "point")
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _attributes(found: Mapping[str, Any], without: set[str]) -> dict[str, str]:
    return {
        key: str(int(value) if isinstance(value, bool) else value) for key, value in found.items() if key not in without
    }


def _add_properties(at: ET.Element, properties: Properties) -> None:
    if properties:
        under = ET.SubElement(at, "properties")
        for one in properties:
            if "\n" in one["value"]:
                ET.SubElement(under, "property", {"name": one["name"]}).text = one["value"]
            else:
                ET.SubElement(under, "property", {"name": one["name"], "value": one["value"]})
