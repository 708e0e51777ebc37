"""W259 and play: `check` warns of a name that may not be set exactly if a line that reads it fails for some gun.

Random procedures roll dice under conditions and read them. Twelve guns, one in each state that the conditions tell apart, run them.
The long form tries more procedures.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from dsl.analysis import unset_names
from dsl.load import bind_system
from interpreter.messages.inputs import Input, RuleFailure
from tests.interpreter.rulebook import compiled, game_with
from tests.long import number

GAITS = ("walking", "standing", "running")
STATES = [(gait, brave, tired) for gait in GAITS for brave in ("yes", "no") for tired in ("yes", "no")]
FRAME = """\
system guns "Guns" version 1.0
enum gait: walking, standing, running
unit gun:
  gait  gait
  brave mark
  tired mark
  shots number, starts 0
place hex, on hex grid:
  height number
map field "Field" of hex, 1 by 1:
  letters:
    letter | height
    .      | 0
  grid:
    01 | .
order work of g (a gun):
  given by side of g
  do probe with g as g
sequence game-turn:
  phase all:
    sides may work together
scenario one "One" on field:
  side red "Red" red
  forces red of gun:
    name | in | gait | brave | tired
{rows}
  end game when turn > 3 because "over"
procedure probe of g (a gun):
{lines}
"""
ROWS = "\n".join(f"    g{n} | 0101 | {' | '.join(state)}" for n, state in enumerate(STATES))

single = st.sampled_from([
    *(f"g is {word}" for word in (*GAITS, "brave", "tired", "walking or running")),
    *(f"g is not {word}" for word in (*GAITS, "brave", "tired")),
])  # fmt: skip
conditions = st.one_of(
    single, st.tuples(single, single).map(" and ".join), st.tuples(single, single).map(", or ".join)
)  # fmt: skip
dice = st.sampled_from(["left-die", "right-die"])
line = st.one_of(
    st.tuples(st.just("roll"), dice, st.none() | conditions),
    st.tuples(st.just("read"), dice, st.none() | conditions),
    st.tuples(st.just("stop"), st.just(""), st.none() | conditions),
)


def block(inner):
    arms = st.lists(st.tuples(conditions, inner), min_size=1, max_size=2)
    return st.tuples(st.just("arms"), arms, st.none() | inner)


bodies = st.lists(
    st.recursive(line, lambda inner: block(st.lists(inner, min_size=1, max_size=2)), max_leaves=6), min_size=2, max_size=6
)  # fmt: skip


def written(body, deep=1, rolled=None):
    """The lines of a body. A name is only read below a line that rolls it: nothing else can be written."""
    rolled = set() if rolled is None else rolled
    for kind, what, more in body:
        indent = "  " * deep
        under = f" when {more}" if more and kind != "arms" else ""
        if kind == "roll":
            rolled.add(what)
            yield f"{indent}side of g rolls 1d6 as {what}{under}"
        elif kind == "read" and what in rolled:
            yield f"{indent}shots of g gains {what} points{under}"
        elif kind == "stop":
            yield f'{indent}stop{under} because "enough"'
        elif kind == "arms":
            for number_of_arm, (condition, inner) in enumerate(what):
                yield f"{indent}{'otherwise when' if number_of_arm else 'when'} {condition}:"
                yield from written(inner, deep + 1, rolled)
                yield f"{indent}  shots of g gains 1 points"  # a block is never empty
            if more is not None:
                yield f"{indent}otherwise:"
                yield from written(more, deep + 1, rolled)
                yield f"{indent}  shots of g gains 1 points"


def failure_of(game, command):
    """How a command fails; None if it does not."""
    try:
        game.offer(Input("do", "red", command))
    except RuleFailure as failure:
        return failure
    return None


@given(bodies)
@settings(max_examples=number("OPHEX_UNSET", 40, 2_000), deadline=None)
def test_what_is_warned_of_is_what_fails(body):
    text = FRAME.format(rows=ROWS, lines="\n".join(written([*body, ("roll", "last-die", None)])))
    program, system = compiled((text,))
    warned = {p.span.line for p in bind_system(system)[1] if p.code == "W259"}
    game = game_with(program, system, "one", dice="seeded")
    failures = [failure for n in range(len(STATES)) if (failure := failure_of(game, f"work g{n}"))]
    assert all("has not been set yet" in failure.message for failure in failures)
    failed = {failure.line for failure in failures}
    assert failed <= warned, text
    assert bool(failed) == bool(warned), text


def test_a_text_made_to_take_long_is_not_looked_at_to_its_end(monkeypatch):
    """Each line asks of every line before it: 1,400 lines took minutes. Once the work is used up, nothing more is reported."""
    lines = ["  side of g rolls 1d6 as die when shots of g = 1"]
    lines += [
        f"  stop when shots of g > {n}\n  shots of g gains die points when shots of g = {n}" for n in range(10, 40)
    ]
    _, system = compiled((FRAME.format(rows=ROWS, lines="\n".join(lines)),))
    assert len([p for p in bind_system(system)[1] if p.code == "W259"]) == 30
    monkeypatch.setattr(unset_names, "MOST_WORK", 100)
    assert len([p for p in bind_system(system)[1] if p.code == "W259"]) < 10


def test_what_held_before_a_block_is_looked_at_once(monkeypatch):
    """After each block, all that held before it was looked at again for each of its arms: 24 blocks took hours."""
    looked, holds = [], unset_names._holds
    monkeypatch.setattr(unset_names, "_holds", lambda *given: looked.append(1) or holds(*given))
    blocks = [
        f"  when shots of g > {n}:\n    stop when shots of g > {n + 1}\n"
        f"  otherwise:\n    stop when shots of g > {n + 2}"
        for n in range(8)
    ]
    lines = ["  side of g rolls 1d6 as die when g is tired", *blocks, "  shots of g gains die points"]
    _, system = compiled((FRAME.format(rows=ROWS, lines="\n".join(lines)),))
    bind_system(system)
    assert 0 < len(looked) < 50_000
