"""A small game of guns whose odds can be computed on paper, and campaigns of it."""

from campaigns.play.starting import create_campaign
from tests.interpreter.rulebook import KIT

GUNNERY = """
unit gun:
  hits   number, starts 3
  nerve  number, starts 4
  hidden from enemy: nerve
value counter-shows of g (a gun) = hits of g
value score-shows of s (a side) = count (guns (where side of it is s))
table effects by die:
  die kept within 1 .. 6
  die     || loss
  1 .. 3  || 0
  4 .. 5  || 1
  6       || 3
value sureness of g (a gun):
  start with 0
  plus 1 when hits of g >= 3 because "it is whole"
procedure shot of g (a gun) against t (a gun):
  story "{} at {}" with g, t
  relate sureness of g as sureness
  side of g rolls 1d6 as die
  let loss be effects at (die + sureness of g)
  relate loss
  tell sides "The shell does {}." with loss
  hits of t loses loss points
  when hits of t <= 0:
    remove t because "shot to pieces"
order shell of g (an own gun) against t (an enemy gun):
  refused when hits of g <= 1 because "it is silenced"
  do shot with g as g and t as t
order barrage of g (an own gun) against t (an enemy gun):
  repeat at most 8 times while hits of t > 1:
    side of g rolls 1d6 as shell-die
    hits of t loses 1 points when shell-die = 6
order parley of g (an own gun) against t (an enemy gun):
  side of g rolls 1d6 as offer-die
  side of t chooses reply: yield or fight
  side of g rolls 1d6 as last-die
order scare of g (an own gun) against t (an enemy gun):
  side of g rolls 1d6 as roar
  hits of t loses 1 points when roar > nerve of t
order pick of g (an own gun):
  let hits-due be 2
  side of g chooses victim: one of own guns
  side of g rolls 1d6 as pick-die
  hits of victim loses hits-due points when pick-die >= 5
order stray of g (an own gun):
  side of g rolls one of (guns (where side of it is not side of g)) as struck
  side of g rolls 1d6 as hit-die
  hits of struck loses 1 points when hit-die = 6
order steady of g (an own gun):
  side of g rolls 1d6 as calm-die
  nerve of g becomes calm-die
value appeal-of-victim of v (a gun) = 10 - hits of v
sequence game-turn:
  phase fire "Fire":
    sides may shell, barrage, parley, scare, pick, stray, steady together
scenario battery "Two batteries" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of gun:
    name | in   | hits
    b-1  | 0202 | 3
    b-2  | 0303 | 2
  forces red of gun:
    name | in   | nerve
    r-1  | 0601 | NERVE
    r-2  | 0602 | 4
"""


LATER = """
marker lying:
  gun   gun
  goal  gun
order lay of g (an own gun) against t (an enemy gun):
  put l (a lying, gun g, goal t)
procedure let-fly:
  for each l in lyings:
    let struck be side of goal of l
    struck chooses lookout: one of guns (where side of it is struck)
    do shot with gun of l as g and goal of l as t
sequence game-turn:
  phase laying "Laying":
    sides may lay together
  phase asking "Asking":
    sides may parley alternately
  phase flying "Flying": do let-fly
"""
"""Guns that are laid in one phase and fire in another; between them sides may do something else."""


def battery(folder, *, nerve=4, seed=7, dice="seeded", name="c", turn=""):
    """A campaign of it. nerve: what nobody but red knows of r-1; turn: another sequence, with what it needs."""
    rules = folder / f"rules-{nerve}"
    rules.mkdir(exist_ok=True)
    text = GUNNERY.replace("NERVE", str(nerve))
    if turn:
        before, _, after = text.partition("sequence game-turn:")
        text = f"{before}{turn}scenario{after.partition('scenario')[2]}"
    (rules / "guns.rules").write_text(f"{KIT}\n{text}", encoding="utf-8")
    return create_campaign(folder / f"{name}.ophex", f"{rules}/battery", seed=seed, dice=dice)
