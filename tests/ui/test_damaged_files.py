"""Files with random damage: each command reports what is wrong and what to do, or works. It never crashes."""

import itertools
import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.campaigns.tampering import tamper
from tests.desk.outposts import begun
from tests.long import number
from ui.main import main

EVERY = number("OPHEX_EVERY", 40, 4)
"""Of all damages each n-th is tried, from a place of its own in each run; 1 tries all."""
HUGE = "9" * 5000
TEXTS = (
    "",
    "x",
    "[]",
    "{}",
    "null",
    "NaN",
    '["a"]',
    '[["change",1,"","all",[],{}]]',
    "[" * 50_000,
    HUGE,
    "\x1b[2J\nx",
    "a\0b",
)
VALUES = [
    *(repr(x) for x in (0, -1, 1, 2**63 - 1, -(2**63), 1.5, 1e300)),
    *("'" + x.replace("'", "''").replace("\0", "'||char(0)||'") + "'" for x in TEXTS),
    "NULL", "x''", "x'ff00'", "zeroblob(100000)", "CAST(x'ff' AS TEXT)", "CAST(x'eda080' AS TEXT)",
]  # fmt: skip
LOOSE = ("ignore_check_constraints = ON", "foreign_keys = OFF")
COMMANDS = [
    ["status"], ["status", "--as", "north", "--json"], ["log", "-n", "0"], ["log", "--as", "north"], ["log", "--json"], ["log", "--lines"],
    ["verify"], ["legal"], ["map"], ["why", "1"], ["why", "2", "--as", "south"], ["why", "strength of n-1"], ["undo"], ["redo"], ["redo", "--to", "1"],
    ["do", "--as", "south", "done"], ["advance"], ["option"], ["override", "strength of n-1 = 4", "--reason", "x"], ["backup", "COPY"],
]  # fmt: skip


@pytest.fixture
def sound(campaign, ophex):
    """A campaign with two lines; the head stands before the end of one."""
    assert ophex("do", campaign, "--as", "north", "move n-4 to 0401", "dig-in n-1", "done")[0] == 0
    assert ophex("undo", campaign, "--steps", "2")[0] == 0
    assert ophex("do", campaign, "--as", "north", "dig-in n-2", "done")[0] == 0
    assert ophex("undo", campaign)[0] == 0
    with sqlite3.connect(campaign) as db:
        db.execute("INSERT INTO snapshot VALUES (1, x'00', 'x')")
    db.close()
    return campaign


def damages(path):
    """Statements of which each damages one row of a table, or takes it away, or doubles it."""
    with sqlite3.connect(path) as db:
        tables = ["document", "setting", "entry", "head", "snapshot", "_sqlite_migrations"]
        for table in tables:
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            rows = [row[0] for row in db.execute(f"SELECT rowid FROM {table}")]
            for row in rows:
                yield f"DELETE FROM {table} WHERE rowid = {row}"
                others = ", ".join(c for c in columns if c not in {"number", "id"})
                yield f"INSERT INTO {table} ({others}) SELECT {others} FROM {table} WHERE rowid = {row}"
            yield f"DELETE FROM {table}"
            for column, value, row in itertools.product(columns, VALUES, rows):
                yield f"UPDATE {table} SET {column} = {value} WHERE rowid = {row}"
    db.close()


def loosened(path, *statements):
    """Runs SQL in a file whose tables take NULL and copies for the moment."""

    def rewrite(change):
        db = sqlite3.connect(path, isolation_level=None)
        version = db.execute("PRAGMA schema_version").fetchone()[0]
        db.execute("PRAGMA writable_schema = ON")
        change(db)
        db.execute(f"PRAGMA schema_version = {version + 1}")
        db.close()

    texts = {}

    def loosen(db):
        for name, sql in db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall():
            texts[name] = sql
            db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql.replace(" NOT NULL", ""), name))

    def tighten(db):
        for name, sql in texts.items():
            db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, name))

    rewrite(loosen)
    try:
        tamper(path, *statements, pragmas=LOOSE)
    finally:
        rewrite(tighten)


def judged(ophex, line):
    """Runs a command on a damaged file; what it said where it did not do it."""
    code, out, err = ophex(*line)
    assert code in {0, 1}, (line, code, err[:500])
    assert "Traceback" not in err + out
    if code == 1 and not out:
        assert err.strip(), line
        assert "hint:" in err or "rule" in err or "\n" in err.strip(), (line, err[:500])
    assert len(err) < 20_000, line
    return code


def test_any_value_in_any_column_of_any_row(sound, ophex, tmp_path):
    path, copy = tmp_path / "damaged.ophex", tmp_path / "copy.ophex"
    luck = random.Random(os.environ.get("OPHEX_SEED") or random.Random().random())
    found = {0: 0, 1: 0}
    statements = list(damages(sound))
    for statement in statements[luck.randrange(EVERY) :: EVERY]:
        shutil.copyfile(sound, path)
        try:
            loosened(path, statement)
        except sqlite3.IntegrityError:  # what must be a number cannot be anything else
            continue
        for command in COMMANDS if EVERY == 1 else luck.sample(COMMANDS, 3):
            copy.unlink(missing_ok=True)
            name, *rest = ("COPY" if x == "COPY" else x for x in command)
            line = [name, str(path), *(str(copy) if x == "COPY" else x for x in rest)]
            try:
                found[judged(ophex, line)] += 1
            except BaseException as error:
                error.add_note(statement[:300])
                raise
    assert found[1] > 100 / EVERY
    assert found[0]


def test_flipped_bits(sound, ophex, tmp_path):
    path = tmp_path / "damaged.ophex"
    luck = random.Random()
    data = Path(sound).read_bytes()
    for _ in range(1000 // EVERY):
        spoilt = bytearray(data)
        for _ in range(luck.choice([1, 1, 3, 20])):
            spoilt[luck.randrange(100, len(spoilt))] ^= 1 << luck.randrange(8)
        path.write_bytes(spoilt)
        line = luck.choice(COMMANDS[:-1])
        judged(ophex, [line[0], str(path), *line[1:]])


FOREIGN = {
    "CREATE TRIGGER mischief AFTER UPDATE ON head BEGIN UPDATE head SET entry = 0; END": "'mischief'",
    "CREATE VIEW view_of_all AS SELECT * FROM entry": "'view_of_all'",
    "CREATE TABLE more (x)": "'more'",
    "CREATE INDEX quick ON entry (abs(number))": "'quick'",
    "CREATE VIRTUAL TABLE found USING fts4(x)": "'found'",
    "ALTER TABLE entry ADD COLUMN more TEXT DEFAULT 'x'": "'entry'",
    "DROP TRIGGER entry_is_not_updated": "'entry_is_not_updated'",
    "ANALYZE": "'sqlite_stat1'",
}


@pytest.mark.parametrize("statement", FOREIGN)
def test_a_file_with_tables_of_somebody_elses_is_not_opened(sound, ophex, statement):
    db = sqlite3.connect(sound, isolation_level=None)
    db.execute(statement)
    db.close()
    for command in COMMANDS[:-1]:
        code, out, err = ophex(command[0], sound, *command[1:])
        assert code == 1
        said, silent, hint = (out, err, '"hint":') if "--json" in command else (err, out, "hint:")
        assert FOREIGN[statement] in said
        assert hint in said
        assert silent == ""


def test_a_trigger_that_swallows_steps_never_fires(sound, ophex):
    """The trigger sets the head back after each step, so that an acknowledged step would be lost."""
    tamper(sound)
    db = sqlite3.connect(sound, isolation_level=None)
    db.execute(
        "CREATE TRIGGER back AFTER UPDATE ON head WHEN new.entry > 1 BEGIN UPDATE head SET entry = 1, tip = 1; END"
    )
    before = db.execute("SELECT count(*) FROM entry").fetchone()
    assert ophex("do", sound, "--as", "north", "done")[0] == 1
    assert db.execute("SELECT count(*) FROM entry").fetchone() == before
    db.close()


def test_a_damaged_file_is_sent_to_the_doctor(tmp_path, capsys):
    """The doctor says what can be saved; `verify` cannot even open it."""
    with begun(tmp_path) as campaign:
        path = campaign.path
    data = bytearray(path.read_bytes())
    data[len(data) // 4 : len(data) * 3 // 4] = b"\xa5" * (len(data) * 3 // 4 - len(data) // 4)
    path.write_bytes(bytes(data))
    assert main(["status", str(path)]) == 1
    assert "`ophex doctor`" in capsys.readouterr().err
