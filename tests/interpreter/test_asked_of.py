"""What can be asked about a thing, by name: the values that the rules compute for it, and no more."""

from tests.interpreter.test_policy import KIT, game

ADDED = """\
unit gun:
  steps  number, starts 1
group mover: piece, gun
value reach of m (a mover):                                                                     [Y-1]
  3
value armour of p (a piece):                                                                    [Y-2]
  weight of p + 1
status spent of g (a gun):                                                                      [Y-3]
  when steps of g = 0
value odds of p (a piece) against g (a gun):                                                    [Y-4]
  weight of p - steps of g
value whole of firing (some pieces):                                                            [Y-5]
  sum weight of firing
value liking of p (a piece):
  weight of p
"""


def test_values_and_statuses_of_one_thing_that_cite_a_rule():
    running = game(ADDED, KIT)
    assert set(running.asked_of("piece")) == {("value", "reach"), ("value", "armour")}
    assert set(running.asked_of("gun")) == {("value", "reach"), ("status", "spent")}
    assert running.asked_of("cell") == ()


def test_they_can_be_asked():
    running = game(ADDED, KIT)
    assert [running.explain(f"{name} of red-1").value for _, name in running.asked_of("piece")] == ["3", "3"]
