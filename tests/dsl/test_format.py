"""The formatter: one style, no change of meaning, nothing written twice."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.syntax.cache import parsed
from dsl.syntax.format import formatted, meaning, restyled
from dsl.syntax.parse import parse
from dsl.text.source import SourceFile
from tests.long import either
from ui.main import main

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").rglob("*.rules"))
RULES = [p for p in EXAMPLES if p.stat().st_size < 12_000]
CROOKED = """\

--  what it is   about
table  t   by d6,first row:   [T-1]
      d6||hits|  note
      1,2 ||x1|  slow
  -- the best
      3..6||x12|  fast
kind-words:
"""


def file(text, name="a.rules"):
    return SourceFile(name, text)


def restyled_by(said, wanted):
    assert restyled(said) == wanted
    assert restyled(wanted) == wanted


def test_the_heading_of_a_kind_of_parts_and_what_a_thing_comes_with():
    restyled_by(
        "component  gun,part  of the ship ,plural guns:\n  treads  track\nlist ships of ship:\n  name|guns\n  iris|main, 4 secondary\n",
        "component gun, part of the ship, plural guns:\n  treads       track\n"
        "list ships of ship:\n  name | guns\n  iris | main, 4 secondary\n",
    )


def test_levels_words_and_citations():
    restyled_by(
        'value v of u(a unit) in battle :[T-1]\n'
        '     start   with 3+strength  of u\n'
        '     halved when u   is tired ,or u is lost\n'
        '             because   "a  b"    [T-2,-3]   \n'
        '\n\n\n'
        'value w:\n'
        ' when x>=3:\n'
        '    w   becomes 1/2*3\n',
        'value v of u (a unit) in battle:                                                                [T-1]\n'
        '  start with 3+strength of u\n'
        '  halved when u is tired, or u is lost\n'
        '      because "a  b"                                                                            [T-2, -3]\n'
        '\n'
        'value w:\n'
        '  when x >= 3:\n'
        '    w becomes 1/2 * 3\n',
    )  # fmt: skip


def test_a_citation_behind_a_long_line_follows_it():
    long = "option o " + '"' + "x" * 90 + '": a, b; default a'
    restyled_by(f"{long}     [T-1]\n", f"{long} [T-1]\n")


def test_cells_stand_under_each_other():
    restyled_by(
        "table t by a and b:\n a|b||c|d\n x,y|long-word||x1|--\n any|z||x12|3\n",
        "table t by a and b:\n"
        "  a   | b         || c   | d\n"
        "  x,y | long-word || x1  | --\n"
        "  any | z         || x12 | 3\n",
    )


def test_cells_that_spaces_hold_apart_are_left_alone():
    text = "list l of unit:\n  name | a | b\n  |      x | 3\n"
    assert restyled(text) == text


def test_letters_of_a_map_stand_under_each_other():
    restyled_by(
        'map m "M" of hex, 3 by 1:\n  grid:\n      01|.  ff .\n      102|c . .\n',
        'map m "M" of hex, 3 by 1:\n  grid:\n    01  | . ff .\n    102 | c .  .\n',
    )


def test_fields_and_remarks_stand_under_each_other():
    restyled_by(
        'unit u:\n   strength number  -- steps\n   very-long-name-of-it mark\n   hq mark -- one\n   printed strength "<strength>"\n',
        "unit u:\n"
        "  strength             number  -- steps\n"
        "  very-long-name-of-it mark\n"
        "  hq                   mark    -- one\n"
        '  printed strength "<strength>"\n',
    )


def test_remarks_stand_where_the_line_below_them_stands():
    restyled_by(
        "-- first\nvalue v:\n-- of the line below\n    start with 3\n      -- last of v\n\n\n-- of w\nvalue w:\n  3 -- \n",
        "-- first\nvalue v:\n  -- of the line below\n  start with 3\n  -- last of v\n\n-- of w\nvalue w:\n  3\n",
    )


def test_what_stands_in_quotes_is_no_remark_and_no_row():
    text = 'example "a -- b | c":\n  then 3 = 3 because "x  -- y | z"\n'
    restyled_by(text, text)


def test_a_file_with_errors_is_left_alone():
    found = formatted(file(CROOKED))
    assert found.text == CROOKED
    assert not found.changed
    assert found.diagnostics


@pytest.mark.parametrize(
    "path", either(EXAMPLES[5::12], EXAMPLES), ids=lambda p: "-".join(p.with_suffix("").parts[-3:])
)
def test_every_example_keeps_its_meaning(path):
    """One file in twelve daily, some of each system; `.ci/run` runs `ophex fmt --check` on all systems."""
    text = path.read_text(encoding="utf-8")
    found = formatted(file(text))
    assert not found.diagnostics
    assert restyled(found.text) == found.text
    assert [x.strip() for x in remarks(text)] == [x.strip() for x in remarks(found.text)]


def remarks(text):
    return [
        line.partition("-- ")[2] for line in text.split("\n") if "-- " in line and "|" not in line and '"' not in line
    ]


@given(st.sampled_from(RULES), st.integers(0, 2**32))
def test_the_layout_of_the_writer_does_not_matter(path, seed):
    """However an author uses indentation, spaces and blank lines, the formatted text is the same."""
    text = path.read_text(encoding="utf-8").replace("\t", " ")
    text = restyled(text)
    chance = random.Random(seed)
    other = crooked(text, chance)
    assert restyled(other) == text
    if chance.random() < 0.1:
        assert meaning(parse(file(other)).declarations) == meaning(parse(file(text)).declarations)


def crooked(text, chance):
    """The same text with other indentation, spaces and blank lines."""
    wide = chance.choice((1, 3, 4))
    out = []
    for line in text.split("\n"):
        body = line.lstrip()
        depth = len(line) - len(body)
        if not body or body.startswith("--"):
            out.append(line)
            continue
        parts = body.split('"')
        parts[::2] = [x if " -- " in x else x.replace(" ", chance.choice((" ", "  ", "   "))) for x in parts[::2]]
        out.append(" " * (depth * wide) + '"'.join(parts) + " " * chance.randrange(3))
    return "\n".join(out)


# ---- the command ---------------------------------------------------------------------------------------------


@pytest.fixture
def crooked_file(tmp_path):
    path = tmp_path / "a.rules"
    path.write_text("value   v:\n    3\n")
    return path


def test_fmt_writes(crooked_file, capsys):
    assert main(["fmt", str(crooked_file)]) == 0
    assert crooked_file.read_text() == "value v = 3\n"
    assert capsys.readouterr().err == "1 file formatted, 0 already in style.\n"
    assert main(["fmt", "--check", str(crooked_file.parent)]) == 0


def test_check_names_the_files_and_writes_nothing(crooked_file, capsys):
    assert main(["fmt", "--check", str(crooked_file)]) == 1
    assert capsys.readouterr().out == f"{crooked_file}\n"
    assert crooked_file.read_text() == "value   v:\n    3\n"


def test_diff_prints_what_would_change(crooked_file, capsys):
    assert main(["fmt", "--diff", str(crooked_file)]) == 0
    out = capsys.readouterr().out
    assert "-value   v:\n-    3\n+value v = 3\n" in out
    assert crooked_file.read_text() == "value   v:\n    3\n"


def test_a_file_that_cannot_be_read_is_told_and_left(tmp_path, capsys):
    path = tmp_path / "bad.rules"
    path.write_text("value  of of:\n")
    assert main(["fmt", str(path)]) == 1
    assert path.read_text() == "value  of of:\n"
    assert "was skipped: it cannot be read." in capsys.readouterr().err


def test_what_is_printed_stays_together_as_it_was_typed():
    restyled_by(
        'example "E":\n'
        '  put x (a tank,ranges 1/2/4, armor III/VIs,\n'
        '   hull III / VIs, load raw of y /2) in 0101\n'
        '  then armor of x is III/VIs\n'
        '  given hull of x is III /VIs\n'
        '  then armor of x is not 1/2/4\n'
        '  then load of x = a/b\n'
        '  let part be a/b\n',
        'example "E":\n'
        '  put x (a tank, ranges 1/2/4, armor III/VIs,\n'
        '      hull III / VIs, load raw of y / 2) in 0101\n'
        '  then armor of x is III/VIs\n'
        '  given hull of x is III / VIs\n'
        '  then armor of x is not 1/2/4\n'
        '  then load of x = a / b\n'
        '  let part be a / b\n',
    )  # fmt: skip


def test_what_is_put_into_a_field_means_the_same_however_it_is_spaced():
    """The typed text is kept as well as its reading, since it may be printed notation. Its spaces do not matter."""
    text = 'example "E":\n  put x (a tank, side side of b, hull III/VIs) in 0101\n'
    other = text.replace("side of b", "side   of  b").replace("III/", "III  /\n      ")
    assert meaning(parse(file(other)).declarations) == meaning(parse(file(text)).declarations)


# ---- values and statuses that say one plain thing
LONG = " + ".join(["333333", *["3"] * 26])
assert len(f"value v = {LONG}") == 120
ONE_THING = {
    "value v of t (a tank):                  [X-A-1]\n  arm of t\n": f"{'value v of t (a tank) = arm of t':<95} [X-A-1]\n",
    "value v of t (a tank), with m:\n\n  arm of t\n      else 0\n\nvalue w:\n  3\n": "value v of t (a tank), with m = arm of t else 0\n\nvalue w = 3\n",
    "status s of t (a tank):\n  when t is able and t is not spent\n": "status s of t (a tank) = t is able and t is not spent\n",
    "status s of t (a tank) in battle:\n  when speed of t = 3\n": "status s of t (a tank) in battle = speed of t = 3\n",
    f"value v:\n  {LONG}\n": f"value v = {LONG}\n",
    "value v of t (a tank):\n  3 when t is able\n": "value v of t (a tank) = 3 when t is able\n",
    "value v of t (a tank):\n  3 when t is able\n      and t is fit\n  otherwise 4\n": "value v of t (a tank) = 3 when t is able and t is fit, otherwise 4\n",
    "value v of t (a tank):\n  start with arm of t / 2\n  rounded up\n": "value v of t (a tank) = arm of t / 2, rounded up\n",
    "value v of t (a tank):\n  start with 3\n  plus 1 when t is able\n": "value v of t (a tank) = 3, plus 1 when t is able\n",
    "value v:\n  start with 3\n  halved\n  rounded up\n": "value v = 3, halved, rounded up\n",
    "value v:\n  3 when t is able\n  4 when t is fit\n": "value v = 3 when t is able, 4 when t is fit\n",
    "value v:\n  3 when t is able\n  4 when t is fit\n  otherwise 5\n": "value v = 3 when t is able, 4 when t is fit, otherwise 5\n",
}
KEPT = [
    f"value v:\n  3{LONG}\n",
    "value v:  -- of a vest\n  3\n",
    "value v:\n  3  -- of a vest\n",
    "value v:\n  -- of a vest\n  3\n",
    "value v:\n  3\n  -- of a vest\n",
    f"value v:\n{'  3':<96}[X-A-1]\n",
    "value v:\n  3 when t is able\n  4 when t is fit\n  5 when t is far\n  otherwise 6\n",
    "value v:\n  start with 3\n  plus 1\n  halved\n  rounded up\n",
    "value v:\n  3 when t is able\n  rounded up\n",
    "value v:\n  3 when t is able\n  -- else\n  otherwise 4\n",
    "value v:\n  3 when t is able\n  otherwise 4\n  plus 1\n",
    'value v:\n  3 because "so"\n',
    "value v:\n  otherwise 3\n",
    "value v:\n  start with 3\n",
    "value v:\n  3\n  plus 1\n",
    'status s:\n  when t is able because "so"\n',
]
ONE_LINE = {
    "procedure p:\n  stop\n": "procedure p: stop\n",
    "rule r replaces v:                              [X-A-1]\n  3\n": f"{'rule r replaces v: 3':<95} [X-A-1]\n",
    "rule r whenever t (a tank) leaves h (a hex):\n  arm of t becomes 0, far 3\n": (
        "rule r whenever t (a tank) leaves h (a hex): arm of t becomes 0, far 3\n"
    ),
    'order o of t (a tank):\n  remove t\n      because "so"\n': 'order o of t (a tank):\n  remove t\n      because "so"\n',
    'setup s of t (a tank):\n  warned when t is far because "so"\n': 'setup s of t (a tank): warned when t is far because "so"\n',
    "procedure p:\n  for each t in tanks:\n    stop\n  repeat 3 times:\n    do q\n": (
        "procedure p:\n  for each t in tanks: stop\n  repeat 3 times: do q\n"
    ),
    'sequence game-turn:\n  for each s in sides, as active:\n    phase moves "Moves":\n      active may go\n': (
        'sequence game-turn:\n  for each s in sides, as active:\n    phase moves "Moves": active may go\n'
    ),
    "procedure p:\n  when t is far:\n    do q\n  otherwise:\n    do r\n": (
        "procedure p:\n  when t is far:\n    do q\n  otherwise: do r\n"
    ),
    "procedure p:\n  for each t in tanks:\n    for each u in tanks:\n      do q\n": (
        "procedure p:\n  for each t in tanks:\n    for each u in tanks: do q\n"
    ),
}
BELOW = [
    f"procedure p:\n  {LONG} gains 3 points\n",
    "procedure p:  -- of a vest\n  stop\n",
    "procedure p:\n  stop  -- at once\n",
    "procedure p:\n  -- at once\n  stop\n",
    "procedure p:\n  stop\n  -- at once\n",
    f"procedure p:\n{'  stop':<96}[X-A-1]\n",
    "procedure p:\n  do q\n  stop\n",
    "procedure p:\n  simultaneously:\n    do q\n",
    "procedure p:\n  do q with t\n      as u\n",
    "sequence game-turn:\n  phase heat\n",
    'example "E":\n  then v = 3\n',
]
"""What has one line below it that stays there: too long, a remark or citation of its own, a block, a line that goes on."""


@pytest.mark.parametrize(("said", "wanted"), ONE_THING.items())
def test_what_says_one_plain_thing_stands_in_one_line(said, wanted):
    made = formatted(SourceFile("a.rules", said))
    assert (made.text, made.diagnostics) == (wanted, ())
    assert formatted(SourceFile("a.rules", wanted)).text == wanted
    assert meaning(parsed(SourceFile("a.rules", said))[0]) == meaning(parsed(SourceFile("a.rules", wanted))[0])


@pytest.mark.parametrize("said", KEPT)
def test_all_else_stands_below_its_heading(said):
    assert formatted(SourceFile("a.rules", said)).text == said


@pytest.mark.parametrize(("said", "wanted"), ONE_LINE.items())
def test_the_only_line_of_a_rule_or_loop_stands_behind_its_colon(said, wanted):
    made = formatted(SourceFile("a.rules", said))
    assert (made.text, made.diagnostics) == (wanted, ())
    assert formatted(SourceFile("a.rules", wanted)).text == wanted
    assert meaning(parsed(SourceFile("a.rules", said))[0]) == meaning(parsed(SourceFile("a.rules", wanted))[0])


@pytest.mark.parametrize("said", BELOW)
def test_what_is_more_than_one_plain_line_stands_below_its_colon(said):
    assert formatted(SourceFile("a.rules", said)).text == said


def test_what_a_line_behind_a_colon_cites_is_cited_by_the_whole():
    (rule,) = parsed(SourceFile("a.rules", "rule r replaces p: arm of t becomes 0, far 3 [X-A-1, -2]\n"))[0]
    assert rule.cites == ("X-A-1", "X-A-2")
    assert [x.cites for line in rule.body for x in (line, *line.body)] == [(), (), ()]


@pytest.mark.parametrize(
    "said",
    [
        "procedure p: for each t in tanks: stop\n",
        "procedure p:\n  when t is far: stop\n",
        "value v = 3 when t is far, rounded up, otherwise 4\n",
        "value v = 3 when t is far, otherwise 4, rounded up\n",
        "rule r replaces p: stop\n  stop\n  stop\n",
    ],
)
def test_no_block_stands_behind_a_colon_and_no_step_behind_cases(said):
    assert any(x.is_error for x in parsed(SourceFile("a.rules", said))[1])
