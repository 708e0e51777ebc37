"""Rule text never becomes source text: what emitted code may contain, and that nothing else is ever compiled.

The daily form searches the emitted code of one system, the long form that of three.
"""

import ast
import builtins
import re
from pathlib import Path

import pytest

from campaigns.library import compiling, rule_texts
from dsl.syntax import declarations as d
from interpreter.codegen import emitted_code
from interpreter.codegen.emitted_code import UnknownCode, Words, checked_tree, compiled, worked_out
from interpreter.codegen.module import Emitter
from interpreter.machine import begin
from interpreter.setup import compile_rules
from tests.interpreter.rulebook import ask, game_of, readable, story
from tests.interpreter.rulebook import compiled as compiled_rules
from tests.long import either

ROOT = Path(__file__).parents[2]
PRODUCT = [p for folder in ("dsl", "interpreter", "campaigns", "ui") for p in sorted((ROOT / folder).rglob("*.py"))]
SYSTEMS = either(["btr"], ["bth", "btr", "ww2"])

FORBIDDEN = [
    # what no emitter writes
    "import os", "from os import path", "class A: pass", "del W", "global W", "while True: pass", "assert W", "async def act(F): pass",
    "@W\ndef act(F): pass", "def act(F=W): pass", "def act(*F): pass", "def act(F, *, x): pass", "def act(F: W): pass", "def act(F) -> W: pass",
    "match W:\n    case 1: pass", "x: int = 1", "with W as v, open as p: pass\nlambda: open", "try: pass\nexcept OSError: pass", "try: pass\nexcept: pass",
    "try: pass\nexcept TROUBLE as e: pass", "try:\n    pass\nfinally:\n    pass\nprint()", "raise SystemExit", "act.f_x = exec",
    "def act(F):\n    nonlocal W", "x: W",
    # names
    "exec", "eval", "compile", "open", "__import__", "__builtins__", "getattr", "setattr", "globals", "vars", "object", "super", "breakpoint",
    "__name__", "_x", "__", "l__class__.__class__", "os", "sys", "str", "dict", "print", "memoryview", "K_0", "K_00", "K_x", "K_1_0", "ａｃｃ.x",
    # attributes
    "W.__class__", "W.__dict__", "W._wire", "W.program", "W.f__.__globals__", "F.gi_frame", "F.f_code.co_code", "W.get.__self__", "acc.format",
    "acc.format_map", "W.f_x.mro", "T.n_x.__init__", "W.__getattribute__", "F.n_x.tb_frame", "W.store",
    # texts, and what makes them
    "'x'", '"x"', "'''x'''", "b'x'", "f'{W}'", "acc = 'x' 'y'", "W.tell('x')", "1.5", "1j", "...", "W['x']",
    # calls and operators
    "W.all_of(kind=1)", "(lambda: acc)()", "W[1]()", "W.get(*out)", "W.get(**out)", "acc @ x", "acc % x", "acc ** x", "acc / x", "acc // x",
    "acc << 9", "acc | x", "~acc", "+acc", "{acc for acc in out}", "{x: x for x in out}", "{x, y}", "[*out]", "await acc",
    "[x async for x in out]",
]  # fmt: skip


@pytest.mark.parametrize("text", FORBIDDEN)
def test_what_the_emitter_cannot_write_is_refused(text):
    with pytest.raises((UnknownCode, SyntaxError)):
        compiled(text, (), "<forbidden>")


OLD = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice"}
"""Names of Python's past, which make nodes of other kinds."""
KINDS = [k for k in vars(ast).values() if isinstance(k, type) and issubclass(k, ast.AST) and k.__name__ not in OLD]
STRANGE = [k for k in KINDS if k not in emitted_code.NODES]


@pytest.mark.parametrize("kind", STRANGE)
def test_a_kind_of_node_that_is_not_on_the_list_is_refused(kind):
    with pytest.raises(UnknownCode):
        checked_tree(ast.Module([ast.Expr(kind())], []), ())


def test_words_come_in_as_constants_and_as_nothing_else():
    words = Words()
    odd = '\'+(str)((exec)(1))+\'\\\n"""{0.__class__}{W}'
    text = f"({words.word(odd)}, {words.word((odd, odd))}, {words.word(frozenset([odd]))}, {words.word(('a', True, 3, None))})"
    assert re.fullmatch(r"[\w(), ]+", text)
    value = worked_out(compiled(text, words.all, "<words>", "eval"), {})
    assert value == (odd, (odd, odd), frozenset([odd]), ("a", True, 3, None))


@pytest.mark.parametrize("value", [object(), 1.5, b"x", ["x"], {"x": 1}, ("x", 1.5), len])
def test_only_words_can_be_handed_over(value):
    with pytest.raises(UnknownCode):
        Words().word(value)


def test_code_has_no_builtins_but_those_it_is_given():
    space = {"W": 1}
    with pytest.raises(NameError):
        worked_out(compiled("len(W)", (), "<bare>", "eval"), space)
    assert space["__builtins__"] == {}


@pytest.fixture(scope="module", params=SYSTEMS)
def texts(request):
    """Everything that is emitted of a system with all its modules that go together, for play and with an audit trail."""
    program = compiling.compiled(rule_texts.load_path(request.param))
    source = program.source
    return [(source.text, source.words), *((u.text, u.words) for u in Emitter(program.rules, traced=True).texts())]


def test_emitted_text_has_no_literals_and_no_words_of_the_rules(texts):
    for text, _ in texts:
        assert not re.search(r"""['"\\#]""", text)
        assert text.isascii()


def test_every_known_name_is_one_that_the_emitter_writes():
    """The lists are no longer than necessary."""
    written = "".join(
        p.read_text()
        for p in PRODUCT
        if p.parent.name == "codegen" or p.name in {"drawing.py", "examples.py", "lone_phases.py"}
    )
    written = written.replace((ROOT / "interpreter" / "codegen" / "emitted_code.py").read_text(), "")
    made = {f"{which}_{of}" for which in ("highest", "lowest") for of in ("of", "word")} | {
        "average_of",
        "first_of",
        "sum_of",
    }
    made |= {f"scale_{way}" for way in ("down", "up", "nearest")} | {
        f"round_{way}" for way in ("down", "up", "nearest")
    }
    for name in emitted_code.KNOWN | emitted_code.ATTRIBUTES | emitted_code.KEYWORDS:
        assert re.search(rf"\b{name}\b", written) or name in made, name
    given = {"Fraction", "RANK", "STEPS", "WORDS"}
    assert given < emitted_code.HELPERS
    assert emitted_code.HELPERS - given <= {name for room in compile_rules.ROOMS for name in vars(room)}


SUSPECT = re.compile(
    r"\b(?:exec|eval|compile|__import__)\(|\b(?:pickle|marshal|shelve|code|runpy|dill)\b|format_map|loads_pickle"
)
"""One of these stands in every file that the next test could find anything in."""


def test_only_one_room_of_the_product_runs_text():
    """`exec`, `eval` and `compile` occur only in `interpreter/codegen/emitted_code.py`; nothing is unpickled, formatted or imported by name."""
    found = []
    for path in PRODUCT:
        text = path.read_text(encoding="utf-8")
        if not SUSPECT.search(text):  # to read the trees of all files takes seconds
            continue
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(func=ast.Name(id="exec" | "eval" | "compile" | "__import__" as name)):
                    found.append((path.name, name))
                case ast.Import(names=names) if {n.name for n in names} & {
                    "pickle",
                    "marshal",
                    "shelve",
                    "code",
                    "runpy",
                    "dill",
                }:
                    found.append((path.name, "import"))
                case ast.ImportFrom(module="pickle" | "marshal" | "shelve" | "runpy"):
                    found.append((path.name, "import"))
                case ast.Attribute(attr="format_map" | "loads_pickle"):
                    found.append((path.name, node.attr))
    assert found == [("emitted_code.py", name) for name in ("compile", "compile", "exec", "eval")]


def test_emitted_text_is_searched_by_no_pattern():
    """Rewriting by pattern would also match letters in words of the rules. Passes change the typed form, where a name is a node."""
    rooms = [p for p in PRODUCT if "codegen" in p.parts and p.name != "emitted_code.py"]
    imported = {(p.name, n) for p in rooms for n in modules_named(ast.parse(p.read_text(encoding="utf-8")))}
    assert {(file, name) for file, name in imported if name in {"re", "regex", "string", "tokenize"}} == set()


def modules_named(tree):
    """The modules that a file imports anything of."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (n.name.partition(".")[0] for n in names)
            case ast.ImportFrom(module=str(module)):
                yield module.partition(".")[0]


# ---- what a word may look like -----------------------------------------------------------------------------------------
def test_a_word_that_looks_like_a_name_of_the_emitter():
    """
    enum mood: t8, calm, t3, u2, i3, r4, a5, s6, z7, c9
    value worth of x (a regiment):
      let q be strength of x when strength of x > 2
      start with 0
      plus 1 when word of x is t8
      plus 2 when word of x is t3
      plus q else 0
    value word of x (a regiment):
      t8 when strength of x = 7
      t3 when strength of x = 4
      otherwise calm
    value whole of s (a side):
      start with sum worth of own regiments
    """
    game = game_of(story(test_a_word_that_looks_like_a_name_of_the_emitter))
    # a (7) is t8: 1 + 7; b (4) is t3: 2 + 4; g is a battery.
    assert ask(game, "sum worth of regiments of blue") == 14
    assert "t8" in readable(game.program)


def _payload():
    signs = "+".join(f"(chr)({ord(c)})" for c in "import builtins;builtins.ophex_was_here=1")
    return f"'+(str)((exec)({signs}))+'"


SUNK = """
system tanks "Tanks" version 1.0
enum mood: {word}, calm
campaign game:
  turn-order list of side
place hex, on hex grid:
  ground mood, starts calm
unit tank:
  strength number
  mood mood, starts calm
map field "The field" of hex, 2 by 2, even columns low:
  letters:
    letter | ground
    .      | calm
  grid:
    01 | . .
    02 | . .
value worth of x (a tank):
  let w be "{text}" when strength of x > 2
  let q be strength of x when strength of x > 2
  start with 0
  plus 1 when mood of x is {word}
value whole of s (a side):
  start with sum worth of all tanks
sequence game-turn:
  for each s in turn-order, as active:
    phase waiting:
      active may rest
order rest of u (a tank):
  given by side of u
  refused when whole of side of u < 0 because "it is worth nothing"
scenario meeting "The meeting" on field:
  side blue "Blue" blue
  side red "Red" red
  forces blue of tank:
    name | in   | strength | mood
    one  | 0102 | 4        | {word}
    two  | 0101 | 4        | {word}
  turn-order is blue, red
"""


@pytest.mark.parametrize(
    "word", [f"{letter}{number}" for letter in "tu" for number in range(1, 16)] + ["a1", "c2", "i3", "r4", "s5", "z6"]
)
def test_a_name_that_nothing_reads_meets_a_word_that_looks_like_it(word):
    """An unused name used to replace the word: the code ran, and play counted 0 where `why` says 2."""
    program, text = compiled_rules((SUNK.format(word=word, text=_payload()),))
    scenario = next(x for x in text.declarations if isinstance(x, d.Scenario))
    game = begin(program, scenario, {"dice": "typed", "seed": 1})
    assert ask(game, "whole of blue") == 2
    blue = game.world.by_id["blue"]
    assert game.world.functions["v_whole"](blue) == 2
    assert not hasattr(builtins, "ophex_was_here")
