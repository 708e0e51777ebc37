"""Converting a Tiled map into the text of a map of the rules. The library pytiled-parser reads the map after it was screened."""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from attrs import frozen

from campaigns.file.errors import CampaignError
from campaigns.tiled.hexes import TiledSheet
from campaigns.tiled.misshapen import misshapen, shape_of
from campaigns.tiled.screening import HINT, most_places, screened
from campaigns.tiled.write_tiled import GRID, LINKS, NAMED
from dsl.data.map_data import NO_PLACE, Numbering, numbering
from dsl.syntax import declarations as d
from dsl.text.source import NOWHERE

__all__ = ["TiledFile", "Untiled", "map_text", "read_map_file"]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")
CELL = re.compile(r"[^|\n\r]*")
LETTERS = ".wfhmtrscbdegijklnopquvxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
FLIPS = 0x0FFFFFFF
"""A tile's number without the marks for flipping and rotation."""
DAMAGED = (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, ParseError, RuntimeError, TypeError, ValueError)  # fmt: skip
"""What pytiled-parser 2.2 raises on a damaged map besides its own UnknownFormat."""
MOST_LETTERS = 200
MOST_LINES = 20_000


class Untiled(CampaignError):
    """The library that reads Tiled maps is not installed."""


@frozen
class TiledFile:
    """A Tiled map that was screened. found: as the library returns it; shape: as its file has it."""

    found: Any
    shape: Any

    @property
    def refusal(self) -> CampaignError:
        """Says what is wrong with it."""
        return CampaignError(f"The map cannot be read: {misshapen(self.shape)}.", HINT)


@frozen
class _Tile:
    """The meaning of a tile: its letter, "" if none was given, and its cells by heading."""

    letter: str
    cells: Mapping[str, str]


def read_map_file(path: Path) -> TiledFile:
    """Reads a Tiled map with the library.

    Raises:
        Untiled: a library is not installed.
        CampaignError: it is not a Tiled map that could be a map of the rules.
        OSError: it cannot be read.
    """
    try:
        import jsonschema  # noqa: F401 (misshapen.py needs it)
        from pytiled_parser import UnknownFormat, parse_map
    except ImportError:
        raise Untiled("Reading Tiled maps needs the libraries pytiled-parser and jsonschema, which are not both installed.", "Install them together with ophex: `ophex[tiled]`.") from None  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="ophex-map-") as room:
        copy = screened(path, Path(room))
        shape = shape_of(copy)
        try:
            found: Any = parse_map(copy)
        except (*DAMAGED, UnknownFormat) as error:
            raise TiledFile(None, shape).refusal from error
    file, size = TiledFile(found, shape), found.map_size
    if not all(isinstance(length, int) for length in (size.width, size.height)):
        raise file.refusal
    most_places(size.width, size.height)
    if str(found.orientation) not in {"hexagonal", "orthogonal"}:
        raise CampaignError(f"The orientation of the map is {orientation_of(found)}; the rules support only hexes and squares.", "Create a hexagonal map.")  # fmt: skip
    if found.orientation == "hexagonal" and found.stagger_axis != "x":
        raise CampaignError("The hexes of the map are staggered by rows.", "Set its stagger axis to X, so that columns are staggered.")  # fmt: skip
    return file


def orientation_of(found: Any) -> str:
    """The orientation of a map as its file has it."""
    return (
        f"`{found.orientation[:20]}`" if isinstance(found.orientation, str) and found.orientation else "none of Tiled's"
    )


def map_text(file: TiledFile, name: str = "map") -> tuple[str, int]:
    """The text of the map in the rules, and how many places it has. name: its name if the map itself has none.

    Raises:
        CampaignError: something in it cannot be expressed in the rules.
    """
    try:
        return _Reader(file.found, name).text()
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise file.refusal from error


class _Reader:
    """Reads one map."""

    def __init__(self, found: Any, name: str) -> None:
        self.found = found
        self.told = {key: str(value) for key, value in (found.properties or {}).items()}
        said = self.told.get("map", "") or re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        self.name = said if NAME.fullmatch(said) else "map"
        self.of = self._name(self.told.get("of", "hex"), "of")
        self.low = self._low()
        self.tiles = self._tiles()
        self.columns, self.rows = int(found.map_size.width), int(found.map_size.height)

    def _name(self, said: str, what: str) -> str:
        if not NAME.fullmatch(said):
            raise CampaignError(
                f"The property {what} of the map must be a name, not `{said[:40]}`.", "Use letters, digits and hyphens."
            )
        return said

    def _low(self) -> str:
        """Which columns are lower, as printed: odd or even; empty if the rules' default applies."""
        if self.found.orientation != "hexagonal":
            return ""
        how = self._how(d.Map(NOWHERE, "", "hex", 1, 1, "", (), (), self.told.get("numbered", ""), name="m"))
        index = 1 if self.found.stagger_index == "odd" else 0
        return "odd" if (index + how.first_column) % 2 else "even"

    def _how(self, node: d.Map) -> Numbering:
        how = numbering(node)
        if how is None:
            raise CampaignError(f"`{node.numbered[:40]}` is not the number of a first place.", "Write for example 0101 or A-0101 in the property numbered.")  # fmt: skip
        return how

    def _tiles(self) -> dict[int, _Tile]:
        """The meaning of each tile, by its number in the map."""
        tiles: dict[int, _Tile] = {}
        heading = [x for x in self.told.get("heading", "").split("|") if x]
        for first, tileset in self.found.tilesets.items():
            for number, tile in (tileset.tiles or {}).items():
                told = {key: str(value) for key, value in (tile.properties or {}).items()}
                letter = told.pop("letter", "")
                wanted = heading or list(told) or ["terrain"]
                cells = {key: told.get(key, (tile.class_ or "") if key == wanted[0] else "--") for key in wanted}
                tiles[first + number] = _Tile(letter, cells)
        return tiles

    def text(self) -> tuple[str, int]:
        """The complete text."""
        node = d.Map(
            NOWHERE, "", self.of, self.columns, self.rows, "", (), (), self.told.get("numbered", ""), name=self.name
        )
        self.how, self.sheet = self._how(node), TiledSheet(self.columns, self.rows, self._index())
        grid = self._grid()
        letters = self._letters({number for row in grid for number in row if number})
        hole = self._hole(set(letters.values()))
        traits = [
            f'map {self.name} "{self._quoted(self.told.get("title", "") or self.name)}" of {self.of}, {self.columns} by {self.rows}'
        ]
        if self.low:
            traits.append(f"{self.low} columns low")
        if numbered := self.told.get("numbered", ""):
            traits.append(f"numbered {numbered}")
        lines = [f"{', '.join(traits)}:", "  letters:"]
        headings = list(dict.fromkeys(key for number in letters for key in self.tiles[number].cells)) or ["terrain"]
        lines.append(self._row(["letter", *headings]))
        lines += [self._row([letter, *(self.tiles[number].cells.get(key, "--") or "--" for key in headings)]) for number, letter in letters.items()]  # fmt: skip
        holes = sum(number == 0 for row in grid for number in row)
        if holes:
            lines.append(self._row([hole, NO_PLACE]))
        lines.append("  grid:")
        for number, row in enumerate(grid):
            printed = f"{number + self.how.first_row:0{self.how.digits}}"
            lines.append(f"    {printed} | {' '.join(letters[x] if x else hole for x in row)}")
        lines += [*self._named(), *self._sections(), *self._links()]
        if len(lines) > MOST_LINES:
            raise CampaignError(f"The map needs more than {MOST_LINES:,} lines.", HINT)
        return "\n".join([*lines, ""]), self.columns * self.rows - holes

    def _index(self) -> int | None:
        if self.found.orientation != "hexagonal":
            return None
        return 1 if self.found.stagger_index == "odd" else 0

    def _layer(self, name: str, kind: str) -> Any:
        """The layer with a name; for tiles the first one, if none has that name."""
        layers = [one for one in self.found.layers if hasattr(one, kind) and getattr(one, kind) is not None]
        found = next((one for one in layers if one.name == name), None)
        return found or (layers[0] if layers and kind == "data" else None)

    def _grid(self) -> list[list[int]]:
        layer = self._layer(GRID, "data")
        if layer is None:
            raise CampaignError("The map has no tile layer.", "Paint the terrain on a tile layer named grid.")
        grid = [[int(number) & FLIPS for number in row] for row in layer.data]
        if len(grid) != self.rows or any(len(row) != self.columns for row in grid):
            raise CampaignError("The tile layer does not have the size of the map.", HINT)
        unknown = sorted({number for row in grid for number in row if number and number not in self.tiles})
        if unknown:
            hint = "Give each tile of the tileset a class: the word for its terrain."
            raise CampaignError(f"{len(unknown)} of the tiles have no class; the first is number {unknown[0]}.", hint)
        return grid

    def _letters(self, used: Iterable[int]) -> dict[int, str]:
        """A letter for each tile that is used; first those that have one of their own."""
        found: dict[int, str] = {}
        taken: set[str] = set()
        for number in sorted(self.tiles):
            letter = self.tiles[number].letter
            if len(letter) == 1 and letter.isprintable() and letter not in " |#" and letter not in taken:
                found[number] = letter
                taken.add(letter)
        spare = iter(x for x in LETTERS if x not in taken)
        for number in sorted(set(used) - set(found)):
            if (letter := next(spare, "")) == "":
                raise CampaignError(f"The map uses more than {len(LETTERS)} kinds of tiles.", "Use fewer.")
            found[number] = letter
        return dict(sorted(found.items())[:MOST_LETTERS])

    def _hole(self, taken: set[str]) -> str:
        said = self.told.get("no-place", "")
        if len(said) == 1 and said.isprintable() and said not in taken and said not in " |":
            return said
        return next((x for x in ("x", *LETTERS) if x not in taken), "")

    def _quoted(self, text: str) -> str:
        seen = "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
        return seen.replace('"', "'")[:200]

    def _row(self, cells: Sequence[str]) -> str:
        """A row of a table. Raises CampaignError for what cannot be in a cell."""
        for cell in cells:
            if not CELL.fullmatch(cell) or not cell.isprintable():
                raise CampaignError(f"`{cell[:40]!a}` cannot be written in a table cell.", "Remove |, line breaks and invisible characters.")  # fmt: skip
        return f"    {' | '.join(cell.strip() or '--' for cell in cells)}"

    # ---- objects on the map
    def _objects(self, name: str) -> Iterator[tuple[Any, dict[str, str]]]:
        layer = self._layer(name, "tiled_objects")
        for one in layer.tiled_objects if layer is not None else ():
            yield one, {key: str(value) for key, value in (one.properties or {}).items()}

    def _label(self, x: float, y: float) -> str:
        """The label of the place that contains a point."""
        place = self.sheet.nearest(x, y)
        if place is None:
            raise CampaignError(f"A point at {x:.0f}, {y:.0f} is off the map.", "Move the object onto it.")
        return self.how.label(*place)

    def _named(self) -> list[str]:
        heading = [x for x in self.told.get("named", "").split("|") if x] or [self.of, "name"]
        rows = []
        for one, told in self._objects(NAMED):
            told.setdefault(heading[0], self._label(one.coordinates.x, one.coordinates.y))
            told.setdefault("name", one.name or "--")
            rows.append(self._row([told.get(key, "--") for key in heading]))
        return ["  named:", self._row(heading), *rows] if rows else []

    def _sections(self) -> list[str]:
        """Sections that Tiled does not support, unchanged."""
        lines: list[str] = []
        for key, value in self.told.items():
            name = key.removeprefix("section ")
            if name != key:
                lines.append(f"  {self._name(name, key)}:")
                lines += [self._row([cell.strip() for cell in line.split("|")]) for line in value.split("\n")]
        return lines

    def _links(self) -> list[str]:
        """Roads, rivers and the like: by the places that they name, or otherwise by those that contain their corners."""
        lines = []
        for one, told in self._objects(LINKS):
            link = self._name(told.get("link", "") or one.class_ or one.name or "", "link")
            word = told.get("word", "")
            head = f"{self._name(word, 'word')} {link}" if word else link
            places = told.get("places", "").split()
            if not places:
                points = getattr(one, "points", None) or []
                places = [self._label(one.coordinates.x + p.x, one.coordinates.y + p.y) for p in points]
                places = [x for n, x in enumerate(places) if not n or places[n - 1] != x]
            if len(places) < 2:
                raise CampaignError(
                    f"The link {link} does not join two places.", "Draw it as a line from one place to another."
                )
            for place in places:
                if not re.fullmatch(r"[A-Za-z0-9-]+", place):
                    raise CampaignError(f"`{place[:40]}` is not a place.", "")
            if told.get("on") == "sides":
                lines.append(f"  {head} between {places[0]} and {', '.join(places[1:])}")
            else:
                lines.append(f"  {head} along {' to '.join(places)}")
        return lines
