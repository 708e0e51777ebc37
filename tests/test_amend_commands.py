"""`ophex amend` and `ophex rule` as an umpire and a player use them; what a side can find out; writers that are killed."""

import gzip
import json
import os
import signal
from pathlib import Path

import pytest

from campaigns.amending.amended_campaigns import amend, amend_from, input_of
from campaigns.amending.dry_run import dry_run
from campaigns.amending.proposing import proposed
from campaigns.file.history import Document
from campaigns.leaks.compared_worlds import leaks
from campaigns.play.campaign import Campaign, verify_file
from campaigns.play.starting import open_campaign, start
from campaigns.report import as_json, report_of
from dsl.rules.editions import CURRENT, FIRST
from interpreter.messages.inputs import Input, Refused
from tests.campaigns.rewording import (
    FILES,
    HARMLESS,
    REACH,
    campaign_of,
    do,
    losses,
    play,
    proposal_of,
    system,
    text_of,
    turn,
)
from tests.long import either, in_the_long_form
from ui.commands.leaks import printed
from ui.main import main
from ui.report.markdown import markdown
from ui.report.page import page

WHY = input_of("errata of June")


@pytest.fixture
def path(tmp_path):
    with campaign_of(tmp_path) as campaign:
        play(campaign, *turn(("a against x", 4)), *turn(("a against y", 6)))
        return campaign.path


@pytest.fixture
def ophex(capsys):
    def run(*line):
        code = main([str(word) for word in line])
        return code, *capsys.readouterr()

    return run


def test_the_dry_run_is_printed_and_writes_nothing(ophex, path, tmp_path):
    before = path.read_bytes()
    file = text_of(tmp_path, table=HARMLESS)
    code, out, err = ophex("amend", path, "--rules", file)
    assert code == 0
    assert "changed: table harm (table.rules:1)" in out
    assert "8 inputs replayed. Same result: 6. Different result: 2. Refused: 0." in out
    assert "    2 ~ turn 1  umpire: roll 4\n        - losses of x becomes 1 (was 0).\n" in out
    assert (
        "    6 ~ turn 2  umpire: roll 6\n        - losses of y becomes 2 (was 0).\n        + losses of y becomes 1 (was 0).\n"
        in out
    )
    assert "To apply it from now on, which means from turn 3: " in out
    assert "Nothing was written." in err
    assert "diverge" not in err  # that is said of branches
    code, out, _ = ophex("amend", path, "--rules", file, "--keep")
    assert (code, out.rstrip().endswith("The rules stay as they are; nothing was written.")) == (0, True)
    code, out, _ = ophex("amend", path, "--rules", file, "--json")
    found = json.loads(out)
    assert set(found) == {"schema", "digest", "changed", "warnings", "impact"}
    assert [one["entry"] for one in found["impact"]["differing"]] == [2, 6]
    assert found["changed"] == [{"how": "changed", "word": "table", "name": "harm", "file": "table.rules", "line": 1}]
    assert path.read_bytes() == before


def test_the_choices(ophex, path, tmp_path):
    file = text_of(tmp_path, table=HARMLESS)
    assert ophex("amend", path, "--rules", file, "--from-now")[0] == 2, "no reason was given"
    code, out, err = ophex("amend", path, "--rules", file, "--from-now", "--reason", "errata")
    assert code == 0
    assert "The umpire amends the rules from now on (table harm): errata." in out
    code, out, _ = ophex("log", path, "-n", "1")
    assert "umpire: amend the rules (text " in out
    assert "because “errata”" in out
    assert ophex("verify", path)[0] == 0
    short = text_of(tmp_path, reach=REACH.replace("with 3", "with 1"))
    code, out, err = ophex("amend", path, "--rules", short, "--from-start", "--reason", "errata", "--branch", "what-if")
    assert code == 1
    assert "The line was replayed on the branch what-if" in out
    assert "Entry 5 is no longer valid: Too far away." in out
    assert "--adopt what-if" in err
    code, out, _ = ophex("switch", path, "main")
    assert code == 0


def test_the_rules_in_force_are_written_out_and_brought_back(ophex, path, tmp_path):
    code, out, _ = ophex("amend", path, "--out", tmp_path / "rules")
    assert (code, "6 files" in out) == (0, True)
    file = tmp_path / "rules" / "quarrel" / "table.rules"
    assert file.read_text() == FILES["table.rules"]
    file.write_text(HARMLESS)
    code, out, _ = ophex("amend", path, "--rules", tmp_path / "rules" / "quarrel", "--json")
    assert [one["name"] for one in json.loads(out)["changed"]] == ["harm"]
    assert ophex("amend", path, "--out", tmp_path / "rules")[0] == 2, "something is there"


@pytest.mark.parametrize(
    "line",
    [
        ["--rules", "nowhere"],
        [],
        ["--rules", "nowhere", "--branch", "x"],
        ["--rules", "FILE", "--from-turn", "99", "--reason", "x"],
        ["--rules", "FILE", "--from-start", "--reason", "x", "--branch", "no name"],
    ],
)
def test_what_cannot_be_amended_is_told_and_changes_nothing(ophex, path, tmp_path, line):
    file, before = text_of(tmp_path, table=HARMLESS), path.read_bytes()
    code, _, err = ophex("amend", path, *[str(file) if word == "FILE" else word for word in line])
    assert code in {1, 2}
    assert err.strip()
    assert "Traceback" not in err
    assert path.read_bytes() == before


HOSTILE = [
    b"", b"\xff\xfe", b"\x00" * 10, b"value", b"rule \x1b[31m", "table \u202e by 1d6:\n".encode(), b"(" * 5_000,
    b"import os\n", b"sequence game-turn:\n  do nothing\n", b"unit regiment:\n  strength text\n",
    b"procedure loop:\n  do loop\n", b'example "x":\n  then 1 = 2\n', b'module m "M", default on\n' * 70,
]  # fmt: skip


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_file_is_refused_with_a_message(ophex, path, tmp_path, data):
    (tmp_path / "evil.rules").write_bytes(data)
    before = path.read_bytes()
    code, out, err = ophex("amend", path, "--rules", tmp_path / "evil.rules", "--from-now", "--reason", "x\x1b[2J")
    assert code in {1, 2}
    assert "Traceback" not in err
    assert "fault in ophex" not in err
    assert "\x1b" not in out + err
    assert path.read_bytes() == before


def test_rulings_are_given_and_listed(ophex, path):
    line = ["rule", path, "A four is a hit.", "--question", "Is a four a hit?", "--about", "harm"]
    code, out, _ = ophex(*line, "--dry-run")
    assert (code, "Ruling 1" in out) == (0, True)
    assert ophex("rule", path)[1] == ""
    assert ophex(*line)[0] == 0
    assert ophex("rule", path, "Only blue is told.", "--to", "blue")[0] == 0
    code, out, _ = ophex("rule", path, "--as", "red")
    assert out.count("Ruling") == 1
    assert "about harm" in out
    found = json.loads(ophex("rule", path, "--as", "blue", "--json")[1])
    assert [one["number"] for one in found["rulings"]] == [1, 2]
    assert found["amendments"] == []
    assert ophex("rule", path, "Mine.", "--as", "red")[0] == 1
    assert ophex("rule", path, "--about", "harm")[0] == 2
    code, out, _ = ophex("log", path, "-n", "2")
    assert "umpire: rule: A four is a hit. (about harm), which settles: Is a four a hit?" in out


def test_a_ruling_with_a_text_is_a_dry_run_until_it_is_chosen(ophex, path, tmp_path):
    file = text_of(tmp_path, close="rule close excepts reach-of-fire of r (a regiment):\n  1 when r is tired\n")
    line = ["rule", path, "Who is tired sees little.", "--about", "reach-of-fire", "--rules", file]
    before = path.read_bytes()
    code, out, _ = ophex(*line)
    assert code == 0
    assert "added: rule close" in out
    assert path.read_bytes() == before
    assert ophex(*line, "--from-now")[0] == 0
    assert "ruling" in str(json.loads(ophex("rule", path, "--json")[1])["rulings"]).lower()
    code, out, _ = ophex("why", path, "reach-of-fire of a", "--as", "blue")
    assert "Ruling 1 (turn 3): Who is tired sees little." in out
    assert json.loads(ophex("why", path, "reach-of-fire of a", "--json")[1])["rulings"]


def test_a_report_lists_amendments_and_rulings_with_their_dates(path, tmp_path):
    with open_campaign(path) as campaign:
        amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), input_of("errata <of> June"))
        campaign.offer(Input("rule", "umpire", "A *four* is no hit.", ""))
        campaign.offer(Input("rule", "umpire", "For blue alone.\nto blue", ""))
        report = report_of(campaign, "red")
        assert [(one["kind"], one["turn"], one["reason"]) for one in as_json(report)["errata"]] == [
            ("amend", 3, "errata <of> June"),
            ("rule", 3, ""),
        ]
        date = campaign.entry(campaign.head).time[:10]
        text, html = markdown(report), page(report)
        assert f"| {date} | 3 | 9 |" in text
        assert "A \\*four\\* is no hit." in text
        assert "errata &lt;of&gt; June" in html
        assert "For blue" not in text + html


# ---- what a side can tell
@pytest.mark.parametrize("waits", either([True], [False, True]))
def test_worlds_that_differ_in_what_a_side_may_not_know_stay_alike_when_rules_change(path, tmp_path, waits):
    with open_campaign(path) as campaign:
        if waits:
            campaign.offer(do("blue", "drill a"))
        amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
        campaign.offer(Input("rule", "umpire", "Spies are seen by nobody.\nabout spy", "Who sees spies?"))
        campaign.offer(Input("rule", "umpire", "Blue's spy is in 0304.\nto blue", ""))
        found = leaks(campaign, ["red", "blue"], printed, guesses=either(1, 12))
        assert found.differences == []
        assert found.outputs["rule"] >= 2
        assert found.secrets["places"] > 0


def test_the_dry_run_and_rulings_are_the_umpires(ophex, path, tmp_path):
    file = text_of(tmp_path, table=HARMLESS)
    assert ophex("amend", path, "--rules", file, "--as", "red")[0] == 2, "it has no --as"
    assert ophex("rule", path, "Mine.", "--rules", file, "--as", "red")[0] == 2


# ---- a writer is killed
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a writer cannot be killed here")
@pytest.mark.parametrize("how", ["now", "start", "rule"])
def test_a_writer_that_is_killed_leaves_the_state_before_or_after(path, tmp_path, how):
    """It is killed before its first, second, third … write, until one attempt reaches its end; in the daily form before every third."""
    file = text_of(tmp_path, table=HARMLESS)
    with open_campaign(path) as campaign:
        proposed(campaign, file)  # what has been read once need not be read by each writer
    kept = path.read_bytes()
    for killed_at in range(1, 60, either(3, 1)):
        path.write_bytes(kept)
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            _write(path, file, how, killed_at)
        _, status = os.waitpid(child, 0)
        with open_campaign(path) as campaign:
            assert campaign.verify().ok
            before = campaign.head == 8 and campaign.game.rules is None and losses(campaign, "x") == "1"
            done = campaign.head > 8 and (campaign.game.rules is not None or how == "rule")
            assert before or done, killed_at
        if not os.WIFSIGNALED(status):
            assert (done, killed_at > 3) == (True, True)
            return
        assert os.WTERMSIG(status) == signal.SIGKILL
        assert before, "what is not committed is not there"
    pytest.fail("it never came to its end")


def _write(path, file, how, killed_at):
    """Amends, and dies by its own hand at a statement."""
    campaign = open_campaign(path)
    proposal = proposed(campaign, file)
    store, written = campaign.store, 0
    execute = store._execute

    def dying(sql, given=()):
        nonlocal written
        if sql.split(" ", 1)[0] in {"INSERT", "UPDATE", "DELETE", "BEGIN", "COMMIT"} and sql != "BEGIN":
            written += 1
            if written == killed_at:
                os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, given)

    store._execute = dying
    if how == "now":
        amend(campaign, proposal, WHY)
    elif how == "start":
        amend_from(campaign, proposal, WHY)
    else:
        campaign.offer(Input("rule", "umpire", "So be it.", ""))
    os._exit(0)


# ---- campaigns of earlier programs
@pytest.mark.slow
@in_the_long_form
def test_a_kept_campaign_can_be_amended(tmp_path):
    kept = Path(__file__).parent / "campaigns" / "kept" / "games" / "ogre-duel.ophex.gz"
    path = tmp_path / "kept.ophex"
    path.write_bytes(gzip.decompress(kept.read_bytes()))
    before = [x for x in verify_file(path, start).problems if "another state" in x]
    with open_campaign(path) as campaign:
        text = next(x.text for x in campaign.documents if x.name == "fire.rules")
        row = "  4   || NE  | NE  | NE  | D   | X   | X   | X   | X"
        assert row in text
        file = text_of(tmp_path, fire=text.replace(row, "  4   || NE  | NE  | NE  | D   | D   | D   | D   | X"))
        proposal = proposed(campaign, file)
        found = dry_run(campaign, proposal)
        assert found.inputs == len(campaign.between(0, campaign.head))
        assert found.same + len(found.differing) == found.inputs
        head = campaign.head
        amend(campaign, proposal, WHY)
        assert campaign.head == head + 1
        campaign.undo()
        assert campaign.head == head
    assert [x for x in verify_file(path, start).problems if "another state" in x] == before


def test_a_campaign_of_an_earlier_edition_goes_over_to_the_rules_of_today(ophex, tmp_path):
    """The first edition accepted a word without effect. With OPHEX_LONG=1 kept files of shipped systems are amended as well."""
    old = FILES | {"wear.rules": "order wear of r (a regiment):\n  given by side of r\n  losses of r loses 1 bananas\n"}
    with campaign_of(tmp_path) as made:
        texts = [Document(name, "rules", said) for name, said in old.items()]
        settings = {**made.settings, "edition": FIRST}
    path = tmp_path / "old.ophex"
    with Campaign.create(path, texts, settings, start) as campaign:
        play(campaign, *turn(("a against x", 4)))
        head = campaign.head
    file = text_of(tmp_path, table=HARMLESS)
    code, _, err = ophex("amend", path, "--rules", file)
    assert code == 1
    assert f"The rules in force use edition 1 of the language; an amended text must use edition {CURRENT}." in err
    today = system(tmp_path)
    with open_campaign(path) as campaign:
        found = dry_run(campaign, proposed(campaign, today))
        assert (found.inputs, found.same, found.differing) == (head, head, ())
    assert ophex("amend", path, "--rules", today, "--from-now", "--reason", "the rules of today")[0] == 0
    with open_campaign(path) as campaign:
        assert campaign.game.rules.edition == CURRENT
        assert {"a", "b", "x", "y", "s1"} <= {one.id for one in campaign.game.view("umpire").things}
        campaign.undo()
        assert (campaign.head, campaign.game.rules) == (head, None)
    assert verify_file(path, start).ok


@pytest.mark.slow
@in_the_long_form
def test_a_campaign_of_the_first_edition_goes_over_to_the_rules_of_today(ophex, tmp_path):
    """Its own text with one changed file fails the check. Today's complete text passes, and everything is carried over."""
    kept = Path(__file__).parent / "campaigns" / "kept" / "games" / "bth-duel.ophex.gz"
    path = tmp_path / "kept.ophex"
    path.write_bytes(gzip.decompress(kept.read_bytes()))
    with open_campaign(path) as campaign:
        text = next(x.text for x in campaign.documents if x.name == "results.rules")
        head, units = campaign.head, [x.id for x in campaign.game.view("umpire").things]
    file = text_of(tmp_path, results=text.replace("20,100", "40,80 "))
    code, _, err = ophex("amend", path, "--rules", file)
    assert code == 1
    assert f"The rules in force use edition 1 of the language; an amended text must use edition {CURRENT}." in err
    assert ophex("amend", path, "--rules", "bth", "--from-now", "--reason", "the rules of today")[0] == 0
    with open_campaign(path) as campaign:
        there = {x.id for x in campaign.game.view("umpire").things}
        assert there.issuperset(units)
        assert campaign.game.rules.edition == CURRENT
        campaign.undo()
        assert (campaign.head, campaign.game.rules) == (head, None)
    assert not [x for x in verify_file(path, start).problems if "another state" in x]


def test_a_system_of_another_game_is_refused(path, tmp_path):
    other = system(tmp_path, {name: text for name, text in FILES.items() if name != "border.rules"}, "other")
    with open_campaign(path) as campaign, pytest.raises(Refused, match="no scenario border"):
        amend(campaign, proposed(campaign, other), WHY)


@pytest.mark.parametrize(
    "name",
    [
        "../../evil.rules",
        "/tmp/evil.rules",
        "a/../evil.rules",
        "..\\evil.rules",
        "C:evil.rules",
        "a\0.rules",
        "\x1b[31m.rules",
    ],
)
def test_rules_of_a_file_whose_name_leads_elsewhere_are_not_written_out(tmp_path, capsys, name):
    """A stranger's campaign may give its files any names."""
    with campaign_of(tmp_path) as honest:
        texts, settings = honest.documents, honest.settings
    Campaign.create(
        tmp_path / "x.ophex", [Document(name, texts[0].kind, texts[0].text), *texts[1:]], settings, start
    ).close()
    before = set(tmp_path.rglob("*"))
    assert main(["amend", str(tmp_path / "x.ophex"), "--out", str(tmp_path / "out")]) == 1
    assert "cannot be written to a folder" in capsys.readouterr().err
    assert not set(tmp_path.rglob("*")) - before - {tmp_path / "out"}
