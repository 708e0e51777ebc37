"""What an order is for: its heading says it, and whoever may give the order reads it beside the name; nobody else does."""

import pytest

from campaigns.desk.packets import packet_of
from dsl.syntax.format import formatted
from dsl.text.source import SourceFile
from tests.desk.outposts import begun
from tests.desk.people import remarks
from tests.interpreter.rulebook import game_of
from ui.main import main
from ui.wording.letters import template

PURPOSE = (
    "order aim of s (a spy) to n (a number):\n",
    'order aim of s (a spy) to n (a number) "Point a spy at a goal":\n',
)
TURN = """\
order rest of u (a regiment) "Stay where it is":
  given by side of u
  remove u
order wait of u (a regiment):
  given by side of u
  remove u
sequence game-turn:
  phase all "All":
    sides may rest, wait together
"""


def test_the_purpose_is_told_only_to_those_who_may_give_the_order():
    game = game_of(TURN)
    assert [one.titles for one in game.view("blue").awaiting if one.side == "blue"] == [{"rest": "Stay where it is"}]
    assert [one.titles for one in game.view("red").awaiting if one.side == "blue"] == [{}]


def test_a_letter_says_what_the_orders_are_for_that_may_be_given(tmp_path):
    with begun(tmp_path, PURPOSE) as campaign:
        text = template(packet_of(campaign, "blue"))
        assert remarks(text, "Orders:") == ["aim: Point a spy at a goal"]
    (tmp_path / "plain").mkdir()
    with begun(tmp_path / "plain") as campaign:
        assert "Orders:" not in template(packet_of(campaign, "blue"))


def test_legal_says_what_the_listed_orders_are_for(tmp_path, capsys):
    with begun(tmp_path, PURPOSE) as campaign:
        assert campaign.head == 0
    file = str(tmp_path / "outposts.ophex")
    assert main(["legal", file, "--as", "blue", "-k", "aim b-1"]) == 0
    told = capsys.readouterr()
    assert told.err == "aim: Point a spy at a goal\n"
    assert "Point" not in told.out
    assert main(["legal", file, "--as", "blue", "-k", "brief b-1"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "line", ['order rest of u (a regiment) "Stay", with night: [X-1]', 'order rest of u (a regiment) "Stay":']
)
def test_the_standard_style_keeps_it(line):
    text = f"{line}\n  given by side of u\n  remove u\n"
    found = formatted(SourceFile("a.rules", text))
    assert found.text.splitlines()[0].split() == line.split()
