"""`ophex export SYSTEM --map FILE` and `ophex import FILE.tmj`: maps of the rules for Tiled, and back."""

import argparse
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.text.phrases import counted
from ui.cli import talking
from ui.cli.exits import UsageError
from ui.cli.whole import put

if TYPE_CHECKING:
    from dsl.rules.ruleset import Ruleset
    from ui.maps.symbols import Colour

__all__ = ["export_map", "import_map"]


def export_map(args: argparse.Namespace) -> int:
    """Write a map for Tiled, with a picture of its tiles beside it."""
    from campaigns.tiled import as_tmj, as_tmx, letters_of, map_of, tiled_map
    from campaigns.tiled.screening import FORMATS

    file = Path(args.map)
    if file.suffix.lower() not in FORMATS:
        raise UsageError(
            f"The format of {args.map} is not supported.", f"Use a name that ends in {' or '.join(FORMATS)}."
        )
    picture = file.with_name(f"{file.stem}-tiles.png")
    rules = _rules(args.campaign)
    text = map_of(rules, args.which)
    for one in (file, picture):
        talking.new_file(str(one), force=args.force)
    heading, letters, _ = letters_of(text.node)
    found = tiled_map(text, picture.name)
    put(picture, _tiles(_colours(rules, heading, list(letters.values())), square=text.square))
    put(file, (as_tmx if file.suffix.lower() == ".tmx" else as_tmj)(found))
    if args.json:
        talking.print_json({"map": text.node.name, "files": [str(file), str(picture)]})
    else:
        talking.note(f"Wrote {file} and {picture}. Read the map back with `ophex import {file}`.")
    return 0


def _rules(name: str) -> "Ruleset":
    """The rules of a system, or those that a campaign began with."""
    if Path(name).is_file() or name.endswith(talking.SUFFIX):
        with talking.open_campaign(name) as campaign:
            found: Ruleset = campaign.game.program.ruleset
            return found
    from campaigns.library.locate import find_system
    from campaigns.library.rule_texts import load_for_play
    from dsl.rules.assemble import assemble

    return assemble(load_for_play(find_system(name)).declarations)[0]


def import_map(args: argparse.Namespace, name: str) -> int:
    """Make the text of a map from a Tiled file."""
    from campaigns.tiled import map_text, read_map_file

    text, places = map_text(read_map_file(Path(name)), Path(name).stem)
    if args.out:
        talking.new_file(args.out, force=args.force)
        put(Path(args.out), text)
    if args.json:
        talking.print_json({"places": places, "file": args.out or "", "text": "" if args.out else text})
    elif args.out:
        talking.note(f"{args.out} has {counted(places, 'place')}. Check it against the rules with `ophex check`.")
    else:
        print(text, end="")
    return 0


# ---- the picture of the tiles
def _colours(rules: "Ruleset", heading: Sequence[str], letters: Sequence[Sequence[str]]) -> "list[Colour]":
    """The colour of each letter's terrain."""
    from dsl.data.drawings import drawn_as
    from ui.maps.charting import GROUND_FIELDS
    from ui.maps.symbols import ground_of

    drawn = drawn_as(rules)
    at = next((n for n, name in enumerate(heading) if name in GROUND_FIELDS or "ground" in drawn.get(name, ())), 0)
    grounds = [row[at] if at < len(row) else "" for row in letters]
    return [ground_of(one, grounds, drawn).colour for one in grounds]


def _tiles(colours: "Sequence[Colour]", *, square: bool) -> bytes:
    """A PNG with a tile for each colour, beside each other."""
    from campaigns.tiled.hexes import HEIGHT, WIDTH

    rows = bytearray()
    for y in range(HEIGHT):
        cut = 0 if square else round(WIDTH / 4 * abs(y + 0.5 - HEIGHT / 2) / (HEIGHT / 2))
        rows.append(0)  # this row is stored unfiltered
        for red, green, blue in colours:
            edge = y in {0, HEIGHT - 1}
            dark = bytes((red * 3 // 4, green * 3 // 4, blue * 3 // 4, 255))
            plain = dark if edge else bytes((red, green, blue, 255))
            nothing = bytes(4)
            rows += nothing * cut + dark + plain * (WIDTH - 2 * cut - 2) + dark + nothing * cut
    size = struct.pack(">IIBBBBB", WIDTH * len(colours), HEIGHT, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", size), (b"IDAT", zlib.compress(bytes(rows))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
