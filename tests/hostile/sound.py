"""A small system with something of everything, as a starting point for hostile texts."""

NAMED = 'system s "S" version 1.0\n'
SOUND = """enum stance: ready, dug-in, moving
group still of stance: ready, dug-in
scale column: 1:2 < 1:1 < 2:1
rating gun:
  written "<plus:+><value><letter>"
  written "<value>"
  value  number
  letter one of L or H, optional
  plus   mark
formation company:
  stance stance, starts ready
unit tank, held by company:
  strength number
  gun      gun, optional
  losses   0 .. 3, starts 0
  aroused  mark
  hidden from enemy: aroused
unit ship:
  hull     track
component turret, part of ship:
  strength number
list ships of ship:
  name | hull | turrets
  hulk | 9    | 2 twin, mono
list turrets of turret:
  name | strength
  twin | 2
  mono | 1
value guns of s (a ship):
  start with sum strength of turrets of s
  times hull of s
  divided by full hull of s
place hex, on hex grid:
  height number
  road   link
campaign game:
  turn-order list of side
list tanks of tank:
  name  | strength | gun
  tiger | 6        | +88H
table crt by 1d6 and column, exactly one row:
  1d6 kept within 1 .. 6
  cells attacker-loss, defender-loss
  1d6 || 1:2  | 1:1  | 2:1
  1   || 40,0 | 20,0 | 0,0
  2   || 40,0 | 20,0 | 0,10
  3   || 40,0 | 20,0 | 0,20
  4   || 40,0 | 20,0 | 0,30
  5   || 40,0 | 20,0 | 0,40
  6   || 40,0 | 20,0 | 0,50
value weight of u (a tank):
  start with strength of u
  halved when losses of u > 1 because "losses"
  plus value of gun of u else 0 when there is gun of u
  rounded down
status ready-to-go of u (a tank):
  when stance of company of u is still and u is not aroused
path way of u (a tank):
  from place of u
  at most 4 points
  entering h (a hex) costs 1/2 when crossing is road
  entering h (a hex) costs 1
  never into h (a hex) when there is enemy tanks in h because "held"
path trace of u (a tank):
  from place of u
  leg all: at most 5 hexes, until it is on road
order march of u (a tank) to goal (a hex):
  given by side of u
  refused when u is not ready-to-go because "it is not ready"
  reaching goal by way of u
  move u to goal
order strike of u (a tank) against target (a hex):
  given by side of u
  refused when there is no trace of u because "it is cut off"
  do battle with u as attackers and target as target
procedure battle of attackers (some tanks) against target (a hex):
  let attacker be active
  let defender be foe of attacker
  let defenders be enemy tanks in target
  defender chooses joiners: some of own tanks next to target
  each u in attackers chooses firing: ready or moving
  each side rolls 1d6 as die
  let odds-now be column for (odds of sum weight of attackers to sum weight of defenders) rounded down
  let cell be crt at (die of attacker, odds-now)
  repeat at most 3 times while there is joiners:
    for each u in defenders together with joiners:
      u becomes aroused until end of moving
      losses of u becomes 1 when defender-loss of cell > 10
  when attacker-loss of cell > 20:
    remove attackers because "lost"
  otherwise:
    tell attacker "Lost: {}" with attacker-loss of cell
rule night adds to weight of u (a tank):
  1 when turn > 3 because "night"
sequence game-turn:
  for each s in turn-order, as active:
    phase moving:
      active may march, strike
map plain "Plain" of hex, 4 by 3:
  letters:
    letter | height
    .      | 1
  road along 0101 to 0401
scenario one "One" on plain:
  side red "Red" red
  side blue "Blue" blue
  forces red of company:
    name | stance
    co-a | ready
  forces red of tank:
    name | type  | company | in
    t-1  | tiger | co-a    | 0101
  forces blue of ship:
    name | type | in   | turrets
    s-1  | hulk | 0401 | mono
  forces blue of turret:
    name | type | ship
    aft  | twin | s-1
  turn-order is red, blue
  end game when turn > 6 because "over"
"""
