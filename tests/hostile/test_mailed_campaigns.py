"""A campaign of a stranger, altered with care: payloads in every column, every hash put right, opened in each command.

Whoever mails a campaign can write anything into it and compute the hashes anew. It must be refused, or be a campaign.
"""

import json
import shutil
import sqlite3

import pytest

from campaigns.history import Document, beginning_hash, entry_hash
from interpreter.inputs import Input
from tests.hostile.test_payloads import PAYLOADS, PLACES, folder, ran, unmarked, written

__all__ = ["folder"]

BLUE = ["--as", "blue"]
COMMANDS = [
    ["status"], ["status", *BLUE], ["legal", *BLUE], ["log"], ["log", *BLUE, "--json"], ["map", *BLUE], ["map", "--format", "svg"], ["map", "--format", "graphml"], ["why", "whole of blue"],
    ["why", *BLUE, "whole of blue"], ["why", "1"], ["why-not", *BLUE, "order unit to 0303"], ["do", *BLUE, "order second to 0303"],
    ["do", *BLUE, "--dry-run", "done"], ["option"], ["override", "strength of second becomes 3", "--reason", "x"], ["advance"], ["undo"], ["redo"], ["verify"],
]  # fmt: skip
COLUMNS = {
    "document": ("name", "kind", "text"), "setting": ("name", "json"), "entry": ("kind", "side", "subject", "text", "events", "digest", "hash", "written_at"),
    "snapshot": ("bytes", "digest"),
}  # fmt: skip
SOME = (PAYLOADS[0], "{0.__class__}", "\x1b[2J", "\u202et8")


@pytest.fixture
def campaign(folder, capsys):
    """A campaign of the plain rules with an order given in it."""
    (folder / "own.rules").write_text(written({}), encoding="utf-8")
    assert ran(["new", "plain.ophex", "--scenario", "hostile/meeting", "--seed", "1"], capsys)[0] == 0
    assert ran(["do", "plain.ophex", *BLUE, "order unit to 0202"], capsys)[0] == 0
    return folder.parent / "plain.ophex"


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


def opened(path, capsys):
    """Every command on a copy of the file; what any of them printed is clean."""
    for argv in COMMANDS:
        shutil.copy(path, "opened.ophex")
        code, said = ran([argv[0], "opened.ophex", *argv[1:]], capsys)
        assert code in {0, 1, 2}, (argv, said)
        assert "Traceback" not in said
        unmarked(path.parent, said)


def test_an_unaltered_copy_is_well(campaign, capsys):
    copy = altered(campaign, lambda _: None)
    assert ran(["verify", str(copy)], capsys)[0] == 0
    opened(copy, capsys)


@pytest.mark.parametrize("payload", SOME, ids=lambda p: ascii(p)[:24])
@pytest.mark.parametrize(("table", "column"), [(t, c) for t, columns in COLUMNS.items() for c in columns])
def test_a_payload_in_a_column(campaign, capsys, table, column, payload):
    value = json.dumps(payload) if column == "json" else payload
    if column == "events":
        value = json.dumps(
            [{"kind": payload, "text": payload, "to": "all", "cites": [payload], "data": {payload: payload}}]
        )
    if column == "bytes":
        value = payload.encode("utf-8", "replace")
    opened(altered(campaign, lambda db: db.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))), capsys)


@pytest.mark.parametrize("payload", SOME, ids=lambda p: ascii(p)[:24])
def test_rules_that_were_never_checked(campaign, capsys, payload):
    """Rule text in the file that no `check` would have let through, in one place after another."""
    for start in range(4):
        text = written(dict.fromkeys(PLACES[start::4], payload))
        copy = altered(
            campaign, lambda db, text=text: db.execute("UPDATE document SET text = ? WHERE kind = 'rules'", (text,))
        )
        opened(copy, capsys)
