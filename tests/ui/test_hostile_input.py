"""Typed and mailed input that is not a command: files in other encodings, numbers that make no sense, empty words."""

import errno
import io
import json
import shutil
import sqlite3
import sys
from types import SimpleNamespace

import pytest

from campaigns.file.errors import from_sqlite
from tests.ui.test_play_commands import entries

ORDERS = "dig-in n-1\r\ndig-in n-2  -- für später\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_order_file_as_editors_save_it(encoding, campaign, ophex, tmp_path):
    file = tmp_path / "orders.txt"
    file.write_bytes(ORDERS.encode(encoding))
    assert ophex("do", campaign, "--as", "north", "-f", file)[0] == 0
    assert entries(campaign) == 2


def test_an_order_file_that_is_piped_in(campaign, ophex, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"dig-in n-1\nmarch n-9\n")))
    code, _, err = ophex("do", campaign, "--as", "north", "-f", "-")
    assert (code, err.partition(" ")[0], entries(campaign)) == (1, "-:2:7:", 0)


def test_an_order_file_that_is_no_text(campaign, ophex, tmp_path):
    file = tmp_path / "orders.txt"
    file.write_bytes(ORDERS.encode("latin-1"))
    code, out, err = ophex("do", campaign, "--as", "north", "-f", file)
    assert (code, out) == (2, "")
    assert err.startswith(f"{file}:2:17: this is not valid UTF-8.\n  hint: Save the file as UTF-8")
    assert entries(campaign) == 0


def test_a_command_without_end_is_not_printed_wholly(campaign, ophex, tmp_path):
    file = tmp_path / "orders.txt"
    file.write_text(f"dig-in n-1\nmarch {'x' * 100_000}\n")
    code, _, err = ophex("do", campaign, "--as", "north", "-f", file)
    assert code == 2
    assert err.startswith("Line 2 has 100,006 characters")
    assert len(err.splitlines()[0]) < 300


@pytest.mark.parametrize(
    "line",
    [
        ["undo", "--steps", "0"],
        ["redo", "--steps", "0"],
        ["undo", "--steps", "-1"],
        ["undo", "--steps", "two"],
        ["log", "-n", "-5"],
        ["legal", "--limit", "0"],
        ["why", "turn", "--depth", "-1"],
        ["why", ""],
        ["why-not", " "],
    ],
)
def test_numbers_that_make_no_sense_and_words_that_are_empty(line, campaign, ophex):
    ophex("do", campaign, "--as", "north", "dig-in n-1")
    code, out, err = ophex(line[0], campaign, *line[1:])
    assert (code, out) == (2, "")
    assert "fault" not in err


def test_an_empty_name_of_a_campaign(ophex):
    assert ophex("status", "") == (2, "", "The name of the campaign file is empty.\n  hint: Name a campaign file.\n")


def test_undo_and_redo_tell_what_they_move_over(campaign, ophex):
    ophex("do", campaign, "--as", "north", "dig-in n-1", "dig-in n-2")
    err = ophex("undo", campaign, "--steps", "2")[2]
    assert "taken back: 2 north: dig-in n-2\ntaken back: 1 north: dig-in n-1\n" in err
    assert "redone: 1 north: dig-in n-1\n" in ophex("redo", campaign)[2]


def test_more_is_not_redone_than_was_taken_back_and_then_nothing(campaign, ophex):
    ophex("do", campaign, "--as", "north", "dig-in n-1", "dig-in n-2")
    ophex("undo", campaign, "--steps", "2")
    code, out, err = ophex("redo", campaign, "--steps", "3")
    assert (code, out) == (1, "")
    assert "3 inputs cannot be redone: only 2 can." in err
    assert json.loads(ophex("redo", campaign, "--steps", "2", "--json")[1])["head"] == 2


def test_why_not_also_judges_answers_and_dice(campaign, ophex):
    ophex("do", campaign, "attack 0406 with n-1")
    assert ophex("why-not", campaign, "answer reply with stand")[:2] == (0, "Nothing forbids it.\n")
    assert ophex("why-not", campaign, "answer stand")[0] == 0
    code, out, _ = ophex("why-not", campaign, "answer reply with dance")
    assert (code, out[:2]) == (1, "- ")
    assert ophex("why-not", campaign, "roll 3")[0] == 1
    assert entries(campaign) == 1


def test_advance_to_a_phase_by_its_title_and_to_none(campaign, ophex):
    assert ophex("advance", campaign, "--to", "Movement Phase")[0] == 0
    code, out, err = ophex("advance", campaign, "--to", "breakfast")
    assert (code, out) == (2, "")
    assert err == "This game has no phase 'breakfast'.\n  hint: Its phases are movement, combat.\n"
    code, _, err = ophex("advance", campaign, "--to", "combat")
    assert code == 1
    assert "The phase combat was not reached: somebody must decide first." in err


def test_a_full_disk_is_called_full(tmp_path, monkeypatch):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR | 19 << 8
    file = tmp_path / "my.ophex"
    assert "failed with a disk error" in from_sqlite(error, file).message
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    assert from_sqlite(error, file).message == f"The disk that holds {file} is full."

    def gone(_):
        raise OSError(errno.EIO, "gone")

    monkeypatch.setattr(shutil, "disk_usage", gone)
    assert "failed with a disk error" in from_sqlite(error, file).message


def test_damage_is_told_without_the_whole_text(tmp_path):
    error = sqlite3.OperationalError("Could not decode to UTF-8 column 'text' with text '-- a\nlong\nfile'")
    assert from_sqlite(error, tmp_path / "my.ophex").message.endswith("(Could not decode to UTF-8 column 'text').")


def letters(tmp_path, **texts):
    """Order files by their sides, as arguments."""
    args = []
    for side, text in texts.items():
        file = tmp_path / f"{side}.txt"
        file.write_text(text)
        args += ["-f", f"{side}={file}"]
    return args


def test_letters_of_several_sides_are_given_as_they_are_awaited(campaign, ophex, tmp_path):
    said = letters(tmp_path, south="dig-in s-1\ndone\ndig-in s-2\n", north="dig-in n-1\ndone\ndig-in n-2\ndone\n")
    assert ophex("do", campaign, *said, "--dry-run")[0] == 0
    assert entries(campaign) == 0
    assert ophex("do", campaign, *said)[0] == 0
    given = json.loads(ophex("log", campaign, "--json")[1])["entries"][::-1]
    assert [(e["side"], e["text"]) for e in given] == [
        ("north", "dig-in n-1"),
        ("north", "done"),
        ("south", "dig-in s-1"),
        ("south", "done"),
        ("north", "dig-in n-2"),
        ("north", "done"),
        ("south", "dig-in s-2"),
    ]


def test_letters_are_given_wholly_or_not_at_all(campaign, ophex, tmp_path):
    said = letters(tmp_path, north="dig-in n-1\n", south="dig-in s-1\n")
    code, out, err = ophex("do", campaign, *said)
    assert (code, out, entries(campaign)) == (1, "", 0)
    assert err.startswith(
        f"{tmp_path / 'south.txt'}:1:1: dig-in s-1\nThe game is not waiting for south here.\n  hint: "
    )
    said = letters(tmp_path, north="done\n", south="\nmarch nobody\n")
    code, _, err = ophex("do", campaign, *said)
    assert (code, entries(campaign)) == (1, 0)
    assert err.startswith(f"{tmp_path / 'south.txt'}:2:")


def test_a_done_at_the_end_of_a_letter_that_nobody_waits_for_is_left_over(campaign, ophex, tmp_path):
    said = letters(tmp_path, north="dig-in n-1\n", south="done\n")
    code, _, err = ophex("do", campaign, *said)
    assert (code, entries(campaign)) == (0, 1)
    assert f"{tmp_path / 'south.txt'}:1: `done` is ignored: the game is not waiting for south here." in err
    said = letters(
        tmp_path, north="dig-in n-2\n", south="done\ndig-in s-1\n"
    )  # what comes behind it was meant for something
    code, _, err = ophex("do", campaign, *said)
    assert (code, entries(campaign)) == (1, 1)
    assert "south.txt:1:1: done\nThe game is not waiting for south here." in err


def test_a_letter_says_its_side(campaign, ophex, tmp_path):
    said = letters(tmp_path, north="done\n")
    assert ophex("do", campaign, *said, *said[:1], said[1].partition("=")[2])[0] == 2
    assert ophex("do", campaign, *said, "done")[0] == 2
    assert "has no side 'east'" in ophex("do", campaign, "-f", said[1].replace("north=", "east="))[2]
