"""What is proved of tables, on tables checked by hand."""

from fractions import Fraction

import pytest

from dsl.data.table_trends import _chances
from dsl.load import bind_system, check_system, read_system
from dsl.text.source import SourceFile

STANCES = ("ready", "dug-in", "moving")
ENUMS = """enum stance: ready, dug-in, moving
scale column: 1:2 < 1:1 < 2:1
unit tank:
  damaged mark
"""


def table(head, *rows):
    return ENUMS + "\n  ".join([f"table t by {head}:", *rows]) + "\n"


def findings(text, *codes):
    """The messages of a text's findings, of those codes only when some are given."""
    system = read_system([SourceFile("t.rules", text)])
    return [(x.code, x.message) for x in check_system(system) if x.code[1] == "3" and (not codes or x.code in codes)]


def read(text):
    system = read_system([SourceFile("t.rules", text)])
    rules, _ = bind_system(system)
    return rules.tables["t"]


# ---- gaps: 3 stances × 6 faces = 18 entries
def test_every_entry_has_its_row():
    assert (
        findings(
            table(
                "stance and 1d6",
                "stance | 1d6 || r",
                "ready | 1..3 || 1",
                "ready | 4..6 || 2",
                "dug-in, moving | any || 3",
            )
        )
        == []
    )


def test_one_face_is_missing():
    text = table(
        "stance and 1d6", "stance | 1d6 || r", "ready | 1..3 || 1", "ready | 5..6 || 2", "dug-in, moving | any || 3"
    )
    assert findings(text) == [("E307", "t has no row for stance ready, 1d6 4.")]


def test_a_whole_stance_is_missing():
    """6 entries lack a row. The rows distinguish 1..3 (by 0, 1, 2 … 4) and 4..6, so a few of them represent all."""
    text = table("stance and 1d6", "stance | 1d6 || r", "ready | 1..3 || 1", "ready | 4..6 || 2", "dug-in | any || 3")
    (found,) = findings(text)
    assert found[0] == "E307"
    assert found[1].startswith("t has no row for stance moving, 1d6 1;")


def test_two_dice_run_from_two_to_twelve():
    assert findings(table("2d6", "2d6 || r", "2..11 || 1")) == [("E307", "t has no row for 2d6 12.")]
    assert findings(table("2d6-2", "2d6-2 || r", "0..10 || 1")) == []
    assert findings(table("2d6", "2d6 || r", "1..12 || 1")) == []
    assert [c for c, _ in findings(table("2d6", "2d6 || r", "2..12 || 1", "13 || 2"))] == ["E304"]


def test_a_mark_is_yes_or_no():
    assert findings(table("damaged", "damaged || r", "yes || 1")) == [("E307", "t has no row for damaged no.")]
    assert findings(table("damaged", "damaged || r", "yes || 1", "no || 2")) == []


@pytest.mark.parametrize(
    "rows, missing",
    [
        (["1..3 || 1", "4..6 || 2"], "t does not cover weight beyond its rows (1 to 6)."),
        (["1..2 || 1", "4..6 || 2"], "t has no row for weight 3."),
        (["1..2 || 1", "any || 2"], ""),
    ],
)
def test_a_number_that_can_be_anything(rows, missing):
    assert findings(table("weight", "weight || r", *rows), "E307") == ([("E307", missing)] if missing else [])


def test_a_number_kept_within_bounds():
    assert findings(table("weight", "weight kept within 1 .. 6", "weight || r", "1..3 || 1", "4..6 || 2")) == []
    text = table("weight", "weight kept within 1 .. 7", "weight || r", "1..3 || 1", "4..6 || 2")
    assert findings(text) == [("E307", "t has no row for weight 7.")]
    assert findings(table("weight", "weight kept within 1 .. 99999999999", "weight || r", "1..99999999999 || 1")) == []


def test_two_numbers_that_can_be_anything():
    text = table(
        "weight and speed",
        "weight kept within 1 .. 2",
        "speed kept within 0 .. 1",
        "weight | speed || r",
        "1 | any || 1",
        "2 | 1 || 2",
    )
    assert findings(text) == [("E307", "t has no row for weight 2, speed 0.")]


# ---- clashes
def test_two_rows_fit_one_entry():
    text = table(
        "stance and 1d6", "stance | 1d6 || r", "ready | 1..4 || 1", "any | 4..6 || 2", "dug-in, moving | 1..3 || 3"
    )
    assert findings(text) == [("E308", "Two rows of t match stance ready, 1d6 4.")]


def test_where_the_first_row_counts_rows_may_overlap_but_none_may_be_hidden():
    assert findings(table("1d6, first row", "1d6 || r", "1..4 || 1", "3..6 || 2")) == []
    assert findings(table("1d6, first row", "1d6 || r", "1..4 || 1", "5..6 || 2", "2..3 || 3")) == [
        ("W309", "This row of t can never be reached.")
    ]
    assert findings(table("1d6, first row", "1d6 || r", "any || 1", "6 || 2")) == [
        ("W309", "This row of t can never be reached.")
    ]
    assert findings(table("1d6, first row", "1d6 || r", "1..4 || 1", "4..5 || 3")) == [
        ("E307", "t has no row for 1d6 6.")
    ]


def test_where_all_rows_count_nothing_needs_proof():
    assert findings(table("1d6, all rows", "1d6 || r", "1..4 || 1", "3..5 || 2")) == []


def test_the_last_row_reached_wants_rising_numbers():
    assert findings(table("points, last row reached", "points || r", "0 || 1", "5 || 2", "9 || 3")) == []
    assert findings(table("points, last row reached", "points || r", "0 || 1", "5 || 2", "5 || 3")) == [
        ("E306", "The numbers in the rows of t do not rise.")
    ]


# ---- crossed tables: 6 faces × 3 columns
CROSSED = ["1d6 || 1:2 | 1:1 | 2:1", "1..3 || 1 | 2 | 3", "4..6 || 2 | 3 | 4"]


def test_a_crossed_table_is_complete():
    assert findings(table("1d6 and column", *CROSSED)) == []
    assert len(read(table("1d6 and column", *CROSSED)).rows) == 6


# ---- one key twice: 3 stances × 3 stances
PAIRS = [f"{a} | {b} || {10 * i + j}" for i, a in enumerate(STANCES, 1) for j, b in enumerate(STANCES, 1)]


def test_a_key_that_is_there_twice_has_a_column_each():
    text = table("stance and stance", "stance | stance || r", *PAIRS)
    assert findings(text) == []
    assert read(text).entries()["ready", "moving"] == (2,)
    assert read(text).entries()["moving", "ready"] == (6,)


def test_before_the_first_column_was_read_for_both():
    text = table("stance and stance, all rows", "stance | stance || r", *PAIRS)
    system = read_system([SourceFile("t.rules", text)], edition=7)
    assert bind_system(system)[0].tables["t"].entries()["ready", "ready"] == (0, 1, 2)


def test_a_crossed_table_lacks_a_column():
    text = table("1d6 and column", "1d6 || 1:2 | 2:1", "1..6 || 1 | 2")
    assert [c for c, _ in findings(text)] == ["E307"]
    kept = table("1d6 and column", "column kept within 1:2 .. 1:1", "1d6 || 1:2 | 1:1", "1..6 || 1 | 2")
    assert findings(kept) == []


# ---- cells
@pytest.mark.parametrize(
    "cell, value",
    [
        ("4", 4),
        ("x4", 4),
        ("x1/2", Fraction(1, 2)),
        ("+2", 2),
        ("-1", -1),
        ("40%", 40),
        ("1.5", Fraction(3, 2)),
        ("yes", True),
        ("--", None),
        ("ready", "ready"),
    ],
)
def test_what_a_cell_says(cell, value):
    assert read(table("1d6", "1d6 || r", f"any || {cell}")).rows[0].cells == (value,)


def test_a_slip_in_a_column_of_numbers():
    text = table("1d6", "1d6 || r", "1..2 || x4", "3..4 || 4x", "5..6 || x2")
    assert findings(text) == [("W312", "`4x` is not a number, so the whole column r is read as text.")]
    assert findings(table("1d6", "1d6 || r", "1..2 || ready", "3..6 || moving")) == []
    assert findings(table("1d6", "1d6 || r", "1..2 || 4", "3..6 || --")) == []


# ---- better odds
def crt(*rows, head="1d6 and column", notes=("cells attacker-loss, defender-loss",)):
    return table(head, *notes, "1d6 || 1:2 | 1:1 | 2:1", *rows)


def test_chances_of_dice():
    assert _chances("1d6") == {n: Fraction(1, 6) for n in range(1, 7)}
    assert _chances("2d6")[7] == Fraction(6, 36)
    assert _chances("2d6-2")[0] == Fraction(1, 36)
    assert sum(_chances("3d6+1").values()) == 1


def test_a_table_that_gets_better_is_quiet():
    assert findings(crt("1..3 || 60,0 | 40,10 | 20,20", "4..6 || 40,20 | 20,40 | 0,60")) == []


def test_cells_out_of_trend_do_not_matter_where_the_average_is_in_trend():
    """Attacker at 1:1 (60·3 + 0·3)/6 = 30, at 1:2 (40 + 40)/2 = 40: better on average, worse on a 1."""
    assert findings(crt("1..3 || 40,0 | 60,10 | 20,20", "4..6 || 40,20 | 0,40 | 0,60")) == []


def test_a_column_that_costs_the_attacker_more():
    """Averages of the attacker: (60+40)/2 = 50, (60+60)/2 = 60, (20+0)/2 = 10."""
    text = crt("1..3 || 60,0 | 60,10 | 20,20", "4..6 || 40,20 | 60,40 | 0,60")
    assert findings(text) == [
        ("W310", "In t the column 1:1 is worse than 1:2: on average attacker-loss is 60 instead of 50.")
    ]


def test_a_column_that_costs_the_defender_less():
    """Averages of the defender: 2·0 + 4·30 over 6 = 20, then 2·10 + 4·40 = 30, then 2·10 + 4·25 = 20."""
    text = crt("1..2 || 60,0 | 40,10 | 20,10", "3..6 || 40,30 | 20,40 | 0,25")
    assert findings(text) == [
        ("W310", "In t the column 2:1 is worse than 1:1: on average defender-loss is 20 instead of 30.")
    ]


def test_the_die_is_kept_within_its_bounds():
    """On 2d6 kept within 3 .. 11, a 2 counts as 3 (1 + 2 of 36) and a 12 as 11."""
    notes = ("2d6 kept within 3 .. 11", "cells attacker-loss, defender-loss")
    rows = ["3 || 36,0 | 24,0 | 12,0", "4..11 || 0,0 | 1,0 | 0,0"]
    text = table("2d6 and column", *notes, "2d6 || 1:2 | 1:1 | 2:1", *rows)
    # 3/36·36 = 3; 3/36·24 + 33/36 = 35/12 = 2.92 (better); 3/36·12 = 1 (better)
    assert findings(text) == []


def test_a_table_of_results_named_the_other_way_round_is_no_false_alarm():
    """The defender's loss comes first: it rises up the scale, the attacker's falls."""
    notes = ("cells defender-loss, attacker-loss",)
    assert findings(crt("1..3 || 0,60 | 10,40 | 20,20", "4..6 || 20,40 | 40,20 | 60,0", notes=notes)) == []


def test_a_misprint_that_is_printed():
    notes = ("cells attacker-loss, defender-loss", "as printed")
    assert findings(crt("1..3 || 60,0 | 60,10 | 20,20", "4..6 || 40,20 | 60,40 | 0,60", notes=notes)) == []


def test_tables_of_other_things_are_left_alone():
    assert (
        findings(table("1d6 and stance", "cells a, b", "1d6 || ready | dug-in | moving", "1..6 || 1,9 | 9,1 | 2,3"))
        == []
    )
    assert findings(table("1d6 and column", "1d6 || 1:2 | 1:1 | 2:1", "1..6 || 9 | 1 | 9")) == []
    assert (
        findings(
            table(
                "weight and column",
                "weight kept within 1 .. 6",
                "cells a, b",
                "weight || 1:2 | 1:1 | 2:1",
                "1..6 || 1,9 | 9,1 | 2,3",
            )
        )
        == []
    )


# ---- groups as keys: `still` is ready and dug-in
STILL = "group still of stance: ready, dug-in\n"


def test_a_group_stands_for_its_words():
    text = table("stance and 1d6", "stance | 1d6 || r", "still | any || 1", "moving | any || 2") + STILL
    assert findings(text) == []
    found = read(text)
    assert [row.matches[0] for row in found.rows] == [("ready", "dug-in"), ("moving",)]


def test_a_group_beside_words_and_along_the_top():
    text = table("stance and 1d6", "1d6 || still | moving", "1..3 || 1 | 2", "4..6 || 3 | 4") + STILL
    assert findings(text) == []
    text = table("stance and 1d6", "stance | 1d6 || r", "still, moving | any || 1") + STILL
    assert findings(text) == []


def test_what_a_group_leaves_open_and_what_it_takes_twice():
    text = table("stance and 1d6", "stance | 1d6 || r", "still | 1..5 || 1", "moving | any || 2") + STILL
    assert findings(text) == [("E307", "t has no row for stance ready, 1d6 6; stance dug-in, 1d6 6.")]
    text = table("stance", "stance || r", "still || 1", "dug-in, moving || 2") + STILL
    assert findings(text) == [("E308", "Two rows of t match stance dug-in.")]


def test_of_a_key_that_is_kept_within_bounds_a_group_has_what_lies_between():
    """1:2 and 1:1 are the low odds; within 1:1 .. 2:1 only 1:1 is left of them."""
    text = table("column", "column kept within 1:1 .. 2:1", "column || r", "low-odds || 1", "2:1 || 2")
    assert findings(text + "group low-odds of column: 1:2, 1:1\n") == []
    text = table("column", "column kept within 2:1 .. 2:1", "column || r", "low-odds || 1", "2:1 || 2")
    assert findings(text + "group low-odds of column: 1:2, 1:1\n") == [("E303", "`low-odds` is not a word of column.")]


def test_a_group_of_another_enum_is_none():
    text = table("stance", "stance || r", "even || 1", "moving, ready, dug-in || 2") + "group even of column: 1:1\n"
    assert findings(text) == [("E303", "`even` is not a word of stance.")]
