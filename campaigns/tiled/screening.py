"""Checks before a library may read a stranger's map: sizes, paths, entities, and data that would unpack without end.

What passes is copied into a folder of its own, so that the library reads exactly what was checked.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from campaigns.file.errors import CampaignError
from dsl.data.map_data import MOST_PLACES

__all__ = ["FORMATS", "screened"]

MOST_BYTES = 8 * 1024 * 1024
MOST_NODES = 2_000_000
MOST_TILESETS = 64
JSON_ENDINGS, XML_ENDINGS = {".tmj", ".tsj", ".json"}, {".tmx", ".tsx", ".xml"}
FORMATS = (".tmj", ".tmx")
HINT = "Save it in Tiled as a finite map with embedded tilesets and the tile layer format CSV."


def screened(path: Path, into: Path) -> Path:
    """Copies a map, with the tilesets that it refers to, into a folder if nothing in them is wrong; returns the copy.

    Raises:
        CampaignError: something is wrong.
        OSError: the map cannot be read.
    """
    folder = path.parent.resolve()
    copied: set[Path] = set()
    waiting = [(path, path.name)]
    while waiting:
        source, name = waiting.pop()
        place = (source if source == path else folder / name).resolve()
        if source != path and (not place.is_relative_to(folder) or not place.is_file()):
            raise CampaignError(
                f"The map refers to a file that is outside its folder or does not exist: {name[:80]}.", HINT
            )
        if place in copied:
            continue
        copied.add(place)
        if len(copied) > MOST_TILESETS:
            raise CampaignError(f"The map refers to more than {MOST_TILESETS} files.", HINT)
        raw = _bytes_of(place)
        waiting += [(folder / other, other) for other in _looked_at(raw, place.suffix.lower(), folder)]
        copy = into / (path.name if source == path else name)
        if not copy.resolve().is_relative_to(into.resolve()):
            raise CampaignError(f"The map refers to a file outside its folder: {name[:80]}.", HINT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(raw)
    return into / path.name


def _bytes_of(path: Path) -> bytes:
    with path.open("rb") as source:
        raw = source.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise CampaignError(f"{path.name} is larger than {MOST_BYTES // 1024 // 1024} MB.", HINT)
    return raw


def _looked_at(raw: bytes, ending: str, folder: Path) -> list[str]:
    """The tilesets that a file refers to, if nothing in it is wrong."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise CampaignError("The map is not valid UTF-8.", HINT) from None
    if ending in JSON_ENDINGS:
        found = _of_json(text)
    elif ending in XML_ENDINGS:
        found = _of_xml(text)
    else:
        raise CampaignError(
            f"The name of a map or tileset must end in .tmj, .tsj, .tmx or .tsx, not in {ending[:20]}.", HINT
        )
    tilesets = []
    for number, (key, value) in enumerate(found):
        if number > MOST_NODES:
            raise CampaignError("The map has too many parts.", HINT)
        if key == "template":
            raise CampaignError("The map uses object templates.", "Detach the templates in Tiled.")
        if key == "chunks" or (key == "infinite" and value not in {"0", "False", "false"}):
            raise CampaignError("The map is infinite.", HINT)
        if key == "compression" and value:
            raise CampaignError("A layer of the map is compressed.", HINT)
        if key in {"width", "height"} and len(value) > 12:
            raise CampaignError("The map is too large.", HINT)
        if key in {"source", "image"} and value:
            _within(value, folder)
            if key == "source" and Path(value).suffix.lower() in JSON_ENDINGS | XML_ENDINGS:
                tilesets.append(value)
    return tilesets


def _within(name: str, folder: Path) -> None:
    """Refuses a path that leaves the map's folder."""
    try:
        inside = "\0" not in name and (folder / name).resolve().is_relative_to(folder)
    except (OSError, ValueError, RuntimeError):
        inside = False
    if not inside or Path(name).is_absolute():
        raise CampaignError(f"The map refers to a file outside its folder: {name[:80]}.", HINT)


def _of_json(text: str) -> Iterator[tuple[str, str]]:
    """The keys of all objects with their plain values."""
    try:
        waiting: list[Any] = [json.loads(text)]
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise CampaignError(f"The map is not JSON: it cannot be read from {where} on.", HINT) from None
    except (ValueError, RecursionError):
        raise CampaignError("The map is not JSON.", HINT) from None
    if not isinstance(waiting[0], dict):
        raise CampaignError("The map is not a JSON object.", HINT)
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += [x for x in one if isinstance(x, dict | list)]
        elif isinstance(one, dict):
            for key, value in one.items():
                yield key, str(value)[:2000] if isinstance(value, str | int | float | bool) else ""
                if isinstance(value, dict | list):
                    waiting.append(value)


def _of_xml(text: str) -> Iterator[tuple[str, str]]:
    """The attributes of all elements; their tag names for elements without it."""
    if "<!DOCTYPE" in text.upper() or "<!ENTITY" in text.upper():
        raise CampaignError(
            "The map declares entities or a document type.", "Save the map with Tiled, which writes neither."
        )
    try:
        root = ET.fromstring(text)  # noqa: S314 (it has no entities and is not large)
    except ET.ParseError as error:
        line, column = error.position
        where = f"line {line}, column {column + 1}"
        raise CampaignError(f"The map is not XML: it cannot be read from {where} on.", HINT) from None
    except (ValueError, RecursionError):
        raise CampaignError("The map is not XML.", HINT) from None
    for element in root.iter():
        yield ("chunks" if element.tag == "chunk" else str(element.tag)), ""
        for key, value in element.attrib.items():
            yield key, value[:2000]


def most_places(width: object, height: object) -> None:
    """Refuses a map with more places than the rules allow."""
    if not isinstance(width, int) or not isinstance(height, int) or not 0 < width * height <= MOST_PLACES or width < 1:
        raise CampaignError(f"A map must have from 1 to {MOST_PLACES:,} places.", HINT)
