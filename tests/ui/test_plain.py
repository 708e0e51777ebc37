"""No character that a terminal would obey reaches it: escape sequences and direction marks are shown as their code."""

import io
import json
import sys
import threading

import pytest

from interpreter.messages.inputs import Input
from tests.as_recorded import recorded
from ui.cli import talking
from ui.cli.plain import PlainStream, beneath, escaped, plain, plain_streams
from ui.cli.playing import said_by
from ui.main import main
from ui.wording.events import event_lines

OBEYED = ["\x1b[2J", "\x1b]0;title\x07", "\x9b2J", "\x08\x08", "\r", "\x7f", "\u202e", "\u2066", "\x00"]


@pytest.mark.parametrize("sign", OBEYED)
def test_a_sign_is_shown_as_its_code(sign):
    shown = plain(f"a{sign}b")
    assert shown.isprintable()
    assert ascii(sign[0])[1:-1] in shown


@pytest.mark.parametrize("text", ["a\tb\nc", "Größe 20 %, «ß» – 漢字", "שלום", "e\u0301", "👍🏽"])
def test_letters_of_any_language_stay(text):
    assert plain(text) == text


@pytest.mark.parametrize("sign", OBEYED)
def test_json_says_the_same_by_numbers(sign):
    written = escaped(json.dumps({sign: [sign]}, ensure_ascii=False))
    assert written.isprintable()
    assert json.loads(written) == {sign: [sign]}


@pytest.mark.parametrize("sign", OBEYED)
def test_an_argument_is_repeated_plain(capsys, sign):
    main([f"statu{sign}s"])
    main(["status", f"no{sign}where"])
    said = capsys.readouterr()
    assert said.err
    assert (said.out + said.err).replace("\n", "").isprintable()


def test_the_streams_are_put_back():
    out, err = sys.stdout, sys.stderr
    with plain_streams():
        assert isinstance(sys.stdout, PlainStream)
        with plain_streams():
            assert beneath(sys.stdout) is beneath(out)
    assert (sys.stdout, sys.stderr) == (out, err)


def test_a_stream_is_a_stream():
    room = io.StringIO()
    stream = PlainStream(room)
    assert print("a\x1bb", file=stream) is None
    stream.writelines(["c", "\x07"])
    assert stream.write("\x00") == 1
    assert room.getvalue() == "a\\x1bb\nc\\x07\\x00"
    assert not stream.isatty()


def test_an_event_and_an_input_take_one_line_whatever_is_in_them():
    """A player who could write a line end into a reason could add entries to the log that nobody gave."""
    event = recorded("note", "It rains.\n    9   red: surrender")
    assert event_lines([event], "umpire") == ["It rains.\\n    9   red: surrender"]
    given = Input("override", "umpire", "strength of a = 1", "why\n    9   red: surrender\u2028x")
    assert said_by(given) == ("umpire", "override strength of a = 1 because “why\\n    9   red: surrender\\u2028x”")


def test_a_line_of_megabytes_is_refused_at_once_and_not_repeated(campaign, ophex, tmp_path):
    file = tmp_path / "orders.txt"
    for text, says in (
        ("dig-in n-1\n" + "x" * 3_000_000, "Line 2 has 3,000,000 characters"),
        ("x" * 5_000_000, "larger than"),
    ):
        file.write_text(text, encoding="utf-8")
        code, out, err = ophex("do", campaign, "--as", "north", "-f", str(file))
        assert (code, out) == (2, "")
        assert says in err
        assert len(err) < 500
    code, _, err = ophex("do", campaign, "--as", "north", "y" * 100_000)
    assert code == 1
    assert len(err) < 10_000


def test_a_progress_bar_of_what_forks_has_no_thread_of_its_own(monkeypatch):
    """With another thread `odds` and `leaks` could not fork, and would build each game again."""
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    threads = threading.active_count()
    with talking.progress("Outcomes", forks=True) as tell:
        for done in range(4):
            tell(done, 4)
            assert threading.active_count() == threads
    assert "Outcomes" in terminal.getvalue()
