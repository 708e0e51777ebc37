"""A small game with dice before and after a question, for the tests of where dice come from, on the kit of the machine's tests."""

from campaigns.play.starting import create_campaign
from tests.interpreter.rulebook import KIT

VOLLEYS = """
order shoot of r (a regiment):
  given by side of r
  side of r rolls 1d10 as shot
  strength of r becomes shot
  side of r chooses way: careful or bold
  side of r rolls 2d6 as salvo
  when salvo > 6 and way is bold:
    losses of r becomes 1
order muster of r (a regiment):
  given by side of r
  strength of r becomes strength of r + 1
  side of r rolls 1d6 as die
  side of r rolls 1d6 as die-two
  when die > 3:
    losses of r becomes 2
sequence game-turn:
  phase firing "Firing":
    sides may shoot, muster together
"""


def system(folder, text=VOLLEYS):
    """The folder of the game's system."""
    made = folder / "volleys"
    made.mkdir(exist_ok=True)
    (made / "volleys.rules").write_text(f"{KIT}\n{text}", encoding="utf-8")
    return made


def campaign_of(folder, name="c.ophex", text=VOLLEYS, **settings):
    """A campaign of the game, with seed 7 unless said otherwise."""
    return create_campaign(folder / name, f"{system(folder, text)}/meeting", **{"seed": 7, **settings})
