"""Letters whose long lines a mail program has broken: what was filled in correctly is taken."""

import textwrap

import pytest

from campaigns.desk.packets import note_packets, packet_of
from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input
from tests.desk.outposts import arrived, begun, sent, texts
from ui.wording.letters import template

POSTED = (
    "  aim of s becomes n\n",
    "  aim of s becomes n\n  each u in own spies chooses posted: one of hexes next to u\n",
)
NAMES = {
    "b-1  | 0202": "observers-of-the-river | 0202",
    "b-2  | 0303": "observers-of-the-ridge | 0303",
    "b-3  | 0304": "observers-of-the-road  | 0304",
}
ANSWER = "answer posted with observers-of-the-river 0302, observers-of-the-ridge 0302, observers-of-the-road 0303"
ORDER = "aim observers-of-the-river to 2"


@pytest.fixture
def campaign(tmp_path):
    with begun(tmp_path, POSTED):
        text = (tmp_path / "outposts.rules").read_text()
    for short, long in NAMES.items():
        text = text.replace(short, long)
    (tmp_path / "again").mkdir()
    (tmp_path / "again/outposts.rules").write_text(text)
    with create_campaign(tmp_path / "again.ophex", f"{tmp_path / 'again'}/outposts", seed=4) as again:
        yield again


def broken(text, width, mark=""):
    """A text as a mail program sends it: no line is longer than its width."""
    return [
        f"{mark}{row}"
        for line in text.splitlines()
        for row in textwrap.wrap(line, width, break_on_hyphens=False) or [""]
    ]


def fates(intake):
    return [one.fate for one in intake.judged]


@pytest.mark.parametrize("width", [64, 70, 72, 76, 78, 90])
@pytest.mark.parametrize("mark", ["", "> "])
def test_a_broken_answer_is_taken_whole(campaign, width, mark):
    intake = sent(campaign, arrived("blue", *broken(f"{ORDER}\n{ANSWER}\ndone", width, mark)))
    assert fates(intake) == ["taken"]
    assert texts(campaign) == [("blue", "do", ORDER), ("blue", "answer", ANSWER[19:]), ("blue", "do", "done")]


def test_the_rest_of_a_quoted_line_may_have_lost_its_quotation_mark(campaign):
    first, *rest = broken(ANSWER, 72)
    intake = sent(campaign, arrived("blue", f"> {ORDER}", f"> {first}", *rest, "> done"))
    assert fates(intake) == ["taken"]
    assert texts(campaign)[1] == ("blue", "answer", ANSWER[19:])


def test_a_template_that_was_quoted_and_broken_is_still_read(campaign):
    """The rest of a remark has no mark of its own; the orders are written right below it."""
    (packet,) = note_packets(campaign, [packet_of(campaign, "blue")])
    remark = "# Hints: the observers of the river, observers-of-the-river, should look for something worth while before the others do"
    head, end = template(packet).split("\n\n\n\n")
    text = f"{head}\n{remark}\n{ORDER}\n{ANSWER}\ndone\n{end}"
    intake = sent(campaign, arrived("blue", *broken(text, 70, "> "), file="reply.txt"))
    assert fates(intake) == ["taken"]
    assert any("worth while" in line.text for line in intake.judged[0].passed_over), "he reads what was not read"
    assert [one[2] for one in texts(campaign)] == [ORDER, ANSWER[19:], "done"]


def test_words_to_the_umpire_below_a_long_command_are_no_part_of_it(campaign):
    short = ANSWER.replace("with", "  with").replace(", ", ",          ")
    intake = sent(campaign, arrived("blue", ORDER, short, "Thank you for the long evening, it was great", "Tom"))
    assert fates(intake) == ["taken"]
    assert [line.text for line in intake.judged[0].passed_over] == [
        "Thank you for the long evening, it was great",
        "Tom",
    ]


def test_what_is_wrong_is_told_at_its_line(campaign):
    """A misspelt order below a long remark is not taken for the rest of that; a fault in the rest of a line has its place there."""
    remark = "# all of these were discussed at length with the commander of the"
    intake = sent(campaign, arrived("blue", remark, "aom observers-of-the-river to 2", "done"))
    assert fates(intake) == ["refused"]
    first, *rest = broken(ANSWER.replace("road 0303", "road 0601"), 72)
    (judged,) = sent(campaign, arrived("blue", ORDER, first, *rest, "done", file="blue-2.txt")).judged
    (fault,) = judged.faults
    assert (judged.fate, fault.message) == ("refused", "`0601` is not an answer to posted.")
    assert judged.tray.commands[fault.position].place_of(fault.message) == (3, len(rest[-1]) - 3)


LONG = "as I agreed with the commander of the other side yesterday at noon"


@pytest.mark.parametrize("wrong", ["aom observers-of-the-ridge to 2", "observers-of-the-ridge to 2"])
@pytest.mark.parametrize("above", [f"# {LONG}", f"aim observers-of-the-river to 2 -- {LONG}"])
def test_a_faulty_order_below_a_long_remark_is_refused_and_not_left_out(campaign, above, wrong):
    intake = sent(
        campaign, arrived("blue", above, *([ANSWER] if above.startswith("aim") else []), above, wrong, "done")
    )
    assert fates(intake) == ["refused"]
    assert [one.message for one in intake.judged[0].faults][-1] == "This is not an order."
    assert texts(campaign) == []


def test_what_is_written_below_a_quoted_remark_is_no_rest_of_it(campaign):
    intake = sent(campaign, arrived("blue", f"> # {LONG}", "let observers-of-the-ridge look north", "done"))
    assert fates(intake) == ["refused"]


def test_the_rest_of_a_remark_at_the_end_of_an_order_is_told(campaign):
    intake = sent(campaign, arrived("blue", f"{ORDER} -- {LONG}", "or a bit later", ANSWER, "done"))
    assert fates(intake) == ["taken"]
    assert [line.text for line in intake.judged[0].passed_over] == ["or a bit later"]


def test_words_to_the_umpire_below_many_long_commands_are_no_part_of_the_last(campaign):
    rows = [row for n in range(1, 9) for row in (f"aim observers-of-the-river to {n}", *broken(ANSWER, 72))]
    rows[-1] = rows[-1].replace("0303", f"{'0303':>40}")
    intake = sent(campaign, arrived("blue", *rows, "Thank you for the long evening, it was great"))
    assert fates(intake) == ["taken"]
    assert len(texts(campaign)) == 16


def test_no_line_of_a_template_is_broken_when_it_is_quoted_three_times(campaign):
    campaign.offer(Input("do", "blue", ORDER))
    (packet,) = note_packets(campaign, [packet_of(campaign, "blue")])
    text = template(packet)
    assert "answer posted with" in text
    assert max(map(len, text.splitlines())) <= 66
