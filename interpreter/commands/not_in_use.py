"""Which option or module would have to be in use for an order: the hint of its refusal."""

from __future__ import annotations

from dsl import ir
from dsl.ir import E
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d
from interpreter.program.program_data import Clause
from interpreter.world.world import World

__all__ = ["module_hint", "option_hint"]

LOGIC = (ir.And, ir.Or, ir.Not, ir.Equal, ir.WordIs, ir.Compare, ir.CompareWords, ir.Constant, ir.OptionRead)


def option_hint(world: World, clause: Clause) -> str:
    """For a clause that refuses by the setting of an option: the option, and how it is set; otherwise empty.

    Of `legal when A and B` any part may be what does not hold: such a clause has no hint.
    """
    test = clause.said.test if isinstance(clause.said, ir.Refused | ir.LegalWhen) else None
    parts = test.items if isinstance(test, ir.And) and isinstance(clause.said, ir.Refused) else (test,)
    read = [x for part in parts if part is not None and _is_setting(part) for x in ir.walk(part)]
    names = dict.fromkeys(x.name for x in read if isinstance(x, ir.OptionRead))
    return " ".join(_can_be_set(world, name) for name in names)


def _is_setting(test: E) -> bool:
    """Whether a condition depends on options alone."""
    return all(isinstance(x, LOGIC) for x in ir.walk(test) if isinstance(x, E))


def _can_be_set(world: World, name: str) -> str:
    now = world.options[name]
    others = " or ".join(word for word in world.ruleset.options[name].terms if word != now)
    return f"The option {name} is {now}; the umpire can set it to {others} with `ophex option`."


def module_hint(ruleset: Ruleset, order: str) -> str:
    """For an order that the rules have only under other modules: which to turn on or off, and how; otherwise empty."""
    for declared in ruleset.everything:
        if not isinstance(declared, d.Bodied) or declared.word != "order" or declared.name != order:
            continue
        wrong = [(switch, name) for switch, name in declared.guards if (name in ruleset.active) != (switch == "with")]
        if wrong:
            needs = " and ".join(
                f"{'with' if switch == 'with' else 'without'} the module {name}" for switch, name in wrong
            )
            return f"The rules have it only {needs}; the umpire can turn modules on and off with `ophex option`."
    return ""
