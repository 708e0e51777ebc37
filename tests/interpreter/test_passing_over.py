"""The code emitted for sums over a set: the lines from them to their total are skipped if the set is empty."""

from interpreter.codegen.passes.skip_empty_sums import skip_empty_sums
from tests.interpreter.passing import lines_after, plain


def lines(text: str) -> list[str]:
    return lines_after(skip_empty_sums, text)


SUMS = """
a1 = 0
a2 = 0
for i3 in i0.f_infantry:
    t4 = i3.f_value
    if i3.f_heavy:
        a1 += t4
    else:
        a2 += t4
t5 = i0.f_losses
if a1:
    if (t5 == K_1):
        a1 *= 2
a6 = ((a1 * 4) + a2)
if a6:
    a6 *= t5
r7 += a6
"""


def test_a_total_of_an_empty_set_is_nothing():
    found = lines(SUMS)
    assert found[:5] == plain(["a1 = 0", "a2 = 0", "a6 = 0", "if i0.f_infantry:", "    for i3 in i0.f_infantry:"])
    assert found[-3:] == plain(["    if a6:", "        a6 *= t5", "r7 += a6"])


def test_what_is_read_elsewhere_or_not_0_is_not_passed_over():
    read = SUMS + "r8 += t5\n"
    assert lines(read) == plain(read.strip("\n").splitlines())  # t5 is given by the first line after the loop
    more = lines(SUMS.replace("+ a2)", "+ a2 + 1)"))
    assert more[-4:] == plain(["a6 = ((a1 * 4) + a2 + 1)", "if a6:", "    a6 *= t5", "r7 += a6"])
    begun = SUMS.replace("a1 = 0\n", "a1 = 1\n", 1)
    assert lines(begun) == plain(begun.strip("\n").splitlines())
