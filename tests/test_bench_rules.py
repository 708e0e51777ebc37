"""The rule files of benchmarks are free of errors: nothing else reads them from one measurement to the next."""

from pathlib import Path

import pytest

from dsl.load import check_system, read_system
from dsl.text.source import SourceFile

FILES = sorted(Path(__file__).with_name("bench").glob("*.rules"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_rules_of_a_benchmark(path):
    text = read_system([SourceFile(path.name, path.read_text(encoding="utf-8"))])
    assert [x.message for x in (*text.problems, *check_system(text)) if x.is_error] == []
