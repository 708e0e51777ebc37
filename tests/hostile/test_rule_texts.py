"""Rule files from strangers: whatever they contain, a check ends soon, in little memory, with findings and no traceback.

The long form makes the large inputs three to eight times as large.
"""

import random
import resource

import pytest

from dsl.checks.citations import catalog_rules, check_citations
from dsl.load import check_system, read_system
from dsl.text.diagnostics import RuleTextError, render
from dsl.text.source import SourceFile
from tests.hostile.sound import NAMED as S
from tests.hostile.sound import SOUND
from tests.long import either

pytestmark = pytest.mark.timeout(60)

HEX = S + "place hex, on hex grid:\n  height number\n"
LETTERS = "  letters:\n    letter | height\n    .      | 1\n"
RANDOM = random.Random(4)
MANY = either(1_000, 3_000)
"""How many values stand in a row."""


def parts(ship, gun, shell):
    """A system of ships made of guns made of shells."""
    kinds = "unit ship:\n  hull track, starts 1\ncomponent gun, part of ship:\n  x number, starts 1\ncomponent shell, part of gun:\n  y number\n"
    lists = (("ships", "ship", "guns", ship), ("guns", "gun", "shells", gun), ("shells", "shell", "y", shell))
    return S + kinds + "".join(f"list {n} of {k}:\n  name | {h}\n  {row}\n" for n, k, h, row in lists)


def value(text):
    return f"{S}value v:\n  start with {text}\n"


def status(text):
    return f"{S}status v:\n  when {text}\n"


def blocks(depth):
    return (
        S
        + "procedure p:\n"
        + "".join("  " * (i + 1) + "when turn = 1:\n" for i in range(depth))
        + "  " * (depth + 1)
        + "stop\n"
    )


def entry(kind, cell):
    return f"{S}{kind}unit tank:\n  gun gun\nlist tanks of tank:\n  name | gun\n  a    | {cell}\n"


def rating(pattern, fields):
    return f'rating gun:\n  written "{pattern}"\n' + "".join(f"  {f}\n" for f in fields)


def table(head, *rows):
    return S + "\n  ".join([f"table t by {head}:", *rows]) + "\n"


A30 = "".join(f"<a{i}>" for i in range(30)) + "!"

# What is read, and a code that must be among the findings.
CASES = {
    "brackets nested 10,000 deep": (lambda: value("(" * 10_000 + "1" + ")" * 10_000), "E004"),
    "brackets nested 190 deep": (lambda: value("(" * 190 + "1" + ")" * 190), ""),
    "brackets that never close": (lambda: value("(" * 10_000), "E004"),
    "blocks nested 10,000 deep": (lambda: blocks(1000), "E003"),
    "a long row of not": (lambda: status("not " * 10_000 + "1 = 1"), "E004"),
    "a row of not": (lambda: status("not " * 390 + "1 = 1"), "E003"),
    "a long chain of of": (lambda: value("a of " * 10_000 + "b"), "E004"),
    "a chain of of": (lambda: value("a of " * 190 + "b"), "E003"),
    "a long sum": (lambda: value("1 + " * 10_000 + "1"), "E004"),
    "a sum": (lambda: value("1 + " * 190 + "1"), "E003"),
    "a long list": (lambda: value("sum (" + "1, " * 10_000 + "1)"), "E004"),
    "a long condition": (lambda: status("1 = 1" + ", or 1 = 1" * 5_000), "E004"),
    "a file of 50 MB": (lambda: "value v:\n  start with 1\n" * 2_000_000, "E001"),
    "a table of a million rows": (lambda: table("1d6", "1d6 || r", *["1 || 1"] * 1_000_000), "E001"),
    "a table of 100,000 rows": (lambda: table("1d6", "1d6 || r", *["1 || 1"] * 100_000), "E001"),
    "a table of 15,000 rows": (lambda: table("1d6", "1d6 || r", *["1 || 1"] * 15_000), "E001"),
    "keys with a huge product": (
        lambda: table("1d100 and 2d100 and 3d100 and 4d100", "1d100 | 2d100 | 3d100 | 4d100 || r", *[f"{i} | {i + 4} | {i + 4} | {i + 4} || 1" for i in range(1, 90)]),
        "W311",
    ),
    "wide rows": (
        lambda: table("1d100 and 2d100 and 3d100", "1d100 | 2d100 | 3d100 || r", *["any | any | any || 1"] * 1_900),
        "E308",
    ),
    "a line of a megabyte": (lambda: value("x" * 1_000_000), "E008"),
    "a line of a million words": (lambda: value("x " * 900_000), "E002"),
    "a long text": (lambda: value('1 because "' + "x" * 1_000_000 + '"'), "E008"),
    "a long remark": (lambda: value("1 -- " + "x" * 1_000_000), ""),
    "a long row of hyphens": (lambda: value("1 " + "-" * 1_000_000), "E002"),
    "a long row of quotes": (lambda: value("1 because " + '"' * 999_999), "E002"),
    "a long row of brackets": (lambda: S + "value v: " + "[A-" * 300_000 + "\n  start with 1\n", "E002"),
    "endless repetition": (lambda: S + "procedure p:\n  repeat at most 1000000000 times:\n    stop\n", "E233"),
    "an enum of 100,000 words": (lambda: S + "enum e: " + ", ".join(f"w{i}" for i in range(100_000)) + "\n", "E004"),
    "a scale of 100,000 words": (lambda: S + "scale e: " + " < ".join(f"w{i}" for i in range(100_000)) + "\n", "E004"),
    "a name of 100,000 letters": (lambda: S + "value " + "n" * 100_000 + ":\n  start with 1\n", "E008"),
    "a name of 100,000 parts": (lambda: S + "value v" + "-v" * 100_000 + ":\n  start with 1\n", "E008"),
    "many misspelt names": (lambda: S + "".join(f"value {'v' * 30}{i}:\n  start with {'v' * 31}x{i}\n" for i in range(either(400, 3_000))), "E200"),
    "100,000 mistakes": (lambda: S + "value v 1:\n  start\n" * 90_000, "E007"),
    "very many lines": (lambda: "x\n" * either(200_000, 999_000), "E007"),
    "many declarations of one name": (lambda: S + "value v:\n  start with 1\n" * either(700, 5_000), "E102"),
    "noise": (lambda: RANDOM.randbytes(200_000).decode("latin-1"), "E006"),
    "noise with letters": (lambda: "".join(chr(RANDOM.randrange(1, 0x3000)) for _ in range(50_000)), "E006"),
    "half a character": (lambda: value('1 because "\ud800"'), ""),
    "control characters": (lambda: value("\x01\x1b[31m\x7f"), "E002"),
    "letters of other alphabets": (lambda: S + "value größe:\n  start with 1\n", "E002"),
    "line ends of other alphabets": (lambda: S + "value v:\u2028  start with 1\x0c\x85\n", "E002"),
    "nothing": (lambda: "", "W001"),
    "only remarks": (lambda: "-- a\n-- b\n" * 10_000, "W001"),
    "only blanks": (lambda: " \n\t\n" * 100_000, "W001"),
    "3,000,000 spaces": (lambda: S + "value v:\n" + " " * 1_900_000 + "start with 1\n", ""),
    "1,900,000 blank lines": (lambda: S + "\n" * 1_900_000, ""),
    "values in a circle": (lambda: S + "value a:\n  start with b\nvalue b:\n  start with a\n", "E222"),
    "many values in a circle": (lambda: S + "".join(f"value a{i}:\n  start with a{(i + 1) % MANY}\n" for i in range(MANY)), "E222"),
    "a chain of many values": (lambda: S + "".join(f"value a{i}:\n  start with a{i + 1}\n" for i in range(MANY)) + f"value a{MANY}:\n  start with 1\n", "E239"),
    "kinds that hold each other": (lambda: S + "unit a, held by b:\n  x number\nunit b, held by a:\n  x number\nvalue w of a:\n  start with c of a\n", "E106"),
    "a kind that holds itself": (lambda: S + "unit a, held by a:\n  x number\nvalue w of a:\n  start with c of a\n", "E106"),
    "kinds that are parts of each other": (lambda: S + "unit a, part of b:\n  x number\nunit b, part of a:\n  x number\nvalue w of a:\n  start with c of a\n", "E106"),
    "parts of parts without end": (lambda: parts("a | 9999999999 p", "p | 9999999999 q", "q | 2"), "E352"),
    "parts that are too many together": (lambda: parts("a | 999 p", "p | 999 q", "q | 2"), "E352"),
    "parts that are nothing": (lambda: parts("a | , 0 p, -1 p, 1e9 p, p p", "p | --", "q | 2"), "E352"),
    "modules that need each other": (lambda: S + 'module a "A", needs b\nmodule b "B", needs a\n', "E106"),
    "a module that excludes its own need": (lambda: S + 'module a "A", needs b\nmodule b "B", excludes a\n', "E107"),
    "1,000 modules": (lambda: S + "".join(f'module m{i} "M"\n' for i in range(1_000)), "E001"),
    "procedures in a circle": (lambda: S + "procedure p:\n  do q\nprocedure q:\n  do p\n", "E240"),
    "a procedure that does itself": (lambda: S + "procedure p:\n  do p when turn > 1\n", "E240"),
    "procedures in a circle by a rule": (lambda: S + "procedure p:\n  stop\nprocedure q:\n  do p\nrule r after procedure p:\n  do q\n", "E240"),
    "procedures bound to each other": (lambda: S + "procedure p in q:\n  stop\nprocedure q in p:\n  stop\n", "E222"),
    "a map of 10^9 hexes": (lambda: HEX + 'map m "M" of hex, 100000 by 10000:\n' + LETTERS, "E312"),
    "a map of 4,000,000 hexes": (lambda: HEX + 'map m "M" of hex, 2000 by 2000:\n' + LETTERS, "E312"),
    "a map of a broken size": (lambda: HEX + 'map m "M" of hex, 1.5 by 2:\n' + LETTERS, "E312"),
    "a map of an endless size": (lambda: HEX + f'map m "M" of hex, {"9" * 5000} by 1:\n' + LETTERS, "E008"),
    "999,999 dice": (lambda: S + "procedure p:\n  active rolls 999999d999999 as x\n", "E009"),
    "dice as a key": (lambda: table("999999d999999", "999999d999999 || r", "any || 1"), "E009"),
    "dice of 5,000 digits": (lambda: S + f"procedure p:\n  active rolls {'9' * 5000}d6 as x\n", "E008"),
    "no dice": (lambda: S + "procedure p:\n  active rolls 0d0 as x\n", "E009"),
    "1/0": (lambda: value("1/0"), "E205"),
    "1 / 0": (lambda: value("1 / 0"), "E205"),
    "1:0": (lambda: value("1:0"), "E205"),
    "1/0 in a table": (lambda: table("1d6", "1d6 || r", "any || x1/0"), "E326"),
    "1/0 on a counter": (lambda: entry(rating("<v>", ["v number"]), "1/0"), "E311"),
    "a scale with zero": (lambda: S + "scale c: 1:1 < 1:0\n", "E205"),
    "10^1000": (lambda: value("9" * 1_000), "E008"),
    "10^100000": (lambda: value("9" * 100_000), "E008"),
    "a huge fraction": (lambda: value("9" * 10_000 + "/" + "7" * 10_000), "E008"),
    "a huge percentage": (lambda: value("9" * 10_000 + "%"), "E008"),
    "huge numbers in a table": (lambda: table("1d6", "1d6 || r", "any || " + "9" * 9_000), ""),
    "a huge key": (lambda: table("1d6", "1d6 || r", "9" * 9_000 + " || 1"), "E303"),
    "a huge range of a key": (lambda: table("weight", "weight kept within 1 .. 99999999999", "weight || r", "1 || 1"), "E307"),
    "a huge range of a field": (lambda: S + f"unit tank:\n  s 0 .. {'9' * 6000}\n", "E008"),
    "powers": (lambda: value("9**9**9"), "E002"),
    "a notation of thirty texts": (lambda: entry(rating(A30, [f"a{i} text" for i in range(30)]), "a" * 60), "E311"),
    "a notation of thirty numbers": (lambda: entry(rating(A30, [f"a{i} number" for i in range(30)]), "1" * 60), "E311"),
    "a notation of 300 parts": (lambda: entry(rating("<a>" * 300, ["a number"]), "1" * 190), "E311"),
    "a printed heading of thirty texts": (
        lambda: S + "unit tank:\n" + "".join(f"  a{i} text\n" for i in range(30)) + f'  printed gun "{A30}"\nlist tanks of tank:\n  name | gun\n  a | {"a" * 60}\n',
        "E311",
    ),
    "a rating of itself": (lambda: entry(rating("<a>", ["a gun"]), "x"), "E106"),
    "ratings of each other": (lambda: entry(rating("<a>", ["a shell"]) + 'rating shell:\n  written "<a>"\n  a gun\n', "x"), "E106"),
    "a notation of nothing": (lambda: entry(rating("<a><b>", ["a number"]), "1x"), "E325"),
    "a heading of bars": (lambda: table("weight", "|", "||", "|| ||"), "E301"),
    "a list of bars": (lambda: S + "unit tank:\n  a number\nlist tanks of tank:\n  |\n  | |\n", "E209"),
    "a map of bars": (lambda: HEX + 'map m "M" of hex, 2 by 2:\n  letters:\n    |\n  grid:\n    |\n  named:\n    |\n', "E315"),
    "an option without its default": (lambda: S + 'option o "O": a, b; default c\n', "E104"),
    "a catalog elsewhere": (lambda: S + 'catalog "../../../etc/hosts"\n', "E501"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_check_ends_with_findings(name):
    build, code = CASES[name]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    text = SourceFile("hostile.rules", build())
    system = read_system([text])
    found = check_system(system)
    shown = [render(x, system.files) for x in found]
    assert not code or code in {x.code for x in found}
    assert all(len(x) < 4_000 for x in shown)
    assert not any(c in x for x in shown for c in "\x1b\x00\x01\x7f\r")
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert used < 400_000, f"{used:,} kB"


def test_the_sound_system_is_sound():
    system = read_system([SourceFile("sound.rules", S + SOUND)])
    assert [render(x, system.files) for x in check_system(system) if x.is_error] == []


@pytest.mark.parametrize("catalog", ["[[rule", "rule = 3", "[[rule]]\nid = 4", "[rule]\nid = 'A-1'", "rule = ['A-1']"])
def test_a_catalog_that_lists_no_rules_is_a_finding_for_every_reader(catalog):
    with pytest.raises(RuleTextError) as refused:
        catalog_rules(catalog)
    assert [x.code for x in refused.value.diagnostics] == ["E501"]
    assert [x.code for x in check_citations([], catalog)] == ["E501"]


CATALOGS = {
    "many keys joined": ".".join(["a"] * 200_000) + " = 1",
    "many quoted keys joined": "x = {" + " . ".join(['"a"'] * 200_000) + " = 1}",
    "many keys in a heading": "[" + ".".join(["a"] * 200_000) + "]",
    "many brackets": "a = " + "[" * 200_000,
    "one long word": "a = " + "a" * 2_000_000,
    "many quotes": "a = " + '"' * 200_000,
}


@pytest.mark.parametrize("text", CATALOGS.values(), ids=CATALOGS)
def test_a_catalog_that_no_reader_should_try_is_refused(text):
    with pytest.raises(RuleTextError, match="The catalog cannot be read"):
        catalog_rules(text)
