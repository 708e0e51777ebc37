"""A small game whose rules are amended in the tests: a table, a value, an order that may ask, and something hidden."""

import tempfile
from functools import cache
from pathlib import Path

from campaigns.amending.proposing import proposed
from campaigns.play.starting import create_campaign, open_campaign
from interpreter.messages.inputs import Input
from tests.interpreter.rulebook import KIT

TABLE = """\
table harm by 1d6, exactly one row:                              [AM-1]
  1d6 || harm
  1   || 0
  2   || 0
  3   || 0
  4   || 1
  5   || 1
  6   || 2
"""
REACH = """\
value reach-of-fire of r (a regiment):                           [AM-2]
  start with 3
"""
ORDERS = """\
order shoot of r (a regiment) against v (a regiment):                 [AM-3]
  given by side of r
  refused when r is tired because "it has fired"
  refused when side of v is side of r because "it is a friend"
  refused when distance from place of r to place of v > reach-of-fire of r because "too far away"
  side of r rolls 1d6 as shot
  r becomes tired until end of turn
  losses of v becomes lowest (losses of v + (harm at shot), 3)
order rally of r (a regiment):                                   [AM-4]
  given by side of r
  side of r chooses mood: fair or high
  morale of r becomes mood
order drill of r (a regiment):
  given by side of r
  r becomes tired until end of turn
sequence game-turn:
  for each s in turn-order, as active:
    phase firing "Firing":
      active may shoot, rally, drill
"""
SPIES = """\
marker spy:
  purse  number, starts 1
  hidden from enemy: place, purse
"""
BORDER = """\
scenario border "The border" on field:
  side blue "The Blues" blue
  side red "The Reds" red
  forces blue of corps:
    name | posture
    b1   | holding
  forces red of corps:
    name | posture
    r1   | marching
  forces blue of regiment:
    name | corps | in   | strength | armor
    a    | b1    | 0202 | 7        | --
    b    | b1    | 0203 | 4        | 5
  forces red of regiment:
    name | corps | in   | strength | armor
    x    | r1    | 0303 | 5        | --
    y    | r1    | 0304 | 3        | 2
  forces blue of spy:
    name | in
    s1   | 0304
  turn-order is blue, red
  end game when turn > 30 because "peace"
"""
FILES = {
    "kit.rules": KIT,
    "table.rules": TABLE,
    "reach.rules": REACH,
    "orders.rules": ORDERS,
    "spies.rules": SPIES,
    "border.rules": BORDER,
}
HARMLESS = TABLE.replace("  4   || 1", "  4   || 0").replace("  6   || 2", "  6   || 1")
"""Fours do no harm any more, sixes less."""


def system(folder, files=FILES, name="border-war"):
    """The folder of the game's system."""
    made = folder / name
    made.mkdir(exist_ok=True)
    for file, text in files.items():
        (made / file).write_text(text, encoding="utf-8")
    return made


def campaign_of(folder, name="c.ophex", files=FILES, **settings):
    """A campaign of the game, dice typed unless said otherwise."""
    path = folder / name
    path.write_bytes(_begun(tuple(files.items()), tuple({"seed": 7, "dice": "typed", **settings}.items())))
    return open_campaign(path)


@cache
def _begun(files, settings):
    """The file of a campaign that has just been begun."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        create_campaign(folder / "c.ophex", f"{system(folder, dict(files))}/border", **dict(settings)).close()
        return (folder / "c.ophex").read_bytes()


def text_of(folder, **changes):
    """The path of a rule file with one text, by the name of the file without its ending."""
    ((name, text),) = changes.items()
    home = folder / "amended"
    home.mkdir(exist_ok=True)
    (home / f"{name}.rules").write_text(text, encoding="utf-8")
    return home / f"{name}.rules"


def proposal_of(campaign, folder, **changes):
    """An amended text for a campaign."""
    return proposed(campaign, text_of(folder, **changes))


def do(side, text):
    return Input("do", side, text)


def roll(faces):
    return Input("roll", "umpire", str(faces))


def turn(*shots, rally=""):
    """A turn: blue's shots with the faces that fell, then red is done."""
    out = []
    for text, face in shots:
        out += [do("blue", f"shoot {text}"), roll(face)]
    if rally:
        out += [do("blue", f"rally {rally}"), Input("answer", "blue", "high", "mood")]
    return [*out, do("blue", "done"), do("red", "done")]


def play(campaign, *inputs):
    """Gives inputs one after the other; what the last brought about."""
    told = []
    for one in inputs:
        told = campaign.offer(one)
    return told


def losses(campaign, name):
    """What a regiment has lost."""
    return campaign.game.explain(f"losses of {name}").value
