"""A small game for the tests of battles at a table: one in a procedure, one about a marker; forces with parts, and hidden things."""

from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input

SKIRMISHES = """\
system skirmishes "Skirmishes" version 1.0
place hex, on hex grid:
  terrain  one of open or woods
  road     link
unit gun:
  strength number
  hurt     mark
  plan     number, starts 0
  hidden from enemy: plan
component wheel, part of gun:
  spokes   number, starts 8
unit scout:
  wits     number, starts 2
  hidden from enemy: place, wits
marker siege:
  besieger side
  ready    mark
list guns of gun:
  name  | strength | wheels
  heavy | 4        | 2 rim
  light | 2        | --
list wheels of wheel:
  name | spokes
  rim  | 10
map field "Field" of hex, 6 by 5, even columns low:
  letters:
    letter | terrain
    .      | open
    w      | woods
  grid:
    01 | . . . . . .
    02 | . w . . . .
    03 | . . w . . .
    04 | . . . . . .
    05 | . . . . . .
  named:
    hex  | name
    0303 | Mill <b>Wood</b>
  road along 0101 to 0601
procedure fight of attackers (some guns) against target (a hex):
  let attacker be side of first attackers
  let defenders be guns in target
  step facing
  each side rolls 1d6 as die
  tell sides "It is fought with dice: {}." with die of attacker
rule at-table after step facing:
  attacker chooses fought: here or at-table
  when fought is at-table:
    let involved be attackers together with defenders
    each u in involved chooses outcome "What became of <i>each</i>?": unhurt or damaged or destroyed
    attacker chooses ground-held: yes or no
    each u in involved chooses wheels-lost: some of wheels of u
    for each u in involved:
      u becomes hurt when outcome of u is damaged
      remove (wheels-lost of u)
      remove u when outcome of u is destroyed
    stop fight because "it was fought at a table"
tabletop field-fight in fight:
  story "The fight for {}" with target
  forces attackers, defenders, scouts within 1 of target as onlookers
  ground hexes within 1 of target
  relate terrain of target as terrain, sum strength of attackers as power, sum plan of defenders as intent
  results outcome, ground-held, wheels-lost
procedure judge of x (a siege):
  besieger of x chooses days: a number up to 9
  for each s in sides:
    s chooses medals: some of guns (where side of it is s and it is not hurt)
    medals becomes hurt when there is medals
  remove x
tabletop town-siege of x (a siege):
  story "The siege {}" with place of x
  when x is ready
  forces guns within 2 of x as guns
  results days, medals
order attack of u (an own gun) against h (a hex):
  refused when h is not next to u because "it is too far"
  do fight with u as attackers and h as target
order prepare of x (a siege):
  given by besieger of x
  x becomes ready
order storm of x (a siege):
  given by besieger of x
  refused when x is not ready because "it is not ready"
  do judge with x as x
order think of u (an own gun):
  plan of u gains 1 points
sequence game-turn:
  phase shots "Shots":
    sides may attack, prepare, storm, think together
scenario one "One <i>day</i>" on field:
  side red "Red" red
  side blue "Blue" blue
  forces red of gun:
    name | type  | in   | title
    a    | heavy | 0202 | "Long <b>Tom</b>"
    b    | light | 0202 | --
  forces blue of gun:
    name | type  | in   | plan
    x    | heavy | 0303 | 5
    y    | light | 0303 | 1
  forces blue of scout:
    name | in
    sly  | 0304
  forces nobody of siege:
    name | besieger | in
    s-1  | red      | 0302
  end game when turn > 3 because "three days are over"
"""


def system(folder, text=SKIRMISHES):
    """The folder of the game's system."""
    made = folder / "skirmishes"
    made.mkdir(exist_ok=True)
    (made / "skirmishes.rules").write_text(text, encoding="utf-8")
    return made


def campaign_of(folder, name="c.ophex", **settings):
    """A campaign of the game."""
    return create_campaign(folder / name, f"{system(folder)}/one", **{"seed": 7, **settings})


def at_the_table(campaign):
    """The campaign with a fight for 0303 at a table: a attacks x and y."""
    campaign.offer(Input("do", "red", "attack a against 0303"))
    campaign.offer(Input("answer", "red", "at-table", "fought"))
    return campaign
