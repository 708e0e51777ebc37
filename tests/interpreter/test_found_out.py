"""A thing is hidden until one of its marks reveals it: step by step, to the other sides, and it can be hidden again."""

from tests.interpreter.rulebook import ask, do, game_of

BUSHES = """\
formation staff, plural staff:
  aim number, starts 0
unit prowler, held by staff:
  looks  number, starts 4
  might  number, starts 7
  seen   mark
  studied mark
  hidden from enemy until seen: place
  hidden from enemy until studied: might, staff
order spot of p (a prowler):
  given by side of p
  p becomes seen
order study of p (a prowler):
  given by side of p
  p becomes studied
order lose-sight of p (a prowler):
  given by side of p
  seen of p becomes no
sequence game-turn:
  for each s in turn-order, as active:
    phase prowling:
      active may spot, study, lose-sight
scenario bushes "Bushes" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of staff:
    name | aim
    b-s  | 1
  forces red of staff:
    name | aim
    r-s  | 3
  forces blue of prowler:
    name | staff | in
    b-1  | b-s   | 0202
  forces red of prowler:
    name | staff | in
    r-1  | r-s   | 0303
  turn-order is red, blue
"""


def test_what_is_hidden_opens_step_by_step_and_shuts_again():
    game = game_of(BUSHES, scenario="bushes")

    def shown():
        return {t.id: t for t in game.view("blue").things}.get("r-1")

    assert shown() is None
    (told,) = [e for e in do(game, "spot r-1", "red") if e.kind == "change"]
    assert (told.to, told.text) == ("blue", "r-1 is now seen."), "its owner is not told that it was found out"
    assert (shown().place, shown().holder, shown().fields.get("looks"), shown().fields.get("might")) == (
        "0303",
        "",
        "4",
        None,
    )
    assert "seen" not in {t.id: t for t in game.view("red").things}["r-1"].fields
    do(game, "study r-1", "red")
    assert (shown().holder, shown().fields["might"]) == ("r-s", "7")
    do(game, "lose-sight r-1", "red")
    assert shown() is None


def test_a_plural_of_its_own():
    game = game_of(BUSHES, scenario="bushes")
    assert ask(game, "count staff") == 2
    assert ask(game, "sum aim of staff") == 4
    assert ask(game, "aim of staff of r-1") == 3
