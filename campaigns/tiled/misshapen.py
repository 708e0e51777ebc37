"""What is wrong with a map that could not be read, in the words of Tiled: the first part of it that is not as Tiled writes it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from attrs import frozen

from campaigns.tiled.screening import JSON_ENDINGS

__all__ = ["UNKNOWN", "misshapen"]

WHOLE, NUMBER, TEXT = "a whole number", "a number", "text"
UNKNOWN = "something in it is not as Tiled writes it"
SORTS = {"tilelayer", "objectgroup", "imagelayer", "group"}
"""The types of layers in JSON; in XML they are tags."""
CHILDREN = {
    "map": {"layers": "layer", "tilesets": "tileset", "properties": "property"},
    "layer": {"objects": "object", "properties": "property", "layers": "layer"},
    "object": {"properties": "property", "polyline": "point", "polygon": "point"},
    "tileset": {"tiles": "tile", "properties": "property"},
    "tile": {"properties": "property"},
}
"""The lists of each part, and what is in them."""
TAGS = {"layer": "layer", "objectgroup": "layer", "group": "layer", "object": "object", "tileset": "tileset", "tile": "tile",
        "property": "property", "map": "map"}  # fmt: skip
TYPES = {
    "map": {"width": WHOLE, "height": WHOLE, "tilewidth": WHOLE, "tileheight": WHOLE, "orientation": TEXT,
            "hexsidelength": WHOLE, "nextobjectid": WHOLE, "nextlayerid": WHOLE},
    "layer": {"width": WHOLE, "height": WHOLE, "name": TEXT, "id": WHOLE, "opacity": NUMBER},
    "object": {"x": NUMBER, "y": NUMBER, "width": NUMBER, "height": NUMBER, "rotation": NUMBER, "id": WHOLE, "name": TEXT, "gid": WHOLE},
    "tileset": {"firstgid": WHOLE, "tilewidth": WHOLE, "tileheight": WHOLE, "tilecount": WHOLE, "columns": WHOLE, "spacing": WHOLE,
                "margin": WHOLE, "image": TEXT, "imagewidth": WHOLE, "imageheight": WHOLE, "name": TEXT},
    "tile": {"id": WHOLE},
    "property": {"name": TEXT, "type": TEXT},
    "point": {"x": NUMBER, "y": NUMBER},
}  # fmt: skip
"""What the entries of each part must be if they are there."""
NEEDED = {
    "map": ("width", "height", "tilewidth", "tileheight", "orientation"),
    "layer": (),
    "object": ("x", "y"),
    "tileset": ("firstgid",),
    "tile": ("id",),
    "property": ("name",),
    "point": ("x", "y"),
}
WRITTEN = {
    "map": ("version", "tiledversion", "infinite", "renderorder", "nextlayerid", "nextobjectid", "layers", "tilesets"),
    "layer": ("name", "opacity", "visible"),
    "object": ("id", "name", "width", "height", "rotation", "visible"),
    "tileset": ("name", "tilewidth", "tileheight", "tilecount", "columns", "spacing", "margin"),
    "tile": (),
    "property": ("type", "value"),
    "point": (),
}
"""What Tiled writes besides; in XML it leaves out some of it."""
IN_XML = {"map": 6, "layer": 1, "object": 1, "tileset": 5, "property": 0}
"""How many of these Tiled always writes in XML."""
SHOWN = 40


Needed = Mapping[str, Sequence[str]]
"""What each kind of part must have."""


@frozen
class _Part:
    """A part of a map. where: as people find it; told: its entries; is_xml: all of them are text."""

    kind: str
    where: str
    told: Mapping[str, Any]
    is_xml: bool = False


def misshapen(path: Path) -> str:
    """What is wrong with a map that was screened, as the end of a sentence.

    >>> import tempfile
    >>> made = Path(tempfile.mkdtemp()) / "x.tmj"
    >>> whole = {"width": 2, "height": "two", "tilewidth": 9, "tileheight": 9, "orientation": "hexagonal"}
    >>> _ = made.write_text(json.dumps(whole))
    >>> misshapen(made)
    'height of the map must be a whole number, not `two`'
    """
    try:
        text = path.read_text(encoding="utf-8")
        is_json = path.suffix.lower() in JSON_ENDINGS
        found = json.loads(text) if is_json else ET.fromstring(text)  # noqa: S314 (screening.py has looked at it)
        for needed in (NEEDED, WRITTEN):
            wrong = next(_wrong_in(found, "map", "the map", needed) if is_json else _wrong_xml(found, needed), "")
            if wrong:
                return wrong
        return UNKNOWN
    except (OSError, ValueError, RecursionError, ET.ParseError):
        return UNKNOWN


def _wrong_in(found: Any, kind: str, where: str, needed: Needed) -> Iterator[str]:
    """What is wrong with a part of a map in JSON, and with the parts in it."""
    if not isinstance(found, dict):
        yield f"{where} must be an object, not {_shown(found)}"
        return
    yield from _wrong_entries(_Part(kind, where, found), needed[kind])
    if kind == "layer":
        yield from _wrong_layer(found, where)
    for name, of in CHILDREN.get(kind, {}).items():
        inner = found.get(name, [])
        if not isinstance(inner, list):
            yield f"{name} of {where} must be a list, not {_shown(inner)}"
            continue
        for number, one in enumerate(inner, 1):
            called = one.get("name", "") if isinstance(one, dict) else ""
            named = f" ({called[:SHOWN]})" if isinstance(called, str) and called else ""
            yield from _wrong_in(
                one,
                of,
                f"{of} {number}{named}" + ("" if kind == "map" and of != "property" else f" of {where}"),
                needed,
            )


def _wrong_layer(found: Mapping[str, Any], where: str) -> Iterator[str]:
    """What is wrong with a layer by its type."""
    sort = found.get("type")
    if not isinstance(sort, str) or sort not in SORTS:
        yield f"{where} has no type that Tiled knows ({', '.join(sorted(SORTS))})"
    if sort == "objectgroup":
        yield from (f"{where} has no {name}" for name in ("objects", "draworder") if name not in found)
    if sort != "tilelayer":
        return
    yield from (f"{where} has no {name}" for name in ("width", "height", "data") if name not in found)
    data = found.get("data")
    if not isinstance(data, list):
        yield f"data of {where} must be a list of tiles, not {_shown(data)}"
        return
    yield from _wrong_tiles(data, where)


def _wrong_xml(root: ET.Element, needed: Needed) -> Iterator[str]:
    """What is wrong with a map in XML."""
    if root.tag != "map":
        yield f"its outermost element must be `map`, not `{root.tag[:SHOWN]}`"
        return
    counts: dict[str, int] = {}
    where = "the map"
    for element in root.iter():
        kind = TAGS.get(str(element.tag))
        if kind is not None:
            counts[kind] = counts.get(kind, 0) + 1
            name = element.attrib.get("name", "")
            here = "the map" if kind == "map" else f"{kind} {counts[kind]}" + (f" ({name[:SHOWN]})" if name else "")
            where = where if kind == "property" else here
            names = needed[kind] if needed is NEEDED else needed[kind][: IN_XML.get(kind, 0)]
            yield from _wrong_entries(_Part(kind, here, element.attrib, is_xml=True), names)
        yield from _wrong_inside(element, where)


def _wrong_inside(element: ET.Element, where: str) -> Iterator[str]:
    """What is wrong in an element that XML has and JSON has not: the data of a layer, a picture, a line."""
    if element.tag == "layer":
        yield from (f"{where} has no {name}" for name in ("width", "height") if name not in element.attrib)
        data = element.find("data")
        if data is None:
            yield f"{where} has no data"
        elif data.attrib.get("encoding") not in {None, "csv", "base64"}:
            yield f"the encoding of {where} is not CSV"
        elif data.attrib.get("encoding") == "csv":
            yield from _wrong_tiles([one.strip() for one in (data.text or "").split(",")], where)
    if element.tag == "image":
        yield from _wrong_image(element.attrib, where)
    if element.tag in {"polyline", "polygon"}:
        points = element.attrib.get("points", "").split()
        if not points:
            yield f"a line of {where} has no points"
        yield from (f"`{one[:SHOWN]}` is no point of {where}" for one in points if not _is_point(one))


def _wrong_image(told: Mapping[str, str], where: str) -> Iterator[str]:
    """What is wrong with the picture of a tileset in XML."""
    if "source" not in told:
        yield f"the image of {where} has no source"
    for name in ("width", "height"):
        if not _is(told.get(name), WHOLE, is_xml=True):
            yield f"{name} of the image of {where} must be a whole number, not {_shown(told.get(name))}"


def _wrong_entries(part: _Part, needed: Sequence[str]) -> Iterator[str]:
    yield from (f"{part.where} has no {name}" for name in needed if name not in part.told)
    for name, what in TYPES[part.kind].items():
        if name in part.told and not _is(part.told[name], what, is_xml=part.is_xml):
            yield f"{name} of {part.where} must be {what}, not {_shown(part.told[name])}"


def _wrong_tiles(data: list[Any], where: str) -> Iterator[str]:
    for number, one in enumerate(data, 1):
        if not _is(one, WHOLE, is_xml=isinstance(one, str)):
            yield f"tile {number} of {where} must be a whole number, not {_shown(one)}"


def _is(value: Any, what: str, *, is_xml: bool) -> bool:
    if what == TEXT:
        return isinstance(value, str)
    if is_xml:
        return (
            re.fullmatch(
                r"\s*-?\d{1,12}\s*" if what == WHOLE else r"\s*-?\d{0,12}\.?\d{1,20}(?:e-?\d{1,3})?\s*", str(value)
            )
            is not None
        )
    if isinstance(value, bool):
        return False
    return isinstance(value, int) if what == WHOLE else isinstance(value, int | float)


def _is_point(text: str) -> bool:
    return all(_is(one, NUMBER, is_xml=True) for one in text.split(",")) and text.count(",") == 1


def _shown(value: Any) -> str:
    """A value as the file has it, shortened."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    return f"`{str(value)[:SHOWN]}`" if str(value) else "empty"
