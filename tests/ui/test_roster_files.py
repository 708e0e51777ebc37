"""Rosters as tables: written for spreadsheets, changed as people change them, and read back, all or nothing.

The game is `crews/crews.rules`, whose fields are of every type. The long form draws four to seven times as many texts and changes.
"""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input, Refused
from interpreter.play.rosters import ColumnView
from tests.hostile.test_payloads import TRIED
from tests.long import either
from ui.main import main
from ui.roster.roster_cells import DASHES, BadCell, canonical, guarded, unguarded
from ui.roster.roster_changes import plan_of
from ui.roster.roster_files import OWN, as_table, as_toml, read_table, read_toml
from ui.roster.roster_lines import everything, forest

CREWS = Path(__file__).with_name("crews")
HEADINGS = ["name", "title", "kind", "made from", "belongs to", "in play", "hull", "plan", "berth", "weight", "trim", "shield", "out", "laid-by", "seats", "rank", "wounds", "tools", "medals", "tattoo", "air", "lit"]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crews")
    shutil.copytree(CREWS, folder / "crews")
    with create_campaign(folder / "a.ophex", str(folder / "crews" / "raid"), seed=4):
        pass
    return folder


@pytest.fixture
def raid(folder, tmp_path):
    """A campaign of one's own, just begun."""
    return Path(shutil.copy(folder / "a.ophex", tmp_path / "a.ophex"))


@pytest.fixture
def run(raid, tmp_path, capsys, monkeypatch):
    """Runs a command in the folder of the campaign: its exit code, what it says, and what it notes."""
    monkeypatch.chdir(tmp_path)

    def command(*words):
        code = main([words[0], raid.name, *words[1:]])
        out, err = capsys.readouterr()
        return code, out, err

    return command


class Table:
    """A table as a person has it open in a spreadsheet."""

    def __init__(self, text):
        self.heads, *self.rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")))

    def set(self, name, heading, text):
        """Types something into the cell of a thing."""
        (row,) = [row for row in self.rows if row[0] == name]
        row[self.heads.index(heading)] = text

    def add(self, **cells):
        """A further row; `made_from` is the heading `made from`."""
        told = {key.replace("_", " "): text for key, text in cells.items()}
        self.rows.append([told.get(heading, "") for heading in self.heads])

    def text(self, separator=",", ends="\n"):
        """The table, saved."""
        out = io.StringIO()
        csv.writer(out, delimiter=separator, lineterminator=ends).writerows([self.heads, *self.rows])
        return out.getvalue()


@pytest.fixture
def table(run):
    return Table(run("roster", "--out", "-")[1])


def saved(table, **how):
    """The table in a file of its own; its name."""
    Path("r.csv").write_text(table.text(**how), encoding="utf-8", newline="")
    return "r.csv"


# ---- out
def test_a_table_has_a_row_for_each_thing_and_the_same_columns_at_any_time(run, table):
    assert table.heads == HEADINGS
    names = [row[0] for row in table.rows]
    assert names[:5] == ["wren", "wren-main", "wren-secondary-1", "wren-secondary-2", "wren-cutter"]
    assert len(names) == len(set(names)) == 24
    run("override", "remove wren-main", "trim of kite-main = 2", "--reason", "so")
    again = Table(run("roster", "--out", "-")[1])
    assert (again.heads, [row[0] for row in again.rows]) == (table.heads, names), "what is gone stays in it"


def test_cells_hold_what_a_spreadsheet_reads_as_it_is(table):
    told = {row[0]: dict(zip(table.heads, row, strict=True)) for row in table.rows}
    assert told["wren-main"]["weight"] == "2.5"
    assert told["wren-main"]["shield"] == "'4/3", "no date"
    assert told["wren-main"]["out"] == "no"
    assert told["hale"]["tools"] == "knife+rope"
    assert told["hale"]["title"] == "Cpl. Ann Hale"
    assert told["hale"]["hull"] == ""
    assert told["wren"]["berth"] == ""


def test_a_side_gets_a_question_mark_for_what_it_may_not_know(run):
    red = Table(run("roster", "--as", "red", "--out", "-")[1])
    assert "deep" not in [row[0] for row in red.rows]
    red_rows = {row[0]: dict(zip(red.heads, row, strict=True)) for row in red.rows}
    assert red_rows["hale"]["tattoo"] == red_rows["wren"]["plan"] == "?"
    assert red_rows["kite-cutter-cox"]["tattoo"] == ""
    Path("red.csv").write_text(red.text(), encoding="utf-8")
    assert run("roster", "--in", "red.csv") == (0, "", "The file does not differ from the game.\n")


def test_a_file_that_is_there_is_written_over_only_when_it_is_said(run):
    assert run("roster", "--out", "a.csv")[0] == 0
    assert Path("a.csv").read_bytes().startswith(b"\xef\xbb\xbfname,title"), "spreadsheets know UTF-8 by its mark"
    Path("a.csv").write_text("mine")
    code, _, err = run("roster", "--out", "a.csv")
    assert (code, Path("a.csv").read_text()) == (2, "mine")
    assert "a.csv already exists." in err
    assert run("roster", "--out", "a.csv", "--force")[0] == 0
    assert run("roster", "--out", "a.xls")[2].startswith("The file type of a.xls is not supported.")


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.toml"])
def test_what_was_written_changes_nothing_when_it_is_read(run, name):
    assert run("roster", "--out", name)[0] == 0
    assert run("roster", "--in", name) == (0, "", "The file does not differ from the game.\n")


# ---- in
def test_changes_are_told_old_and_new_thing_by_thing_and_are_one_entry(run, table):
    table.set("wren", "hull", "6")
    table.set("hale", "title", "Sgt. Ann Hale")
    table.set("hale", "wounds", "1")
    table.set("wren-main", "out", "x")
    table.set("kite-main", "laid-by", "Kite-Cutter-Cox")
    table.set("wren", "berth", "0102")
    file = saved(table)
    told = """\
wren (sloop ship):
  hull: 8 -> 6
  berth: -- -> 0102
wren-main (main gun):
  out: no -> yes
hale (cox sailor):
  title: Cpl. Ann Hale -> Sgt. Ann Hale
  wounds: 3 -> 1
kite-main (main gun):
  laid-by: -- -> kite-cutter-cox
"""
    before = run("status", "--json")[1]
    assert run("roster", "--in", file, "--dry-run") == (0, told, "6 changes of 4 things.\nNothing was recorded.\n")
    assert run("status", "--json")[1] == before
    assert run("roster", "--in", file, "--reason", "day 2") == (
        0, told, "6 changes of 4 things.\nRecorded as entry 1; `ophex undo` undoes it.\n",
    )  # fmt: skip
    assert run("roster", "--in", file)[2] == "The file does not differ from the game.\n"
    log = run("log")[1]
    assert "1   umpire: roster hull of wren: 6;" in log
    assert "because “day 2”" in log
    assert "A roster is read in by the umpire: day 2." in log
    assert "hull of wren becomes 6 (was 8)." in log
    assert "override by the umpire in turn 1 (day 2) → 6" in run("why", "hull of wren")[1]
    assert run("verify")[0] == 0
    assert run("undo")[0] == 0
    assert run("status", "--json")[1] == before
    assert run("redo")[0] == 0
    assert run("roster", "--in", file)[2] == "The file does not differ from the game.\n"


def test_a_side_hears_what_it_may_see_of_a_roster(run, table):
    table.set("hale", "tattoo", "a whale")
    table.set("wren", "hull", "7")
    run("roster", "--in", saved(table), "--reason", "the port")
    red, blue = run("log", "--as", "red")[1], run("log", "--as", "blue")[1]
    assert "hull of wren becomes 7 (was 8)." in red
    assert "whale" not in red
    assert "the port" not in red, "it may not see all that changed"
    assert "a whale" in blue
    assert "the port" in blue


def test_what_spreadsheets_do_to_a_file_is_understood(run, table):
    """A column moved, blank rows, semicolons with a decimal comma, CRLF, a byte order mark, an extra column."""
    table.set("kite-main", "weight", "3,25")
    table.set("kite-main", "trim", "\u22122")
    table.set("kite-cutter-cox", "rank", "Boatswain")
    table.set("kite-main", "out", "TRUE")
    at = table.heads.index("weight")
    for row in (table.heads, *table.rows):
        row.insert(0, row.pop(at))
    table.heads.append("# remarks")
    table.rows[3].append("ask Ann; or Bob")
    table.rows.insert(2, [])
    table.rows.insert(5, [""] * 9)
    Path("r.csv").write_bytes(b"\xef\xbb\xbf" + table.text(separator=";", ends="\r\n").encode())
    code, out, err = run("roster", "--in", "r.csv")
    assert (code, err.splitlines()[0]) == (0, "4 changes of 2 things.")
    assert out == "kite-main (main gun):\n  weight: 2.5 -> 3.25\n  trim: 0 -> -2\n  out: no -> yes\nkite-cutter-cox (cox sailor):\n  rank: mate -> bosun\n"  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        b"name,hull\nwren,5\n",
        b"sep=;\r\nname;hull\r\nwren;5\r\n",
        b"Name\tHull\nWREN\t5\n",
        b'"hull","name"\n"5.0","wren"\n',
        "name,hull\nwren,5\n".encode("utf-16"),
        b"\n\nname;hull\n\nwren;5;\n;;\n",
    ],
)
def test_tables_of_many_makes(run, data):
    Path("r.csv").write_bytes(data)
    assert run("roster", "--in", "r.csv", "--dry-run")[:2] == (0, "wren (sloop ship):\n  hull: 8 -> 5\n")


def test_a_roster_in_toml_may_say_only_what_changes(run):
    Path("r.toml").write_text('[[thing]]\nname = "hale"\ntitle = "O\'Hale"\nmedals = ["axe", "rope"]\nwounds = 0\n\n[[thing]]\nname = "wren-main"\nout = true\n')  # fmt: skip
    code, out, _ = run("roster", "--in", "r.toml")
    assert (code, out) == (0, "hale (cox sailor):\n  title: Cpl. Ann Hale -> O'Hale\n  medals: -- -> axe, rope\n  wounds: 3 -> 0\nwren-main (main gun):\n  out: no -> yes\n")  # fmt: skip


def test_a_file_that_was_taken_changes_nothing_when_it_is_read_again(run, table):
    """Even if its changes remove things together with their whole, and cells are written in unusual ways."""
    table.set("wren-main", "out", "x")
    table.set("wren-main", "weight", "3,50")
    table.set("wren", "in play", "No")
    file = saved(table)
    assert run("roster", "--in", file)[2].startswith("3 changes of 2 things.")
    assert run("roster", "--in", file)[2] == "The file does not differ from the game.\n"


def test_a_row_that_is_missing_takes_nothing_away(run, table):
    del table.rows[4:20]
    assert run("roster", "--in", saved(table))[2] == "The file does not differ from the game.\n"


def test_parts_go_out_of_play_join_others_and_come_in(run, table):
    table.set("wren-gig", "in play", "no")
    table.set("wren-gig-rower", "in play", "no")
    table.set("wren-secondary-1", "belongs to", "hulk")
    table.add(in_play="new", made_from="rower", belongs_to="kite-gig", title="New Hand", wounds="1")
    table.add(in_play="new", made_from="gig", kind="boat", belongs_to="hulk", name="pinnace")
    code, out, err = run("roster", "--in", saved(table))
    assert (code, err.splitlines()[0]) == (0, "7 changes of 5 things.")
    assert out.splitlines() == [
        "kite-gig-rower-2:", "  is placed in the game: rower sailor of kite-gig",
        "pinnace:", "  is placed in the game: gig boat of hulk",
        "wren-secondary-1 (secondary gun):", "  belongs to: wren -> hulk",
        "kite-gig-rower-2:", "  title: -- -> New Hand", "  wounds: -- -> 1",
        "wren-gig-rower (rower sailor):", "  is removed from the game",
        "wren-gig (gig boat):", "  is removed from the game",
    ]  # fmt: skip
    again = {row[0]: row for row in Table(run("roster", "--out", "-")[1]).rows}
    assert again["kite-gig-rower-2"][:6] == ["kite-gig-rower-2", "New Hand", "sailor", "rower", "kite-gig", "yes"]
    assert again["pinnace-rower"][4] == "pinnace", "it comes with what its entry lists"
    assert again["wren-gig"][5] == again["wren-gig-rower"][5] == "no"
    assert again["wren-secondary-1"][4] == "hulk"
    assert run("verify")[0] == 0


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_changed(run, table):
    run("override", "remove kite-gig-rower", "--reason", "so")
    table.set("wren", "title", "The Golden Wren")
    table.set("wren", "hull", "9")
    table.set("wren-main", "weight", "1,250")
    table.set("wren-main", "trim", "")
    table.set("wren-main", "seats", "3")
    table.set("wren-secondary-1", "shield", "thick")
    table.set("wren-secondary-2", "made from", "main")
    table.set("wren-cutter-cox", "rank", "matte")
    table.set("wren-cutter-rower-1", "tools", "axe+spoon")
    table.set("wren-cutter-rower-2", "belongs to", "wren")
    table.set("hale", "title", "a\x1b[2Jb")
    table.set("kite-gig-rower", "in play", "no")
    table.set("kite-gig-rower", "wounds", "1")
    table.set("kite", "name", "kyte")
    table.add(name="wren", in_play="yes")
    table.add(in_play="new", made_from="cannon", belongs_to="wren")
    before = run("status", "--json")[1]
    code, out, err = run("roster", "--in", saved(table))
    assert (code, out) == (1, "")
    assert (
        err
        == """\
r.csv: row 2, column G (hull): hull of wren runs from 0 to 8; 9 does not fit.
r.csv: row 3, column J (weight): weight of wren-main: `1,250` could be two numbers.
  hint: Write 1250, or 1.2500 for a number just above 1. It was 2.5.
r.csv: row 3, column K (trim): trim of wren-main: it is empty.
  hint: Write a number from -3 to 3. It was 0.
r.csv: row 3, column O (seats): A gun has no seats.
  hint: Leave the cell empty.
r.csv: row 4, column L (shield): shield of wren-secondary-1: `thick` does not match any notation of plate (<thick>/<slope>).
r.csv: row 5, column D (made from): A roster cannot change what wren-secondary-2 is made of: it is secondary.
  hint: Change it with `ophex override CAMPAIGN 'wren-secondary-2 becomes ENTRY'`.
r.csv: row 7, column P (rank): rank of wren-cutter-cox: `matte` is not one of its words.
  hint: Did you mean mate? It was mate.
r.csv: row 8, column R (tools): tools of wren-cutter-rower-1: `spoon` is not one of its words.
  hint: Write one of: knife, axe, rope, none. It was axe.
r.csv: row 9, column E (belongs to): There is no boat wren.
  hint: Did you mean wren-gig?
r.csv: row 10, column B (title): title of hale: it contains a character that a name cannot have (U+001B).
  hint: Remove that character. It was Cpl. Ann Hale.
r.csv: row 15, column A (name): There is no kyte.
  hint: Did you mean kite? For a new part, write `new` under `in play`.
r.csv: row 24, column Q (wounds): kite-gig-rower is out of the game: it cannot be changed.
  hint: It was 2.
r.csv: row 26, column A (name): wren is already in row 2.
  hint: Keep one of the two rows.
r.csv: row 27, column D (made from): No part is made from `cannon`.
  hint: The entries are: main, secondary, cutter, gig, cox, rower, lamp.
14 errors; nothing was changed.
"""
    )
    assert run("status", "--json")[1] == before
    found = json.loads(run("roster", "--in", "r.csv", "--json")[1])
    assert (found["done"], len(found["wrong"])) == (False, 14)
    assert found["wrong"][0] == {
        "kind": "out-of-bounds", "message": "hull of wren runs from 0 to 8; 9 does not fit.", "references": {"thing": "wren", "field": "hull"},
        "numbers": {"number": 9, "least": 0, "most": 8}, "cites": [], "place": "row 2, column G (hull)", "hint": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"hull\n5\n", "r.csv: row 1: There is no column `name`."),
        (b"name,hulll\nwren,5\n", "r.csv: column B: A roster has no column `hulll`.\n  hint: Did you mean hull?"),
        (b"name,hull,Hull\nwren,5,6\n", "r.csv: column C: `hull` is already the heading of column B."),
        (b"name,hull\nwren,5,6\n", "r.csv: row 2, column C: This cell has no heading above it."),
        (b"name,,hull\nwren,6,5\n", "r.csv: column B: A roster has no column ``."),
        (b"name,hull\n,5\n", "r.csv: row 2, column A (name): This row has no name."),
        (b'name,hull\n"wren,5\n', "This is not a table: "),
        (b"name,title\nwren,M\xfcller\n", "r.csv: line 2 is not valid UTF-8."),
        (b"", "The file contains no rows."),
        (b" \n,,\n", "The file contains no rows."),
        (b"name,title\nwren," + b"x" * 140_000 + b"\n", "This is not a table: field larger than field limit (131072)"),
        (b"name,title\nwren," + b"x" * 201 + b"\n", "r.csv: row 2, column B (title): title of wren has 201 characters; the limit is 200."),
        (b"name,title\nwren,a\x00b\n", "U+0000"),
        (b'name,title\nwren,"a\nb"\n', "U+000A"),
        (b"name,title\nwren,\xe2\x80\xaeb\n", "U+202E"),
        (b"name,belongs to\nwren-main,\n", "wren-main must belong to something."),
        (b"name,belongs to\nwren,kite\n", "wren cannot belong to anything."),
        (b"name,in play,made from,belongs to\n,new,main,\n", "A gun must belong to a ship."),
        (b"name,in play,made from,belongs to\nkite-gig,new,gig,wren\n", "`new` is neither yes nor no."),
        (b"name,in play,made from,belongs to\n0101,new,gig,wren\n", "The name 0101 is or was in use."),
        (b"name,in play,made from,belongs to\na b,new,gig,wren\n", "r.csv: row 2, column B (in play): `put a b: gig boat of wren` is not a line of a roster."),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_taken(run, data, said):
    Path("r.csv").write_bytes(data)
    before = run("status", "--json")[1]
    code, out, err = run("roster", "--in", "r.csv")
    assert code in {1, 2}
    assert out == ""
    assert said in err
    assert run("status", "--json")[1] == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("thing = 3", "A roster in TOML consists of tables `[[thing]]`."),
        ("[[thing]\n", "This is not TOML: "),
        ("x = " + "[" * 5000, "This is not TOML: "),
        ('[[thing]]\nname = "wren"\nhull = 1979-05-27\n', "r.toml: line 1, hull: A cell must be a text, a number"),
        ('[[thing]]\nname = "wren"\nhull = nan\n', "r.toml: line 1, hull: hull of wren: `nan` is not a number."),
        (f"[[thing]]\nhull = {'9' * 5_000}\n", "This is not TOML: a number has too many digits."),
        ('[[thing]]\nname = "wren"\nhul = 3\n', "r.toml: hul: A roster has no column `hul`."),
        ("[[thing]]\nhull = 3\n", "There is no column `name`."),
    ],
)
def test_toml_that_cannot_be_taken(run, text, said):
    Path("r.toml").write_text(text)
    code, out, err = run("roster", "--in", "r.toml")
    assert code in {1, 2}
    assert out == ""
    assert said in err


@pytest.mark.parametrize(
    "words",
    [
        ("--in", "r.csv", "--out", "x.csv"),
        ("--in", "r.csv", "wren"),
        ("--in", "r.csv", "--as", "red"),
        ("--reason", "so"),
        ("--dry-run",),
        ("--force",),
        ("--out", "x.csv", "--per", "boat"),
        ("--in", "r.doc"),
    ],
)
def test_what_does_not_go_together_is_told(run, words):
    Path("r.csv").write_text("name,hull\nwren,5\n")
    assert run("roster", *words)[0] == 2
    assert run("status", "--json")[1].count('"hull": "8"') == 2


# ---- cells
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2,5", "2.5"), ("2.5", "2.5"), ("1.234,5", "1234.5"), ("1,234.5", "1234.5"), ("1.234.567", "1234567"), ("0,125", "0.125"), ("0.125", "0.125"),
        ("1 1/2", "1.5"), ("-1/3", "-1/3"), ("\u22123", "-3"), ("+7", "7"), ("007", "7"), ("1\u00a0234", "1234"), ("1.125", "1.125"), ("1234,5", "1234.5"), ("12,50", "12.5"),
    ],
)  # fmt: skip
def test_numbers_as_people_type_them(text, number):
    assert canonical(ColumnView("weight", "number"), text, {}) == number


@pytest.mark.parametrize(
    "text", ["1,234", "12,345", "1.2.3", "1,2,3", "1,23.4,5", "1/0", "one", "1e3", "--5", "1 2", "٣", "½"]
)
def test_numbers_that_could_be_others_or_are_none_are_refused(text):
    with pytest.raises(BadCell):
        canonical(ColumnView("weight", "number"), text, {})


def test_a_point_before_three_digits_is_two_numbers_where_semicolons_part_cells():
    with pytest.raises(BadCell, match="could be two numbers"):
        canonical(ColumnView("weight", "number"), "1.125", {}, points_part=True)
    assert canonical(ColumnView("weight", "number"), "1,12", {}, points_part=True) == "1.12"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
@settings(max_examples=either(100, 400))
def test_a_text_is_the_same_behind_its_guard_and_never_begins_what_is_run(text):
    written = guarded(text)
    assert unguarded(written) == text
    assert written.lstrip()[:1] not in set("=+-@")
    for sign in ";\t":  # where a spreadsheet parts cells by another sign
        assert all(piece.strip(' "')[:1] not in set("=+-@") for piece in written.split(sign)[1:])


# ---- there and back
def test_nothing_that_a_stranger_writes_is_run_or_reaches_the_terminal(run, raid):
    """Every payload as a title: it is refused, or is written so that no spreadsheet executes it, and reads back.

    The daily form uses every third payload that is hostile to programs, and all that are hostile to spreadsheets.
    """
    taken = 0
    for payload in (*TRIED, "=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0", "\t=1", " =1", "a;=1", 'x";=1', "'=1", "?", "'?", "–"):  # fmt: skip
        one = Table(run("roster", "hale", "--out", "-")[1])
        one.set("hale", "title", guarded(payload))
        code, out, err = run("roster", "--in", saved(one))
        assert code in {0, 1}
        assert "\x1b" not in out + err
        assert "\u202e" not in out + err
        if code == 0 and out:
            taken += 1
            again = Table(run("roster", "hale", "--out", "-")[1])
            (cell,) = [row[1] for row in again.rows if row[0] == "hale"]
            assert cell[:1] not in set("=+-@")
            assert unguarded(cell) == ("" if payload.strip() in DASHES else payload.strip())
            assert run("roster", "--in", saved(again))[2] == "The file does not differ from the game.\n"
            assert run("log", "--as", "red", "-n", "2")[0] == 0
    assert taken >= either(10, 41)


WORDS = ["knife", "axe", "rope", "none"]
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"]), max_size=30)
NUMBERS = st.fractions(-99, 99, max_denominator=1000)
VALUES = {
    "title": TEXTS, "plan": TEXTS, "tattoo": TEXTS, "berth": st.sampled_from(["0101", "0403", "--"]), "weight": NUMBERS.map(str),
    "trim": st.integers(-3, 3).map(str), "shield": st.tuples(st.integers(0, 20), st.integers(0, 20)).map("{0[0]}/{0[1]}".format),
    "out": st.sampled_from(["yes", "no"]), "lit": st.sampled_from(["yes", "no"]), "laid-by": st.sampled_from(["hale", "kite-gig-rower", "--"]),
    "rank": st.sampled_from(["rating", "mate", "bosun"]), "tools": st.lists(st.sampled_from(WORDS[:3]), max_size=4).map("+".join),
    "medals": st.lists(st.sampled_from(WORDS[:3]), max_size=4).map(", ".join), "hull": st.integers(0, 2).map(str), "wounds": st.integers(0, 2).map(str),
    "seats": NUMBERS.map(str), "air": st.integers(0, 4).map(str),
}  # fmt: skip
"""What each field can hold, as the machine takes it."""


def offered(game, name, field, text):
    """Gives a field a value, if it has another; why it is refused."""
    try:
        game.offer(Input("roster", "umpire", f"{field} of {name}: {text or '--'}", "drawn"))
    except Refused as refused:
        return refused.message
    return ""


def written_and_read(game, form):
    """A roster of all, and what reading it would change."""
    view, kinds = game.view("umpire"), game.roster_kinds()
    if form == "toml":
        text = as_toml(kinds, forest(view), for_side=False)
        return text, plan_of(read_toml(text), view, kinds, game.roster_trouble)
    text = as_table(kinds, forest(view), form, for_side=False)
    known = {*OWN, *VALUES}
    return text, plan_of(read_table(text, known), view, kinds, game.roster_trouble)


@given(data=st.data(), form=st.sampled_from([",", ";", "\t", "toml"]))
@settings(max_examples=either(8, 40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_fields_hold_is_read_back_as_it_was_written(folder, data, form):
    from campaigns.play.starting import open_campaign

    with open_campaign(folder / "a.ophex") as campaign:
        game = campaign.state_at(0)
    things = {node.thing.id: node.thing.kind for node in everything(forest(game.view("umpire")))}
    kinds = game.roster_kinds()
    for _ in range(data.draw(st.integers(1, 8))):
        name = data.draw(st.sampled_from(sorted(things)))
        field = data.draw(st.sampled_from(["title", *(column.name for column in kinds[things[name]].columns)]))
        refused = offered(game, name, field, data.draw(VALUES[field]).strip())
        assert not refused or "changes nothing" in refused
    _, plan = written_and_read(game, form)
    assert plan.wrong == []
    assert plan.changes == []


@given(data=st.data())
@settings(max_examples=either(12, 80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_change_of_a_cell_comes_back_or_is_refused(folder, data):
    from campaigns.play.starting import open_campaign

    with open_campaign(folder / "a.ophex") as campaign:
        game = campaign.state_at(0)
    table = Table(written_and_read(game, ",")[0])
    row = data.draw(st.integers(0, len(table.rows) - 1))
    heading = data.draw(st.sampled_from(table.heads))
    likely = st.one_of(
        VALUES.get(heading, TEXTS), st.sampled_from(["", "--", "yes", "no", "new", "wren", "hulk", "2,5", "?"])
    )
    typed = data.draw(st.one_of(likely, TEXTS))
    was = table.rows[row][table.heads.index(heading)]
    table.rows[row][table.heads.index(heading)] = typed
    name, view, kinds = table.rows[row][0], game.view("umpire"), game.roster_kinds()
    sheet = read_table(table.text(), {*OWN, *VALUES})
    plan = plan_of(sheet, view, kinds, game.roster_trouble)
    if plan.wrong:
        return
    if not plan.changes:
        meant = unguarded(typed.strip())
        same = {unguarded(was).lower(), "?"} | ({"", "-", "--", "—", "–", "none", "false", "n", "0"} if was in {"", "no"} else {"true", "y", "x", "1"})  # fmt: skip
        assert (
            meant.lower() in same
            or heading in {"weight", "trim", "hull", "wounds", "seats", "air"}
            or not typed.strip()
        )
        return
    try:
        game.offer(Input("roster", "umpire", "\n".join(one.line for one in plan.changes), "typed"))
    except Refused:
        return
    after = game.view("umpire")
    assert plan_of(sheet, after, kinds, game.roster_trouble).changes == []
    assert plan_of(sheet, after, kinds, game.roster_trouble).wrong == []
    again = Table(written_and_read(game, ",")[0])
    others = [
        [x[0], *(cell for head, cell in zip(table.heads, x, strict=True) if head != heading)]
        for x in table.rows
        if x[0] != name
    ]
    now = [
        [x[0], *(cell for head, cell in zip(again.heads, x, strict=True) if head != heading)]
        for x in again.rows
        if x[0] != name
    ]
    if heading not in {"in play", "belongs to"}:
        assert now == others


# ---- what the machine takes
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hull of wren = 3", "is not a line of a roster"),
        ("hull of wrenn: 3", "There is no wrenn."),
        ("hull of wren: 3\nhull of wren: 9", "runs from 0 to 8"),
        ("counted of hale: 3", "has no counted that a roster could set"),
        ("name of hale: x", "has no name that a roster could set"),
        ("full hull of wren: 3", "is not a line of a roster"),
        ("hull of wren: 8", "changes nothing"),
        ("boat of hale: wren-cutter", "changes nothing"),
        ("boat of hale: hale", "There is no boat hale"),
        ("hull of blue: 3", "There is no blue"),
        ("turn-order of game: red", "There is no game"),
        ("hull of wren: 1\nremove wren\nremove wren", "wren is out of the game"),
        ("put x: rower sailor of wren", "There is no boat wren"),
        ("put x: sloop ship of wren", "A ship is not part of anything"),
        ("put x: rower sailor of wren-gig\nput x: rower sailor of wren-gig", "The name x is or was in use."),
        ("wounds of x: 3\nput x: rower sailor of wren-gig", "There is no x"),
        ("put x: rower sailor of wren-gig\nwounds of x: 3", "runs from 0 to 2"),
        ("title of wren: a\u2028b", "U+2028"),
        ("\n".join(["hull of wren: 7"] * 5001), "There are 5001 changes; the limit is 5,000."),
        ("", "The roster changes nothing."),
    ],
)
def test_the_machine_refuses_what_it_cannot_do_and_nothing_has_changed(folder, text, said):
    from campaigns.play.starting import open_campaign

    with open_campaign(folder / "a.ophex") as campaign:
        game = campaign.state_at(0)
    before = game.digest()
    with pytest.raises(Refused) as refused:
        game.offer(Input("roster", "umpire", text, "so"))
    assert said in refused.value.message
    assert game.digest() == before


def test_only_the_umpire_gives_a_roster_and_says_why(folder):
    from campaigns.play.starting import open_campaign

    with open_campaign(folder / "a.ophex") as campaign:
        game = campaign.state_at(0)
    for side, reason, said in (
        ("blue", "so", "Only the umpire may do this"),
        ("umpire", " ", "The umpire must give a reason"),
    ):
        with pytest.raises(Refused, match=said):
            game.offer(Input("roster", side, "hull of wren: 3", reason))


def test_no_rule_that_waits_for_an_event_comes_about_by_a_roster(run):
    """As with an override: the hull is 0, and the ship sinks only after the next effect."""
    Path("r.csv").write_text("name,hull\nkite,0\n")
    assert run("roster", "--in", "r.csv")[0] == 0
    assert "kite: sloop ship, in 0303; hull □□□□□□□□ 0/8" in run("roster", "kite")[1]
    run("do", "hit wren", "--as", "blue")
    assert "kite: sloop ship; gone" in run("roster", "kite")[1]
