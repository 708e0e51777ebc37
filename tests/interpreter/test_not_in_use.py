"""An order that is refused because an option or module is not in use: the hint names it, and how it is put to use."""

import pytest

from interpreter.messages.inputs import Input, Refused
from tests.interpreter.rulebook import game_of

RULES = """\
module mines "Mines", default off
module peace "Peace", default off
option forced "Forced marches": no, yes; default no
option pace "Pace": slow, fast, reckless; default slow
order press of u (a regiment):
  given by side of u
  refused when forced is no because "forced marches are not in use"
  refused when pace is slow and u is tired because "the tired do not press on at this pace"
  refused when u is tired because "it is tired"
  strength of u becomes 1
order dash of u (a regiment):
  given by side of u
  legal when forced is no and u is tired because "only the tired dash"
  strength of u becomes 4
order sow of u (a regiment), with mines:
  given by side of u
  strength of u becomes 2
order brawl of u (a regiment), without peace:
  given by side of u
  strength of u becomes 3
sequence game-turn:
  phase all:
    sides may press, dash, sow, brawl together
"""


def hints(game, command):
    """The hints of all reasons against a command; `do` gives the first of them too."""
    found = [(x.message, x.hint) for x in game.why_not("blue", command)]
    with pytest.raises(Refused) as refused:
        game.offer(Input("do", "blue", command))
    assert refused.value.refusal.hint == found[0][1]
    return found


def test_a_refusal_by_an_option_names_it_and_its_other_words():
    game = game_of(RULES)
    assert hints(game, "press a") == [
        ("Forced marches are not in use.", "The option forced is no; the umpire can set it to yes with `ophex option`.")
    ]
    game.offer(Input("option", "umpire", "forced=yes", "agreed"))
    assert game.why_not("blue", "press a") == []
    game.world.by_id["a"].f_tired = True
    assert hints(game, "press a") == [
        ("The tired do not press on at this pace.",
         "The option pace is slow; the umpire can set it to fast or reckless with `ophex option`."),
        ("It is tired.", ""),
    ]  # fmt: skip


def test_where_the_setting_is_right_and_something_else_is_not_it_is_not_named():
    assert hints(game_of(RULES), "dash a") == [("Only the tired dash.", "")]


@pytest.mark.parametrize(
    ("on", "command", "hint"),
    [
        ((), "sow a", "with the module mines"),
        (("peace", "mines"), "brawl a", "without the module peace"),
    ],
)
def test_an_order_of_a_module_names_it(on, command, hint):
    told = f"The rules have it only {hint}; the umpire can turn modules on and off with `ophex option`."
    with pytest.raises(Refused) as refused:
        game_of(RULES, modules=on).offer(Input("do", "blue", command))
    assert refused.value.refusal.message == f"There is no order `{command.split()[0]}`."
    assert refused.value.refusal.hint == told
    with pytest.raises(Refused) as refused:
        game_of(RULES, modules=on).offer(Input("do", "blue", "swim a"))
    assert "module" not in refused.value.refusal.hint
