"""Every way in which a rule can be attached, with its module and without: toy/attached.rules has one of each."""

import pytest

from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import TOY, ask, do, game_of

ATTACHED = (TOY / "attached.rules").read_text(encoding="utf-8")


def strength_after(command, *modules):
    """The strength of a, which is 7, or of b, 4, after a march."""
    game = game_of(ATTACHED, modules=modules)
    do(game, command)
    return ask(game, f"strength of {command.split()[1]}")


def reason(command, *modules, first=None):
    game = game_of(ATTACHED, modules=modules)
    if first:
        do(game, first)
    with pytest.raises(Refused) as refused:
        do(game, command)
    return refused.value.message


def test_the_base_alone():
    assert strength_after("march a to 0302") == 7
    assert strength_after("march b to 0304") == 4
    assert reason("march a to 0502") == "Too far."
    assert reason("march a to 0203", first="march a to 0202") == "Tired."


@pytest.mark.parametrize(("module", "strength"), [("early", 17), ("late", 107), ("watch", 7), ("stand", 7)])
def test_before_and_after(module, strength):
    assert strength_after("march a to 0302", module) == strength


def test_whenever():
    """0303 is a hill, 0302 a wood."""
    assert strength_after("march a to 0303") == 7
    assert strength_after("march a to 0303", "watch") == 507


def test_always():
    """a joins b in 0203; the pair is taken once, in the order of names: v is b."""
    game = game_of(ATTACHED, modules=("stand",))
    do(game, "march a to 0203")
    assert [ask(game, f"strength of {u}") for u in "ab"] == [7, 904]


def test_adds_to_excepts_and_replaces():
    assert ask(game_of(ATTACHED), "allowance of a") == 2
    assert ask(game_of(ATTACHED, modules=("more",)), "allowance of a") == 4
    assert ask(game_of(ATTACHED, modules=("other",)), "allowance of a") == 1
    assert ask(game_of(ATTACHED, modules=("fresh",)), "allowance of a") == 5
    assert ask(game_of(ATTACHED, modules=("more", "other")), "allowance of a") == 1 + 2


def test_forbids():
    assert reason("march a to 0302", "no") == "No way through."
    assert strength_after("march a to 0303", "no") == 7


def test_permits_lifts_the_refusal_that_it_names():
    assert reason("march a to 0203", first="march a to 0202") == "Tired."
    assert reason("march a to 0204", "yes-still", first="march a to 0202") == "Tired."
    game = game_of(ATTACHED, modules=("yes-still",))
    do(game, "march a to 0202")
    do(game, "march a to 0203")
    assert ask(game, "place of a is 0203")


def test_all_at_once():
    """Before 10, on the hill 500, together with nobody, after 100."""
    every = ("early", "late", "more", "no", "yes-still", "watch", "stand")
    assert strength_after("march a to 0303", *every) == 7 + 10 + 500 + 100


@pytest.mark.parametrize("modules", [(), ("early", "late"), ("watch",), ("stand",), ("watch", "stand")])
def test_only_rules_that_wait_cost_anything(modules):
    text = game_of(ATTACHED, modules=modules).program.source.text
    assert ("W.positions.travel" in text) == ("watch" in modules)
    assert ("W.react" in text) == bool({"watch", "stand"} & set(modules))
