"""The umpire withdraws a letter that waits: its side asked for that, or sent it by mistake."""

import pytest

from interpreter.messages.inputs import Input
from tests.desk.outposts import begun, texts
from ui.main import main


@pytest.fixture
def campaign(tmp_path):
    with begun(tmp_path) as made:
        yield made


def said(capsys):
    return " ".join(" ".join(capsys.readouterr()).split())


def desk(campaign, *words):
    return main(["desk", str(campaign.path), *words])


def test_what_waits_of_a_withdrawn_letter_is_not_given_and_its_file_is_not_read_again(campaign, tmp_path, capsys):
    letters = tmp_path / "in"
    letters.mkdir()
    (letters / "blue.txt").write_text("aim b-1 to 2\ndone\nstep b-1 to 0201\n")
    mail = ["mail", str(campaign.path), "--in", str(letters)]
    assert main(mail) == 0
    assert "step b-1 to 0201 [waits]" in said(capsys)
    assert desk(campaign, "--as", "blue", "--withdraw") == 0
    told = said(capsys)
    assert "The letter blue.txt of blue is withdrawn: 1 order of it will not be given." in told
    assert "waits" not in told
    campaign.refresh()
    campaign.offer(Input("do", "red", "done"))
    assert main(mail) == 0
    campaign.refresh()
    assert texts(campaign) == [("blue", "do", "aim b-1 to 2"), ("blue", "do", "done"), ("red", "do", "done")]
    capsys.readouterr()
    for command in (["desk", str(campaign.path)], ["mail", str(campaign.path), "--out", "-", "--as", "blue"]):
        assert main(command) == 0
        assert "the umpire has withdrawn its letter blue.txt" in said(capsys)
    assert main(["remind", str(campaign.path), "--as", "blue"]) == 0
    assert "The umpire has withdrawn your letter blue.txt." in said(capsys)
    (letters / "blue-2.txt").write_text("step b-1 to 0201\n")
    assert main(mail) == 0
    campaign.refresh()
    assert texts(campaign)[-1] == ("blue", "do", "step b-1 to 0201"), "a new letter is read as any other"
    capsys.readouterr()
    assert desk(campaign) == 0
    assert "withdrawn" not in said(capsys)


def test_the_letter_of_a_commander_is_withdrawn_by_itself(campaign, tmp_path, capsys):
    assert desk(campaign, "--as", "blue/tom", "--over", "b-1") == 0
    for name, text in (("blue-tom.txt", "done\nstep b-1 to 0201\n"), ("blue.txt", "done\nstep b-2 to 0402\n")):
        (tmp_path / name).write_text(text)
    assert (
        main(["mail", str(campaign.path), "--in", str(tmp_path / "blue-tom.txt"), "--in", str(tmp_path / "blue.txt")])
        == 0
    )
    assert desk(campaign, "--as", "blue/tom", "--withdraw") == 0
    assert desk(campaign, "--as", "blue/tom") == 0
    assert "the umpire has withdrawn its letter blue-tom.txt" in said(capsys)
    assert desk(campaign) == 0
    assert "The letter blue.txt of blue waits: 1 order is left." in said(capsys)


def test_only_a_letter_that_waits_can_be_withdrawn(campaign, capsys):
    assert desk(campaign, "--withdraw") == 2
    assert "Name the side with --as SIDE." in said(capsys)
    assert desk(campaign, "--as", "blue", "--withdraw") == 1
    assert "No letter of blue waits." in said(capsys)
    assert desk(campaign, "--as", "umpire", "--withdraw") == 1
    assert "No letter of umpire waits." in said(capsys)
