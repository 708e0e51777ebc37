"""A catalog of printed figures against the rules of its system: the figures are written as examples, and these run in one pass."""

import functools
from collections.abc import Mapping

from campaigns.library.rule_texts import load_path
from campaigns.trials.casebook import run_variant
from dsl.load import read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.example_outcome import Outcome

FILE = "catalog.rules"


def hold(system: str, examples: Mapping[str, tuple[str, ...]], name: str) -> None:
    """Each line of one of the examples must hold; all of a catalog are run together.

    examples: of each its lines by its name, in which stands what it needs: `grades`, or `air, with air`.
    """
    outcome = _run(system, tuple(examples.items()))[name]
    assert [f"{f.expected}; got {f.got}" for f in outcome.failures] == []
    assert outcome.checks == sum(line.lstrip().startswith("then ") for line in examples[name]) > 0


@functools.lru_cache(maxsize=2)
def _run(system: str, examples: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, Outcome]:
    """What came of each example, by its name."""
    written = ""
    for name, lines in examples:
        title, comma, needs = name.partition(", ")
        written += f'example "{title}"{comma}{needs}:\n' + "".join(f"  {line}\n" for line in lines)
    text = load_path(system)
    whole = read_system([*text.files.values(), SourceFile(FILE, written)], text.catalog, text.base_catalog)
    assert [p.message for p in whole.problems if p.is_error] == []
    outcomes = []
    for example in (x for x in whole.declarations if isinstance(x, d.Example) and x.span.file == FILE):
        (variant,) = variants(example, whole.defaults, whole.modules)
        outcomes.append(run_variant(whole, example, variant))
    return dict(zip([name for name, _ in examples], outcomes, strict=True))
