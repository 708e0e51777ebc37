"""The code emitted for sets: loops go through them directly, and Python itself finds their most extreme word."""

import re

import pytest

from interpreter.codegen.passes.go_through_in_place import go_through_in_place
from tests.interpreter.passing import lines_after, plain
from tests.interpreter.rulebook import game_of, readable, story
from tests.interpreter.test_emit import every_way


def lines(text):
    return lines_after(go_through_in_place, text)


@pytest.fixture
def game(request):
    return game_of(story(request.function))


def test_a_list_that_is_made_for_a_loop_alone_is_not_made():
    assert lines("""
for i1 in ([x for x in F.n_target.things if x.kind == K_2 and x.side is not l_s]):
    if i1.f_x:
        r3 += 1
r3 += 1
""") == plain([
        "for i1 in F.n_target.things:", "    if i1.kind == K_2 and i1.side is not l_s:", "        if i1.f_x:",
        "            r3 += 1", "r3 += 1",
    ])  # fmt: skip
    assert lines("""
if t1:
    for i2 in ([x for p in next_to(l_h) for x in p.things if x.kind == K_2]):
        for i3 in ([x for x in W.all_of(K_4) if x.side is t5]):
            if t6:
                r7 += 1
                break
    r7 += 2
""") == plain([
        "if t1:", "    for i2 in ([x for p in next_to(l_h) for x in p.things if x.kind == K_2]):",
        "        for i3 in W.all_of(K_4):", "            if i3.side is t5:", "                if t6:", "                    r7 += 1",
        "                    break", "    r7 += 2",
    ])  # fmt: skip
    assert lines("for i2 in ([x for p in next_to(l_h) for x in p.things if x.kind == K_2]):\n    r7 += 1") == plain([
        "for p in next_to(l_h):", "    for i2 in p.things:", "        if i2.kind == K_2:", "            r7 += 1",
    ])  # fmt: skip
    named = "r1 = [x for x in l_h.things if x.kind == K_2]\nfor i3 in r1:\n    r4 += 1"
    assert lines(named) == plain(named.splitlines())


def test_what_stands_in_places_is_counted_summed_and_left_at_the_first(game):
    """
    value crowd of h (a hex):
      start with sum strength of (regiments in h)
    value neighbours of u (a regiment):
      start with sum strength of (regiments next to u)
    status strong of u (a regiment):
      when strength of u > 6
    status strong-next of u (a regiment):
      when any regiments next to u is strong
    value crowds:
      start with sum crowd of hexes
    value near:
      start with sum neighbours of regiments
      plus count of regiments (where it is strong-next)
    """
    assert every_way(game, "crowd of 0202") == 7
    assert every_way(game, "crowds") == 7 + 4 + 5 + 3 + 9
    # 0202 (a 7), 0203 (b 4) and 0303 (x 5) touch one another; the others stand alone
    assert [every_way(game, f"neighbours of {u}") for u in "abxyz"] == [4 + 5, 7 + 5, 7 + 4, 0, 0]
    assert [bool(every_way(game, f"{u} is strong-next")) for u in "abxyz"] == [False, True, True, False, False]
    assert every_way(game, "near") == 9 + 12 + 11 + 2
    text = readable(game.program)
    assert ".things:" in text
    assert not re.search(r"for i\d+ in \[x for x in \S+\.things", text)


FURTHEST = """
procedure muster:
  let ones be regiments (where strength of it > 4)
order go of u (a regiment):
  do muster
value moods of s (a side) in muster:
  start with morale of ones
value spirit of s (a side) in muster:
  let above be (moods of s) (where it > low)
  highest above when there is above
  otherwise lowest moods of s
"""


def test_the_furthest_of_words_none_of_which_is_absent_is_found_by_their_ranks():
    game = game_of(FURTHEST)
    world = game.world
    world.frames["procedure muster"] = frame = world.frame("procedure muster", world.all_of("side")[0], None)
    for given, wanted in ({"a": "low", "x": "low"}, "low"), ({"a": "elite", "x": "fair"}, "elite"), ({}, None):
        frame.n_ones = [u for u in world.all_of("regiment") if u.id in given]
        for u in frame.n_ones:
            u.f_morale = given[u.id]
        assert every_way(game, "spirit of blue") == wanted
    text = readable(game.program)
    assert "max(r2, key=R_morale.get, default=None)" in text
    assert "min(" in text.split("max(r2, key=R_morale.get")[1][:200]
