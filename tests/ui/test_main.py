"""The entry of the command line: what is printed where, and with which exit code."""

import os
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest

import dsl
from campaigns.library.locate import NotFound
from dsl.text.diagnostics import RuleTextError, at
from dsl.text.source import Span
from interpreter.runtime.refusals import Why
from ui import main as door
from ui.cli.exits import UsageError

CHECKOUT = Path(__file__).parent.parent.parent


@pytest.fixture
def command(monkeypatch):
    """A command `status` that does what the test says."""

    def make(run, add_arguments=lambda parser: None):
        module = types.ModuleType("ui.commands.status")
        module.run, module.add_arguments = run, add_arguments
        monkeypatch.setitem(sys.modules, "ui.commands", types.ModuleType("ui.commands"))
        monkeypatch.setitem(sys.modules, "ui.commands.status", module)

    return make


def raises(error):
    def run(args):
        raise error

    return run


def test_help_lists_every_command(capsys):
    assert door.main(["--help"]) == 0
    out, err = capsys.readouterr()
    assert not err
    for name in door.COMMANDS:
        assert f"\n  {name} " in out
    assert "Getting started:" in out
    assert max(map(len, out.splitlines())) <= 80


def test_version_names_the_program_and_python(capsys):
    assert door.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"ophex {dsl.__version__} (Python 3.")


def test_no_command_is_a_question_about_usage(capsys):
    assert door.main([]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("usage: ophex COMMAND")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("chek", "ophex check"), ("whynot", "ophex why-not"), ("--versoin", "ophex --version"), ("sttus", "ophex status")],
)
def test_an_unknown_command_names_the_nearest(typed, meant, capsys):
    assert door.main([typed]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert f"'{typed}'. Did you mean `{meant}`?" in err
    assert len(err.splitlines()) == 1


def test_an_unknown_command_that_is_near_to_nothing(capsys):
    assert door.main(["xyzzy"]) == 2
    assert capsys.readouterr().err == "ophex has no command 'xyzzy'. `ophex --help` lists the commands.\n"


def test_every_command_has_its_module():
    folder = CHECKOUT / "ui" / "commands"
    assert not [
        name
        for name, (module, _) in door.COMMANDS.items()
        if not (folder / f"{module.rpartition('.')[2]}.py").is_file()
    ]


def test_a_command_gets_its_arguments_and_gives_the_exit_code(command, capsys):
    def run(args):
        print(args.campaign)
        return 1

    command(run, lambda parser: parser.add_argument("campaign"))
    assert door.main(["status", "a.campaign"]) == 1
    assert capsys.readouterr().out == "a.campaign\n"


def test_a_wrong_option_exits_2(command, capsys):
    command(lambda args: 0)
    assert door.main(["status", "--nonsense"]) == 2
    assert "ophex status: error:" in capsys.readouterr().err


@pytest.mark.parametrize("line", [["status", "--help"], ["help", "status"]])
def test_help_of_one_command(line, command, capsys):
    command(lambda args: 0)
    assert door.main(line) == 0
    assert capsys.readouterr().out.startswith("usage: ophex status")


def test_a_refusal_is_a_message_with_its_rule(command, capsys):
    command(raises(Why.AGAINST_RULE("The unit is out of supply.", cites=("R-7",), hint="Bring it within ten hexes.")))
    assert door.main(["status"]) == 1
    assert capsys.readouterr().err == "The unit is out of supply.\n  rule: R-7\n  hint: Bring it within ten hexes.\n"


def test_what_is_not_found_is_a_message_with_a_hint(command, capsys):
    command(raises(NotFound("There is no rule system 'x'.", "Known are y and z.")))
    assert door.main(["status"]) == 1
    assert capsys.readouterr().err == "There is no rule system 'x'.\n  hint: Known are y and z.\n"


def test_wrong_rule_text_is_drawn(command, capsys):
    command(raises(RuleTextError([at("E001", "This is no rule.", Span("a.rules", 3, 1, 3, 5))])))
    assert door.main(["status"]) == 1
    err = capsys.readouterr().err
    assert "E001" in err
    assert "a.rules" in err
    assert "Traceback" not in err


def test_a_misuse_that_the_command_sees_exits_2(command, capsys):
    command(raises(UsageError("Give either --with or --without.")))
    assert door.main(["status"]) == 2
    assert capsys.readouterr().err == "Give either --with or --without.\n"


def test_a_file_that_is_not_there_is_no_fault_of_ophex(command, capsys):
    command(lambda args: Path("/nowhere/at.all").read_text(encoding="utf-8"))
    assert door.main(["status"]) == 1
    assert capsys.readouterr().err == "/nowhere/at.all: No such file or directory.\n"


def test_control_c_exits_130(command, capsys):
    command(raises(KeyboardInterrupt()))
    assert door.main(["status"]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


@pytest.fixture
def control_c():
    """Ctrl-C as in a terminal: a program in the background of a shell may have been started to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("control_c")
def test_control_c_is_heeded_where_python_would_lose_it(command, capsys):
    """In a generator that nobody needs any more: Python can only report what is raised there as ignored."""

    def thrown_away():
        try:
            yield
        finally:
            signal.raise_signal(signal.SIGINT)

    def run(args):
        next(thrown_away())
        for _ in range(200):
            time.sleep(0.05)
        return 0

    command(run)
    assert door.main(["status"]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_a_fault_says_so_without_a_traceback(command, capsys):
    command(raises(ZeroDivisionError("division by zero")))
    assert door.main(["status"]) == 70
    err = capsys.readouterr().err
    assert err.startswith("This is a fault in ophex")
    assert "ZeroDivisionError: division by zero (ui/main.py, line " in err
    assert "OPHEX_DEBUG=1" in err
    assert "Traceback" not in err


def test_a_fault_shows_its_traceback_when_asked(command, capsys, monkeypatch):
    monkeypatch.setenv("OPHEX_DEBUG", "1")
    command(raises(ZeroDivisionError("division by zero")))
    assert door.main(["status"]) == 70
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_reader_that_stops_reading_is_no_fault():
    code = (
        "from ui import main as m; m._help = lambda: [print('x' * 99) for line in range(10**5)];"
        "raise SystemExit(m.main(['--help']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        program.stdout.read(10)
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait(30) == 141


def test_a_terminal_without_typographic_signs_is_no_fault():
    code = "import sys, ui.main; raise SystemExit(ui.main.main(['--help']))"
    surroundings = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, env=surroundings, capture_output=True, check=False
    )
    assert ended.returncode == 0
    assert ended.stdout.startswith(b"usage: ophex COMMAND ?")


def test_a_package_of_the_same_name_in_front_of_ours_is_named(tmp_path):
    """Another distribution, or a folder in the current directory, may hold a package `interpreter`."""
    (tmp_path / "interpreter").mkdir()
    (tmp_path / "interpreter" / "__init__.py").write_text("raise AssertionError('must not be imported')")
    code = (
        f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); import ui.main;"
        f"sys.path.insert(0, {str(tmp_path)!r}); raise SystemExit(ui.main.main(['--version']))"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert f"its package 'interpreter' is found in {tmp_path}" in ended.stderr
    assert "uv tool install" in ended.stderr
