"""A small game for the tests of the desk: two sides plan together in secret, then move; some orders ask, some roll a die."""

from campaigns.desk.letter_intake import take_in
from campaigns.desk.letter_senders import Arrived
from campaigns.play.starting import create_campaign
from tests.interpreter.rulebook import KIT

OUTPOSTS = """\
unit spy:
  aim   number, starts 0
  pal   spy, optional
  rank  number, starts 1
  hidden from enemy: aim, pal
unit mole:
  depth number, starts 0
  hidden from enemy: place, depth
order brief of s (a spy):
  given by side of s
  refused when rank of s is 0 because "it has no rank"
  side of s chooses secretly pal-of: one of own spies except s
  side of s chooses secretly goal: a number up to 5
  pal of s becomes pal-of
  aim of s becomes goal
order aim of s (a spy) to n (a number):
  given by side of s
  refused when aim of s is n because "it aims there"
  aim of s becomes n
order step of s (a spy) to goal (a hex):
  given by side of s
  refused when there is moles in goal because "a mole is there"
  refused when goal is not next to s because "it is too far"
  move s to goal
order gamble of s (a spy):
  given by side of s
  side of s rolls 1d6 as stake
  rank of s becomes stake
order catch of s (a spy) against v (a spy):
  given by side of s
  refused when side of v is side of s because "one's own"
  remove v
sequence game-turn:
  phase plans "Plans":
    sides may brief, aim together
  phase moves "Moves":
    sides may step, gamble, catch together
scenario outposts "Outposts" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of spy:
    name | in
    b-1  | 0202
    b-2  | 0303
    b-3  | 0304
  forces red of spy:
    name | in
    r-1  | 0601
    r-2  | 0602
  forces red of mole:
    name | in
    r-m  | 0203
"""


def begun(folder, more=("", ""), **settings):
    """A campaign of the small game in a folder. more: what is written in the place of some lines."""
    (folder / "outposts.rules").write_text(f"{KIT}\n{OUTPOSTS}".replace(*more) if more[0] else f"{KIT}\n{OUTPOSTS}")
    return create_campaign(folder / "outposts.ophex", str(folder / "outposts"), **{"seed": 4, **settings})


def arrived(side, *lines, file=""):
    """A letter of a side."""
    return Arrived(file or f"{side}.txt", "\n".join(lines).encode(), side)


def sent(campaign, *letters, **settings):
    """What becomes of letters."""
    return take_in(campaign, letters, **settings)


def texts(campaign):
    """Who gave what, on the way to where the campaign stands."""
    way = campaign.between(0, campaign.head)
    return [(one.side, one.kind, one.text) for one in (campaign.entry(number).input for number in way)]
