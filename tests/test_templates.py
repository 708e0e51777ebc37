"""Templates: only a template that is part of the program is ever filled, never one that was read; and pages escape what fills it."""

import ast
import re
from pathlib import Path

from campaigns.trials.casebook import run_examples

ROOT = Path(__file__).parents[1]
CODE = [p for room in ("dsl", "interpreter", "campaigns", "ui") for p in sorted((ROOT / room).rglob("*.py"))]


def fillings(path):
    """The lines on which a text is filled, unless the text stands there in quotes."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name, filled = node.func.attr, node.func.value
        if name in {"format_map", "vformat"} or (name == "format" and not isinstance(filled, ast.Constant)):
            yield node.lineno


def test_no_text_that_was_read_is_a_template():
    assert len(CODE) > 100
    found = {p.relative_to(ROOT).as_posix(): list(fillings(p)) for p in CODE}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_every_text_on_a_page_is_escaped():
    found = sorted((ROOT / "ui" / "templates").rglob("*.html"))
    assert len(found) > 5
    assert [p.name for p in found if re.search(r"\bsafe\b|autoescape", p.read_text(encoding="utf-8"))] == []
    rooms = [p.relative_to(ROOT).as_posix() for p in CODE if "Environment(" in p.read_text(encoding="utf-8")]
    assert rooms == ["ui/pages/filling.py"]


BRACES = """system braces "Braces {0}" version 1.0
scale mood: "{0}" < "{a}" < "x{" < "}"
enum gait: "{}", "{1}"
option odd "Odd {": "{0}", "{b}"; default "{b}"
table moods by mood, first row:
  mood || worth | said
  {0}  || 1     | {
  any  || 2     | {a.b}
unit tank:
  strength number
  mood     mood, starts "{0}"
  gait     gait, starts "{1}"
  label    text, starts "{0}{b}"
value worth-of of u (a tank):
  start with strength of u
  plus 1 when mood of u is "{0}" because "{0} {c} {"
  plus 1 when mood of u > "{a}"
  plus 10 when gait of u is "{1}" and gait of u is not "{}"
  plus 100 when mood of u >= "{0}" and odd is "{b}"
  plus 1000 * worth of (moods at mood of u)
  plus 10000 when said of (moods at mood of u) is "{"
  plus 100000 when label of u is "{0}{b}"
value worth-of-all:
  start with sum worth-of of (tanks (where mood of it is "{0}" and gait of it is "{1}"))
order speak of u (a tank):
  given by side of u
  refused when strength of u > 100 because "{0} {x} {"
  tell sides "{} {0} {x}" with u
  mood of u becomes "}"
example "Words and reasons in braces: {0} {":
  put t (a tank, side blue, strength 3)
  put v (a tank, side blue, strength 300)
  then worth-of of t = 111114
  then worth-of of v = 111411
  then worth-of-all = 222525
  then blue may not speak v because "{0} {x} {"
  blue orders speak t
  then worth-of of t = 102000 + 114
"""


def test_braces_in_words_are_letters_like_others(tmp_path):
    (tmp_path / "braces.rules").write_text(BRACES, encoding="utf-8")
    report = run_examples([str(tmp_path)])
    assert report.failed == ()
    assert report.passed == 1
