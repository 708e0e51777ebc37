"""Hostile order files, command lines, environments and system folders. Everything happens in a temporary folder."""

import argparse
import atexit
import contextlib
import functools
import io
import os
import random
import shutil
import stat
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from campaigns.library import rule_texts
from campaigns.library.locate import find_system
from campaigns.play import starting
from campaigns.play.campaign import Campaign
from interpreter.messages.inputs import Refused
from tests.hostile import games, texts
from tests.hostile.edges import WORDS, bytes_mixed, mixed
from tests.hostile.running import Case, Fault, Kind, TooSlow
from tests.hostile.sound import NAMED, SOUND
from ui import main as door
from ui.cli.exits import UsageError
from ui.cli.order_files import OrderFile, Undelivered, put_in_order
from ui.commands.do import _orders_of

NOT_TRIED = {"play", "demo", "sim", "serve", "systems", "scenarios"}
"""Commands that open a screen, play as long as they are told to, or read all that ships (folders ask `scenarios` of one)."""
CODES = {0, 1, 2, 130, 141}


def said(line: list[str]) -> tuple[int, str]:
    """The exit code of a command, and all that it says. Raises Fault where ophex itself failed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            code = door.main(line)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 2
    text = out.getvalue()
    if "TooSlow" in text:
        raise TooSlow
    if code not in CODES or "This is a fault in ophex" in text or "Traceback (most recent" in text:
        place = text.partition("(")[2].partition(")")[0] or text[:80]
        raise Fault(f"exit {code} at {place}")
    return code, text


@contextlib.contextmanager
def elsewhere(environment: dict[str, str] | None = None) -> Iterator[Path]:
    """A folder of its own to stand in, and an environment."""
    before, kept = os.getcwd(), dict(os.environ)  # noqa: PTH109 - it is gone back to
    folder = tempfile.mkdtemp(prefix="hostile-")
    here = (
        Path(folder) / "a" / "b" / "c" / "d"
    )  # a system is looked for some folders up: not among other people's files
    here.mkdir(parents=True)
    try:
        os.chdir(here)
        os.environ.update({"XDG_CACHE_HOME": _cache(), "NO_COLOR": "1", "COLUMNS": "100", **(environment or {})})
        yield here
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(kept)
        for path in Path(folder).rglob("*"):
            if path.is_dir() and not path.is_symlink():
                path.chmod(stat.S_IRWXU)
        shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def _cache() -> str:
    """One cache for all: the shipped systems are read once."""
    return _kept_till_the_end("hostile-cache-")


def _kept_till_the_end(prefix: str) -> str:
    """A folder that is thrown away when the process ends."""
    folder = tempfile.mkdtemp(prefix=prefix)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


# ---- order files


@functools.cache
def _campaign() -> Campaign:
    """A campaign of the toy that stands a few inputs after its beginning; nothing is ever recorded in it."""
    folder = Path(_kept_till_the_end("hostile-campaign-"))
    home = folder / "toy"
    home.mkdir()
    text = "".join((texts.TOY / name).read_text(encoding="utf-8") for name in ("kit.rules", "war.rules"))
    (home / "toy.rules").write_text(text, encoding="utf-8")
    found = rule_texts.load(find_system(str(home)))
    documents = [games.Document(name, "rules", file.text) for name, file in found.files.items()]
    settings = {"scenario": "meeting", "modules": ["fog", "supply"], "options": {}, "dice": "typed", "seed": "1"}
    return Campaign.create(folder / "toy.ophex", documents, settings, starting.start)


def make_files(chance: random.Random) -> Case:
    """Order files of one or two sides: commands that are legal or were once, mixed, as bytes."""
    orders = [
        "done",
        "march a to 0303",
        "# so",
        "-- so",
        "answer none",
        "roll 7",
        "",
        *games._legal("toy 0 0"),
        *games._legal("toy 1 4"),
    ]
    parts = []
    for side in ("blue", "red")[: chance.randrange(1, 3)]:
        lines = mixed(chance, [chance.choice(orders) for _ in range(chance.randrange(1, 7))])
        data = "\n".join(lines).encode("utf-8", "surrogatepass")
        parts += [side, (bytes_mixed(chance, data) if chance.random() < 0.3 else data).decode("latin-1")]
    return tuple(parts)


def feed_files(case: Case) -> None:
    """Read them and put them in order; nothing is recorded."""
    campaign = _campaign()
    with tempfile.TemporaryDirectory() as folder:
        letters = []
        for number, text in enumerate(case):
            if text in {"blue", "red"}:
                continue
            file = Path(folder) / f"{number}.txt"
            file.write_bytes(text.encode("latin-1"))
            try:
                letters.append(OrderFile("red" if number > 1 else "blue", str(file), _orders_of(str(file))))
            except UsageError:
                return
        try:
            put_in_order(campaign, letters)
        except (Undelivered, Refused):
            return


# ---- command lines


@functools.cache
def _options(command: str) -> tuple[str, ...]:
    parser = argparse.ArgumentParser(add_help=False)
    import_module(door.COMMANDS[command][0]).add_arguments(parser)
    return tuple(option for action in parser._actions for option in action.option_strings)


HERE = (
    "my.ophex",
    "sound",
    "sound/sound.rules",
    "orders.txt",
    "no-such",
    "folder",
    "sound/one",
    "one",
    "toy",
    ".",
    "broken.ophex",
    "bytes.rules",
)
SAYINGS = ("march t-1 to 0201", "strength of t-1", "weight of t-1", "weight", "t-1 is in 0201", "red", "blue", "umpire", "moving", "done", "1", "0", "-1", "3", "svg", "text", "json", "seeded", "typed")  # fmt: skip
ENVIRONMENT = {
    "COLUMNS": ("0", "-1", "x", "1", "99999999"), "LINES": ("0", "x"), "NO_COLOR": ("", "0"), "OPHEX_DEBUG": ("0", "", "x"), "TERM": ("", "dumb", "x" * 99), "LANG": ("C", "x"), "HOME": ("", "/nowhere", "."),
    "XDG_CACHE_HOME": ("/dev/null", "no/such"), "XDG_DATA_HOME": ("", "/dev/null", "no/such"), "FORCE_COLOR": ("1", "x"), "TMPDIR": ("/dev/null", ""), "PYTHONIOENCODING": ("ascii",),
}  # fmt: skip


def make_options(chance: random.Random) -> Case:
    """A command with arguments that fit more or less, and an environment before it: `NAME=VALUE`."""
    environment = [f"{name}={chance.choice(values)}" for name, values in ENVIRONMENT.items() if chance.random() < 0.08]
    command = chance.choice([name for name in door.COMMANDS if name not in NOT_TRIED])
    line = [command]
    if chance.random() < 0.85:
        line.append(chance.choice(HERE))
    for _ in range(chance.randrange(5)):
        known = [
            option for option in _options(command) if option not in {"--workers", "--mutate", "--games", "--follow"}
        ]
        line.append(chance.choice([*known * 2, *HERE, *SAYINGS, *SAYINGS, *WORDS]))
    if chance.random() < 0.03:
        line = [chance.choice(WORDS), *line]
    return (*environment, *line)


def feed_options(case: Case) -> None:
    """Run the command line in a folder with a system, a campaign and some rubbish."""
    environment, line = {}, []
    for part in case:
        name, sign, value = part.partition("=")
        if sign and not line and name in ENVIRONMENT:
            environment[name] = value
        else:
            line.append(part)
    line = [word.replace("\0", "0") for word in line]
    if any(word.startswith(("/", "..", "~")) or "\udcff" in word for word in line):
        return  # nothing outside of the folder is touched
    with elsewhere(environment) as folder:
        _furnish(folder)
        said(line)


@functools.cache
def _furniture() -> dict[str, bytes]:
    with elsewhere() as folder:
        (folder / "sound").mkdir()
        (folder / "sound" / "sound.rules").write_text(NAMED + SOUND + texts.EXAMPLE, encoding="utf-8")
        code, text = said(["new", "my.ophex", "--scenario", "sound/one", "--seed", "1"])
        assert code == 0, text
        return {
            "my.ophex": (folder / "my.ophex").read_bytes(),
            "sound/sound.rules": (folder / "sound" / "sound.rules").read_bytes(),
            "orders.txt": b"march t-1 to 0201\ndone\n",
            "broken.ophex": b"SQLite format 3\0" + bytes(4000),
            "bytes.rules": bytes(range(256)),
            "folder/x.txt": b"x",
        }


def _furnish(folder: Path) -> None:
    for name, data in _furniture().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)


# ---- folders

ASKED = (["check", "s"], ["test", "s"], ["fmt", "--check", "s"], ["tree", "s", "weight"], ["coverage", "s"], ["scenarios", "s"], ["new", "x.ophex", "--scenario", "s/one"], ["check", "s/a.rules"], ["handbook", "s", "--out", "book"], ["try", "s", "s/a.rules"])  # fmt: skip
NAMES = ("a.rules", "b.rules", "s.rules", "maps/m.rules", "scenarios/one.rules", "scenarios/a.rules", "forces/f.rules", "catalog.toml", ".rules", "a b.rules", "é.rules", "a\nb.rules", "x.RULES", "\udcff.rules", "examples-a.rules", "deep/deep/x.rules")  # fmt: skip
SHAPES = (
    "sound",
    "sound",
    "sound",
    "mixed",
    "empty",
    "folder",
    "loop",
    "itself",
    "away",
    "pipe",
    "huge",
    "long",
    "locked",
    "bytes",
    "socket",
    "nested",
    "nul",
    "base",
    "self-base",
    "catalog",
)


def make_folders(chance: random.Random) -> Case:
    """A folder, part by part (`SHAPE NAME`), and first the number of what is asked of it."""
    parts = ["sound s.rules"] if chance.random() < 0.6 else []
    parts += [f"{chance.choice(SHAPES)} {chance.choice(NAMES)}" for _ in range(chance.randrange(1, 5))]
    return str(chance.randrange(len(ASKED))), *parts


def feed_folders(case: Case) -> None:
    """Make the folder and ask."""
    with elsewhere({"XDG_DATA_HOME": "data"}) as folder:
        home = folder / "s"
        home.mkdir()
        for part in case[1:]:
            shape, _, name = part.partition(" ")
            with contextlib.suppress(OSError):
                path = home / name
                path.parent.mkdir(parents=True, exist_ok=True)
                if not os.path.lexists(path):  # a pipe that is written to would be waited for
                    _shape(shape, path, home)
        said(list(ASKED[int(case[0]) % len(ASKED)]) if case[0].isdigit() else ["check", "s"])


def _shape(shape: str, path: Path, home: Path) -> None:
    chance = random.Random(f"{shape}{path.name!r}")
    match shape:
        case "sound":
            path.write_text(NAMED + SOUND, encoding="utf-8")
        case "mixed":
            path.write_text("\n".join(mixed(chance, (NAMED + SOUND).split("\n"))), encoding="utf-8", errors="replace")
        case "empty":
            path.touch()
        case "folder":
            path.mkdir()
        case "loop":
            path.symlink_to(path.name)
        case "itself":
            path.symlink_to(home, target_is_directory=True)
        case "away":
            path.symlink_to("/nowhere/x.rules")
        case "pipe":
            os.mkfifo(path)
        case "huge":
            with path.open("wb") as file:
                file.truncate(3_000_000_000)
        case "long":
            path.write_text("value v:\n  start with " + "1 + " * 200_000 + "1\n", encoding="utf-8")
        case "locked":
            path.write_text(SOUND, encoding="utf-8")
            path.chmod(0)
        case "bytes":
            path.write_bytes(bytes_mixed(chance, (NAMED + SOUND).encode()))
        case "socket":
            os.mknod(path, stat.S_IFSOCK | 0o600)
        case "nested":
            (path.parent / "/".join("abcdefgh" * 12)).mkdir(parents=True)
        case "nul":
            path.write_bytes(b"system s\0")
        case "base":
            path.write_text('system s "S" version 1.0, on nothing\n', encoding="utf-8")
        case "self-base":
            path.write_text('system s "S" version 1.0, on s\n', encoding="utf-8")
        case "catalog":
            (home / "catalog.toml").unlink(missing_ok=True)  # a pipe that stands there would be waited for
            (home / "catalog.toml").write_bytes(bytes_mixed(chance, b'[[rule]]\nid = "A-1"\ntitle = "x"\n'))


KINDS = (
    Kind("files", make_files, feed_files),
    Kind("options", make_options, feed_options),
    Kind("folders", make_folders, feed_folders),
)
