"""The handbook: linked pages of complete HTML, every declaration with its changes and readers, examples with their results.

The daily form makes the handbook of a shipped system with the examples of battles alone, the long form (OPHEX_LONG=1) with all.
"""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from campaigns.library.compiling import compiled
from dsl.load import read_system
from dsl.manual.handbook_parts import Result
from dsl.manual.making_handbook import handbook
from dsl.text.source import SourceFile
from interpreter.queries.project import bare_map
from tests.long import LONG
from ui.pages.handbook_pages import pages

ROOT = Path(__file__).parents[2]
VOID = {"meta", "link", "br", "input"}
CATALOG = """
[[rule]]
id = "T-MOVE-01"
title = "How far"
module = "basic"
rule = "A tank goes as far as its speed & no farther."
[[rule]]
id = "T-MOVE-02"
title = "Mud"
module = "mud"
rule = "Mud is slow."
ruling = "By one."
[[rule]]
id = "T-SKY-01"
title = "Clouds"
origin = "ours"
rule = "Look up."
"""
RULES = """\
-- Moving: how far a tank goes.
system toy "Toy & Co" version 1.0
catalog "catalog.toml"
module mud "Mud season", default off                                                            [T-MOVE-02]
option haste "In haste tanks": stop, go-on; default go-on                                       [T-MOVE-01]
not modelled [T-SKY-01]: "There is no sky"
enum ground "The ground": open, wood
unit tank:
  speed number, starts 4

-- ---- how far -----------------------------------
table cost by ground:                                                                           [T-MOVE-01]
  ground || points | remark
  open   || x1/2   | --
  wood   || 7      | <slow>
-- Nothing stops a `tank`.
value allowance of u (a tank):                                                                  [T-MOVE-01]
  start with speed of u                                                                         -- as it is
  halved when haste is stop
      because "a & b"                                                                           [T-MOVE-01, -02]
rule bogged adds to allowance of u (a tank), with mud:                                          [T-MOVE-02]
  minus 1 because "mud"
"""
EXAMPLES = """\
example "Far":                                                                                  [T-MOVE-01]
  put x (a tank, side blue)
  then allowance of x = 4
  with mud:
    then allowance of x = 2
"""


class Page(HTMLParser):
    """A page's addresses and links; fails where elements do not close."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.open = [], [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found[k] for k in ("href", "src") if k in found]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())


def made(files, catalog, results=None):
    text = read_system([SourceFile(n, t) for n, t in files.items()], catalog)
    assert not [p for p in text.problems if p.is_error]
    return pages(handbook(text.declarations, text.files, text.catalog, results))


@pytest.fixture(scope="module")
def toy():
    results = {("examples-moving.rules", 3): Result(True, "4"), ("examples-moving.rules", 5): Result(False, "3", "3")}
    return made({"moving.rules": RULES, "examples-moving.rules": EXAMPLES}, CATALOG, results)


@pytest.fixture(scope="module")
def shipped():
    folder = ROOT / "examples" / "bth"
    left_out = set() if LONG else set(folder.glob("examples-*.rules")) - {folder / "examples-battle.rules"}
    paths = sorted(set(folder.rglob("*.rules")) - left_out)
    files = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return made(files, (folder / "catalog.toml").read_text(encoding="utf-8"))


def article(page, anchor):
    """The words of one text of a page, and its HTML."""
    found = re.search(rf'<article class="[\w ]+" id="{anchor}">.*?</article>', page, re.DOTALL)
    assert found, anchor
    apart = re.sub(r'</h3>|</li>|</summary>|<output>|<span class="cites">', " ", found[0])
    return " ".join(re.sub(r"<[^>]+>", "", apart).split()), found[0]


@pytest.mark.parametrize("book", ["toy", "shipped"])
def test_every_link_leads_somewhere(book, request):
    book = request.getfixturevalue(book)
    read = {name: Page(text) for name, text in book.items() if name.endswith(".html")}
    for name, page in read.items():
        assert len(page.ids) == len(set(page.ids)), name
        for link in page.links:
            target, _, anchor = link.partition("#")
            assert (target or name) in book, (name, link)
            assert not anchor or anchor in read[target or name].ids, (name, link)


def test_nothing_is_loaded_from_elsewhere(shipped):
    for name, text in shipped.items():
        assert "<script" not in text
        assert not re.search(r'(?:href|src)="(?:https?:)?//|@import|url\(', text), name


def test_what_a_text_says_is_shown_as_letters_never_as_markup():
    rules = RULES.replace('"a & b"', '"<em>{{ 7 * 7 }}</em> {% x %}"').replace("Mud season", "<strong>Mud</strong>")
    catalog = CATALOG.replace("Clouds", "'><script>x</script>").replace("Look up.", "`<u>` <u>\u202e")
    book = made({"moving.rules": rules, "examples-moving.rules": EXAMPLES}, catalog)
    assert "<q>&lt;em&gt;{{ 7 * 7 }}&lt;/em&gt; {% x %}</q>" in article(book["moving.html"], "value-allowance")[1]
    for name, page in book.items():
        if name.endswith(".html"):
            assert not re.search(r"<(?:em|strong|u|script)>|\u202e", page), name
            assert Page(page).ids or name == "index.html"


def test_a_file_is_a_chapter_and_its_examples_stand_in_it(toy):
    assert set(toy) == {"index.html", "names.html", "rules.html", "moving.html", "handbook.css"}
    assert "Toy &amp; Co" in toy["index.html"]
    assert "<h1>The game</h1>" in toy["moving.html"]
    assert '<h2 id="section-how-far">How far</h2>' in toy["moving.html"]
    assert (
        '<p class="note">Nothing stops a <a class="name" href="moving.html#unit-tank">tank</a>.</p>'
        in toy["moving.html"]
    )


def test_a_value_with_its_lines_reasons_citations_and_readers(toy):
    words, html = article(toy["moving.html"], "value-allowance")
    assert words.startswith("value Allowance of u (a tank) T-MOVE-01 start with speed of u as it is")
    assert "halved when haste is stop because a &amp; b T-MOVE-01, -02" in words
    assert '<a class="name" href="moving.html#option-haste">haste</a>' in html
    assert '<a class="cite" href="rules.html#T-MOVE-02" title="Mud">-02</a>' in html
    assert "Extended by: Bogged mud" in words
    assert "1 example" in words


def test_a_table_has_headings_and_signs(toy):
    _, html = article(toy["moving.html"], "table-cost")
    assert '<th class="result edge">points</th><th class="result">remark</th>' in html
    assert '<th class="key">wood</th><td class="result edge">7</td><td class="result">&lt;slow&gt;</td>' in html
    assert '<td class="result edge">×1/2</td><td class="result">–</td>' in html


@pytest.mark.parametrize(("keys", "heading", "caption"), [
    ("ground and ground", "ground", "ground down the side, ground across the top"),
    ("1d2 and ground", "ground", "ground down the side, 1d2 across the top"),
    ("ground and 1d2", "ground", "ground down the side, 1d2 across the top"),
])  # fmt: skip
def test_a_table_of_two_keys_names_both(keys, heading, caption):
    top = "open | wood" if keys.count("ground") == 2 else "1 | 2"
    table = f"table next by {keys}:\n  {heading} || {top}\n  open || 1 | 2\n  wood || 3 | 4\n"
    assert any(f"<caption>{caption}</caption>" in page for page in made({"t.rules": RULES + table}, CATALOG).values())


def test_modules_options_and_what_is_not_modelled(toy):
    assert (
        "Off by default; a scenario or the organizer can change this." in article(toy["moving.html"], "module-mud")[0]
    )
    assert article(toy["moving.html"], "option-haste")[0].startswith(
        "option In haste tanks T-MOVE-01 haste stop go on by default"
    )
    assert "There is no sky" in toy["index.html"]
    assert 'class="badge" href="moving.html#module-mud">mud</a>' in article(toy["moving.html"], "rule-bogged")[1]


def test_rules_one_by_one(toy):
    words, _ = article(toy["rules.html"], "T-MOVE-01")
    assert (
        words
        == "T-MOVE-01 How far A tank goes as far as its speed &amp; no farther. Implemented in: In haste tanks, Cost, Allowance Examples: Far"
    )
    assert "Ruling. By one." in article(toy["rules.html"], "T-MOVE-02")[0]


def test_rules_that_no_source_has_are_marked_wherever_they_are_cited(toy):
    assert "T-SKY-01 Clouds our own °" in article(toy["rules.html"], "T-SKY-01")[0]
    assert "our own" not in article(toy["rules.html"], "T-MOVE-01")[0]
    assert ">T-SKY-01°</a>" in toy["index.html"]
    assert "Rules marked ° are our own" in toy["index.html"]
    assert "°" not in toy["moving.html"].replace("T-SKY-01°", "")
    assert "Not modelled. There is no sky" in article(toy["rules.html"], "T-SKY-01")[0]


def test_rules_of_the_base_game_have_a_mark_of_their_own():
    catalog = CATALOG.replace('title = "Mud"', 'title = "Mud"\norigin = "base"')
    book = made({"moving.rules": RULES, "examples-moving.rules": EXAMPLES}, catalog)
    assert "T-MOVE-02 Mud mud base game †" in article(book["rules.html"], "T-MOVE-02")[0]
    assert "T-MOVE-02†" in book["moving.html"]
    assert "Rules marked † are from the base game" in book["index.html"]
    assert "Rules marked ° are our own" in book["index.html"]


def test_several_files_of_examples_go_to_the_end_of_their_chapter():
    far = EXAMPLES.replace("Far", "Farther still")
    book = made(
        {"moving.rules": RULES, "examples-moving.rules": EXAMPLES, "examples-moving-by-night.rules": far}, CATALOG
    )
    assert not [page for page in book if page.startswith("examples")]
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", book["moving.html"])[-2:] == ["Examples", "Examples: by night"]
    assert "Farther still" in book["moving.html"]


def test_examples_tell_what_comes_out(toy):
    words, html = article(toy["moving.html"], "example-far")
    assert '<article class="example bad"' in html
    assert "then allowance of x = 4 4 ✓" in words
    assert "then allowance of x = 2 3 ✗" in words
    assert "1 of 2 lines in examples fail." in toy["index.html"]


def test_chapters_stand_in_an_order_to_be_read_in(shipped):
    order = re.findall(r'<li><a href="([\w-]+)\.html">', shipped["index.html"].partition("<main>")[2])
    assert order[:7] == ["bth", "units", "orders", "movement", "battle", "fire-support", "results"]
    assert order.index("supply") < order.index("forces-american") < order.index("maps-training")


def test_a_bound_value_reads_the_names_of_its_procedure():
    text = (
        "procedure fight of attackers (some units):\n  let attack be count attackers\n"
        "order attack of u (a unit):\n  do fight with u as attackers\n"
        "value edge in fight:\n  start with attack\n"
    )
    page = made({"fight.rules": text}, "")["fight.html"]
    assert '<a class="name" href="fight.html#procedure-fight">attack</a>' in article(page, "value-edge")[1]


def test_a_map_is_blank_where_there_is_no_place():
    text = """\
system sea "Sea" version 1.0
place hex, on hex grid, lies in zone:
  depth number
place zone:
  name text
map gulf "The gulf" of hex, 3 by 2, even columns low:
  letters:
    letter | depth
    .      | 1
    x      | no place
  grid:
    01 | . x .
    02 | x . .
  zones:
    01..02 | 2 west, 1 east
"""
    page = made({"sea.rules": text}, "")["sea.html"]
    grids = re.findall(r'<pre class="grid">(.*?)</pre>', page, re.DOTALL)
    assert grids == ["01 | .   .\n02 |   . .", "01..02 | 2 west, 1 east"]


def test_a_map_with_a_picture_is_shown_as_one_with_its_letters_folded_away():
    rules = """\
system marches "Marches" version 1.0
enum terrain: clear, wood
place hex, on hex grid:
  terrain terrain
map field "The field" of hex, 2 by 1, even columns low:
  letters:
    letter | terrain
    .      | clear
    w      | wood
  grid:
    01 | . w
"""
    text = read_system([SourceFile("marches.rules", rules)], "")
    book = handbook(text.declarations, text.files)
    pictured = pages(book, {"field": bare_map(compiled(text), "field")})
    (page,) = [t for t in pictured.values() if 'id="map-field"' in t]
    assert '<div class="scroll picture" tabindex="0"><svg ' in page
    assert re.search(
        r'<details class="letters"><summary>As letters</summary>\s*<pre class="grid">01 \| \. w</pre>', page
    )
    plain = next(t for t in pages(book).values() if 'id="map-field"' in t)
    assert '<details class="letters">' not in plain
    assert '<pre class="grid">01 | . w</pre>' in plain
