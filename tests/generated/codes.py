"""The codes of diagnostics, each with the message for a failing text in `tests/dsl/bad/`."""

import re
from itertools import groupby
from pathlib import Path

from dsl.text.codes import codes
from tests.generated.markdown import block, plain

BAD = Path(__file__).parents[1] / "dsl" / "bad"


def codes_with_samples() -> str:
    """Every code: what it means, what brings it about, what mends it, and a sample."""
    out = []
    for chapter, found in groupby(codes().items(), lambda one: one[1].chapter):
        out.append(f"\n## {chapter}\n")
        for code, told in found:
            out.append(f"\n### {code}: {plain(told.meaning.removesuffix('.'))}\n")
            out.append(f"{plain(told.cause)} *{plain(told.remedy)}*\n\n{block(_sample(code))}")
    return "".join(out)


def _sample(code: str) -> str:
    """What people read of the first text that was written for a code."""
    for path in sorted(BAD.glob(f"{code}-*.expected")):
        for finding in path.read_text(encoding="utf-8").strip("\n").split("\n\n"):
            if re.match(rf"(error|warning) {code}:", finding):
                return finding
    raise LookupError(f"no text tests/dsl/bad/{code}-….rules has this finding")
