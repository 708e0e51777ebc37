"""Text emitted for play is kept for the same rules and the same program, is read back unchanged, and passes the gate again."""

import json

import attrs
import pytest

from campaigns.library.compiling import active_modules, compiled
from campaigns.library.rule_texts import load_path
from campaigns.library.systems_by_name import scenario_of
from dsl.load import bound_or_raise, read_system
from dsl.text import keeping
from dsl.text.source import SourceFile
from interpreter.codegen.kept_source import UnreadableSource, read, written
from interpreter.codegen.module import Emitter
from interpreter.program import program as programs
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import KIT, game_with
from tests.long import either

RULES = f"""{KIT}
module rain "Rain", default off
value might of u (a regiment):
  start with strength of u
  halved when there is enemy regiments next to place of u because "it is watched"
  rounded down
rule wet adds to might of u (a regiment), with rain:
  minus 1
order rest of u (a regiment):
  given by side of u
  strength of u gains 1/2 points
"""


def text_of(rules=RULES):
    return read_system([SourceFile("small.rules", rules)])


def program_of(rules=RULES, modules=()):
    text = text_of(rules)
    return compile_program(bound_or_raise(text, modules), text.files, text.key(modules))


@pytest.fixture
def emitted(tmp_path, monkeypatch):
    """How many times something was emitted for play."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = []
    real = Emitter.module
    monkeypatch.setattr(Emitter, "module", lambda emitter: found.append(emitter) or real(emitter))
    return found


@pytest.fixture
def entry(tmp_path):
    def only():
        (found,) = (tmp_path / "ophex").glob("emitted-*.json")
        return found

    return only


@pytest.mark.parametrize("scenario", either(["bth/texas-1"], ["bth/texas-1", "infantry/skirmish"]))
def test_what_was_emitted_comes_back_as_it_was(scenario):
    text, found, _ = scenario_of(scenario)
    source = compiled(text, active_modules(text, found)).source
    assert attrs.asdict(read(written(source)), recurse=False) == attrs.asdict(source, recurse=False)


def test_the_same_rules_are_emitted_once(emitted):
    first, second = program_of(), program_of()
    assert first.source == second.source
    assert len(emitted) == 1
    assert all(first.played.code(x.name) == second.played.code(x.name) for x in first.source.functions)


@pytest.mark.parametrize(
    "other",
    [
        {"rules": RULES.replace("1/2", "1/4")},
        {"rules": RULES.replace("halved", "plus 2")},
        {"rules": RULES.replace("watched", "seen")},
        {"modules": ("rain",)},
    ],
    ids=["a number", "a step", "a reason", "a module"],
)
def test_other_rules_are_emitted_for_themselves(emitted, other):
    _ = program_of().source
    kept = program_of(**other).source
    assert len(emitted) == 2
    fresh = Emitter(program_of(**other).rules).module()
    assert (kept.text, kept.words, kept.numbers) == (fresh.text, fresh.words, fresh.numbers)


def test_an_edition_is_part_of_what_rules_hang_on():
    text = text_of()
    assert text.key(()) != attrs.evolve(text, edition=text.edition - 1).key(())
    assert text.key(("a", "b")) == text.key(("b", "a")) != text.key(("a",))


def test_another_program_emits_anew(emitted, monkeypatch):
    _ = program_of().source
    monkeypatch.setattr(programs, "stamp_of", lambda *_: "another")
    _ = program_of().source
    assert len(emitted) == 2


def test_without_a_name_nothing_is_kept(emitted, tmp_path):
    text = text_of()
    for _ in range(2):
        _ = compile_program(bound_or_raise(text, ()), text.files).source
    assert len(emitted) == 2
    assert not list(tmp_path.glob("ophex/emitted-*"))


def replaced(entry, change):
    """Another's text in place of what was kept. change: what it makes of the kept functions."""
    said = json.loads(entry().read_text().partition("\n")[2])
    text = json.dumps({**said, "functions": change(said["functions"])})
    entry().write_text(f"{keeping.digest(text)}\n{text}")


@pytest.mark.parametrize(
    "code",
    [
        "import os\n",
        "    def v_might(l_u):\n        import os\n        return 1\n",
        "    def v_might(l_u):\n        return W.__class__\n",
        "    def v_might(l_u):\n        open('x')\n        return 1\n",
        "    def v_might(l_u):\n        return 'a text'\n",
        "    def v_might(l_u=W):\n        return 1\n",
        "    def v_might(l_u):\n        return 1\n    v_might(1)\n",
        "    def v_might(l_u):\n        return 1\nv_might(1)\n",
        "    def v_might(l_u):\n        return 1\n    def v_one():\n        return 1\n",
        "    def v_one():\n        return 1\n",
        "    def v_might(l_u:\n",
        "    def v_might(l_u):\n        return 1\n\0",
        "",
    ],
)
def test_kept_code_that_the_emitter_cannot_write_is_not_taken(emitted, entry, code):
    assert "v_might" in {x.name for x in program_of().source.functions}
    replaced(entry, lambda kept: [[name, first, code if name == "v_might" else text] for name, first, text in kept])
    world = game_with(program_of(), text_of()).world
    assert [world.functions["v_might"](u) for u in world.all_of("regiment")] == [3, 2, 2, 3, 9]
    assert len(emitted) == 2


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", "[" * 100_000])
def test_a_foreign_entry_is_not_taken(emitted, entry, text):
    first = program_of().source
    entry().write_text(f"{keeping.digest(text)}\n{text}")
    assert program_of().source == first
    assert len(emitted) == 2
    with pytest.raises(UnreadableSource):
        read(text)


def test_all_choices_of_modules_of_a_system_have_names_of_their_own():
    text = load_path("ogre")
    names = [text.key({name}) for name in text.modules]
    assert len(set(names)) == len(text.modules) > 10
