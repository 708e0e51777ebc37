"""Hostile rule files: read, checked, shown. Sound ones are compiled, their examples run and their scenarios are played."""

import functools
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import dsl.syntax.parse
from campaigns.file.errors import CampaignError
from campaigns.library.rule_files import read_file
from dsl.load import SystemText, bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.syntax.chunks import cut
from dsl.syntax.format import formatted
from dsl.text.diagnostics import RuleTextError, render
from dsl.text.source import SourceFile
from interpreter.automated.policies import make_policy, step
from interpreter.automated.policy import NothingLegal
from interpreter.examples.examples import run_example
from interpreter.explain.explain import explain
from interpreter.machine import begin
from interpreter.messages.inputs import Refused, RuleFailure
from interpreter.program.program import Program
from interpreter.setup.compile_rules import compile_program
from tests.hostile.edges import bytes_mixed, mixed
from tests.hostile.grammar import Pool, derived, pool_of, spliced
from tests.hostile.running import Case, Kind
from tests.hostile.sound import NAMED, SOUND

TOY = Path(__file__).parents[1] / "interpreter" / "toy"
SHIPPED = Path(__file__).parents[2] / "examples"
STEPS = 6
"""So many inputs are given in what is sound."""
EXAMPLE = """\
example "Tried":
  put c (a company, side blue)
  put x (a tank tiger, side blue, company c) in 0101
  given losses of x is 1
  then weight of x > 0
  blue orders march x to 0201
  then place of x is 0201
"""
wide = [False]
"""Whether the shipped systems are taken from too: it takes a while to read them."""


@functools.cache
def _systems() -> tuple[str, ...]:
    kit = (TOY / "kit.rules").read_text(encoding="utf-8")
    others = [kit + (TOY / name).read_text(encoding="utf-8") for name in ("war.rules", "levers.rules", "mines.rules")]
    whole = [
        (TOY / name).read_text(encoding="utf-8")
        for name in ("ships.rules", "men.rules", "farm.rules", "circus.rules", "depot.rules", "stable.rules")
    ]
    return NAMED + SOUND + EXAMPLE, *others, *whole


@functools.cache
def _pool(far: bool) -> Pool:
    files = sorted(SHIPPED.rglob("*.rules")) if far else []
    return pool_of([*_systems(), *(file.read_text(encoding="utf-8") for file in files)])


def make_rules(chance: random.Random) -> Case:
    """A system of which a few declarations are spliced, derived, cut or mixed."""
    chunks = [chunk.text for chunk in cut(chance.choice(_systems()))]
    pool = _pool(wide[0])
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.randrange(len(chunks))
        match chance.randrange(10):
            case 0:
                chunks.append(derived(chance))
            case 1:
                chunks[at] = "\n".join(mixed(chance, chunks[at].rstrip("\n").split("\n"))) + "\n"
            case 2:
                chunks.insert(at, chance.choice(chunks))
            case _:
                chunks[at] = spliced(chance, chunks[at], pool)
    return tuple(chunks)


def feed_rules(case: Case) -> None:
    """Read and check; what is sound is tried and played."""
    with _remembered():
        system = read_system([SourceFile("hostile.rules", "".join(case))])
        found = check_system(system)
        for one in found:
            render(one, system.files)
        if not any(one.is_error for one in found):
            _use(system)


def _use(system: SystemText) -> None:
    try:
        program = compile_program(bound_or_raise(system, system.defaults), system.files)
    except RuleTextError:
        return
    for example in (x for x in system.declarations if isinstance(x, d.Example)):
        for variant in variants(example, system.defaults, system.modules):
            if variant.modules == system.defaults:
                run_example(program, example, variant)
    for scenario in (x for x in system.declarations if isinstance(x, d.Scenario)):
        _play(program, scenario)


def _play(program: Program, scenario: d.Scenario) -> None:
    try:
        game = begin(program, scenario, {"seed": 1, "dice": "seeded", "options": {}})
        policy, chance = make_policy("random", 1), random.Random(1)
        for _ in range(STEPS):
            if game.over:
                break
            for side in ("umpire", game.waiting[0].side):
                game.view(side or "umpire")
            game.offer(step(game, policy, chance))
        thing = next(iter(game.view("umpire").things), None)
        for name in program.ruleset.bodied if thing else ():
            try:
                explain(game, f"{name} of {thing.id}")
            except (Refused, RuleTextError):
                continue
    except (Refused, RuleFailure, NothingLegal):
        return


@contextmanager
def _remembered() -> Iterator[None]:
    """Declarations that were read before are not read again; nothing is looked for in the cache on the disk."""
    with (
        mock.patch("dsl.syntax.parse.parse_chunk", _chunk_read),
        mock.patch.dict("os.environ", {"OPHEX_NO_CACHE": "1"}),
    ):
        yield


_chunk_read = functools.lru_cache(maxsize=4096)(dsl.syntax.parse.parse_chunk)


def make_bytes(chance: random.Random) -> Case:
    """A short file with spoiled bytes, as latin-1."""
    chunks = [chunk.text for chunk in cut(chance.choice(_systems()))]
    data = "".join(chance.sample(chunks, min(len(chunks), 3))).encode()
    return tuple(bytes_mixed(chance, data).decode("latin-1").splitlines(keepends=True)) or ("",)


def feed_bytes(case: Case) -> None:
    """Read it from the disk, check and format it."""
    with tempfile.TemporaryDirectory() as folder, _remembered():
        path = Path(folder) / "hostile.rules"
        path.write_bytes("".join(case).encode("latin-1"))
        try:
            file = read_file(path, path.parent)
        except CampaignError:
            return
        system = read_system([file])
        for one in check_system(system):
            render(one, system.files)
        formatted(file)


KINDS = (Kind("rules", make_rules, feed_rules), Kind("bytes", make_bytes, feed_bytes))
