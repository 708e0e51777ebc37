"""A stranger's file runs nothing: payloads of every kind in every place where a rule file has names, words or text.

Each payload, if it were ever taken for code, markup or a control sequence, would leave a mark: a file, a name among Python's
builtins, a script in the handbook, an escape sequence on the terminal. Every place is tried with every payload. What the
language accepts is then checked, tested, made into a handbook, begun as a campaign and played, each as a user would do it.
The daily form tries one of each kind of payload, each with every second command. The long form tries all of them with all commands.
"""

import builtins
import functools
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from campaigns.file.errors import CampaignError
from campaigns.library import checking
from campaigns.play import starting
from dsl.syntax import parse
from tests.long import either
from ui.main import main

MARK = "ophex_was_here"


def _code(mark):
    """Python that leaves a mark, without a sign that rule text cannot hold."""
    signs = "+".join(f"(chr)({ord(c)})" for c in f"import builtins;builtins.{mark}=1")
    return f"'+(str)((exec)({signs}))+'"


KINDS = (
    # Python, as text, behind quotes of every kind, and in pieces of what the emitter writes
    (
        _code(MARK), f"__import__('builtins').__dict__.update({MARK}=1)", f"'); import builtins; builtins.{MARK}=1 #", f"\\x27+exec('builtins.{MARK}=1')+\\x27",
        f"'''+exec('import builtins;builtins.{MARK}=1')+'''", f"{{exec('import builtins;builtins.{MARK}=1')}}", "{0.__class__.__mro__[1].__subclasses__}", "{}{}{}{0}{x!r:>99}",
        "%s%n%(x)s%99999d", f"K_0 or exec('import builtins;builtins.{MARK}=1')", "T_x(lambda: W)", "\\N{LATIN SMALL LETTER A}\\u0027\\",
    ),
    # names that the emitter itself gives
    (
        "t8", "a10", "u2", "i1", "r4", "s6", "z7", "c9", "K", "F", "W", "T", "O", "PIN", "acc", "make", "exec", "eval", "import", "None", "True", "lambda",
        "class", "yield", "UNSET", "Exception", "out",
    ),
    # letters that look like others, and that Python would fold
    (
        "ｅｘｅｃ", "еxec", "ﬁ", "tᵃ8", "t８", "ª", "ſ", "K₀", "t\u200b8", "\u202et8", "t8\ufeff", "é", "e\u0301",
    ),
    # markup, markup of the terminal, control signs, other languages' quotes
    (
        f"<script>{MARK}</script>", f'"><img src=x onerror={MARK}>', "javascript:alert(1)", "&lt;b&gt;",
    ),
    ("[bold red]x[/]", "[@click=app.quit]x[/]", "[link=file:///etc/passwd]x[/link]"),
    ("\x1b]0;x\x07", "\x1b[2J", "\x9b2J", "\x07\x08", "\u2028x"),
    ("'; drop table input; --", "$(touch x)", "`touch x`", "../../../etc/passwd", "C:\\con"),
    (
        "a" * 300, "-", "--", "0", "-1", "1e999", "nan", "1/0", "0d0", "99999d99999",
    ),
)  # fmt: skip
PAYLOADS = tuple(payload for kind in KINDS for payload in kind)

TRIED = either(tuple(kind[0] for kind in KINDS), PAYLOADS)
NAMES_TRIED = either(6, 3)
"""Where a payload is no name, every so many of the names are seen to refuse it, others for payloads of other lengths."""

RULES = """\
system «name:system» "«text:title»" version 1.0
module «name:module» "«text:module-title»", default on
option «name:option» "«text:option-title»": «word:option-term», other; default other
enum mood: «word:enum» "«text:enum-title»", calm
scale nerve: low < «word:scale» < high
group shaky of mood: «word:group», calm
campaign game:
  turn-order list of side
place hex, on hex grid:
  ground mood, starts calm
  «name:link» link
unit tank:
  strength number
  mind mood, starts calm
  «name:field» number, starts 1
rating armor:
  written "«text:format»"
  thick number
table «name:table» by 1d6 and mood:
  1d6  | mood           || points
  1..3 | calm           || 1
  4..6 | calm           || 2
  1..6 | «cell:heading» || «cell:cell»
list «name:list» of tank:
  name         | strength
  «cell:entry» | 4
map field "«text:map-title»" of hex, 3 by 3, even columns low:
  letters:
    letter | ground
    .      | calm
  grid:
    01 | . . .
    02 | . . .
    03 | . . .
  named:
    hex   | name
    0101  | «cell:place-name»
value worth of x (a tank):                                                        [«cite:rule»-A-1]
  let «name:let» be strength of x when strength of x > 2
  start with strength of x
  plus 1 when mind of x is calm because "«text:because»"
value whole of s (a side):
  start with sum worth of own tanks
procedure «name:procedure» of u (a tank):
  tell sides "«text:tell» {}" with u
  mind of u becomes calm
order «name:order» of u (a tank) to h (a hex):
  given by side of u
  refused when h is not next to u because "«text:refusal»"
  move u to h
  strength of u loses 1 points
sequence game-turn:
  for each s in turn-order, as active:
    phase «name:phase» "«text:phase-title»":
      active may «name:order»
rule «name:rule» whenever u (a tank) enters h (a hex):
  tell sides "«text:rule-tell»"
example "«text:example»":
  put t (a tank, side blue, strength 4) in 0102
  then worth of t is 5
not modelled [«cite:excuse»-A-2]: "«text:excuse»"
scenario meeting "«text:scenario-title»" on field:
  about "«text:about»"
  side blue "«text:side-title»" «name:colour»
  side red "Red" red
  forces blue of tank:
    name        | in   | strength
    «cell:unit» | 0102 | 4
    second      | 0103 | 4
  turn-order is blue, red
  end game won by blue when turn > 2 because "«text:end»"
"""
PLACE = re.compile("«(name|word|text|cell|cite):([a-z-]+)»")
PLAIN = {"name:system": "hostile", "name:colour": "blue", "text:format": "<thick>", "cell:cell": "4", "cell:heading": "angry", "word:enum": "angry", "word:group": "angry"}  # fmt: skip
SAME = {"word:group": "word:enum", "cell:heading": "word:enum"}
PLACES = tuple(dict.fromkeys(m[0].strip("«»") for m in PLACE.finditer(RULES)))


def written(payloads):
    """The rule file with payloads in some places, by place, and plain words in all others."""

    def fill(found):
        place = found[0].strip("«»")
        if place in payloads:
            return payloads[place]
        if SAME.get(place) in payloads:
            return payloads[SAME[place]]
        return PLAIN.get(place, "Q" if found[1] == "cite" else found[2])

    return PLACE.sub(fill, RULES)


class Page(HTMLParser):
    """What a browser would run or fetch."""

    def __init__(self):
        super().__init__()
        self.bad = []

    def handle_starttag(self, tag, attrs):
        if tag in {"script", "img", "iframe", "object"}:
            self.bad.append(tag)
        self.bad += [
            f"{tag} {name}"
            for name, value in attrs
            if name.startswith("on") or (name in {"href", "src"} and (value or "").startswith("javascript:"))
        ]


def ran(argv, capsys):
    """Runs a command in this process: its exit code and all that it printed."""
    try:
        code = main(argv)
    except SystemExit as stop:
        code = stop.code
    said = capsys.readouterr()
    return code, said.out + said.err


def unmarked(folder, said=""):
    """Nothing ran, and nothing reached the terminal raw."""
    assert not hasattr(builtins, MARK)
    assert not (folder / "x").exists()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", said), repr(said)


def accepted(folder, payloads):
    """Whether the rules with these payloads have no error."""
    (folder / "own.rules").write_text(written(payloads), encoding="utf-8", errors="surrogatepass")
    try:
        return not checking.check(str(folder)).errors
    except CampaignError:
        return False


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delattr(builtins, MARK, raising=False)
    # The same declarations come again and again beside the few that hold a payload: each is parsed once in a test.
    monkeypatch.setattr(parse, "parse_chunk", functools.cache(parse.parse_chunk))
    (tmp_path / "hostile").mkdir()
    return tmp_path / "hostile"


def test_the_plain_rules_are_well(folder, capsys):
    assert accepted(folder, {}), ran(["check", "hostile"], capsys)


def test_there_are_enough_of_them():
    assert len(PAYLOADS) * len(PLACES) >= 500
    assert {place.split(":")[0] for place in PLACES} == {"name", "word", "text", "cell", "cite"}


def fitting(folder, payload, places):
    """The places of these that take a payload, together. All at once first, then each half, and so on."""
    if not places or accepted(folder, dict.fromkeys(places, payload)):
        return list(places)
    if len(places) == 1:
        return []
    half = len(places) // 2
    found = fitting(folder, payload, places[:half]) + fitting(folder, payload, places[half:])
    while found and not accepted(folder, dict.fromkeys(found, payload)):
        found.pop()  # two of one name
    return found


NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")
NAMES = tuple(p for p in PLACES if p.startswith("name:"))
OTHERS = tuple(sorted((p for p in PLACES if not p.startswith("name:")), key=lambda p: p.partition(":")[0]))
"""Places of one sort beside each other: most of them take a payload or refuse it alike."""


@pytest.mark.parametrize("payload", TRIED, ids=lambda p: ascii(p)[:24])
def test_a_payload_runs_nothing(folder, payload, capsys):
    places = [*OTHERS, *NAMES]
    if not NAME.fullmatch(payload):
        assert not any(accepted(folder, {place: payload}) for place in NAMES[len(payload) % NAMES_TRIED :: NAMES_TRIED])
        places = [*OTHERS]
    fits = fitting(folder, payload, places)
    together = dict.fromkeys(fits, payload)
    assert accepted(folder, together) == bool(ran(["check", "hostile"], capsys)[0] in {0, None})
    unmarked(folder.parent)
    order = payload if "name:order" in together else "order"
    unit = payload if "cell:unit" in together else "unit"
    blue = ["--as", "blue"]
    campaign = "c.ophex"
    commands = [
        ["test", "hostile"], ["fmt", "hostile"], ["coverage", "hostile"], ["tree", "hostile", "worth"],
        ["new", campaign, "--scenario", "hostile/meeting", "--seed", "1"],
        ["status", campaign, *blue], ["legal", campaign, *blue], ["map", campaign, "--format", "svg"], ["map", campaign, "--format", "graphml"],
        ["why", campaign, *blue, f"worth of {unit}"], ["why-not", campaign, *blue, f"{order} {unit} to 0303"],
        ["do", campaign, *blue, f"{order} {unit} to 0202"], ["do", campaign, *blue, "done"], ["do", campaign, "--as", "red", "done"],
        ["override", campaign, "strength of second becomes 2", "--reason", payload.replace("\n", " ")],
        ["log", campaign], ["verify", campaign], ["handbook", "hostile", "--out", "book"],
    ]  # fmt: skip
    half = either(TRIED.index(payload) % 2, None)
    for number, argv in enumerate(commands):
        if half is not None and number % 2 != half and argv[0] != "new":
            continue
        code, said = ran(argv, capsys)
        assert code != 70, (argv, said)
        assert "Traceback" not in said
        unmarked(folder.parent, said)
    for path in Path("book").rglob("*.html"):
        page = Page()
        page.feed(path.read_text(encoding="utf-8"))
        assert page.bad == []


@pytest.mark.parametrize("payload", [p for p in TRIED if p.isascii() and p.isalnum()], ids=str)
def test_a_word_means_the_same_whatever_it_looks_like(folder, payload, capsys):
    """Two tanks of 4 in good order: each is worth 4 + 1, in play, in `why` and in the example."""
    payloads = {
        p: payload
        for p in ("word:enum", "name:let", "word:scale", "name:field", "cell:unit")
        if accepted(folder, {p: payload})
    }
    assert accepted(folder, payloads) or len(payloads) < 2
    if not accepted(folder, payloads):
        return
    assert ran(["test", "hostile"], capsys)[0] == 0
    assert ran(["new", "w.ophex", "--scenario", "hostile/meeting"], capsys)[0] == 0
    campaign = starting.open_campaign("w.ophex")
    try:
        game = campaign.game
        assert str(game.explain("whole of blue").value) == "10"
        blue = game.world.by_id["blue"]
        assert game.world.functions["v_whole"](blue) == 10
    finally:
        campaign.close()


CATALOG = """\
[[rule]]
id = {id}
title = {text}
rule = {text}
ruling = {text}
module = {text}
kind = {text}
[[rule]]
id = "Q-A-1"
title = {text}
rule = {text}
"""


def quoted(text):
    """A TOML string, each sign by its number."""
    return '"' + "".join(f"\\U{ord(c):08x}" for c in text) + '"'


@pytest.mark.parametrize("payload", TRIED, ids=lambda p: ascii(p)[:24])
def test_a_catalog_is_data(folder, payload, capsys):
    """The text of a rule may be anything; an id must be something that can be cited."""
    (folder / "own.rules").write_text(written({}), encoding="utf-8")
    for own_id, well in (("Q-B-2", True), (payload, False)):
        (folder / "catalog.toml").write_text(CATALOG.format(id=quoted(own_id), text=quoted(payload)), encoding="utf-8")
        for argv in (["check", "hostile"], ["coverage", "hostile"], ["handbook", "hostile", "--out", "book"]):
            code, said = ran(argv, capsys)
            assert code == (0 if well else 1), (argv, said)
            unmarked(folder.parent, said)
    for path in Path("book").rglob("*.html"):
        page = Page()
        page.feed(path.read_text(encoding="utf-8"))
        assert page.bad == []
