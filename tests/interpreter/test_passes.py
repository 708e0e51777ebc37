"""The shorter passes of the optimiser: copies left out."""

import pytest

from interpreter.codegen.emitted_code import UnknownCode
from interpreter.codegen.form_text import taken_in, written
from interpreter.codegen.optimizing import PASSES, optimized
from interpreter.codegen.passes.join_copies import join_copies
from tests.interpreter.passing import lines_after, plain


def test_what_is_worked_out_for_a_copy_alone_is_worked_out_as_it():
    assert lines_after(join_copies, "t1 = i0.f_guns\nr2 = t1") == ["r2 = i0.f_guns"]
    assert lines_after(join_copies, "t1 = i0.f_guns\nr2 = t1\na3 = t1") == ["a3 = i0.f_guns", "r2 = a3"]
    read = "t1 = i0.f_guns\nr2 = t1\na3 = t1 + 1"
    assert lines_after(join_copies, read) == read.splitlines()


def test_a_copy_made_anew_in_each_round_stays_if_the_round_changes_it():
    changed = "t1 = v_ready(i0)\nfor i2 in F.n_units:\n    r5 += 1\n    c3 = t1\n    if c3:\n        c3 = i2.f_x\n    if c3:\n        r4 = True"
    assert lines_after(join_copies, changed) == plain(changed.splitlines())
    added = "t1 = i0.f_guns\nfor i2 in F.n_units:\n    r5 += 1\n    a3 = t1\n    a3 += i2.f_x\n    r4.append(a3)"
    assert lines_after(join_copies, added) == plain(added.splitlines())
    in_one_line = (
        "t1 = i0.f_guns\nfor i2 in F.n_units:\n    r5 += 1\n    a3 = t1\n    if a3 is None: a3 = 2\n    r4.append(a3)"
    )
    assert "    a3 = t1" in lines_after(join_copies, in_one_line)


def test_a_copy_made_anew_in_each_round_goes_if_nothing_changes_it():
    text = "t1 = i0.f_guns\nfor i2 in F.n_units:\n    r5 += 1\n    a3 = t1\n    r4.append(a3)"
    joined = ["a3 = i0.f_guns", "for i2 in F.n_units:", "    r5 += 1", "    r4.append(a3)"]
    assert lines_after(join_copies, text) == joined
    whole = "for i2 in F.n_units:\n    t1 = i2.f_guns\n    c3 = t1\n    if c3:\n        c3 = i2.f_x\n    r4.append(c3)"
    assert lines_after(join_copies, whole)[1:3] == ["    c3 = i2.f_guns", "    if c3:"], (
        "within one round it is the same"
    )


def test_every_pass_leaves_alone_what_it_does_not_know():
    text = "for i1 in F.n_units:\n    r2 += i1.f_x\nreturn r2"
    for one in PASSES:
        assert lines_after(one, text) == text.splitlines()


def test_each_line_keeps_its_rule_line():
    lines = [
        ("t1 = i0.f_guns", "a"),
        ("for i2 in i0.f_all:", "b"),
        ("    r3 += i2.f_x * t1", "c"),
        ("    r3 += t1", "d"),
    ]
    assert [place for _, place in optimized(lines)] == ["a", "b", "c", "d"]


def test_what_has_no_form_is_refused():
    with pytest.raises(UnknownCode):
        written(taken_in([("while t1:", None), ("    t1 = t2", None)]))
