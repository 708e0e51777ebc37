"""`ophex mail` as an umpire uses it: folders of packets out, folders of letters in, receipts, a command that sends."""

import json
import re
import sys

import pytest

from tests.desk.outposts import begun
from ui.main import main


@pytest.fixture
def file(tmp_path):
    with begun(tmp_path) as made:
        return made.path


@pytest.fixture
def mail(file, capsys):
    """Runs `ophex mail`; gives its exit code, what it printed and what it told."""

    def run(*words):
        capsys.readouterr()
        code = main(["mail", str(file), *map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_a_template_comes_back_quoted_and_signed_and_is_taken(mail, file, tmp_path):
    assert mail("--out", tmp_path / "out")[0] == 0
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == [
        f"{side}-{what}"
        for side in ("blue", "red")
        for what in ("map.svg", "orders.txt", "report.html", "report.md", "report.txt")
    ]
    template = (tmp_path / "out/blue-orders.txt").read_text()
    assert max(map(len, template.splitlines())) <= 72
    head, end = template.split("end of orders")
    (tmp_path / "in").mkdir()
    reply = f"Hello,\n{head}Aim B-1 to 2.\nDone!\nend of orders{end}\n-- \nTom\naim b-1 to 5\n"
    mailed = "\ufeff" + "".join(f"> {line}\r\n" for line in reply.splitlines())
    (tmp_path / "in/a letter.txt").write_bytes(mailed.encode())
    code, out, _ = mail("--in", tmp_path / "in")
    assert code == 0
    assert re.search(r"line \d+: Aim B-1 to 2 \[given\]", out)
    main(["why", str(file), "aim of b-1"])


def test_for_one_side_or_commander_only_their_letters_are_read_whatever_the_files_are_called(mail, file, tmp_path):
    """The letter of the seat was read as well, if only its first line said whose it was."""
    main(["desk", str(file), "--as", "blue/tom", "--over", "b-1"])
    mail("--out", tmp_path / "out")
    (tmp_path / "in").mkdir()
    for number, (whose, order) in enumerate(
        (("blue", "aim b-2 to 1"), ("blue-tom", "aim b-1 to 2"), ("red", "aim r-1 to 3"))
    ):
        head = (tmp_path / f"out/{whose}-orders.txt").read_text().splitlines()[0]
        (tmp_path / f"in/letter-{number}.txt").write_text(f"{head}\n{order}\n")

    def read(*seat):
        return {
            one["file"]: one["fate"] for one in json.loads(mail("--in", tmp_path / "in", "--json", *seat)[1])["letters"]
        }

    assert read("--as", "blue/tom", "--dry-run") == {"letter-1.txt": "waiting"}
    assert read("--as", "blue/tom") == {"letter-1.txt": "taken"}
    assert read("--as", "blue") == {"letter-0.txt": "taken", "letter-1.txt": "known"}
    assert read() == {"letter-0.txt": "known", "letter-1.txt": "known", "letter-2.txt": "taken"}


def test_a_letter_of_another_side_that_waits_is_not_given_then(mail, tmp_path):
    letter = tmp_path / "blue.txt"
    letter.write_text("done\nstep b-1 to 0201\n")
    assert "[waits]" in mail("--in", letter)[1]
    (tmp_path / "red.txt").write_text("done\n")
    _code, out, _ = mail("--in", tmp_path / "red.txt", "--as", "red")
    assert "ophex receipt for red" in out
    assert "blue" not in out
    assert "line 2: step b-1 to 0201 [given]" in mail("--in", letter)[1]


def test_a_dry_run_takes_letters_together_as_they_are_taken(mail, file, tmp_path):
    """What a commander's letter left open is answered by his next one; the seat's letter beside it was refused in the dry run alone."""
    main(["desk", str(file), "--as", "blue/tom", "--over", "b-1, b-2"])
    (tmp_path / "blue-tom.txt").write_text("brief b-1\nanswer pal-of with b-2\n")
    code, out, _ = mail("--in", tmp_path / "blue-tom.txt", "--dry-run")
    assert code == 0
    said = re.sub(r"\s+", " ", out)
    assert (
        "This would leave a question open: line 2, column 1: answer pal-of with b-2 After this it needs one more `answer goal"
        in said
    )
    assert "Awaited from you before these letters: The Blues may give orders" in said
    mail("--in", tmp_path / "blue-tom.txt")
    (tmp_path / "in").mkdir()
    (tmp_path / "in/blue-tom-2.txt").write_text("brief b-1\nanswer pal-of with b-2\nanswer goal with 3\n")
    (tmp_path / "in/blue-zed.txt").write_text("aim b-3 to 1\n")
    tried, taken = (
        json.loads(mail("--in", tmp_path / "in", "--json", *more)[1])["letters"] for more in (["--dry-run"], [])
    )
    assert [(one["file"], one["fate"], one["faults"]) for one in tried] == [
        ("blue-tom-2.txt", "waiting", []),
        ("blue-zed.txt", "waiting", []),
    ]
    assert [(one["file"], one["fate"]) for one in taken] == [("blue-tom-2.txt", "taken"), ("blue-zed.txt", "taken")]


def test_a_dry_run_says_what_would_be_given_and_what_would_wait(mail, tmp_path):
    letter = tmp_path / "blue.txt"
    letter.write_text("aim b-1 to 2\ndone\nstep b-1 to 0201\n")
    _, out, _ = mail("--in", letter, "--dry-run")
    assert "blue.txt: nothing wrong found." in out
    assert [line.strip() for line in out.splitlines() if line.startswith("  line")] == [
        "line 1: aim b-1 to 2 [would be given]",
        "line 2: done [would be given]",
        "line 3: step b-1 to 0201 [would wait]",
    ]
    _, out, _ = mail("--in", letter)
    assert "blue.txt: accepted; some of it waits for your turn." in out
    assert [line.rpartition("[")[2] for line in out.splitlines() if line.startswith("  line")] == [
        "given]",
        "given]",
        "waits]",
    ]
    _, _, told = mail("--in", letter, "--dry-run")
    assert "blue.txt: accepted" not in told


def test_what_is_printed_for_programs_has_the_keys_of_its_help(mail, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/blue.txt").write_text("aim b-1 to 2\naim b-9 to 2\n")
    (tmp_path / "in/who.txt").write_text("done")
    code, out, _ = mail("--in", tmp_path / "in", "--out", tmp_path / "out", "--json")
    found = json.loads(out)
    assert (code, [(one["side"], one["fate"]) for one in found["letters"]]) == (
        1,
        [("blue", "refused"), ("", "unreadable")],
    )
    (fault,) = found["letters"][0]["faults"]
    assert (fault["line"], fault["column"], fault["kind"]) == (2, 5, "unknown-name")
    assert main(["mail", "--help"]) == 0
    assert (tmp_path / "out/blue-receipt.txt").read_text().startswith("ophex receipt for blue")
    assert [one["number"] for one in found["packets"]] == [1, 1]


def test_the_help_names_every_key(mail, tmp_path, capsys):
    keys = json.loads(mail("--as", "blue", "--out", "-", "--json")[1])
    (tmp_path / "blue.txt").write_text("aim b-1 to 2")
    keys |= json.loads(mail("--in", tmp_path / "blue.txt", "--out", tmp_path, "--json")[1])
    keys |= keys["letters"][0] | keys["packets"][0]
    capsys.readouterr()
    main(["mail", "--help"])
    documented = capsys.readouterr().out.partition("keys of --json:")[2]
    assert not [key for key in keys if not re.search(rf"\b{key}\b", documented)]


def test_packets_and_receipts_that_lie_among_the_letters_are_no_letters(mail, tmp_path):
    """Some umpires use one folder for everything."""
    mail("--out", tmp_path / "all")
    (tmp_path / "all/red.txt").write_text("hello")
    code, out, _ = mail("--in", tmp_path / "all", "--out", tmp_path / "all", "--json")
    fates = {one["file"]: one["fate"] for one in json.loads(out)["letters"]}
    assert (code, fates) == (0, {"blue-orders.txt": "empty", "red-orders.txt": "empty", "red.txt": "empty"})


def test_the_command_that_sends_gets_side_and_files_and_its_failure_is_told(mail, tmp_path):
    script = tmp_path / "send.py"
    script.write_text(
        "import sys, pathlib\n"
        f"pathlib.Path({str(tmp_path)!r}, 'sent-' + sys.argv[1]).write_text(' '.join(sys.argv[2:]))\n"
        "sys.exit(sys.argv[1] == 'red')\n"
    )
    code, out, err = mail("--out", tmp_path / "o u't", "--hook", f"{sys.executable} {script}", "--json")
    assert (code, [one["hook"] for one in json.loads(out)["packets"]]) == (1, [0, 1])
    assert "--hook for red ended with exit code 1" in err
    assert "blue-report.txt" in (tmp_path / "sent-blue").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "There is nothing to do."),
        (("--in", "nowhere"), "There is no file or folder nowhere"),
        (("--out", "-"), "`-` needs a side."),
        (("--out", "-", "--as", "umpire"), "no packet"),
        (("--in", "x", "--hook", "y"), "--hook needs --out: it runs when packets are written"),
        (("--out", "x", "--dry-run"), "--dry-run writes no files, so it cannot be combined with --out."),
        (("--in", "x", "--out", "x", "--dry-run"), "Leave out --out: the receipts are printed."),
        (("--out", "x", "--hook", "'"), "--hook is not a command"),
        (("--out", "x", "--hook", " "), "--hook is empty"),
    ],
)  # fmt: skip
def test_what_is_said_wrongly_is_refused_with_a_hint(mail, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = mail(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert not (tmp_path / "x").exists()


def test_a_packet_reports_what_came_after_the_last_one_and_no_more(mail, file, tmp_path):
    """As Markdown and as a page, as one side may know it."""
    out = tmp_path / "out"
    assert mail("--out", out)[0] == 0
    for words in (("--as", "blue", "aim b-1 to 2", "done"), ("--as", "red", "aim r-1 to 5", "done")):
        assert main(["do", str(file), *words]) == 0
    assert mail("--out", out)[0] == 0
    for ending in ("md", "html"):
        red = re.sub(r"\\", "", (out / f"red-report.{ending}").read_text())
        assert "aim r-1 to 5" in red
        assert "aim b-1 to 2" not in red
    assert main(["do", str(file), "--as", "blue", "step b-1 to 0102"]) == 0
    assert mail("--out", out)[0] == 0
    for ending in ("md", "html"):
        red = re.sub(r"\\", "", (out / f"red-report.{ending}").read_text())
        assert "aim r-1 to 5" not in red
        assert "step b-1 to 0102" in red
    assert mail("--out", out)[0] == 0
    assert "Nothing that you know of." in (out / "red-report.md").read_text()


def test_a_packet_says_what_the_umpire_took_back_and_repeats_nothing_that_stands(mail, file, tmp_path):
    """Only as far as its side was told it: red never reads where blue aims, not even that blue no longer does."""

    def packets():
        assert mail("--out", tmp_path / "out")[0] == 0
        read = {
            (side, ending): (tmp_path / f"out/{side}-report.{ending}").read_text().replace("\\", "")
            for side in ("blue", "red")
            for ending in ("txt", "md", "html")
        }
        return {whose: text.split("</style>")[-1] for whose, text in read.items()}

    def step(*words):
        assert main([words[0], str(file), *words[1:]]) == 0

    step("override", "rank of b-2 = 4", "--reason", "misread")
    step("do", "--as", "blue", "aim b-1 to 2")
    packets()
    step("do", "--as", "blue", "done")
    step("do", "--as", "red", "done")
    step("do", "--as", "blue", "step b-1 to 0102")
    step("do", "--as", "blue", "catch b-2 against r-2")
    told = packets()
    assert all("0102" in told["red", ending] for ending in ("txt", "md", "html"))
    assert "r-2" in told["red", "md"].split("Losses since")[1].split("## ")[0]
    assert "Taken back" not in "".join(told.values())
    step("undo", "--to", "0", "--replay", "--instead", "blue: aim b-3 to 3")  # instead of the override
    for (side, ending), text in packets().items():
        gone, since = text.split("What happened since" if ending != "html" else "<h2>What happened since")
        assert "rank of b-2 becomes 4" in gone.split("Taken back by the umpire")[1], (side, ending)
        assert "Nothing that you know of" in since or "nothing that you know of" in since or side == "blue", since
        assert "b-1 moves" not in since
        assert "r-2" not in since.split("Over time")[0].split("What happened")[-1], since
        assert "aim" not in text.split("Taken back by the umpire")[1].split("Order of battle")[0] or side == "blue"
    assert "Taken back" not in "".join(packets().values())
    step("undo", "--to", "0")
    for (side, ending), text in packets().items():
        gone = text.split("Taken back by the umpire")[1].split("What happened since")[0]
        assert "b-1 moves from 0202 to 0102" in gone, ending
        assert ("aim b-1 to 2" in gone) == (side == "blue"), gone


def test_a_packet_tells_its_side_how_far_it_has_come_and_when_orders_are_due(mail, file, tmp_path):
    out = tmp_path / "out"
    assert main(["desk", str(file), "--due", "2099-01-01 20:00+00:00"]) == 0
    assert main(["do", str(file), "--as", "blue", "aim b-1 to 2"]) == 0
    assert mail("--out", out)[0] == 0
    told = {side: " ".join((out / f"{side}-report.txt").read_text().split()) for side in ("blue", "red")}
    assert "The Blues: given, since" in told["blue"]
    assert "The Reds: none, since" in told["red"]
    assert "The Blues: given" not in told["red"]
    for text in told.values():
        assert "Orders are due on Thu 1 Jan 2099 20:00 (+0000)." in text


def names(folder):
    return {one.name for one in folder.iterdir()}


def test_what_went_out_with_an_earlier_packet_does_not_stay_to_be_sent_again(mail, file, tmp_path):
    """A receipt that was written before its packet goes out with that, and is removed with the next one."""
    out, letters = tmp_path / "out", tmp_path / "in"
    letters.mkdir()
    assert main(["remind", str(file), "--out", str(out)]) == 0
    (letters / "blue.txt").write_text("aim b-1 to 2\n")
    assert mail("--in", letters, "--out", out, "--no-packets")[0] == 0
    assert {"blue-receipt.txt", "red-receipt.txt"} & names(out) == {"blue-receipt.txt"}
    assert "red-reminder.txt" in names(out), "red has got nothing newer"
    assert mail("--out", out)[0] == 0
    assert "blue-receipt.txt" in names(out), "nobody has sent it yet"
    assert not {"blue-reminder.txt", "red-reminder.txt"} & names(out), "the packet says what is awaited"
    (letters / "red.txt").write_text("aim r-1 to 2\n")
    _, _, told = mail("--in", letters, "--out", out)
    assert f"removed, it was sent before: {out / 'blue-receipt.txt'}" in told
    assert {"blue-receipt.txt", "red-receipt.txt"} & names(out) == {"red-receipt.txt"}
    (out / "red-receipt.txt").write_text("my own notes\n")
    assert mail("--out", out)[0] == 0
    assert "red-receipt.txt" in names(out), "not ours"
    removed = json.loads(mail("--out", out, "--json")[1])["removed"]
    assert removed == []


def test_a_reminder_is_removed_when_it_is_no_longer_needed(file, tmp_path):
    out = tmp_path / "out"
    assert main(["remind", str(file), "--out", str(out)]) == 0
    assert names(out) == {"blue-reminder.txt", "red-reminder.txt"}
    assert main(["do", str(file), "--as", "blue", "aim b-1 to 2", "done"]) == 0
    assert main(["remind", str(file), "--out", str(out), "--as", "red"]) == 0
    assert names(out) == {"blue-reminder.txt", "red-reminder.txt"}
    assert main(["remind", str(file), "--out", str(out)]) == 0
    assert names(out) == {"red-reminder.txt"}


def test_the_reminders_of_a_sides_commanders_are_removed_with_its_own(file, tmp_path):
    out = tmp_path / "out"
    assert main(["desk", str(file), "--as", "red/tom", "--over", "r-1"]) == 0
    assert main(["remind", str(file), "--out", str(out)]) == 0
    assert names(out) == {"blue-reminder.txt", "red-reminder.txt", "red-tom-reminder.txt"}
    assert main(["do", str(file), "--as", "red", "aim r-1 to 2", "done"]) == 0
    assert main(["remind", str(file), "--out", str(out), "--as", "red"]) == 0
    assert names(out) == {"blue-reminder.txt"}
