"""The code emitted for a loop: no test is repeated that a line before or a test around it has answered."""

import itertools
from types import SimpleNamespace

import pytest

from interpreter.codegen.passes.settle_tests import settle_tests
from tests.interpreter.passing import lines_after, plain


def lines(text: str) -> list[str]:
    return lines_after(settle_tests, text)


MISSILES = """
t1 = i0.f_missiles
if (t2 in K_3):
    a4 = (0 if t1 is None else t1.f_value)
else:
    a4 = 0
t5 = i0.f_losses
if a4:
    if (t2 in K_3):
        a6 = (None if t1 is None else t1.f_class)
    else:
        a6 = None
    a7 = 2
    if t5:
        a7 = 1
    if a7:
        if (a6 == t2):
            a7 = 0
    a4 *= a7
r8 += a4
"""


def test_what_is_done_with_a_result_stands_in_the_one_arm_that_gives_it():
    assert lines(MISSILES) == plain([
        "t1 = i0.f_missiles", "a4 = 0", "t5 = i0.f_losses", "if (t2 in K_3):", "    a4 = (0 if t1 is None else t1.f_value)",
        "    if a4:", "        a6 = t1.f_class", "        a7 = 2", "        if t5:", "            a7 = 1", "        if (a6 == t2):",
        "            a7 = 0", "        a4 *= a7", "r8 += a4",
    ])  # fmt: skip


@pytest.mark.parametrize(
    "missiles", [None, SimpleNamespace(f_value=0, f_class="b"), SimpleNamespace(f_value=3, f_class="b")]
)
def test_both_ways_come_to_the_same(missiles):
    for fires, losses in itertools.product(("a", "b", "c"), (True, False)):
        found = []
        for text in (MISSILES, "\n".join(lines(MISSILES))):
            names = {
                "i0": SimpleNamespace(f_missiles=missiles, f_losses=losses),
                "t2": fires,
                "K_3": {"a", "b"},
                "r8": 5,
            }
            exec(text, names)
            found.append((names["r8"], names["a4"]))
        assert found[0] == found[1]


def test_a_result_that_only_its_arm_reads_is_nothing_nowhere():
    assert lines("if t1:\n    a2 = t3\nelse:\n    a2 = None\nif (a2 is not None):\n    r4.append(a2)") == plain([
        "if t1:", "    a2 = t3", "    if (a2 is not None):", "        r4.append(a2)",
    ])  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "if t1:\n    a2 = t3\nelse:\n    a2 = 1\nif a2:\n    r4 += a2",  # the other arm gives something
        "if t1:\n    a2 = t3\nelif t5:\n    a2 = t6\nelse:\n    a2 = 0\nif a2:\n    r4 += a2",  # two arms do
        "if t1:\n    a2 = t3\nelse:\n    a2 = 0\na2 += 1\nif a2:\n    r4 += a2",  # it is changed in between
        "if t1:\n    a2 = t3\nelse:\n    a2 = 0\nif a2:\n    r4 += a2\nelse:\n    r4 += 1",  # nothing leads somewhere too
        "if t1:\n    a2 = t3\nelse:\n    a2 = None\nif a2:\n    r4 += a2",  # another test than for that nothing
    ],
)
def test_other_results_stay_where_they_are(text):
    assert lines(text) == plain(text.splitlines())


def test_a_test_within_itself_is_decided():
    assert lines("if (t1 == K_2):\n    if (t1 == K_2):\n        a3 = 1\n    else:\n        a3 = 2") == plain([
        "if (t1 == K_2):", "    a3 = 1",
    ])  # fmt: skip
    failed = (
        "if t1:\n    a2 = 1\nelse:\n    if t1:\n        a2 = 2\n    elif t3:\n        a2 = 3\n    else:\n        a2 = 4"
    )
    assert lines(failed) == plain(["if t1:", "    a2 = 1", "elif t3:", "    a2 = 3", "else:", "    a2 = 4"])
    changing = "if (a1 == K_2):\n    a1 = K_3\n    if (a1 == K_2):\n        a4 = 1"
    assert lines(changing) == plain(changing.splitlines())


def test_a_number_that_was_given_is_not_asked_whether_it_is_0():
    halved = "a1 = 2\nif t2:\n    a1 = {}\nif a1:\n    a1 *= t3"
    assert lines(halved.format(1)) == plain(["a1 = 2", "if t2:", "    a1 = 1", "a1 *= t3"])
    for other in ("0", "t4"):
        assert lines(halved.format(other)) == plain(halved.format(other).splitlines())
    more = "a1 = 2\na1 -= t2\nif a1:\n    a1 *= t3"
    assert lines(more) == plain(more.splitlines())
    longer = "a11 = 0\na1 = 2\nif a11:\n    a1 *= t3"
    assert lines(longer) == plain(longer.splitlines())


def test_what_is_perhaps_absent_is_asked_until_it_is_shown_to_be_there():
    other = "a1 = (0 if t2 is None else t2.f_value)\nif a1:\n    a3 = (None if t4 is None else t4.f_class)"
    assert lines(other) == plain(other.splitlines())
    outside = "a1 = (0 if t2 is None else t2.f_value)\nif t5:\n    a3 = (None if t2 is None else t2.f_class)"
    assert lines(outside) == plain(outside.splitlines())
    one = "a1 = (1 if t2 is None else t2.f_value)\nif a1:\n    a3 = (None if t2 is None else t2.f_class)"
    assert lines(one) == plain(one.splitlines())


def test_whether_anything_is_in_a_list_python_asks_itself():
    assert lines("if bool(r1):\n    a2 = r1\nelif (t3 and (not bool(r4))):\n    a2 = r4") == plain([
        "if r1:", "    a2 = r1", "elif (t3 and (not r4)):", "    a2 = r4",
    ])  # fmt: skip
