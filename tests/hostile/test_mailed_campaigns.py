"""A stranger's campaign, altered with care: payloads in every column, every hash corrected, opened in each command.

Anybody who mails a campaign can write anything into it and compute the hashes again. It must be refused, or be a valid campaign.
In the daily form each column has one payload and is opened in a sixth of the commands, the next column in the next sixth. In the long
form every column has each payload and is opened in every command.
"""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from campaigns.file.history import Document, beginning_hash, entry_hash
from interpreter.messages.inputs import Input
from tests.hostile.test_payloads import PAYLOADS, PLACES, folder, ran, unmarked, written
from tests.long import either

__all__ = ["folder"]

BLUE = ["--as", "blue"]
COMMANDS = [
    ["status"], ["status", *BLUE], ["legal", *BLUE], ["log"], ["log", *BLUE, "--json"], ["map", *BLUE], ["map", "--format", "svg"], ["map", "--format", "graphml"], ["why", "whole of blue"],
    ["why", *BLUE, "whole of blue"], ["why", "1"], ["why-not", *BLUE, "order unit to 0303"], ["do", *BLUE, "order second to 0303"],
    ["do", *BLUE, "--dry-run", "done"], ["option"], ["override", "strength of second becomes 3", "--reason", "x"], ["advance"], ["undo"], ["redo"], ["verify"],
]  # fmt: skip
DESKS = [
    ["report"], ["report", *BLUE, "--json"], ["report", *BLUE, "--format", "html"], ["report", "--format", "csv"], ["desk"], ["desk", "--json"], ["remind"], ["roster"],
    ["odds", *BLUE, "order second to 0303"], ["luck"], ["rule"], ["rule", *BLUE], ["amend", "--rules", "other"], ["log", "--lines"],
    ["branch"], ["compare", "main", "what-if"], ["switch", "what-if"], ["dice"], ["seal"], ["mail", "--out", "out"], ["mail", "--in", "letters", "--dry-run"], ["mail", "--in", "letters"],
    ["export", "-o", "out.json", "--force"], ["export", "--csv", "forces"], ["backup", "copy.ophex"], ["restore"], ["doctor"], ["doctor", "--repair", "mended.ophex"],
    ["desk", "--due", "2031-01-01 20:00"], ["advance", "--dry-run"], ["rule", "as agreed", "--question", "who is first"],
]  # fmt: skip
"""What an organizer does with a campaign: each on a copy of it."""
MADE = ("out", "out.json", "copy.ophex", "mended.ophex")
"""What those commands write."""
DESK_COLUMNS = {
    "desk": ("name", "json"), "letter": ("side", "file", "came_at", "json"), "batch": ("source",), "branch": ("name",),
    "kept_text": ("text",), "version": ("version", "name", "kind"), "entry": ("subject", "text", "events"), "document": ("name", "text"),
}  # fmt: skip
COLUMNS = {
    "document": ("name", "kind", "text"), "setting": ("name", "json"), "entry": ("kind", "side", "subject", "text", "events", "digest", "hash", "written_at"),
    "snapshot": ("bytes", "digest"),
}  # fmt: skip
STEP = either(6, 1)
"""Every which command a column is opened in."""
SOME = (PAYLOADS[0], "{0.__class__}", "\x1b[2J", "\u202et8")


def each_column(columns, payloads):
    """Tables, columns and payloads that are tried together."""
    places = [(table, column) for table, names in columns.items() for column in names]
    few = [(*place, payloads[number % len(payloads)], number % STEP) for number, place in enumerate(places)]
    found = either(few, [(*place, payload, 0) for place in places for payload in payloads])
    return pytest.mark.parametrize(("table", "column", "payload", "first"), found, ids=lambda x: ascii(x)[:24])


MADE_ONCE = {}
"""The bytes of campaigns that several tests begin with."""


def once(path, make):
    """Has a campaign made where no test has needed it yet; else writes it as it was made."""
    if path.name in MADE_ONCE:
        path.write_bytes(MADE_ONCE[path.name])
    else:
        make()
        MADE_ONCE[path.name] = path.read_bytes()
    return path


@pytest.fixture
def campaign(folder, capsys):
    """A campaign of the plain rules with an order given in it."""
    (folder / "own.rules").write_text(written({}), encoding="utf-8")

    def make():
        assert ran(["new", "plain.ophex", "--scenario", "hostile/meeting", "--seed", "1"], capsys)[0] == 0
        assert ran(["do", "plain.ophex", *BLUE, "order unit to 0202"], capsys)[0] == 0

    return once(folder.parent / "plain.ophex", make)


def altered(path, change):
    """A copy of a campaign file with something changed in it, its triggers as they were and every hash put right."""
    copy = path.with_name("altered.ophex")
    shutil.copy(path, copy)
    db = sqlite3.connect(copy, isolation_level=None)
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    change(db)
    documents = [Document(*row) for row in db.execute("SELECT name, kind, text FROM document ORDER BY number")]
    for number, document in enumerate(documents):
        db.execute(
            "UPDATE document SET sha256 = ? WHERE number = (SELECT number FROM document ORDER BY number LIMIT 1 OFFSET ?)",
            (document.sha256, number),
        )
    try:
        settings = {
            name: json.loads(text) for name, text in db.execute("SELECT name, json FROM setting ORDER BY rowid")
        }
        hashes = {}
        for number, parent, digest, events, *given in db.execute(
            "SELECT number, parent, digest, events, kind, side, text, subject FROM entry ORDER BY number"
        ).fetchall():
            first = beginning_hash(documents, settings, digest)
            hashes[number] = first if parent is None else entry_hash(hashes[parent], Input(*given), digest, events)
            db.execute("UPDATE entry SET hash = ? WHERE number = ?", (hashes[number], number))
    except (ValueError, TypeError):
        pass  # what cannot be hashed keeps the old hash
    for _, sql in triggers:
        db.execute(sql)
    db.close()
    return copy


@pytest.fixture
def kept(campaign, capsys, folder):
    """The same with all that a desk keeps beside: a due date, a letter, a branch, rules that have been amended, a ruling."""
    other = folder.parent / "other"
    other.mkdir()
    (other / "own.rules").write_text(written({"text:title": "Other"}), encoding="utf-8")
    (folder.parent / "letters").mkdir()
    (folder.parent / "letters" / "blue.txt").write_text("order second to 0202\n", encoding="utf-8")
    path = folder.parent / "kept.ophex"

    def make():
        campaign.rename(path)
        for argv in (
            ["branch", "what-if"], ["switch", "main"], ["amend", "--rules", "other", "--from-now", "--reason", "x"], ["rule", "so it is"],
            ["desk", "--due", "2031-01-01 20:00"], ["mail", "--in", "letters"],
        ):  # fmt: skip
            code, said = ran([argv[0], str(path), *argv[1:]], capsys)
            assert code == 0, said
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("INSERT INTO batch (first, last, source) VALUES (1, 1, 'blue.txt')")
        db.close()

    return once(path, make)


def opened(path, capsys, commands=COMMANDS):
    """Every command on a copy of the file; what any of them printed is clean."""
    for argv in commands:
        for made in map(Path, MADE):
            shutil.rmtree(made) if made.is_dir() else made.unlink(missing_ok=True)
        shutil.copy(path, "opened.ophex")
        code, said = ran([argv[0], "opened.ophex", *argv[1:]], capsys)
        assert code in {0, 1, 2}, (argv, said)
        assert "Traceback" not in said
        unmarked(path.parent, said)


def test_an_unaltered_copy_is_well(campaign, capsys):
    copy = altered(campaign, lambda _: None)
    assert ran(["verify", str(copy)], capsys)[0] == 0
    opened(copy, capsys)


@each_column(COLUMNS, SOME)
def test_a_payload_in_a_column(campaign, capsys, table, column, payload, first):
    value = json.dumps(payload) if column == "json" else payload
    if column == "events":
        value = json.dumps(
            [{"kind": payload, "text": payload, "to": "all", "cites": [payload], "data": {payload: payload}}]
        )
    if column == "bytes":
        value = payload.encode("utf-8", "replace")
    copy = altered(campaign, lambda db: db.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,)))
    opened(copy, capsys, COMMANDS[first::STEP])


@pytest.mark.parametrize("payload", SOME, ids=lambda p: ascii(p)[:24])
def test_rules_that_were_never_checked(campaign, capsys, payload):
    """Rule text in the file that no `check` would have let through. The daily form uses a fourth of the places, the next fourth for each payload."""
    for start in either([SOME.index(payload)], range(4)):
        text = written(dict.fromkeys(PLACES[start::4], payload))
        copy = altered(
            campaign, lambda db, text=text: db.execute("UPDATE document SET text = ? WHERE kind = 'rules'", (text,))
        )
        opened(copy, capsys)


def test_an_organizers_commands_on_an_unaltered_copy(kept, capsys):
    opened(altered(kept, lambda _: None), capsys, DESKS)


@each_column(DESK_COLUMNS, SOME[:2])
def test_a_payload_in_what_a_desk_keeps(kept, capsys, table, column, payload, first):
    value = json.dumps({"text": payload, payload: [payload]}) if column == "json" else payload
    if column == "events":
        value = json.dumps(
            [{"kind": payload, "text": payload, "to": "all", "cites": [payload], "data": {payload: payload}}]
        )
    db = sqlite3.connect(kept)
    assert db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    db.close()
    copy = altered(kept, lambda db: db.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,)))
    opened(copy, capsys, DESKS[first::STEP])
