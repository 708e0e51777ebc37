"""The structure of a composed expression."""

import pytest

from interpreter.codegen.shapes import (
    ComparedShape,
    are_apart,
    calls_in,
    compared,
    is_bare,
    is_named_once,
    is_of_the_game,
    negated,
    rests_on_late,
)


@pytest.mark.parametrize(
    "test, other",
    [
        ("(t1 == K_2)", "(t1 != K_2)"),
        ("(t1 is not None)", "(t1 is None)"),
        ("(t1 in K_2)", "(t1 not in K_2)"),
        ("(t1 > 3)", "(not (t1 > 3))"),
        ("(t1 if t2 is None else t3)", "(not (t1 if t2 is None else t3))"),
        ("(t1 == (t2 is t3))", "(t1 != (t2 is t3))"),
        ("t1 is t2 is t3", "(not t1 is t2 is t3)"),
    ],
)
def test_the_opposite_of_a_test(test, other):
    assert negated(test) == other
    for t1 in (1, 2, 4):
        names = {"t1": t1, "t2": 2, "t3": 2, "K_2": 2}
        if " in " not in test:
            assert bool(eval(negated(test), names)) is not bool(eval(test, names))


def test_a_comparison_is_of_a_name_with_a_number_or_a_word():
    assert compared("(a1 == K_7)") == ComparedShape("a1", "==", "K_7")
    assert compared("(a1 >= -2)") == ComparedShape("a1", ">=", -2)
    assert compared("(a1 == t2)") is None
    assert compared("(a1.f_x == 3)") is None
    assert compared("(1 < a1 < 3)") is None


@pytest.mark.parametrize(
    "before, test, apart",
    [
        (["(t1 == 1)"], "(t1 == 2)", True),
        (["(t1 == 1)", "(t1 == 2)"], "(t1 >= 3)", True),
        (["(t1 == 3)"], "(t1 >= 3)", False),
        (["(t1 >= 3)"], "(t1 == 1)", False),
        (["(t1 == K_1)"], "(t1 == K_2)", True),
        (["(t1 == K_1)"], "(t1 == K_1)", False),
        (["(t1 == 1)"], "(t2 == 2)", False),
        (["(t1 == 1)", None], "(t1 == 2)", False),
        (["(a9 == 1)"], "(a9 == 2)", False),
    ],
)
def test_tests_that_cannot_both_hold(before, test, apart):
    assert are_apart(before, test, "a9") is apart


def test_what_is_asked_of_a_text():
    assert is_bare("t1")
    assert is_bare("30")
    assert not is_bare("t1.f_x")
    assert rests_on_late("(t1 + z22)")
    assert not rests_on_late("(t1 + t2.z22)")
    assert is_of_the_game("F.n_units")
    assert not is_of_the_game("t1.n_units")
    assert not is_of_the_game("F.n_units[t1]")
    assert is_named_once("(not t4)")
    assert not is_named_once("(not a4)")
    assert calls_in("divide(v_x(t1), W.foe(t2))") == {"divide", "v_x", "W.foe"}
