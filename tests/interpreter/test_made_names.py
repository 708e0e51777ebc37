"""The names that rules give to things they place in the game, and examples that use them. The rules are those of toy/fleet.rules."""

import pytest

from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.messages.inputs import Input, Refused, RuleFailure
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import ask, do, names
from tests.interpreter.test_entry_fields import FLEET, fleet


def fleets(game):
    return [x for x in names(game.world.all_of("fleet")) if x not in {"white", "black"}]


def test_a_text_with_what_stands_behind_it():
    game = fleet()
    do(game, "detach white-sloop-1")
    assert fleets(game) == ["white-sloop-1-squadron"]
    assert ask(game, "morale of white-sloop-1-squadron") == 7
    do(game, "merge white-sloop-1-squadron with white")
    do(game, "detach white-sloop-1")
    assert fleets(game) == ["white-sloop-1-squadron-2"]


def test_a_plain_text_and_no_name():
    game = fleet()
    for _ in range(2):
        do(game, "tend white")
    assert names(game.world.all_of("boat")) == ["c", "c-2", "tender", "tender-2"]


def test_after_another_thing_and_its_parts_after_it():
    game = fleet()
    do(game, "launch frigate to white")
    assert [s.id for s in ask(game, "ships of white")][-1] == "white-2"
    assert names(ask(game, "sailors of white-2")) == ["white-2-cook", "white-2-hand-1", "white-2-hand-2"]


@pytest.mark.parametrize(
    ("named", "called"),
    [
        ('named "guard"', "guard"),
        ("named after s", "white-sloop-1-2"),
        ("named after fleet of s", "white-2"),
        ("named name of s", "white-sloop-1-2"),
        ("named after place of s", "0101-2"),
        ("named entry of s else name of s", "sloop"),
        ('named "{}-of-{}" with gun of s else knife and side of s', "swivel-of-ann"),
        ('named "turn-{}" with turn', "turn-1"),
    ],
)
def test_what_a_thing_may_be_called_after(named, called):
    game = fleet(text=FLEET.replace('named "{}-squadron" with s', named))
    do(game, "detach white-sloop-1")
    assert fleets(game) == [called]


def test_the_name_that_is_shown_may_be_another():
    game = fleet(text=FLEET.replace('put f (a fleet, named "{}-squadron" with s,', "put f (a fleet, name name of s,"))
    do(game, "detach white-sloop-1")
    assert fleets(game) == ["f"]
    assert ask(game, "name of f") == "white-sloop-1"


def test_names_that_grow_without_end_fail_the_rule():
    game = fleet(
        text=FLEET.replace("refused when count (ships of fleet of s) < 2", "refused when turn > 9").replace(
            '"{}-squadron" with s', '"{}-part" with fleet of s'
        )
    )
    for _ in range(11):
        do(game, "detach white-sloop-1")
    assert max(map(len, fleets(game))) == 60
    with pytest.raises(RuleFailure, match="is not a valid name: use up to 60 letters"):
        do(game, "detach white-sloop-1")


def test_what_is_hidden_is_not_called_after_anything():
    """Otherwise the name of the new fleet would reveal which ship has left."""
    text = FLEET.replace("unit fleet:\n", "unit fleet:\n  hidden from enemy: place\n")
    game = fleet(text=text)
    do(game, "detach white-sloop-1")
    (name,) = fleets(game)
    assert name.startswith("f-")


def test_the_umpire_calls_it_as_the_rules_do():
    game = fleet()
    game.offer(
        Input("override", "umpire", 'put b (a boat, named "{}-gig" with white, side ann) in 0102', "lost and found")
    )
    assert names(game.world.all_of("boat")) == ["white-gig"]


EXAMPLES = """
example "Squadrons by their names":
  put f (a fleet, side blue) in 0101
  put s (a ship frigate, fleet f)
  put t (a ship sloop, fleet f)
  given active is blue
  do refit
  blue orders detach s
  then fleet of s is s-squadron
  then ships of s-squadron are s
  blue orders merge s-squadron with f
  blue orders detach s
  then s-squadron-2 is in 0101
  then fleet of s is s-squadron-2
  blue orders launch frigate to s-squadron-2
  then ships of s-squadron-2 are s, s-squadron-2-2
  then gun of s-squadron-2-2 is cannon
  then blade of s-squadron-2-2-cook is swivel
  then count (sailors of s-squadron-2-2) = 3
  blue orders hit s-squadron-2-2
  then hull of s-squadron-2-2 = 5
  blue orders tend f
  blue orders tend f
  then tender-2 is in 0101
  then place of c is 0101
"""


def outcome(text):
    system = read_system([SourceFile("own.rules", text)])
    assert [(x.code, x.message) for x in check_system(system) if x.is_error] == []
    program = compile_program(bound_or_raise(system, ()), system.files)
    example = program.ruleset.examples[0]
    return run_example(program, example, variants(example, system.defaults)[0])


def test_examples_speak_of_what_rules_have_made():
    found = outcome(FLEET + EXAMPLES)
    assert found.passed, found.failures


@pytest.mark.parametrize(
    ("line", "got"),
    [
        ("then s-squadron-3 is in 0101", "Nothing is named s-squadron-3."),
        ("then t-squadron is in 0101", "Nothing is named t-squadron."),
        ("then place of s-squadron-2 is 0102", "0101"),
    ],
)
def test_what_nothing_is_called_is_told(line, got):
    found = outcome(FLEET + EXAMPLES + "  " + line + "\n")
    (failure,) = found.failures
    assert got in f"{failure.got} {failure}"


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ('named "{}-squadron" with s', 'named "{} squadron" with s', "E321", "`{} squadron` is not a name for commands."),
        ('named "{}-squadron" with s', 'named "4-squadron"', "E321", "`4-squadron` is not a name for commands."),
        ('named "{}-squadron" with s', 'named "squadron" with s', "E236", "The name has 0 gaps but 1 value after `with`."),
        ('named "{}-squadron" with s', 'named "{}-squadron"', "E236", "The name has 1 gap but 0 values after `with`."),
        ('named "{}-squadron" with s', "named gun of s", "E202", "may be absent"),
        ('named "{}-squadron" with s', "named after ships of fleet of s", "E201", "A thing cannot be named after a list of `ship`."),
        ('named "{}-squadron" with s', "named after spare of s", "E201", "A thing cannot be named after a list of entries of arm."),
        ("then fleet of s is s-squadron\n", "then fleet of s is s-sqadron\n", "E200", "Unknown name `s-sqadron`."),
        ("blue orders hit s-squadron-2-2", "blue orders hit s-sqadron", "E200", "Unknown name `s-sqadron`."),
        ("put t (a ship sloop, fleet f)", 'put t (a ship sloop, named "u", fleet f)', "E236", "In an example, a thing gets the name in its `put` line."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_names(old, new, code, said):
    text = FLEET + EXAMPLES
    assert old in text
    system = read_system([SourceFile("own.rules", text.replace(old, new))])
    found = [(x.code, x.message) for x in check_system(system) if x.is_error]
    assert any(c == code and said in m for c, m in found), found


def test_a_hidden_thing_with_such_a_name_is_to_others_as_one_that_does_not_exist():
    """Anyone who reads the rules knows the name that they give, but not whether such a thing exists."""
    text = FLEET.replace("unit boat:\n", "unit boat:\n  hidden from enemy: place\n").replace(
        "  forces bob of fleet:\n",
        "  forces ann of boat:\n    name     | in\n    tender-7 | 0101\n  forces bob of fleet:\n",
    )
    game = fleet(text=text)
    assert game.explain("oars of tender-7", "ann").value == "2"
    for asked in ("{}", "oars of {}", "{} is in 0101", "morale of {}"):
        told = []
        for name in ("tender-7", "tender-8"):
            with pytest.raises(Refused) as refused:
                game.explain(asked.format(name), "bob")
            told.append(str(refused.value).replace(name, "NAME"))
        assert told[0] == told[1]
