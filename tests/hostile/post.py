"""Hostile mail: letters with orders, and filled forms of battles, taken in by the command line as an umpire would.

A case begins with how far it goes and the name of the file; then the lines of the file follow. `read`: only its orders or rows. `dry`:
tried on the campaign, of which no byte changes. `given`: by the command line; the campaign verifies afterwards.
"""

import base64
import contextlib
import functools
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from campaigns.desk.letter import read_letter
from campaigns.desk.letter_intake import take_in
from campaigns.desk.letter_orders import heading_of, orders_of
from campaigns.desk.letter_senders import Arrived
from campaigns.file.errors import CampaignError
from campaigns.play.campaign import Campaign
from campaigns.play.starting import open_campaign
from campaigns.tabletop import pack_of, read_form, rehearse
from tests.campaigns import skirmishes
from tests.desk import outposts
from tests.hostile.commands import _kept_till_the_end, elsewhere, said
from tests.hostile.edges import WORDS, bytes_mixed, mixed
from tests.hostile.running import Case, Fault, Kind
from ui.cli.plain import UNSEEN
from ui.tabletop.giving_out import _told
from ui.wording.letters import judged_lines

HOW = (*["read"] * 15, *["dry"] * 4, "given")
CAMPAIGN = "my.ophex"


@functools.cache
def _letters_home() -> Path:
    """A campaign at the desk, with a commander and a packet sent."""
    folder = Path(_kept_till_the_end("hostile-letters-"))
    with outposts.begun(folder):
        pass
    with elsewhere():
        for line in (
            ["desk", "--as", "red/tom", "--over", "r-1"],
            ["mail", "--out", "out"],
            ["do", "--as", "blue", "aim b-2 to 2"],
        ):
            code, text = said([line[0], str(folder / "outposts.ophex"), *line[1:]])
            assert code == 0, text
    (folder / "outposts.ophex").rename(folder / CAMPAIGN)
    return folder


@functools.cache
def _battle_home() -> Path:
    """A campaign with a battle at a table."""
    folder = Path(_kept_till_the_end("hostile-battle-"))
    with skirmishes.campaign_of(folder, CAMPAIGN) as made:
        skirmishes.at_the_table(made)
    return folder


# ---- letters
ORDERS = (
    "aim b-1 to 2", "aim b-1 to 3.", "brief b-1", "answer pal-of with b-2", "answer goal with 3", "done", "Done.", "> aim b-2 to 4", ">> done", "step b-1 to 0203", "gamble b-1",
    "catch b-1 against r-1", "aim r-1 to 2", "brief r-2", "answer goal with 9", "step r-1 to 0602", "every turn: aim b-1 to 3", "every turn aim b-1 to 3", "no standing orders", "-- ", "--", "Tom",
    "-----Original Message-----", "On Monday the umpire wrote:", "# a remark", "; a remark", "*aim b-1 to 2*", "1. aim b-1 to 2", "- aim b-1 to 2", "“aim b-1 to 2”", "aim\u00a0b-1\u00a0to\u00a02",
    "AIM B-1 TO 2", "undo", "override strength of b-1 = 9", "roll 6", "answer", "answer goal", "aim all to 2", "aim b-1, b-2 to 3", "ophex orders for blue", "ophex report for red", "confirm", "nothing",
)  # fmt: skip
HEADERS = (
    "From: tom@example.org", "Subject: =?utf-8?q?orders?=", "Subject: =?utf-16?b?////?=", "Date: x", 'Content-Type: text/plain; charset="utf-8"', "Content-Type: text/plain; charset=utf-7",
    "Content-Type: text/plain; charset=punycode", "Content-Type: text/plain; charset=idna", "Content-Type: text/plain; charset=hex", "Content-Type: text/plain; charset=utf-32", "Content-Type: text/plain; charset=unicode_escape",
    "Content-Type: multipart/mixed; boundary=x", "Content-Type: multipart/alternative; boundary=x", "Content-Type: message/rfc822", "Content-Transfer-Encoding: base64", "Content-Transfer-Encoding: quoted-printable",
    "Content-Transfer-Encoding: x-uuencode", "Content-Transfer-Encoding: 8bit", "MIME-Version: 1.0", "From tom Mon", "X-Mailer: é", "Subject:", " folded",
)  # fmt: skip
FILES = (
    "blue.txt",
    "red.txt",
    "red-tom.txt",
    "orders.txt",
    "blue-2.eml",
    "red-tom-3.txt",
    "blue\n.txt",
    "é.txt",
    "\x1b[31m.txt",
)


@functools.cache
def _template(file: str) -> list[str]:
    """The template that a side was sent."""
    side = "red" if file.startswith("red") else "blue"
    with elsewhere():
        _, text = said(["mail", str(_letters_home() / CAMPAIGN), "--as", side, "--out", "-"])
    return text.split("\n")


def make_letters(chance: random.Random) -> Case:
    """A letter: a template filled in, or lines of orders, as a mail or not; spoiled, as bytes."""
    file = chance.choice(FILES)
    lines = [chance.choice(ORDERS) for _ in range(chance.randrange(1, 8))]
    if chance.random() < 0.3:
        sent = _template(file)
        at = chance.randrange(len(sent))
        lines = [*sent[:at], *lines, *sent[at:]]
    if chance.random() < 0.5:
        lines = mixed(chance, lines)
    if chance.random() < 0.2:
        lines.append(chance.choice(WORDS))
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    if chance.random() < 0.25:
        head = [chance.choice(HEADERS) for _ in range(chance.randrange(1, 6))]
        if "Content-Transfer-Encoding: base64" in head and chance.random() < 0.7:
            data = base64.encodebytes(data)
        if any("boundary" in line for line in head) and chance.random() < 0.7:
            data = (
                b"--x\nContent-Type: "
                + chance.choice((b"text/plain", b"text/html", b"text/plain; charset=utf-16"))
                + b"\n\n"
                + data
                + b"\n--x--\n"
            )
        data = "\n".join([*head, "", ""]).encode() + data
    if chance.random() < 0.05:
        data = data.decode("utf-8", "replace").encode(
            chance.choice(("utf-16", "utf-32", "latin-1", "cp1252")), "replace"
        )
    data = bytes_mixed(chance, data) if chance.random() < 0.25 else data
    if chance.random() < 0.1:
        data = data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n")))
    return (chance.choice(HOW), file, *data.decode("latin-1").split("\n"))


def feed_letters(case: Case) -> None:
    """Take it in."""
    _fed(case, _letters_home(), _read_letter, _judged_letter, ["mail", CAMPAIGN, "--in"])


def _read_letter(data: bytes, name: str) -> None:
    """Its lines and its orders, each sign with its place."""
    letter = read_letter(data, name)
    found = orders_of(letter, _open(_letters_home()).game.program.orders, {"b-1", "b-2", "r-1", "0202"})
    heading_of(letter)
    if any(len(line.places) != len(line.text) for line in letter.lines) or len(found.commands) > len(data):
        raise Fault("signs without a place")


def _judged_letter(data: bytes, name: str) -> None:
    """What is told of it."""
    campaign = _open(_letters_home())
    side = "red/tom" if "tom" in name else "red" if "red" in name else "blue" if "blue" in name else ""
    found = take_in(campaign, [Arrived(name, data, side)], dry_run=True)
    lines = [line for one in found.judged for line in judged_lines(one)]
    if any("\n" in line for line in lines):
        raise Fault("the receipt gets a line of somebody else's")


# ---- forms
FORMS = (
    "[outcome]", "[ground-held]", "[wheels-lost]", 'a = "unhurt"', 'x = "destroyed"', 'y = "damaged"', "answer = true", 'a = ["a-rim-1"]', 'x = "none"', 'x = ["x-rim-1", "x-rim-2"]', "a = 1", "a = -1",
    "a = 1e999", "a = nan", "a = 2026-01-01", "a = [[1]]", "a = {b = 1}", "a = [1, [2]]", "[[outcome]]", "[outcome.a]", '["outcome"]', "note = 1", "battle = 'x'", "sly = 'unhurt'", "a = []", 'a = ""',
    '"a\\u001b" = "x"', 'a = "\\u001b[31m"', 'a = "\\u202e"', "[b]", "[fought]", 'answer = "here"', 'answer = "at-table"', "b-1 = 99999999999999999999999999", "a = 0x7fffffffffffffff", 'a = """\nx\n"""', "a.b.c = 1",
)  # fmt: skip


@functools.cache
def _form() -> tuple[str, ...]:
    from ui.tabletop.files import form_toml

    with open_campaign(_battle_home() / CAMPAIGN) as campaign:
        return tuple(form_toml(pack_of(campaign)).split("\n"))


def make_forms(chance: random.Random) -> Case:
    """The form of the battle, filled in more or less, spoiled."""
    lines = [*_form()]
    for _ in range(chance.randrange(1, 8)):
        line = chance.choice(FORMS)
        lines.insert(chance.randrange(3 if chance.random() < 0.9 else 0, len(lines) + 1), line)
    for at, line in enumerate(lines):  # what is asked is filled in
        if line.endswith('= ""') and chance.random() < 0.8:
            said_ = chance.choice(("unhurt", "damaged", "destroyed", "yes", "no", "none", "a-rim-1", *WORDS))
            lines[at] = f'{line[:-3]} "{said_}"'
    if chance.random() < 0.4:
        lines = mixed(chance, lines)
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    data = bytes_mixed(chance, data) if chance.random() < 0.2 else data
    return (chance.choice(HOW), "result.toml", *data.decode("latin-1").split("\n"))


def feed_forms(case: Case) -> None:
    """Give it to the campaign."""
    _fed(case, _battle_home(), lambda data, _: bool(read_form(data)) or None, _rehearsed_form, ["import", CAMPAIGN])


def _rehearsed_form(data: bytes, _: str) -> None:
    """What is told of it, and that it changes nothing."""
    campaign = _open(_battle_home())
    before = campaign.game.digest()
    found = rehearse(campaign, read_form(data))
    if campaign.game.digest() != before:
        raise Fault("a trial changes the game")
    if any("\n" in line for line in _told(found, "result.toml")):
        raise Fault("what is told gets a line of somebody else's")


def _fed(
    case: Case, home: Path, read: Callable[[bytes, str], None], tried: Callable[[bytes, str], None], line: list[str]
) -> None:
    if len(case) < 3 or case[0] not in HOW:  # made smaller too far
        return
    how, name, *lines = case
    data = "\n".join(lines).encode("latin-1")
    if how == "given":
        _given(data, name, home, line)
        return
    before = _state(home)
    with contextlib.suppress(CampaignError):
        read(data, name)
        if how == "dry":
            tried(data, name)
    if _state(home) != before:
        raise Fault("a trial changes the file")


def _given(data: bytes, name: str, home: Path, line: list[str]) -> None:
    """By the command line, in a copy: the record is sound afterwards, and nothing else lies about."""
    with elsewhere() as folder:
        shutil.copyfile(home / CAMPAIGN, folder / CAMPAIGN)
        inner = folder / "in"
        inner.mkdir()
        file = inner / name.replace("/", "-")
        file.write_bytes(data)
        _, text = said([*line, str(file)])
        if UNSEEN.search(text):
            raise Fault("a sign reaches the terminal")
        with open_campaign(folder / CAMPAIGN) as campaign:
            if not (verdict := campaign.verify()).ok:
                raise Fault(f"the record is not sound: {verdict.problems[0]}")
        if {path.name for path in folder.iterdir()} - {"in", CAMPAIGN, f"{CAMPAIGN}.backups"}:
            raise Fault("something is left lying")


def _state(home: Path) -> tuple[int, int]:
    """What tells whether a file was written to."""
    found = (home / CAMPAIGN).stat()
    return found.st_mtime_ns, found.st_size


@functools.cache
def _open(home: Path) -> "Campaign[Any]":
    return open_campaign(home / CAMPAIGN)


KINDS = (Kind("letters", make_letters, feed_letters), Kind("forms", make_forms, feed_forms))
