"""A catalog of printed figures against the rules of its system: the figures are written as examples, and these are tried all at once."""

import functools
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns.trials.casebook import TriedExample, try_file


def hold(system: str, examples: Mapping[str, tuple[str, ...]], name: str) -> None:
    """Each line of one of the examples must hold; those of one catalog share the reading of its system.

    examples: of each its lines by its name, in which stands what it needs: `grades`, or `air, with air`.
    """
    tried = _tried(system, tuple(examples.items()))[name]
    told = [line.strip() for line in examples[name]]
    assert tried.failures == ()
    assert len(tried.lines) == sum(line.startswith("then ") and " may " not in line for line in told) > 0


@functools.lru_cache(maxsize=2)
def _tried(system: str, examples: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, TriedExample]:
    """What came of each example, by its name."""
    text = ""
    for name, lines in examples:
        title, comma, needs = name.partition(", ")
        text += f'example "{title}"{comma}{needs}:\n' + "".join(f"  {line}\n" for line in lines)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "catalog.rules"
        file.write_text(text, encoding="utf-8")
        tried = try_file(system, str(file))
    assert len(tried) == len(examples)
    return dict(zip([name for name, _ in examples], tried, strict=True))
