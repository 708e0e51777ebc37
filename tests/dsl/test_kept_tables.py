"""The parser's tables are kept as data: read back, they parse as before, and damaged ones are made again."""

import json
import re
from pathlib import Path

import pytest

from dsl.syntax import kept_tables
from dsl.syntax.layout import Layout
from dsl.syntax.parse import GRAMMAR
from dsl.text import keeping

ROOT = Path(__file__).parents[2]
GRAMMAR_TEXT = GRAMMAR.read_text(encoding="utf-8")
TEXT = 'example "One":\n  put t (a tank, armor 3)\n  then armor of t = 3\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping, "folder", lambda: tmp_path)
    return tmp_path


SMALL = "start: WORD+\nWORD: /[a-z]+/\n%import common.WS\n%ignore WS\n"
"""What is wrong with tables has nothing to do with how many there are."""


def tree(grammar=GRAMMAR_TEXT, layout=Layout, text=TEXT):
    return kept_tables.parser_for(grammar, layout()).parse(text)


def small_tree():
    return tree(SMALL, lambda: None, "one two")


def test_tables_read_again_parse_as_those_that_were_made(folder, monkeypatch):
    made = tree()
    (file,) = folder.glob("grammar-*.json")
    json.loads(file.read_text(encoding="utf-8").partition("\n")[2])
    monkeypatch.setattr(kept_tables, "Lark", Loading)
    assert tree() == made


class Loading(kept_tables.Lark):
    """Tables that are read, and never made."""

    def __init__(self, *_, **__):
        raise AssertionError("they were kept")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"data": {}, "memo": {}}',
        '{"data": [], "memo": {"0": 1}}',
        "cos\nsystem\n(S'touch x'\ntR.",
        "nonsense",
    ],
)
def test_tables_that_are_wrong_are_made_anew(folder, text):
    made = small_tree()
    (file,) = folder.glob("grammar-*.json")
    keeping.keep(file.name, text)
    assert small_tree() == made
    assert file.read_text(encoding="utf-8").partition("\n")[2] not in {"", text}
    assert not list(folder.glob("x"))


def test_nothing_of_the_program_is_unpickled():
    for file in sorted(ROOT.glob("[dicu]*/**/*.py")):
        if file.relative_to(ROOT).parts[0] in {"dsl", "interpreter", "campaigns", "ui"}:
            code = file.read_text(encoding="utf-8")
            assert not re.search(
                r"\b(pickle|shelve|marshal|dill|joblib)\b\s*(\.|import|$)|import (pickle|shelve|marshal)|\bcache=(True|_)",
                code,
            ), file
