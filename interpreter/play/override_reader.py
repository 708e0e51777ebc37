"""Reading overrides: a change typed by the umpire becomes statements of the rules, in the current state of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.said_words import quietly, says_absent
from dsl.binding.scope import Scope
from dsl.binding.scoping import scoped
from dsl.binding.statements import statement
from dsl.ir import ERROR, LAST, NOTHING, SIDE, E, Routine, S, thing
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.syntax.chunks import Chunk
from dsl.text.source import Span
from interpreter.play.contracts import Running
from interpreter.play.runner import frames_in
from interpreter.runtime.references import without_references
from interpreter.runtime.refusals import Why

__all__ = ["Change", "read_override"]

EXAMPLE = (
    "Write it as in rules and examples: `strength of tf-1 = 4`, `tf-1 is marked`, `move tf-1 to 0304`, `remove tf-1`."
)
OWN_COURSE = {
    "turn": "The turn number is set by the course of play",
    "active": "The active side is set by the course of play",
}


@attrs.frozen(slots=True)
class Change:
    """One line of an override, bound. text: as it was typed; statements: what it does; routine: whose names it gives."""

    text: str
    statements: tuple[S, ...]
    routine: Routine


def read_override(game: Running, texts: Sequence[str]) -> list[Change]:
    """The changes of an override, at least one, bound in the current game. Raises Refused for an invalid change."""
    routine = Routine("procedure", "this override", (), NOTHING, Span("override", 1, 1, 1, 2))
    return _Reader(game, routine).read(texts)


class _Reader:
    """Reads the lines of an override in the current game."""

    def __init__(self, game: Running, routine: Routine) -> None:
        self.game, self.routine = game, routine
        self.binder = Binder.over(game.program.rules)
        ids: dict[str, E] = {
            i: ir.ThingNamed(i, type=SIDE if x.kind == "side" else thing(x.kind))
            for i, x in game.world.by_id.items()
            if x.alive and x is not game.world.game
        }
        self.scope = Scope(ids, ir.Active(), None, ((routine, "F"), *_running(game)))

    def read(self, texts: Sequence[str]) -> list[Change]:
        """All changes. Raises Refused for the first invalid one."""
        return [
            Change(text, tuple(s for x in self._lines(text) for s in self._bound(x)), self.routine) for text in texts
        ]

    def _lines(self, text: str) -> list[ln.Line]:
        """The rule lines for a typed change."""
        from dsl.syntax.parse import parse_chunk  # the parser is slow to import, and only overrides need it

        said = text.strip().removeprefix("given ").strip()
        node, problems = parse_chunk(Chunk(1, f"procedure override:\n  {said}\n"), "override")
        if not ln.CHANGING_WORDS.search(said):
            fact, wrong = parse_chunk(Chunk(1, f'example "override":\n  given {said}\n'), "override")
            if isinstance(fact, d.Example):
                return list(self._facts(fact.body[0], said))
            problems = problems or wrong
        if not isinstance(node, d.Bodied):
            raise Why.NOT_UNDERSTOOD(f"`{said}` is not a valid change: {problems[0].message}", hint=EXAMPLE)
        (line,) = node.body
        if not isinstance(line, ln.CHANGING):
            raise Why.NOT_UNDERSTOOD(f"`{said}` changes nothing.", hint=EXAMPLE)
        return [line]

    def _facts(self, fact: t.Node, said: str) -> Iterator[ln.Line]:
        """The rule lines that make a stated fact true."""
        match fact:
            case ln.Given():
                yield from self._facts(fact.condition, said)
                return
            case t.AllOf():
                for one in fact.items:
                    yield from self._facts(one, said)
                return
            case t.Compare() if fact.op == "=" and not fact.quantifier:
                yield self._becomes(fact, fact.left, fact.right)
                return
            case t.IsTest() if len(fact.alternatives) == 1 and not fact.quantifier:
                word = fact.alternatives[0]
                if not fact.negated:
                    yield self._becomes(fact, fact.subject, word)
                    return
                if isinstance(word, t.Name):
                    no = t.Name(word.span, "no")
                    yield ln.Becomes(fact.span, t.Of(fact.span, word.word, fact.subject), no)
                    return
            case t.IsPlaced() if not fact.quantifier:
                if fact.kind == "in" and not fact.negated:
                    yield ln.Move(fact.span, fact.subject, fact.arg)
                    return
                if fact.kind == "on" and fact.negated and isinstance(fact.arg, t.Name) and fact.arg.word == "map":
                    yield ln.Move(fact.span, fact.subject, None)
                    return
        raise Why.NOT_UNDERSTOOD(f"`{said}` does not say clearly what to change.", hint=EXAMPLE)

    def _becomes(self, fact: t.Node, target: t.Node, value: t.Node) -> ln.Line:
        """`F of x = E`, `x is W`, as a line of a rule; a place is moved to."""
        if isinstance(target, t.Of) and target.word == "place":
            none = isinstance(value, t.Name) and value.word in {"absent", "none"}
            return ln.Move(fact.span, target.arg, None if none else value)
        if isinstance(value, t.Name) and value.word == "none":
            held = quietly(self.binder, target, self.scope)
            if held is not ERROR and says_absent(self.binder.ruleset, value, held.type):
                value = t.Name(value.span, "absent")
        return ln.Becomes(fact.span, target, value)

    def _bound(self, line: ln.Line) -> list[S]:
        """A line as statements. Raises Refused with what is wrong with it."""
        target = line.target if isinstance(line, ln.Becomes | ln.Gains) else None
        if isinstance(target, t.Of | t.Name):
            self._may_change(target)
        found = statement(self.binder, line, self.scope, self.routine)
        if self.binder.problems:
            problem = self.binder.problems[0]
            gone = [
                x
                for x in self.game.world.by_id.values()
                if not x.alive and f"`{without_references(x.id)}`" in problem.message
            ]
            message = f"{gone[0].id} is no longer in the game." if gone else problem.message
            raise Why.NOT_UNDERSTOOD(
                message, hint=problem.hint if problem.hint.startswith("Did you mean") and not gone else EXAMPLE
            )
        return found

    def _may_change(self, target: t.Of | t.Name) -> None:
        """Raises Refused for what the rules compute or the course of play sets."""
        word, ruleset = target.word, self.game.program.ruleset
        if isinstance(target, t.Name) and word in OWN_COURSE:
            raise Why.FIXED(
                f"{OWN_COURSE[word]}; you cannot set it.",
                hint="Use `ophex undo` to go back, `ophex advance` to go on.",
                name=word,
            )
        if isinstance(target, t.Name) and word in ruleset.options and scoped(self.binder, word, self.scope) is None:
            raise Why.FIXED(
                f"`{word}` is an option of the rules.", hint=f"Change it with `ophex option`: {word}=WORD.", option=word
            )
        declared = ruleset.bodied.get(word)
        known = any(word in r.frame for r, _ in self.scope.frames)
        fields = any(word in k.fields for k in ruleset.kinds.values())
        if declared is not None and declared.word in {"value", "status"} and not known and not fields:
            raise Why.FIXED(
                f"`{word}` is calculated by the rules; you cannot set it.",
                hint="Set the fields it reads. `ophex why` lists them.",
                name=word,
            )


def _running(game: Running) -> list[tuple[Routine, str]]:
    """The suspended procedures, innermost first, and the keys of their frames."""
    routines = game.program.rules.routines
    found: list[str] = []
    keys = {id(frame): key for key, frame in game.world.frames.items()}
    for frame in frames_in(game.runner.run):
        key = keys.get(id(frame))
        if key is not None and key in routines and key not in found:
            found.insert(0, key)
    return [(routines[key], LAST + key) for key in found]
