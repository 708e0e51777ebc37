"""A question may have a title: people read the title, while answers and the record use its name.

The map is that of toy/kit.rules: blue a (strength 7) in 0202, b (4) in 0203; red x, y and z.
"""

import re

import pytest

from dsl.checks.mutants import mutants
from dsl.load import read_system
from dsl.syntax.format import formatted
from dsl.text.source import SourceFile
from interpreter.codegen.kept_source import read, written
from tests.interpreter.rulebook import KIT, answer, do, game_of, texts

TURN = """\
order start of u (a regiment):
  given by side of u
  do pick with u as lead
procedure pick of lead (a regiment):
  {line}
  tell sides "It is done."
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may start
"""


def picking(line):
    """A game in which `start a` has just begun a procedure of this line."""
    game = game_of(TURN.format(line=line))
    do(game, "start a")
    return game


@pytest.mark.parametrize(
    ("line", "prompt"),
    [
        (
            'active chooses foes "Whom does it attack?": some of enemy regiments',
            "The Blues, for a: Whom does it attack? Any of x, y, z.",
        ),
        (
            'active chooses foes "Those it attacks": up to 2 of enemy regiments',
            "The Blues, for a: Those it attacks: up to 2 of x, y, z.",
        ),
        (
            'active chooses left "How many stay?": a number up to 3',
            "The Blues, for a: How many stay? A number up to 3.",
        ),
        (
            'active chooses way "Which way?": home or abroad',
            "The Blues, for a: Which way? One of home, abroad.",
        ),
        (
            'active chooses shares "Who bears the losses?": a split of 7 among own regiments',
            "The Blues: Who bears the losses? 7 split among a, b. Answer like this: `a 7`; or `even`.",
        ),
        (
            'each u in own regiments chooses foes "Whom does each attack?": some of enemy regiments',
            "The Blues: Whom does each attack? For a, b: any number for each.",
        ),
        (
            'each u in own regiments chooses foe-of-it "Their targets": one of enemy regiments',
            "The Blues: Their targets: for a, b.",
        ),
    ],
)  # fmt: skip
def test_a_question_is_put_in_the_words_of_its_title(line, prompt):
    asked, bare = (picking(text).awaiting[0] for text in (line, re.sub(r' "[^"]*"', "", line)))
    assert asked.prompt == prompt
    assert bare.prompt.startswith(f"The Blues must choose {bare.name}")
    assert (asked.name, asked.choices, asked.form) == (bare.name, bare.choices, bare.form)


def test_the_other_side_is_told_what_is_asked_and_not_what_may_be_answered():
    line = 'active chooses foes "Whom does it attack?": some of enemy regiments'
    (seen,) = picking(line).view("red").awaiting
    assert (seen.name, seen.prompt, seen.choices) == ("foes", "The Blues: Whom does it attack?", ())
    (seen,) = picking(line.replace("?", "")).view("red").awaiting
    assert seen.prompt == "The Blues: Whom does it attack."


def test_of_a_secret_question_the_other_side_reads_no_title():
    game = picking('active chooses secretly foes "Whom does it attack?": some of enemy regiments')
    assert game.awaiting[0].title == "Whom does it attack?"
    (seen,) = game.view("red").awaiting
    assert (seen.prompt, seen.title) == ("blue must make a secret choice.", "")


def test_a_title_changes_nothing_of_what_is_recorded():
    line = 'active chooses foes "Whom does it attack?": some of enemy regiments'
    told, digests = [], []
    for text in (line, line.replace(' "Whom does it attack?"', "")):
        game = picking(text)
        events = answer(game, "x, z")
        told.append([(e.kind, e.text, e.data) for e in events])
        digests.append(game.digest())
    assert told[0] == told[1]
    assert "blue chooses foes: x, z." in texts(events)
    assert digests[0] == digests[1]


def test_a_title_is_kept_by_fmt_and_by_what_is_kept_of_the_emitted_text():
    rules = TURN.format(line='active chooses foes   "Whom  does it: attack?":   some of enemy regiments')
    assert (
        'active chooses foes "Whom  does it: attack?": some of enemy regiments'
        in formatted(SourceFile("own.rules", rules)).text
    )
    source = game_of(rules).program.source
    assert "Whom  does it: attack?" in [site.title for site in read(written(source)).sites]


def test_no_mutant_is_made_of_a_title():
    bare = TURN.format(line="active chooses foes: some of enemy regiments such that count of foes > 1")
    titled = bare.replace("foes:", 'foes "Whom does it attack?":')
    made = [
        [(m.span.line, m.change) for m in mutants(read_system([SourceFile("own.rules", KIT + text)]).declarations)]
        for text in (bare, titled)
    ]
    assert made[0] == made[1]
