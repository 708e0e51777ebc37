"""A value that is hidden from a side never exists for it, and no error of a rule is mistaken for something hidden."""

import pytest

from interpreter.messages.inputs import RuleFailure
from interpreter.mirrors.mirror import mirror_of
from interpreter.mirrors.veil import veiled
from interpreter.runtime.hidden import Hidden
from tests.interpreter.rulebook import game_of
from tests.interpreter.test_secrecy import SPIES

DIG = "dig b-1"
FAULTS = {
    "something absent is read": "FOE.holder.place",
    "a thing has no such field": "FOE.f_no_such",
    "a name has not been given yet": "F.acting.f_title + F.up.n_nothing",
    "nothing is added to": "None + 1",
    "nothing was chosen": "{}[FOE]",
    "a division by nothing": "1 / 0",
}


@pytest.fixture
def game():
    return game_of(SPIES, scenario="spies")


def planted(game, name, *lines):
    """Gives an emitted function another body, as if the rules had been emitted so."""
    text = "\n".join(["def planted(F):", "    FOE = W.by_id['r-1']", *("    " + line for line in lines)])
    for world in (game.world, mirror_of(game.world, "blue").world):
        space = {"W": world}
        exec(compile(text, "<rules>", "exec"), space)
        world.functions[name] = space["planted"]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_of_a_rule_is_no_secret(game, fault):
    planted(game, "c_dig_1", f"return {fault}")
    with pytest.raises(RuleFailure):
        game.why_not("blue", DIG)
    with pytest.raises(RuleFailure):
        game.legal("blue")


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_after_something_hidden_is_no_secret(game, fault):
    planted(game, "c_dig_1", "try:", "    return FOE.f_nerve > 2", "except AttributeError:", f"    return {fault}")
    with pytest.raises(RuleFailure):
        game.why_not("blue", DIG)
    with pytest.raises(RuleFailure):
        game.legal("blue")


def test_what_is_hidden_refuses_nothing(game):
    planted(game, "c_dig_1", "return FOE.f_nerve > 0")
    assert game.why_not("blue", DIG) == []
    assert DIG in game.legal("blue")


def test_what_is_hidden_says_what_it_is_of(game):
    scout = game.world.by_id["r-1"]
    with veiled(game.world, "blue") as veil:
        with pytest.raises(Hidden) as met:
            assert scout.f_nerve
        assert (met.value.obj, met.value.name) == (scout, "f_nerve")
        assert veil.covers(met.value)
        with pytest.raises(AttributeError) as other:
            assert scout.f_no_such
        assert not isinstance(other.value, Hidden)
    assert scout.f_nerve == 2  # the mouse's, as printed


def test_a_veil_within_a_veil_leaves_hidden_what_was(game):
    world = game.world
    with veiled(world, "blue"):
        with veiled(world, "red"), pytest.raises(Hidden):
            assert world.by_id["b-1"].f_nerve
        with pytest.raises(Hidden):
            assert world.by_id["r-1"].f_nerve
        assert world.by_id["b-1"].f_nerve == 7
    assert [world.by_id[name].f_nerve for name in ("b-1", "r-1")] == [7, 2]
