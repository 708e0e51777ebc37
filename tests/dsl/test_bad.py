"""Each diagnostic: a failing text in `bad/`, and beside it the message that people read.

`OPHEX_UPDATE=1 pytest tests/dsl/test_bad.py` rewrites what is expected; read the difference before you keep it.
"""

import os
import re
from pathlib import Path

import pytest

from campaigns.library.diagnosing import diagnose
from dsl.load import bound_or_raise, read_system
from dsl.text.codes import codes
from dsl.text.diagnostics import RuleTextError, render
from dsl.text.source import SourceFile

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SAMPLES = sorted((HERE / "bad").glob("*.rules"))
CODE = re.compile(r"[EW]\d{3}")


def findings(path):
    """The diagnostics of a sample as people read them; a first line `-- play: a, b` plays it with those modules."""
    text = path.read_text(encoding="utf-8")
    catalog = path.with_suffix(".toml")
    system = read_system([SourceFile(path.name, text)], catalog.read_text(encoding="utf-8") if catalog.exists() else "")
    if text.startswith("-- play:"):
        with pytest.raises(RuleTextError) as caught:
            bound_or_raise(system, text.split("\n")[0].removeprefix("-- play:").replace(",", " ").split())
        return caught.value.diagnostics, system.files
    return diagnose(system), system.files


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_what_people_read(path):
    found, files = findings(path)
    read = "\n\n".join(render(x, files) for x in found) + "\n"
    kept = path.with_suffix(".expected")
    if not kept.exists() and not os.environ.get("OPHEX_UPDATE"):
        pytest.fail(f"{kept.name} is not there: OPHEX_UPDATE=1 writes it; then read it\n{read}")
    if os.environ.get("OPHEX_UPDATE"):
        kept.write_text(read, encoding="utf-8")
    assert path.name[:4] in {x.code for x in found}, "no such finding: does the check run (dsl/passes.py, dsl/load.py)?"
    assert read == kept.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_message_names_a_place_and_is_a_sentence(path):
    found, files = findings(path)
    for x in found:
        assert x.message.endswith((".", "?")), x.message
        assert (
            x.message[0] == "`" or x.message[0].isupper() or x.message.split(" ")[0].rstrip(":") in path.read_text()
        ), x.message
        assert not x.hint or x.hint[0] == "`" or not x.hint[0].islower() or "…" in x.hint or "(" in x.hint, x.hint
        assert x.code == "E105" or x.span.file in files


def codes_in_code():
    """Every code that a room names."""
    rooms = [x for room in ("dsl", "campaigns") for x in (ROOT / room).rglob("*.py")]
    return {c for path in rooms for c in re.findall(r'"([EW]\d{3})"', path.read_text(encoding="utf-8"))}


def test_every_code_is_explained():
    assert set(codes()) == codes_in_code(), "dsl/text/codes.toml and the code name other codes"


@pytest.mark.parametrize("code", codes())
def test_a_code_is_explained_in_sentences(code):
    told = codes()[code]
    assert told.meaning[0].isupper() or told.meaning[0] == "`"
    assert told.meaning.endswith(".")
    assert told.cause.endswith(".")
    assert told.remedy[0].isupper() or told.remedy[0] == "`"


def test_every_code_has_a_sample():
    assert codes_in_code() == {p.name[:4] for p in SAMPLES}, "each code has a text tests/dsl/bad/CODE-what.rules"
