"""Hostile files that are imported: Tiled maps, exported campaigns, amended rules, and damaged campaign files.

A refused file leaves nothing behind. An accepted file is what it claims to be: a map is the text of one map and nothing more, a
campaign verifies, an amendment changes no byte before it is chosen, and what is saved of a damaged file verifies while the file
stays as it was.
"""

import functools
import json
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

from campaigns.play.starting import open_campaign
from campaigns.repair.exchange import export
from campaigns.tiled import as_tmj, as_tmx, map_of, tiled_map
from dsl.load import read_system
from dsl.syntax.declarations import Map
from dsl.text.source import SourceFile
from tests.campaigns import rewording
from tests.desk import outposts
from tests.hostile.commands import _kept_till_the_end, elsewhere, said
from tests.hostile.edges import WORDS, bytes_mixed, mixed
from tests.hostile.running import Case, Fault, Kind
from tests.interpreter.rulebook import KIT
from ui.cli.plain import UNSEEN

CAMPAIGN = "my.ophex"
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 10**30, 0.5, 1e308, "", "x", "../x", "/etc/passwd", "\0", "\x1b[31m", "\u202e", "\ud800", "x\ny", "a | b", "<b>", [], [[]], {}, {"x": 1}, "0101", "hex",
    "2026-01-01", "é" * 50, "x" * 3000, *WORDS,
)  # fmt: skip


# ---- values of JSON
def _places(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all values of a structure."""
    found = [way] if way else []
    if isinstance(data, dict):
        for key in data:
            found += _places(data[key], (*way, key))
    elif isinstance(data, list):
        for at in range(min(len(data), 30)):
            found += _places(data[at], (*way, at))
    return found


def _spoiled(chance: random.Random, data: Any) -> Any:
    """A structure with some values of it left out, doubled, or others in their places."""
    data = json.loads(json.dumps(data))
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        places = _places(data)
        if not places:
            return data
        *way, last = chance.choice(places)
        home = data
        for key in way:
            home = home[key]
        match chance.randrange(8):
            case 0:
                del home[last]
            case 1 if isinstance(home, list):
                home.insert(last, home[last])
            case 2 if isinstance(home, list):
                home[last] = chance.choice(home)
            case 3 if isinstance(home, dict):
                home[str(chance.choice(WORDS))] = home[last]
            case _:
                home[last] = chance.choice(VALUES)
    return data


def _as_lines(chance: random.Random, text: str, share: float) -> list[str]:
    """The lines of a text as bytes, some of which are spoiled."""
    raw = text.encode("utf-8", "surrogatepass")
    raw = bytes_mixed(chance, raw) if chance.random() < share else raw
    return raw.decode("latin-1").split("\n")


def _bytes(lines: tuple[str, ...]) -> bytes:
    return "\n".join(lines).encode("latin-1")


# ---- maps of Tiled
FIELD = KIT[KIT.index("place hex") :]


@functools.cache
def _map() -> dict[str, Any]:
    with open_campaign(_home("plain") / CAMPAIGN) as campaign:
        found: dict[str, Any] = json.loads(as_tmj(tiled_map(map_of(campaign.game.program.ruleset), "tiles.png")))
    return found


XML = ('<!DOCTYPE x [<!ENTITY a "b">]>', "<data encoding='base64' compression='zlib'>eJwDAAAAAAE=</data>", "<chunk/>", '<image source="../x.png"/>', '<tileset firstgid="1" source="/etc/passwd"/>', '<template source="x.tx"/>',
       "<property name='of' value='x'/>", "<![CDATA[", "<a>" * 3000, "&#0;", "&lt;", '<imagelayer><image source="http://x/y.png"/></imagelayer>', '<property name="x" type="file" value="/etc/passwd"/>')  # fmt: skip


def make_tiled(chance: random.Random) -> Case:
    """A map as Tiled writes it, as JSON or XML, spoiled."""
    ending = chance.choice((".tmj", ".tmx"))
    found = _map()
    if chance.random() < 0.75 or ending == ".tmj":
        found = _spoiled(chance, found)
    try:
        text = as_tmj(found) if ending == ".tmj" else as_tmx(found)
    except Exception:  # noqa: BLE001 - the writer is asked for what it never writes: then it is the sound one
        text = as_tmx(_map())
    lines = text.split("\n")
    if ending == ".tmx" and chance.random() < 0.6:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(XML))
    if chance.random() < 0.2:
        lines = mixed(chance, lines)
    return (f"coast{ending}", *_as_lines(chance, "\n".join(lines), 0.15))


def feed_tiled(case: Case) -> None:
    """Make a map of it: what comes is one map and nothing else, or a message."""
    if len(case) < 2 or not case[0].startswith("coast.tm"):
        return
    with elsewhere() as folder:
        (folder / case[0]).write_bytes(_bytes(case[1:]))
        code, text = said(["import", case[0], "--out", "map.rules"])
        if "pytiled-parser" in text:
            raise Fault("the library that reads maps is not installed")
        if UNSEEN.search(text):
            raise Fault("a sign reaches the terminal")
        if {one.name for one in folder.iterdir()} - {case[0], "map.rules"}:
            raise Fault("something is left lying")
        if code:
            return
        made = (folder / "map.rules").read_text(encoding="utf-8")
    if UNSEEN.search(made):
        raise Fault("a sign stands in the rules")
    found = read_system([SourceFile("map.rules", made)])
    if [type(one) for one in found.declarations if not isinstance(one, Map)] or len(found.declarations) > 1:
        raise Fault("it is more than a map")


# ---- campaigns
@functools.cache
def _home(what: str) -> Path:
    """A folder with a campaign of some inputs on several lines; with `amended` one that an amendment can come to."""
    folder = Path(_kept_till_the_end(f"hostile-{what}-"))
    if what == "amended":
        with rewording.campaign_of(folder, CAMPAIGN) as made:
            rewording.play(made, *rewording.turn(("a against x", 4)), *rewording.turn(("a against y", 6)))
        return folder
    outposts.begun(folder).close()
    (folder / "outposts.ophex").rename(folder / CAMPAIGN)
    orders = ("aim b-1 to 2", "aim b-2 to 3", "brief b-1")
    with elsewhere():
        for line in (*(["do", "--as", "blue", one] for one in orders), ["undo"], ["do", "--as", "red", "aim r-1 to 4"], ["do", "--as", "blue", "done"], ["do", "--as", "red", "done"],
                     ["mail", "--out", "out"], ["branch", "what-if"], ["do", "--as", "blue", "gamble b-1"]):  # fmt: skip
            code, text = said([line[0], str(folder / CAMPAIGN), *line[1:]])
            assert code == 0, (line, text)
    shutil.rmtree(folder / f"{CAMPAIGN}.backups", ignore_errors=True)
    return folder


@functools.cache
def _exported() -> dict[str, Any]:
    with open_campaign(_home("plain") / CAMPAIGN) as campaign:
        return export(campaign)


def make_exports(chance: random.Random) -> Case:
    """A campaign as JSON, spoiled."""
    text = json.dumps(_spoiled(chance, _exported()), indent=chance.choice((None, 1)))
    if chance.random() < 0.1:
        text = text.replace(
            chance.choice('{}[],:0"'), chance.choice(("[" * 5000, "NaN", "Infinity", "-", "1e999", "{", "")), 1
        )
    return tuple(_as_lines(chance, text, 0.15))


def feed_exports(case: Case) -> None:
    """Make a campaign of it: it proves right, or nothing is there."""
    with elsewhere() as folder:
        (folder / "c.json").write_bytes(_bytes(case))
        code, text = said(["import", "c.json", CAMPAIGN])
        if UNSEEN.search(text):
            raise Fault("a sign reaches the terminal")
        left = {one.name for one in folder.iterdir()} - {"c.json"}
        if code and left:
            raise Fault("something is left lying")
        if code == 0 and (code := said(["verify", CAMPAIGN])[0]):
            raise Fault("what was made is not sound")


# ---- amended rules
def make_amended(chance: random.Random) -> Case:
    """One file of the rules, spoiled; now and then it shall hold."""
    file = chance.choice(sorted(rewording.FILES))
    lines = rewording.FILES[file].split("\n")
    lines = (
        mixed(chance, lines)
        if chance.random() < 0.85
        else [*lines, *chance.choice(sorted(rewording.FILES.values())).split("\n")]
    )
    how = chance.choice(("", "", "--from-now", "--from-start", "--from-turn"))
    return (file, how, *_as_lines(chance, "\n".join(lines), 0.1))


def feed_amended(case: Case) -> None:
    """The dry run changes nothing; what is chosen leads to a campaign that proves right."""
    if (
        len(case) < 3
        or case[0] not in rewording.FILES
        or case[1] not in {"", "--from-now", "--from-start", "--from-turn"}
    ):
        return
    before = (_home("amended") / CAMPAIGN).read_bytes()
    with elsewhere() as folder:
        (folder / CAMPAIGN).write_bytes(before)
        (folder / case[0]).write_bytes(_bytes(case[2:]))
        chosen = [case[1], *(["2"] if case[1] == "--from-turn" else [])] if case[1] else []
        code, text = said(
            ["amend", CAMPAIGN, "--rules", case[0], "--no-input", *chosen, *(["--reason", "x"] if chosen else [])]
        )
        if UNSEEN.search(text):
            raise Fault("a sign reaches the terminal")
        is_aside = "was replayed on the branch" in text  # as far as it holds: then the code is 1
        if (not chosen or (code and not is_aside)) and (folder / CAMPAIGN).read_bytes() != before:
            raise Fault("a dry run or a refusal changes the file")
        if chosen and said(["verify", CAMPAIGN])[0]:
            raise Fault("the record is not sound")


# ---- damaged files
TABLES = ("document", "setting", "entry", "head", "snapshot", "note", "letter", "branch", "batch", "version")
ASKED = (
    ["doctor"],
    ["doctor", "--json"],
    ["doctor", "--repair", "saved.ophex"],
    ["restore", "sound.ophex"],
    ["verify"],
    ["status"],
    ["report"],
    ["log", "--json"],
    ["export", "-o", "c.json"],
    ["backup", "b.ophex"],
)


def make_damaged(chance: random.Random) -> Case:
    """First what is asked; then what was done to the file: bytes put in their places, what is cut off, or changed cells."""
    parts = [str(chance.choice((0, 1, 2, 2, 2, *range(len(ASKED)))))]
    size = (_home("plain") / CAMPAIGN).stat().st_size
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        match chance.randrange(8):
            case 0:
                parts.append(f"cut {chance.randrange(size)}")
            case 1 | 2 | 3:
                parts.append(f"put {chance.randrange(size)} {chance.randbytes(chance.choice((1, 2, 8, 100))).hex()}")
            case 4:
                parts.append(
                    f"put {chance.randrange(0, size, 4096) + chance.randrange(120)} {chance.randbytes(2).hex()}"
                )
            case _:
                parts.append(
                    f"cell {chance.choice(TABLES)} {chance.randrange(9)} {chance.randrange(12)} {chance.randrange(len(VALUES))}"
                )
    return tuple(parts)


def _damage(path: Path, parts: tuple[str, ...]) -> None:
    for part in sorted(parts, key=lambda x: not x.startswith("cell")):  # while it can be opened
        what, *rest = part.split(" ")
        if what == "cell":
            _change_cell(path, *rest)
            continue
        data = bytearray(path.read_bytes())
        at = int(rest[0])
        if what == "cut":
            del data[at:]
        else:
            new = bytes.fromhex(rest[1])
            data[at : at + len(new)] = new
        path.write_bytes(data)


def _change_cell(path: Path, table: str, row: str, column: str, value: str) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA ignore_check_constraints = ON")
        triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f'DROP TRIGGER "{name}"')
        columns = [one[1] for one in db.execute(f"PRAGMA table_info({table})")]
        numbers = [n for (n,) in db.execute(f"SELECT rowid FROM {table}")]
        said_ = VALUES[int(value)]
        said_ = (
            json.dumps(said_)
            if isinstance(said_, list | dict)
            else said_
            if not isinstance(said_, int) or abs(said_) < 2**63
            else str(said_)
        )
        db.execute(
            f"UPDATE {table} SET {columns[int(column) % len(columns)]} = ? WHERE rowid = ?",
            (said_, numbers[int(row) % len(numbers)]),
        )
        for _, sql in triggers:
            db.execute(sql)
    except (sqlite3.Error, ZeroDivisionError, UnicodeEncodeError):  # no such table, or nothing in it
        pass
    finally:
        db.close()


def feed_damaged(case: Case) -> None:
    """Ask of the file; it stays as it was, and what is saved of it proves right."""
    if not case or not case[0].isdigit() or any(one.split(" ")[0] not in {"cut", "put", "cell"} for one in case[1:]):
        return
    line = ASKED[int(case[0]) % len(ASKED)]
    with elsewhere() as folder:
        sound = (_home("plain") / CAMPAIGN).read_bytes()
        (folder / CAMPAIGN).write_bytes(sound)
        (folder / "sound.ophex").write_bytes(sound)
        _damage(folder / CAMPAIGN, case[1:])
        before = (folder / CAMPAIGN).read_bytes()
        code, text = said([line[0], CAMPAIGN, *line[1:]])
        if UNSEEN.search(text):
            raise Fault("a sign reaches the terminal")
        if line[0] != "restore" and (folder / CAMPAIGN).read_bytes() != before:
            raise Fault(f"{line[0]} changes the file")
        if line[0] == "restore" and code and (folder / CAMPAIGN).read_bytes() != before:
            raise Fault("a refusal changes the file")
        if line[0] == "restore" and code == 0 and said(["verify", CAMPAIGN])[0]:
            raise Fault("what was restored is not sound")
        if (folder / "saved.ophex").exists() and said(["verify", "saved.ophex"])[0]:
            raise Fault("what was saved is not sound")


KINDS = (
    Kind("tiled", make_tiled, feed_tiled),
    Kind("exports", make_exports, feed_exports),
    Kind("amended", make_amended, feed_amended),
    Kind("damaged", make_damaged, feed_damaged),
)
