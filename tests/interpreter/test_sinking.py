"""The code emitted for a loop: names are computed where they are read, and only there."""

from interpreter.codegen.passes.sink_names import sink_names
from tests.interpreter.passing import lines_after, plain


def lines(text: str) -> list[str]:
    return lines_after(sink_names, text)


def test_a_name_that_one_arm_reads_is_worked_out_there() -> None:
    assert lines("""
for i1 in a0:
    t2 = i1.f_guns
    t3 = i1.f_losses
    if t2:
        a4 = t2 * t3
        a5 = t3
""") == plain(["for i1 in a0:", "    t2 = i1.f_guns", "    if t2:", "        t3 = i1.f_losses", "        a4 = t2 * t3", "        a5 = t3"])  # fmt: skip


def test_a_name_that_is_read_once_is_not_kept() -> None:
    assert lines("t1 = i0.f_arm\nif (t1 == 'tank'):\n    a2 = 1") == plain(["if (i0.f_arm == 'tank'):", "    a2 = 1"])
    assert lines("t1 = x or y\na2 = not t1") == plain(["a2 = not (x or y)"])


def test_what_two_arms_or_a_head_read_stays() -> None:
    two = "t1 = i0.f_arm\nif a2:\n    a3 = t1\nelse:\n    a3 = t1 + t1"
    assert lines(two) == plain(two.splitlines())
    later = "t1 = i0.f_arm\nif a2:\n    a3 = t1\na4 = t1"
    assert lines(later) == plain(later.splitlines())


def test_nothing_is_moved_into_a_loop_or_past_a_change() -> None:
    loop = "t1 = v_cost(i0)\nfor i2 in a3:\n    a4 += t1\n    a5 += t1"
    assert lines(loop) == plain(loop.splitlines())
    changed = "t1 = a2 + 1\na2 += 1\nif a2:\n    a3 = t1\n    a4 = t1"
    assert lines(changed) == plain(changed.splitlines())


def test_what_hangs_on_the_side_goes_along() -> None:
    assert lines("""
s9 = UNSET
for i1 in a0:
    s2 = i1.side
    if s2 is not s9:
        s9 = s2
        t3 = v_letter(F, s2)
    if i1.f_guns:
        a4 = t3 + t3
""") == plain([
        "s9 = UNSET", "for i1 in a0:", "    if i1.f_guns:", "        s2 = i1.side", "        if s2 is not s9:", "            s9 = s2",
        "            t3 = v_letter(F, s2)", "        a4 = t3 + t3",
    ])  # fmt: skip


def test_nothing_is_added_where_there_is_nothing() -> None:
    assert lines("if a1:\n    a1 *= 2\nr0 += a1") == plain(["if a1:", "    a1 *= 2", "    r0 += a1"])
    other = "if a1:\n    a1 *= 2\nr0 += a2"
    assert lines(other) == plain(other.splitlines())
