"""The cache of parsed files: an entry is data, is read back as it was written, and is parsed again if it was damaged."""

import json
import os
import pickle
from fractions import Fraction
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.syntax import cache
from dsl.syntax.parse import parse
from dsl.syntax.tree_text import Unreadable, read, written
from dsl.text import keeping
from dsl.text.source import SourceFile

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "examples").rglob("*.rules"))
RULES = SourceFile(
    "own.rules",
    'enum mood: calm, "angry" "Angry"\nvalue half of u (a tank):\n  start with 1/2\n  plus 3 when u is calm\n',
)


def same(a, b):
    if type(a) is not type(b):
        return False
    if attrs.has(type(a)):
        return all(same(getattr(a, x.name), getattr(b, x.name)) for x in attrs.fields(type(a)))
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def fresh(file):
    found = parse(file)
    return found.declarations, found.diagnostics


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "ophex"


def entry(folder):
    (found,) = folder.glob("parsed-*.json")
    return found


def test_the_same_text_in_another_file_is_not_parsed_again_and_says_its_own_name(folder, monkeypatch):
    bad = "value x:\n  start wit 3\nenum a: b\n"
    for text in (RULES.text, bad):
        cache.parsed(SourceFile("one.rules", text))
    monkeypatch.setattr(cache, "_parse", lambda _: pytest.fail("parsed again"))
    for text in (RULES.text, bad):
        other = SourceFile("folder/other.rules", text)
        assert same(cache.parsed(other), fresh(other))


@pytest.mark.parametrize("path", SHIPPED[:: len(SHIPPED) // 12], ids=lambda p: "-".join(p.parts[-3:]))
def test_a_parsed_file_comes_back_as_it_was(path):
    found = fresh(SourceFile(path.name, path.read_text(encoding="utf-8")))
    assert same(read(written(found)), found)


def test_a_file_with_errors_comes_back_with_them():
    found = fresh(SourceFile("bad.rules", "value x:\n  start wit 3\nenum a: b\n"))
    assert found[1]
    assert same(read(written(found)), found)


def test_a_second_reading_comes_from_the_cache(folder, monkeypatch):
    first = cache.parsed(RULES)
    assert entry(folder).read_text().count("\n") == 1
    monkeypatch.setattr(cache, "_parse", lambda _: pytest.fail("parsed again"))
    assert same(cache.parsed(RULES), first)


@given(at=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_a_damaged_entry_is_parsed_anew(tmp_path_factory, at, bit):
    room = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(room))
        first = cache.parsed(RULES)
        path = entry(room / "ophex")
        data = bytearray(path.read_bytes())
        data[at % len(data)] ^= 1 << bit
        path.write_bytes(data)
        assert same(cache.parsed(RULES), first)


class Payload:
    def __reduce__(self):
        return os._exit, (7,)


def forged(text):
    return f"{keeping.digest(text)}\n{text}".encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 9,
        pickle.dumps(Payload()),
        pickle.dumps(((), ())),
        forged("[]"),
        forged("{}"),
        forged("null"),
        forged('{"classes":["os.system"],"files":[],"spans":[],"table":[[0,"true"]],"root":1}'),
        forged('{"classes":["builtins.eval"],"files":[],"spans":[],"table":[[0,"1"]],"root":1}'),
        forged('{"classes":["attrs.field"],"files":[],"spans":[],"table":[[0]],"root":1}'),
        forged('{"classes":["dsl.syntax.syntax_tree.Name"],"files":[],"spans":[],"table":[[0,"x"]],"root":1}'),
        forged('{"classes":[],"files":[],"spans":[1],"table":[[-1]],"root":1}'),
        forged('{"classes":[],"files":[],"spans":[],"table":[[-1,5]],"root":1}'),
        forged('{"classes":[],"files":[],"spans":[],"table":[[-2,"1","0"]],"root":1}'),
        forged('{"classes":[],"files":[],"spans":[],"table":[[-3,"x"]],"root":1}'),
        forged('{"classes":[],"files":[],"spans":[],"table":[[-1]],"root":1}'),
        forged("[" * 100_000),
    ],
)
def test_a_foreign_entry_runs_nothing_and_is_parsed_anew(folder, data):
    first = cache.parsed(RULES)
    entry(folder).write_bytes(data)
    assert same(cache.parsed(RULES), first)


def test_only_what_a_parsed_file_consists_of_can_be_written():
    for strange in (object(), len, {"a": 1}, {1}, 1.5, b"x", Path()):
        with pytest.raises(TypeError):
            written((strange,))
    assert read(written((1, "1", Fraction(1, 2), None, True, ()))) == (1, "1", Fraction(1, 2), None, True, ())


def test_an_entry_is_json():
    text = written(fresh(RULES))
    assert set(json.loads(text)) == {"classes", "files", "spans", "table", "root"}
    with pytest.raises(Unreadable):
        read(text[:-1])


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="modes are those of POSIX")
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_may_write_to_is_not_used(folder, tmp_path, mode, monkeypatch):
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "no-folder"))
    (tmp_path / "no-folder").touch()
    folder.mkdir()
    folder.chmod(mode)
    assert cache.folder() is None
    folder.chmod(0o700)
    assert cache.folder() == folder


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="modes are those of POSIX")
def test_a_link_in_place_of_the_folder_is_not_followed(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "no-folder"))
    (tmp_path / "no-folder").touch()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "elsewhere")
    assert cache.folder() is None


def test_what_is_asked_for_stays_and_what_nobody_asks_for_goes(folder, monkeypatch):
    names = [keeping.name_of("thing", [str(n)]) for n in range(5)]
    for age, name in enumerate(names[:4]):
        keeping.keep(name, name)
        os.utime(folder / name, (age, age))
    assert keeping.kept(names[0]) == names[0]
    monkeypatch.setattr(keeping, "_cleared", set())  # as another process would begin
    keeping.keep(names[4], names[4], most=3)
    assert {path.name for path in folder.glob("thing-*")} == {names[0], names[3], names[4]}
