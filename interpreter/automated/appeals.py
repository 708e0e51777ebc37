"""What the rules consider worth choosing: their values `appeal-of-ORDER` and `appeal-of-QUESTION`."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.codegen.python_names import py
from interpreter.commands.sight import Sight
from interpreter.program.program import Program
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.runtime import TROUBLE, RuleTrouble
from interpreter.runtime.things import Value
from interpreter.world.world import World

__all__ = ["appeal_of", "is_of_sets", "is_told", "worth_in"]


def is_told(program: Program, name: str, count: int, *, strict: bool = True) -> bool:
    """Whether the rules have their own value for how much a choice is worth.

    Raises RuleTrouble for one with the wrong number of arguments.
    """
    routine = program.rules.routines.get(f"appeal-of-{name}")
    if routine is None or routine.word != "value":
        return False
    if len(routine.params) != count and strict:
        raise RuleTrouble(f"appeal-of-{name} has {len(routine.params)} arguments; it needs {count}, as {name} has.")
    return len(routine.params) == count


def appeal_of(world: World, name: str) -> Callable[..., Value]:
    """The rules' own value for how much a choice is worth, ready to be called with arguments of a world."""
    routine = world.program.rules.routines[f"appeal-of-{name}"]
    function: Callable[..., Value] = world.functions[f"v_{py(routine.name)}"]
    if routine.within:
        key = next(
            f"{w} {routine.within}" for w in ("procedure", "order") if f"{w} {routine.within}" in world.program.frames
        )
        frame = world.last_frame(key)
        return lambda *args: function(frame, *args)
    return function


def is_of_sets(program: Program, name: str) -> bool:
    """Whether the rules' value for a question rates a complete answer, not each candidate by itself."""
    return program.rules.routines[f"appeal-of-{name}"].params[0].many


def worth_in(sight: Sight, name: str, count: int = 1) -> Callable[..., Value]:
    """A function that rates an answer in the side's view; 0 if that depends on something hidden."""
    assert is_told(sight.world.program, name, count)
    function = appeal_of(sight.world, name)

    def worth(*answer: object) -> Value:
        try:
            return function(*map(sight.there, answer))
        except TROUBLE as error:
            if not is_hidden(error):
                raise
            return 0

    return worth
