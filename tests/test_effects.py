"""Every effect of the language is treated alike: secret if what it changes is, noticed by waiting rules, undone, replayed.

toy/levers.rules uses every statement. A new one has no case here, and so fails until it is covered everywhere. The messages say
what to do (CONTRIBUTING.md, "a statement").
"""

import re
from pathlib import Path

import pytest

from campaigns.play.starting import create_campaign
from dsl import ir
from dsl.ir import CHANGES, lines_in
from dsl.load import bound_or_raise, read_system
from dsl.rules.chains import nodes_in
from dsl.syntax import body_lines as ln
from dsl.syntax.declarations import Scenario
from dsl.syntax.parse import parse
from dsl.text.source import SourceFile
from interpreter.machine import begin
from interpreter.messages.inputs import Input, RuleFailure
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import TOY, do, texts

LEVERS = TOY / "levers.rules"
ROOT = Path(__file__).resolve().parents[1]

# statement: (what is ordered, the rule that waits for it, whether that order is secret under fog)
EFFECTS = {
    ir.SetField: ("wear a", "low steps a", True),
    ir.Gain: ("drain a with 2", "low nerve a", True),
    ir.Write: ("scribble b", "weak b", True),
    ir.Show: ("flip a", "halved a", True),
    ir.Hold: ("reassign a to b-2", "moved over a", True),
    ir.Capture: ("turn-coat a", "turned a", False),
    ir.Move: ("jump a to 0303", "in the wood a", False),
    ir.Put: ("lay a", "mined 0101", True),
    ir.Remove: ("disband c", "bereft b-2", False),
    ir.Reveal: ("show a", None, False),
    ir.Hide: ("cloak a", None, False),
}


# statement: what is asked with `why`, what it comes to, and how its line ends
TOLD = {
    ir.SetField: [("steps of a", "1", "steps of u becomes 1 → 1")],
    ir.Gain: [("nerve of a", "1", "u loses n nerve → 3 - 2 = 1")],
    ir.Write: [("defence of b", "1", 'fighting of u becomes "{}-{}" with 1, 1 → 1')],
    ir.Show: [("attack of a", "2", "u becomes half → 2"), ("a is half", "yes", "u becomes half → half")],
    ir.Hold: [("brigade of a", "b-2", "brigade of u becomes b → b-2")],
    ir.Capture: [("side of a", "red", "side of u becomes foe of side of u → red")],
    ir.Move: [("place of a", "0303", "move u to h → 0303")],
    ir.Put: [
        ("place of m", "0101", "put m (a mine, side side of u) in place of u → 0101"),
        ("side of m", "blue", "put m (a mine, side side of u) in place of u → blue"),
    ],
}
SILENT = {ir.Remove, ir.Reveal, ir.Hide}
"""What has gone has no value; to whom a thing was shown nothing asks."""


def read(text=None, modules=()):
    found = read_system([SourceFile("levers.rules", text or LEVERS.read_text(encoding="utf-8"))])
    return found, bound_or_raise(found, frozenset(modules))


def levers(*modules, text=None):
    found, bound = read(text, modules)
    scenario = next(x for x in found.declarations if isinstance(x, Scenario))
    return begin(compile_program(bound, found.files), scenario, {"dice": "typed", "seed": 1})


def statements_of(bound):
    routines = [*bound.routines.values(), *(h for found in bound.hooks.values() for h in found)]
    return {type(s) for r in routines for s in lines_in((*r.body, *r.clauses))}


def classes(base):
    """Every class of the form that is no base of others."""
    found = {x for x in vars(ir).values() if isinstance(x, type) and issubclass(x, base)}
    return {x for x in found if not any(x is not y and issubclass(y, x) for y in found)}


def test_the_case_file_has_every_kind_of_line_that_play_knows():
    """Lines of examples and scenarios are not statements, and one line may be written in several ways."""
    found, _ = read()
    used = {type(x).__name__ for x in nodes_in(tuple(found.declarations)) if isinstance(x, ln.Line)}
    kinds = {name: x for name, x in vars(ln).items() if isinstance(x, type) and issubclass(x, ln.Line)}
    apart = {"Line", "Block", "OnMap", "Begins", "Given", "DiceAre", "Answer", "Orders", "WithBlock", "Hint"}
    apart |= {name for name, x in kinds.items() if issubclass(x, ln.Expectation)}
    lacking = set(kinds) - apart - used
    assert lacking == set(), "write an order or a procedure with such a line into tests/interpreter/toy/levers.rules"


def test_the_case_file_uses_every_statement():
    _, bound = read(modules=["extras"])
    assert statements_of(bound) == classes(ir.Statement), (
        "a statement that tests/interpreter/toy/levers.rules does not use, or one that dsl/ir/__init__.py does not name"
    )


def test_every_statement_that_changes_something_has_its_case():
    changing = {x for x in classes(ir.Statement) if x.DOES.changes}
    assert changing == set(EFFECTS), "give it a line in EFFECTS and in TOLD (or SILENT), and its order in levers.rules"
    assert {x.DOES.changes for x in changing} == CHANGES


def test_what_a_statement_says_of_its_fields_names_fields_that_it_has():
    for x in classes(ir.Statement):
        said = {x.DOES.things, *x.DOES.gets, *x.DOES.fields, *x.DOES.names, x.DOES.around} - {""}
        assert said <= set(ir.fields_of(x)), x
        assert (x.DOES.changes == "field") == bool(x.DOES.fields), f"{x} does not say which `fields` it changes"


def test_every_expression_says_itself_what_it_rests_on():
    """Without a declaration, an expression is taken to depend on anything: slow but never wrong. So a missing one must be intended."""
    assert [x for x in classes(ir.Expression) if "RESTS_ON" not in vars(x)] == []


def test_visitors_know_every_class():
    expressions = {ir.visitor.method_for(x.__name__) for x in classes(ir.Expression)}
    assert expressions == ir.visitor.ExpressionVisitor.__abstractmethods__
    done = {ir.visitor.method_for(x.__name__) for x in classes(ir.Statement)}
    assert ir.statement_visitor.StatementVisitor.__abstractmethods__ <= done
    judging = {
        x
        for x in classes(ir.Statement)
        if ir.visitor.method_for(x.__name__) not in ir.statement_visitor.StatementVisitor.__abstractmethods__
    }
    assert {x for x in judging if ir.Does() != x.DOES} == set()


def test_a_visitor_that_forgets_a_class_cannot_be_made():
    methods = {name: lambda self, s: None for name in ir.statement_visitor.StatementVisitor.__abstractmethods__}
    whole = type("Whole", (ir.statement_visitor.StatementVisitor,), methods)
    assert whole() is not None
    methods.pop("visit_capture")
    with pytest.raises(TypeError, match="visit_capture"):
        type("Lacking", (ir.statement_visitor.StatementVisitor,), methods)()


@pytest.mark.parametrize("system", ["bth", "btr", "ogre", "infantry", "ww2"])
def test_the_shipped_systems_have_no_other_statements(system):
    files = sorted((ROOT / "examples" / system).rglob("*.rules"))
    found = read_system([SourceFile(f.name, f.read_text(encoding="utf-8")) for f in files if "examples-" not in f.name])
    assert statements_of(bound_or_raise(found, frozenset())) <= classes(ir.Statement)


@pytest.mark.parametrize("op", EFFECTS, ids=lambda x: x.__name__)
def test_an_effect_wakes_the_rules_that_wait_for_it(op):
    command, message, _ = EFFECTS[op]
    events = texts(do(levers(), command))
    waiting = [m for _, m, _ in EFFECTS.values() if m]
    assert [t for t in events if t in waiting] == [message] * (message is not None), (
        "the waiting rules of levers.rules that come about are not the one named in EFFECTS; if that one should, "
        "what DOES says it changes is not what rules wait for: changed_by (interpreter/codegen/waiting_rules.py)"
    )


@pytest.mark.parametrize("op", EFFECTS, ids=lambda x: x.__name__)
def test_an_order_is_told_to_its_side_alone_where_its_effect_is_hidden(op):
    command, _, secret = EFFECTS[op]
    assert [e.to for e in do(levers(), command) if e.kind == "order"] == ["all"]
    told = [e.to for e in do(levers("fog"), command) if e.kind == "order"]
    assert told == ["blue" if secret else "all"], (
        "a leak, unless nothing hides what DOES says: fields_changed (dsl/analysis/effects_of.py)"
    )


@pytest.mark.parametrize("op", EFFECTS, ids=lambda x: x.__name__)
def test_what_is_hidden_stands_in_no_log_of_the_other_side(op):
    game = levers("fog")
    command, _, secret = EFFECTS[op]
    events = do(game, command)
    if secret:
        assert [
            e.text for e in events if e.to in {"all", "red"} and e.kind in {"order", "change", "join", "arrive"}
        ] == []


@pytest.mark.parametrize("op", EFFECTS, ids=lambda x: x.__name__)
def test_an_umpire_may_rule_it(op):
    order = EFFECTS[op][0].partition(" ")[0]
    said = re.search(
        rf"order {order} of [^\n]*:\n  given by side of u\n  ([^\n]*)\n", LEVERS.read_text(encoding="utf-8")
    )[1]
    (line,) = parse(SourceFile("line.rules", f"procedure p:\n  {said}\n")).declarations[0].body
    assert isinstance(line, ln.CHANGING), "CHANGING (dsl/syntax/body_lines.py) lacks a line that changes something"
    assert ln.CHANGING_WORDS.search(said), "CHANGING_WORDS (dsl/syntax/body_lines.py) takes such a line for a fact"


@pytest.mark.parametrize("op", EFFECTS, ids=lambda x: x.__name__)
def test_why_names_the_line_and_what_it_gave(op):
    assert op in SILENT or op in TOLD
    for what, value, line in TOLD.get(op, ()):
        game = levers()
        do(game, EFFECTS[op][0])
        found = game.explain(what)
        assert (found.value, [f"{s.text} → {s.value}" for s in found.steps]) == (value, [line]), (
            "no step: `why` hears of what emitted code calls by ToldEffects (interpreter/explain/told_parts.py)"
        )


@pytest.mark.parametrize("op", EFFECTS, ids=lambda x: x.__name__)
def test_an_effect_by_itself_under_simultaneously_is_the_same(op):
    command = EFFECTS[op][0]
    order = command.partition(" ")[0]
    text = LEVERS.read_text(encoding="utf-8")
    together, number = re.subn(
        rf"(order {order} of [^\n]*:\n  given by side of u\n)  ([^\n]*)\n", r"\1  simultaneously:\n    \2\n", text
    )
    assert number == 1
    games = levers(), levers(text=together)
    told = [[(e.kind, e.text, e.to) for e in do(game, command)] for game in games]
    assert told[0] == told[1], "end_together (interpreter/world/world_changes.py) does not do what it collected"
    assert games[0].digest() == games[1].digest()
    for what, _, _ in TOLD.get(op, ()):
        steps = [[(s.text, s.value) for s in game.explain(what).steps] for game in games]
        assert steps[0] == steps[1], (
            "`why` finds no line: under `simultaneously` an effect collects itself, by the name of its function"
        )


def test_a_rule_that_reads_a_field_alone_wakes_for_a_new_thing_that_has_it():
    rule = 'rule small always for m (a mine) when size of m = 1:\n  tell sides "small {}" with m\n'
    events = do(levers(text=LEVERS.read_text(encoding="utf-8") + rule), "lay a")
    assert "small m" in texts(events)


def test_losing_nothing_is_told_as_a_loss():
    game = levers()
    do(game, "drain a with 0")
    assert [s.value for s in game.explain("nerve of a").steps] == ["3 - 0 = 3"]


@pytest.mark.parametrize("op", EFFECTS, ids=lambda x: x.__name__)
def test_an_effect_is_undone_and_replayed(op, tmp_path):
    folder = tmp_path / "levers"
    folder.mkdir()
    (folder / "levers.rules").write_text(LEVERS.read_text(encoding="utf-8"), encoding="utf-8")
    with create_campaign(tmp_path / "c.ophex", f"{folder}/levers", seed=1) as campaign:
        before = campaign.game.digest()
        changed = []
        for _ in range(2):
            events = campaign.offer(Input("do", "blue", EFFECTS[op][0]))
            changed.append((campaign.game.digest(), [(e.text, e.to) for e in events]))
            campaign.undo()
            assert campaign.game.digest() == before
        assert changed[0] == changed[1]
        campaign.redo()
        assert campaign.game.digest() == changed[0][0]
        if op is not ir.Hide:  # nothing was revealed before
            assert campaign.game.digest() != before
        assert campaign.verify().ok
        for side in ("blue", "red"):
            campaign.offer(Input("do", side, "done"))
        assert campaign.verify().ok


def test_an_order_is_as_secret_as_what_rules_before_and_after_it_do():
    rule = "rule and-more after order rest of u (a battalion):\n  nerve of u becomes 2\n"
    events = do(levers("fog", text=LEVERS.read_text(encoding="utf-8") + rule), "rest a")
    assert [e.to for e in events if e.kind == "order"] == ["blue"]


def test_an_order_that_changes_what_is_hidden_off_the_map_is_secret_there():
    text = LEVERS.read_text(encoding="utf-8").replace(
        "  hidden from enemy, with fog: brigade, steps, nerve, attack, defence\n",
        "  hidden from enemy while off the map, with fog: steps\n",
    )
    game = levers("fog", text=text)
    assert [e.to for e in do(game, "wear a") if e.kind == "order"] == ["all"]
    do(game, "withdraw b")
    assert [e.to for e in do(game, "wear b") if e.kind == "order"] == ["blue"]


def test_an_order_that_changes_what_its_owner_may_not_know_is_told_to_the_giver_alone():
    text = LEVERS.read_text(encoding="utf-8").replace(
        "  hidden from enemy, with fog: brigade, steps, nerve, attack, defence\n",
        "  hidden from owner, with fog: fresh\n",
    )
    text = text.replace(
        "order rest of u",
        "order watch of u (a battalion):\n  given by foe of side of u\n  u becomes fresh\norder rest of u",
    )
    game = levers("fog", text=text.replace("active may wear", "active may watch, wear"))
    assert [e.to for e in do(game, "watch x") if e.kind == "order"] == ["blue"]
    do(game, "done")
    with pytest.raises(Exception, match="hidden from red"):
        game.explain("x is fresh", "red")
    assert game.explain("x is fresh", "blue").value == "yes"


CUT_OFF = """\
path through of u (a battalion):
  from place of u
  at most 9 points
  entering h (a hex) costs 1
  never into h (a hex) when there is enemy mines in h because "mined"
rule cut always for u (a battalion) when (cost of reaching 0501 by through of u) else 99 = 99:
  tell sides "cut off {}" with u
order shift of m (a mine) to h (a hex):
  given by side of m
  move m to h
"""


def cut_off(*modules):
    text = LEVERS.read_text(encoding="utf-8").replace("active may wear", "active may shift, wear")
    game = levers(*modules, text=text + CUT_OFF)
    do(game, "done")
    do(game, "lay x")
    return do(game, f"shift {game.world.all_of('mine')[0].label or game.world.all_of('mine')[0].id} to 0501")


def test_a_rule_that_asks_the_cost_of_a_way_wakes_when_something_comes_to_lie_on_it():
    events = cut_off()
    assert {"cut off a", "cut off b", "cut off c"} <= set(texts(events))
    assert [e.to for e in events if e.text == "Cut: a."] == ["all"]


def test_that_such_a_rule_came_about_is_told_to_nobody_where_what_lies_on_the_way_is_hidden():
    assert [e.to for e in cut_off("fog") if e.text == "Cut: a."] == ["umpire"]


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("brigade of u becomes b", "brigade of u becomes c"),
        ("move u to 0404", "move u to 0405"),
        ("u becomes half", "u becomes full"),
        ("side of u becomes side of b", "side of u becomes foe of side of b"),
    ],
)
def test_two_values_at_once_are_an_error_whatever_it_is_that_gets_them(line, other):
    rule = "order both of u (a battalion) to b (a brigade) by c (a brigade):\n  given by side of u\n  simultaneously:\n"
    text = LEVERS.read_text(encoding="utf-8").replace("active may wear", "active may both, wear")
    with pytest.raises(RuleFailure, match="at the same time"):
        do(levers(text=f"{text}{rule}    {line}\n    {other}\n"), "both a to b-1 by b-2")


def test_what_is_out_of_the_game_is_changed_no_more_and_holds_nothing():
    rule = """
order gone of u (a battalion) to b (a brigade):
  given by side of u
  remove u
  u becomes half
  brigade of u becomes b
order to-nobody of u (a battalion) to b (a brigade):
  given by side of u
  remove b
  brigade of u becomes b
"""
    text = LEVERS.read_text(encoding="utf-8").replace("active may wear", "active may gone, to-nobody, wear") + rule
    assert texts(do(levers(text=text), "gone a to b-2"))[1:] == ["a in 0101 is removed."]
    with pytest.raises(RuleFailure, match="b-2 is no longer in the game"):
        do(levers(text=text), "to-nobody a to b-2")


def test_a_rule_that_asks_where_a_hidden_thing_is_is_told_to_nobody():
    """In every form of the question: the thing is in a field that everybody may see."""
    text = LEVERS.read_text(encoding="utf-8").replace("active may wear", "active may shift, wear")
    text = (
        text.replace("  fresh     mark\n", "  fresh     mark\n  target    mine, optional\n")
        + """
order shift of m (a mine) to h (a hex):
  given by side of m
  move m to h
rule aimed after order lay of u (a battalion):
  target of battalions becomes first mines
rule at-the-edge always for u (a battalion) when there is target of u and target of u is on any edge:
  tell side of u "seen"
rule beside-it always for u (a battalion) when there is target of u and there is own battalions next to target of u:
  tell side of u "seen"
"""
    )
    game = levers("fog", text=text)
    do(game, "jump a to 0303")
    do(game, "lay a")
    mine = game.world.all_of("mine")[0]
    events = [e for h in ("0302", "0501") for e in do(game, f"shift {mine.label or mine.id} to {h}")]
    rules = {(e.text.partition(":")[0], e.to) for e in events if e.kind == "rule"}
    assert {("At the edge", "umpire"), ("Beside it", "umpire")} <= rules
    assert {to for _, to in rules} == {"umpire"}


@pytest.mark.parametrize("what", ["entry of a", "a is full"])
def test_an_entry_that_prints_what_is_hidden_is_hidden(what):
    game = levers("fog")
    assert game.explain(what, "blue").value in {"full", "yes"}
    with pytest.raises(Exception, match="hidden from red"):
        game.explain(what, "red")
