"""Reading rule text: the manual's own examples, keywords as names, several errors in one go, and how lines end."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dsl.checks.citations import cited
from dsl.load import check_system, read_system
from dsl.rules.chains import nodes_in
from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from dsl.syntax.cache import PARSING
from dsl.syntax.language_words import DECLARATION_WORDS, KEYWORDS
from dsl.syntax.parse import MOST_ERRORS, parse
from dsl.syntax.stumble import _expected
from dsl.text.diagnostics import render
from dsl.text.source import SourceFile

MANUAL = Path(__file__).parents[2] / "docs" / "language.md"
EXAMPLES = Path(__file__).parents[2] / "examples"


def found(text):
    file = SourceFile("text.rules", text)
    return [(x.code, x.span.line) for x in parse(file).diagnostics]


# ---- the manual
def blocks():
    text = MANUAL.read_text(encoding="utf-8")
    for match in re.finditer(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield text[: match.start()].count("\n") + 2, match[1]


@pytest.mark.parametrize("line, block", list(blocks()), ids=lambda x: str(x) if isinstance(x, int) else "-")
def test_what_the_manual_shows_can_be_read(line, block):
    file = SourceFile("language.md", "\n" * (line - 1) + block)
    assert [render(x, {file.name: file}) for x in parse(file).diagnostics] == []


def test_the_manual_lists_the_words_that_cannot_be_names():
    text = " ".join(MANUAL.read_text(encoding="utf-8").split())
    listed = re.search(r"These words cannot be names: ([^.]*)\.", text)[1]
    assert set(re.findall(r"`([a-z]+)`", listed)) == RESERVED


def test_the_manual_shows_every_word_of_the_grammar():
    text = MANUAL.read_text(encoding="utf-8")
    plain = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    shown = set(
        re.findall(
            r"[a-z]+",
            " ".join([*(re.sub(r"-- [^\n`]*", "", block) for _, block in blocks()), *re.findall(r"`([^`]*)`", plain)]),
        )
    )
    assert KEYWORDS - shown == set(), (
        "show these words of dsl/syntax/grammar.lark in docs/language.md, in a line of rules"
    )


WHOLE = (
    "procedure p:\n  {}\n", "procedure p:\n  {}\n    stop\n", "order o:\n  {}\n", "value v:\n  start with {}\n", "status s:\n  when {}\n",
)  # fmt: skip
"""What a piece of rules in a sentence of the manual may be a part of."""
BASES = {"Node", "Line", "Block", "Expectation"}
IN_WORDS = {"AnyOf", "Negation", "Numbers"}
"""What the manual shows only in pieces that are no rules by themselves: `A, or B`, `not C`, `a number from A to B`."""


def test_the_manual_shows_every_form_of_line_and_of_expression():
    """A new form may consist of old words alone; then the words do not reveal that it is missing."""
    plain = re.sub(r"^```.*?^```", "", MANUAL.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    pieces = {piece.replace("…", "1") for piece in re.findall(r"`([^`\n]+)`", plain)}
    read = [parse(SourceFile("language.md", block)) for _, block in blocks()]
    tried = (parse(SourceFile("language.md", whole.format(piece))) for piece in sorted(pieces) for whole in WHOLE)
    read += [one for one in tried if not one.diagnostics]
    shown = {type(node).__name__ for one in read for node in nodes_in(tuple(one.declarations))}
    made = {
        x.__name__ for room in (t, ln) for x in vars(room).values() if isinstance(x, type) and issubclass(x, t.Node)
    }
    assert made - shown == BASES | IN_WORDS, "show it in docs/language.md, in a line or between backticks"


# ---- keywords as names
FORMS = {
    "a field": "unit tank:\n  {} number\n",
    "a value": "value {}:\n  start with 1\n",
    "a local name": "value v:\n  let {} be 3\n",
    "a word of an enum": "enum e: a, {}\n",
    "an argument": "value v of {} (a tank):\n  start with 1\n",
    "its property": "value v:\n  start with count tanks (where its {} > 2)\n",
    "a kind": "unit {}:\n  a number\n",
    "an order": "order {} of u (a tank):\n  given by side of u\n",
    "a property": "value v of u (a tank):\n  start with {} of u\n",
    "by itself": "value v:\n  start with {}\n",
}
NOT_READ = {
    "a field": {"hidden", "known", "printed"},
    "a property": {"all", "chance", "enemy", "friendly", "it", "its", "other", "own"},
    "by itself": {
        "all", "average", "chance", "count", "enemy", "first", "friendly", "highest", "its", "lowest", "other", "own", "prevailing", "sum",
    },
}  # fmt: skip
RESERVED = set().union(*NOT_READ.values()) | {"the"}


@pytest.mark.parametrize("form", FORMS)
def test_every_keyword_is_free_as_a_name_where_it_cannot_be_meant(form):
    refused = {word for word in KEYWORDS if found(FORMS[form].format(word))}
    assert refused == NOT_READ.get(form, set()), TAKEN


TAKEN = (
    "a word of the grammar is not a name any more: the rules of a campaign that was begun may have it, and then it does not open. "
    "Say it by words that are taken already; else note it here, and in docs/language.md"
)
BEGIN_LINES = {
    "answer", "at", "begins", "dice", "divided", "do", "doubled", "each", "end", "entering", "for", "from", "given", "halting", "halved", "hide",
    "instead", "leg", "legal", "let", "minus", "move", "moved", "never", "on", "otherwise", "phase", "plus", "put", "quartered", "reaching",
    "refused", "relate", "remove", "repeat", "reveal", "rounded", "set", "simultaneously", "start", "starting", "step", "stop", "story", "tell",
    "then", "times", "tripled", "warned", "when", "with", "without",
}  # fmt: skip
"""A field of such a name can be read, not changed."""


def test_a_field_is_changed_by_its_name_unless_lines_begin_so():
    refused = {word for word in KEYWORDS if found(f"procedure p of u (a tank):\n  {word} of u becomes 3\n")}
    assert refused - NOT_READ["a property"] == BEGIN_LINES, TAKEN


def test_the_line_before_decides_nothing():
    first, later = (
        "procedure p of t (a tank):\n  {} of t becomes 3\n",
        "procedure p of t (a tank):\n  stop\n  {} of t becomes 3\n",
    )
    refused = {word for word in KEYWORDS if found(first.format(word))}
    assert {word for word in KEYWORDS if found(later.format(word))} == refused


def test_a_remark_may_stand_before_a_citation_or_behind_it():
    lines = [
        "a mark  -- so  [X-01]",
        "b mark  [X-02] -- so",
        "c mark  -- [so] it is",
        "-- nothing [X-09]",
        "e mark -- x [X-03, -04]",
    ]
    kind = parse(SourceFile("t.rules", "unit tank:\n" + "".join(f"  {line}\n" for line in lines))).declarations[0]
    assert [cite for cite, _ in cited(kind)] == ["X-01", "X-02", "X-03", "X-04"]


def test_the_article_is_ignored_everywhere():
    assert found("the value v of the u (a tank):\n  start with the strength of the u\n") == []


# ---- several errors
def test_twenty_spoiled_declarations_are_twenty_reports():
    text = "".join(f"value good-{i}:\n  start with {i}\nvalue bad-{i}:\n  start wiht {i}\n" for i in range(20))
    assert found(text) == [("E002", 4 * i + 4) for i in range(20)]
    assert len(parse(SourceFile("text.rules", text)).declarations) == 20


def test_reading_is_given_up_after_many():
    assert len(found("valeu v:\n  start with 1\n" * (MOST_ERRORS * 3))) == MOST_ERRORS + 1


def test_errors_of_sense_are_all_reported():
    text = "".join(f"value bad-{i}:\n  start with nothing-{i} + 1\n" for i in range(20))
    system = read_system([SourceFile("text.rules", text)])
    assert [(x.code, x.span.line) for x in check_system(system)] == [("E200", 2 * i + 2) for i in range(20)]


@pytest.mark.parametrize("word", sorted(DECLARATION_WORDS - {"not"}))
def test_a_declaration_that_breaks_off_is_reported_in_its_line(word):
    assert found(f"\n{word}\n")[0] == ("E002", 2)


# ---- lines
VALUE = "value v of u (a tank):   [A-01]\n  start with strength of u   -- a remark\n  halved when strength of u > 3\n      and u is ready\n"


def bodies(text):
    parsed = parse(SourceFile("text.rules", text))
    assert parsed.diagnostics == ()
    return [len(x.body) for x in parsed.declarations]


SPOILED = {
    "plain": lambda t: t,
    "CRLF": lambda t: t.replace("\n", "\r\n"),
    "CR": lambda t: t.replace("\n", "\r"),
    "BOM": lambda t: "\ufeff" + t,
    "BOM and CRLF": lambda t: "\ufeff" + t.replace("\n", "\r\n"),
    "trailing blanks": lambda t: t.replace("\n", "   \n"),
    "trailing tabs": lambda t: t.replace("\n", "\t\n"),
    "tabs": lambda t: t.replace("  start", "\tstart").replace("  halved", "\thalved").replace("      and", "\t\tand"),
    "no newline at the end": lambda t: t.rstrip("\n"),
    "blank lines after": lambda t: t + "\n\n\n",
    "blank lines before": lambda t: "\n\n" + t,
    "blank lines between": lambda t: t.replace("\n", "\n\n"),
    "remarks at the edge": lambda t: t.replace("\n", "\n-- a remark at the edge\n"),
    "remarks further in": lambda t: t.replace("\n", "\n     -- a remark further in\n"),
    "empty remark": lambda t: t.replace("   -- a remark", " --"),
    "continued twice": lambda t: t.replace("strength of u > 3", "strength\n      of u\n      > 3"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_how_lines_end_does_not_matter(name):
    spoil = SPOILED[name]
    assert bodies(spoil(VALUE)) == [2]
    assert bodies(spoil(VALUE + VALUE)) == [2, 2]


def test_a_file_of_windows_shows_its_lines_rightly():
    file = SourceFile("text.rules", "\ufeffenum e: a,, b\r\nvalue v:\r\n  start wiht 3\r\n")
    shown = [render(x, {"text.rules": file}) for x in parse(file).diagnostics]
    assert "1 | enum e: a,, b\n  |           ^" in shown[0]
    assert "3 |   start wiht 3\n  |         ^^^^" in shown[1]


def test_a_tab_takes_one_column_above_and_below():
    file = SourceFile("text.rules", "value v:\n\tstart wiht 3\n")
    assert "2 |  start wiht 3\n  |        ^^^^" in render(parse(file).diagnostics[0], {"text.rules": file})


def test_a_dash_in_a_row_is_a_cell_and_no_remark():
    text = "list tanks of tank:\n  name | gun\n  a    | --\n  b    | --   \n"
    assert [row.text.split("|")[1].strip() for row in parse(SourceFile("x", text)).declarations[0].rows[1:]] == [
        "--",
        "--",
    ]


def test_a_citation_is_read_short_and_long():
    declaration = parse(SourceFile("x", "value v:  [AB-CD-02, -03, EF-01]\n  start with 1\n")).declarations[0]
    assert declaration.cites == ("AB-CD-02", "AB-CD-03", "EF-01")


def test_modules_need_and_exclude_several():
    text = 'module a "A", default on, needs b, c and d, excludes e, f\n'
    module = parse(SourceFile("x", text)).declarations[0]
    assert (module.default, module.needs, module.excludes) == (True, ("b", "c", "d"), ("e", "f"))
    assert found('module a "A", b\n') == [("E002", 1)]
    assert found('module a "A", default sideways\n') == [("E002", 1)]


def test_remarks_and_spacing_leave_the_digest_alone():
    one = parse(SourceFile("x", "value v:\n  start with 1 -- so\n")).digests
    other = parse(SourceFile("y", "\n\nvalue   v:\n\n    start with   1\n")).digests
    assert one == other


def test_the_cache_of_parsed_files_hangs_on_all_that_parsing_is_done_with():
    asked = "import sys, dsl.syntax.parse; print(*(m for m in sys.modules if m.startswith('dsl.')))"
    asking = [sys.executable, "-c", asked]
    imported = subprocess.run(asking, cwd=EXAMPLES.parent, capture_output=True, text=True, check=True).stdout.split()
    rooms = {name for name in PARSING if name.endswith("__init__.py")}
    files = {f"{name.removeprefix('dsl.').replace('.', '/')}.py" for name in imported}
    assert {
        f"{x.removesuffix('.py')}/__init__.py" if f"{x.removesuffix('.py')}/__init__.py" in rooms else x for x in files
    } | {"syntax/grammar.lark", "text/codes.toml"} == set(PARSING)


# ---- what may be left out
SHORT = """
unit tank:
  fuel number, starts 3
  hits number, starts 0
marker wreck, stands in hex
place hex, on hex grid:
  height number, starts 0
procedure lose of u (a tank):
  fuel of u loses 1
  fuel of u loses 1 points when hits of u = 0
  fuel of u gains hits of u until end of turn because "repaired"
  u gains 1 hits
  put w (a wreck) in place of u
order go of u (an own tank):
  do lose with u as u
sequence game-turn:
  phase go "Go":
    sides may go
value height-of-wreck of w (a wreck) = height of place of w
"""


def test_a_kind_may_have_no_lines_and_an_amount_no_word():
    assert [x.message for x in check_system(read_system([SourceFile("t.rules", SHORT)])) if x.is_error] == []


def test_eleven_possible_words_are_all_named():
    """Instead of the last, `or 1 other words` was said."""
    eleven = ["AT", "BECAUSE", "BEFORE", "BETWEEN", "BY", "ELSE", "EXCEPT", "FROM", "HELD", "OF", "WHEN"]
    assert _expected(eleven).endswith("`held`, `of` or `when`.")
    assert _expected([*eleven, "WITH"]).endswith("`of` or 2 other words.")
