"""An example whose modules cannot be on together is named with its place by `ophex test`."""

from pathlib import Path

import pytest

from campaigns.trials.casebook import run_examples
from dsl.text.diagnostics import RuleTextError

SAMPLE = Path(__file__).parents[1] / "dsl" / "bad" / "E105-of-an-example.rules"


def test_the_example_is_named_with_its_place(tmp_path):
    (tmp_path / "small.rules").write_text(SAMPLE.read_text())
    with pytest.raises(RuleTextError) as caught:
        run_examples([str(tmp_path)])
    (told,) = caught.value.diagnostics
    assert told.message == "This example cannot be run: Module staff excludes module panic."
    assert (told.span.file, told.span.line) == ("small.rules", 11)
