"""What is wrong with a map that could not be read, in the words of Tiled: the first part of it that is not as Tiled writes it.

The shape of a map is a JSON Schema. A map in XML is first made into what Tiled writes in JSON.
"""

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from campaigns.tiled.screening import JSON_ENDINGS

__all__ = ["misshapen", "shape_of"]

UNKNOWN = "something in it is not as Tiled writes it"
WORDS = {"integer": "a whole number", "number": "a number", "string": "text", "array": "a list", "object": "an object"}
ONE = {"layers": "layer", "tilesets": "tileset", "properties": "property", "objects": "object", "tiles": "tile", "data": "tile",
       "polyline": "point", "polygon": "point"}  # fmt: skip
"""The lists of a map, and what is in them."""
TAGS = {"layer": "layers", "objectgroup": "layers", "imagelayer": "layers", "group": "layers", "tileset": "tilesets",
        "object": "objects", "tile": "tiles", "property": "properties"}  # fmt: skip
"""The lists in which elements of XML are in JSON."""
SHOWN = 40
MOST_PARTS = 20_000
"""So many parts of a map are looked at."""
Schema = dict[str, Any]


# ---- the shape of a map
def _part(needed: str, *, whole: str = "", number: str = "", text: str = "", lists: str = "", **more: Schema) -> Schema:
    """A part of a map. needed: the entries that Tiled always writes; more: those that are no numbers, texts or lists of parts."""
    sorts = {"integer": whole, "number": number, "string": text}
    entries: Schema = {name: {"type": sort} for sort, names in sorts.items() for name in names.split()}
    entries |= {name: {"type": "array", "items": _ref(ONE[name])} for name in lists.split()}
    return {"type": "object", "properties": entries | more, "required": needed.split()}


def _ref(kind: str) -> Schema:
    return {"$ref": f"#/$defs/{kind}"}


def _if(name: str, value: str, needed: str, **otherwise: Schema) -> Schema:
    """What must hold if an entry has a value."""
    there = {"properties": {name: {"const": value}}, "required": [name]}
    return {"if": there, "then": {"required": needed.split()}, "else": {"properties": otherwise}}


TILES = {"type": "array", "items": {"type": "integer"}, "description": "a list of tiles"}
PARTS = {
    "map": _part(
        "width height tilewidth tileheight orientation version tiledversion infinite renderorder nextlayerid nextobjectid "
        "layers tilesets", whole="width height tilewidth tileheight hexsidelength nextobjectid nextlayerid", text="orientation",
        lists="properties tilesets layers", type={"const": "map"},
    ),
    "tileset": _part(
        "firstgid name tilewidth tileheight tilecount columns spacing margin",
        whole="firstgid tilewidth tileheight tilecount columns spacing margin imagewidth imageheight", text="name",
        lists="properties tiles", image=_ref("image"),
    ),
    "tile": _part("id", whole="id", lists="properties layers", image=_ref("image"), objectgroup=_ref("layer")),
    # In JSON it is only the name of its file.
    "image": _part("source width height", whole="width height", text="source") | {"type": ["string", "object"], "description": "text"},
    "layer": _part(
        "type name opacity visible", whole="width height id", number="opacity", text="name", lists="properties objects layers",
        type={"enum": ["group", "imagelayer", "objectgroup", "tilelayer"]}, encoding={"enum": ["base64", "csv"]}, image=_ref("image"),
    ) | {"allOf": [
        _if("type", "tilelayer", "width height data"), _if("type", "objectgroup", "objects draworder"),
        _if("type", "imagelayer", "image"), _if("encoding", "base64", "data", data=TILES),
    ]},
    "object": _part(
        "x y id name width height rotation visible", whole="id gid", number="x y width height rotation", text="name",
        lists="properties polyline polygon",
    ),
    "property": _part("name type value", text="name type"),
    "point": _part("x y", number="x y"),
}  # fmt: skip
LEFT_OUT: dict[str, Schema] = {
    "tileset": {"spacing": 0, "margin": 0},
    "layer": {"name": "", "opacity": 1, "visible": True, "draworder": "topdown"},
    "object": {"name": "", "width": 0, "height": 0, "rotation": 0, "visible": True},
    "property": {"type": "string", "value": ""},
}
"""What Tiled writes in JSON and may leave out in XML."""


def misshapen(shape: Any) -> str:
    """What is wrong with the shape of a map, as the end of a sentence.

    >>> misshapen({"width": 2, "height": "two", "tilewidth": 9, "tileheight": 9})
    'height of the map must be a whole number, not `two`'
    """
    from jsonschema import Draft4Validator, Draft202012Validator, validators

    left = iter(range(MOST_PARTS))

    def items(validator: Any, part: Schema, found: Any, _: Schema) -> Iterator[Any]:
        """As of jsonschema, but quick for the many tiles of a layer, and not without end."""
        for number, one in enumerate(found if isinstance(found, list) else ()):
            if part is not TILES["items"] or type(one) is not int:
                yield from validator.descend(one, part, path=number) if next(left, None) is not None else ()

    # 2.0 is no whole number in the fourth draft only.
    strict = validators.extend(Draft202012Validator, {"items": items}, type_checker=Draft4Validator.TYPE_CHECKER)
    with suppress(RecursionError):
        if shape is not None and (error := next(strict({**_ref("map"), "$defs": PARTS}).iter_errors(shape), None)):
            return _said(error, shape)
    return UNKNOWN


# ---- the files
def shape_of(path: Path, kind: str = "map") -> Any:
    """A map that was screened, with the tilesets beside it, as it would be in JSON; None if its parts are nested too deeply."""
    text = path.read_text(encoding="utf-8")
    try:
        if path.suffix.lower() in JSON_ENDINGS:
            found = json.loads(text, parse_constant=str)
        else:
            found = _of_xml(ET.fromstring(text), kind)  # noqa: S314 (screening.py has looked at it)
    except RecursionError:
        return None
    for one in found["tilesets"] if kind == "map" and isinstance(found.get("tilesets"), list) else ():
        if isinstance(one, dict) and isinstance(one.get("source"), str):
            with suppress(OSError):  # screening.py lets only files pass that there are, but not every ending
                one |= shape_of(path.parent / one["source"], "tileset") or {}
    return found


def _of_xml(element: ET.Element, kind: str) -> dict[str, Any]:
    """A part of a map in XML as it would be in JSON."""
    entries = PARTS[kind]["properties"]
    told: Schema = {name: _typed(text, entries.get(name, {}).get("type")) for name, text in element.attrib.items()}
    told = LEFT_OUT.get(kind, {}) | told | {name: [] for name in ONE if name in entries}
    if kind in {"map", "layer"}:
        told["type"] = "tilelayer" if element.tag == "layer" else element.tag
    for child in (*element, *element.iterfind("properties/property")):
        name = TAGS.get(child.tag, child.tag)
        if child.tag in TAGS and name in entries:
            told[name].append(_of_xml(child, ONE[name]))
        elif name == "image" and name in entries:
            told[name] = _of_xml(child, name)
        elif name in {"polyline", "polygon"} and kind == "object":
            told[name] = [_point(text) for text in child.get("points", "").split(" ")]
        elif name == "data" and kind == "layer":
            told |= child.attrib | {name: [_typed(text, "integer") for text in (child.text or "").split(",")]}
    return told


def _point(text: str) -> dict[str, object]:
    return {axis: _typed(one, "number") for axis, one in zip("xy", text.split(","), strict=False)}


def _typed(text: str, sort: str | None) -> object:
    """A number if an entry should be one and is."""
    with suppress(ValueError):
        if sort == "integer":
            return int(text)
        if sort == "number" and math.isfinite(number := float(text)):
            return number
    return text.strip() if sort else text


# ---- in words
def _said(error: Any, found: Any) -> str:
    """What the library jsonschema found, in the words of Tiled."""
    path, wanted = list(error.absolute_path), error.validator_value
    if error.validator == "required":
        return f"{_where(found, path)} has no {next(name for name in wanted if name not in error.instance)}"
    if error.validator == "enum":
        return f"{_where(found, path[:-1])} has no {path[-1]} that Tiled knows ({', '.join(wanted)})"
    what = f"`{wanted}`" if error.validator == "const" else error.schema.get("description") or WORDS[wanted]
    is_entry = path and isinstance(path[-1], str)
    part = f"{path[-1]} of {_where(found, path[:-1])}" if is_entry else _where(found, path)
    return f"{part} must be {what}, not {_shown(error.instance)}"


def _where(found: Any, path: Sequence[str | int]) -> str:
    """A part of a map as people find it."""
    where, lately = "the map", ""
    for step in path:
        found = found[step]
        if isinstance(step, int):
            called = found.get("name") if isinstance(found, dict) else None
            named = f" ({_plain(called)})" if isinstance(called, str) and called else ""
            above = "" if where == "the map" and lately != "properties" else f" of {where}"
            where = f"{ONE[lately]} {step + 1}{named}{above}"
        elif isinstance(found, list):
            lately = step
        else:
            where = f"the {step} of {where}"
    return where


def _shown(value: Any) -> str:
    """A value as the file has it, shortened."""
    if isinstance(value, list | dict):
        return WORDS["array" if isinstance(value, list) else "object"]
    if isinstance(value, bool):
        return "true" if value else "false"
    return "empty" if value in {None, ""} else f"`{_plain(str(value))}`"


def _plain(text: str) -> str:
    """A text of a stranger, shortened; what cannot be seen, as its code."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text[:SHOWN])
