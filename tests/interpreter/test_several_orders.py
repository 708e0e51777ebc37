"""One refusal for several orders: `rule x forbids order trot, order leap of h (a horse)`."""

import pytest

from dsl.checks.mutants import mutants
from dsl.load import check_system, read_system
from dsl.manual.cross_references import stacks
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.machine import begin
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import TOY, compiled, do

STABLE = (TOY / "stable.rules").read_text(encoding="utf-8")


def stable(modules=()):
    program, read = compiled((STABLE,), frozenset(modules))
    scenario = next(x for x in read.declarations if isinstance(x, d.Scenario))
    return begin(program, scenario, {"dice": "typed", "seed": 1})


def test_each_of_the_orders_is_refused_and_no_other():
    game = stable()
    for command in ("trot h2 to 0102", "leap h2 to 0102", "rest h2"):
        with pytest.raises(Refused, match="It limps"):
            do(game, command)
    do(game, "shy h2")
    do(game, "trot h1 to 0102")
    assert not any(x.startswith(("trot h2", "leap h2", "rest h2")) for x in game.legal("ann", 100))


def test_arguments_by_position_where_they_are_named_with_the_order():
    game = stable(("rain",))
    for command in ("trot h1 to 0301", "leap h1 to 0301"):
        with pytest.raises(Refused, match="It is wet"):
            do(game, command)
    do(game, "leap h1 to 0102")


def test_a_permission_of_several_orders():
    game = stable(("mud",))
    with pytest.raises(Refused, match="It is tired"):
        do(game, "leap h3 to 0102")
    do(game, "rest h3")
    do(game, "trot h3 to 0102")


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ('rule r forbids order trot, order leap:\n  when h is lame because "no"', "E211", "The order leap has no argument `h`."),
        ('rule r forbids order trot, order rest:\n  when f is wet because "no"', "E211", "The order rest has no argument `f`."),
        ('rule r forbids order trot, order run:\n  when turn > 9 because "no"', "E402", "`r` forbids the order run, but there is no such declaration."),
        ('rule r forbids order trot, order trot:\n  when turn > 9 because "no"', "E402", "`r` names the order trot twice."),
        ('rule r forbids order trot, order leap of f (a field):\n  when turn > 9 because "no"', "E211", "must be a horse, as in the declaration"),
    ],
)  # fmt: skip
def test_what_is_wrong_names_the_order(line, code, said):
    system = read_system([SourceFile("own.rules", STABLE + line + "\n")])
    found = [(x.code, x.message) for x in check_system(system) if x.is_error]
    assert any(c == code and said in m for c, m in found), found


def test_the_handbook_and_mutants_know_each_of_the_orders():
    _, read = compiled((STABLE,), frozenset())
    known = stacks(read.declarations)
    assert [r.name for r in known.changes["order", "leap"]] == ["limping", "soaked"]
    assert [r.name for r in known.changes["order", "rest"]] == ["limping", "brave"]
    told = [m.change for m in mutants(read.declarations) if "no longer among" in m.change]
    assert told == [
        "trot no longer among its orders", "leap no longer among its orders", "rest no longer among its orders",
        "trot no longer among its orders", "leap no longer among its orders",
        "trot no longer among its orders", "rest no longer among its orders",
    ]  # fmt: skip
    changed = next(m.changed for m in mutants(read.declarations) if m.change == "leap no longer among its orders")
    assert [x.target.name for x in changed.relation.each()] == ["trot", "rest"]


def test_who_joins_several_things_by_and_is_told_of_commas():
    with pytest.raises(Refused) as refused:
        do(stable(), "rest h1 and h2")
    assert refused.value.refusal.hint == "Put commas between several: h1, h2"
