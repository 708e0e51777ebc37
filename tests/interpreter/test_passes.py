"""The shorter passes of the optimiser: tests made once, copies left out, names that start together."""

import pytest

from interpreter.codegen.emitted_code import UnknownCode
from interpreter.codegen.form_text import taken_in, written
from interpreter.codegen.optimizing import PASSES, optimized
from interpreter.codegen.passes.choose_once import choose_once
from interpreter.codegen.passes.join_copies import join_copies
from interpreter.codegen.passes.share_tests import share_tests
from interpreter.codegen.passes.start_together import start_together
from tests.interpreter.passing import lines_after, plain


def test_a_test_that_stands_often_is_asked_once_where_its_name_is_given():
    asked = "t1 = i0.f_arm\nif t1 == K_2:\n    a3 = 1\nif t1 == K_2:\n    a4 = 1\nif {}:\n    a5 = 1"
    found = lines_after(share_tests, asked.format("t1 == K_2"))
    assert found[:3] == ["t1 = i0.f_arm", "u0 = t1 == K_2", "if u0:"]
    assert sum("K_2" in line for line in found) == 1
    twice = asked.format("t1 == K_3")
    assert lines_after(share_tests, twice) == plain(twice.splitlines())


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


def test_names_that_begin_alike_begin_in_one_line():
    assert lines_after(start_together, "a1 = 0\na2 = 0\na3 = None") == ["a1 = a2 = 0", "a3 = None"]
    other = "a1 = 1\na2 = 1\na3 = 0\na4 = False"
    assert lines_after(start_together, other) == other.splitlines(), "0 and False are not the same"


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


STANCE = "{0}if t2 == K_1:\n{0}    a{1} = K_3\n{0}else:\n{0}    a{1} = t4\n"


def test_a_choice_that_two_arms_make_alike_is_made_once_before_them():
    text = "t2 = i0.f_stance\nt4 = i0.f_order\nif a8:\n" + STANCE.format("    ", 5) + "    a8 *= t9[a5]\nif a7:\n"
    text += STANCE.format("    ", 6) + "    a7 *= t9[a6]"
    assert lines_after(choose_once, text) == [
        "t2 = i0.f_stance",
        "t4 = i0.f_order",
        "if t2 == K_1:",
        "    a5 = K_3",
        "else:",
        "    a5 = t4",
        "if a8:",
        "    a8 *= t9[a5]",
        "if a7:",
        "    a7 *= t9[a5]",
    ]


def test_a_choice_stays_where_it_is_if_it_could_come_to_something_else_before():
    arms = (
        "if a8:\n"
        + STANCE.format("    ", 5)
        + "    a8 *= t9[a5]\nif a7:\n"
        + STANCE.format("    ", 6)
        + "    a7 *= t9[a6]"
    )
    alone = f"if a8:\n{STANCE.format('    ', 5)}    a8 *= t9[a5]"
    changed = arms + "\n    a6 *= 2"
    late = arms.replace("if a8:\n", "if a8:\n    t2 = i0.f_stance\n").replace(
        "if a7:\n", "if a7:\n    t2 = i0.f_other\n"
    )
    fails = arms.replace("t4", "i0.f_order")
    for text in (alone, changed, late, fails):
        assert lines_after(choose_once, text) == text.split("\n")


def test_a_choice_is_made_within_the_loop_whose_item_it_reads():
    loop = "for i0 in F.n_units:\n    t2 = i0.f_stance\n    t4 = i0.f_order\n    if r8:\n{}        r8 += a5\n    if r7:\n{}        r7 += a6"
    text = loop.format(STANCE.format("        ", 5), STANCE.format("        ", 6))
    found = lines_after(choose_once, text)
    assert found[3:7] == STANCE.format("    ", 5).splitlines()
    assert found[7:] == ["    if r8:", "        r8 += a5", "    if r7:", "        r7 += a5"]
