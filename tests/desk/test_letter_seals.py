"""Seals in letters: anchors and links of sealed dice come in the words of `ophex seal`, and are taken or refused for themselves."""

import pytest

from campaigns.desk.commanders import set_commander
from campaigns.desk.letter_intake import take_in
from campaigns.desk.packets import note_packets, packet_of
from campaigns.desk.states import standings
from campaigns.desk.trays import renumbered, sealed_by
from campaigns.play.campaign import Campaign
from campaigns.play.giving_again import undo_file
from campaigns.play.recorded_seals import link_needed, new_secret
from campaigns.play.starting import start
from interpreter.machine import Game
from interpreter.messages.inputs import Input, Refused
from tests.desk.outposts import arrived, begun, sent, texts
from tests.desk.test_states import NOON
from ui.main import main
from ui.wording.letters import judged_lines, template

SIDES = ("blue", "red")


@pytest.fixture
def secrets(tmp_path):
    return {party: new_secret(tmp_path / f"{party}.secret", 40) for party in (*SIDES, "umpire")}


@pytest.fixture
def campaign(tmp_path):
    with begun(tmp_path, dice="sealed") as made:
        made.offer_all([Input("do", side, "done") for side in SIDES])
        yield made


@pytest.fixture
def due(campaign, secrets):
    """The campaign when the first roll needs its links."""
    commit(campaign, secrets)
    campaign.offer(Input("do", "blue", "gamble b-1"))
    return campaign


def commit(campaign, secrets):
    for party, secret in secrets.items():
        campaign.offer(Input("seal", party, secret.commitment()))


def link(campaign, secrets, side):
    """The link that a side has to give now, as `ophex secret` prints it."""
    (awaited,) = [one for one in campaign.game.awaiting if one.side == side]
    number, asked = link_needed(campaign.store, campaign.entry(campaign.head), awaited)
    return f"seal {secrets[side].link(number, asked)}"


def filled(campaign, secrets, side):
    """The template of the next packet of a side, with its link."""
    (packet,) = note_packets(campaign, [packet_of(campaign, side)])
    text = template(packet)
    assert text.count("\nseal\n") == 1
    return text.replace("\nseal\n", f"\n{link(campaign, secrets, side)}\n")


def wrong(judged):
    return [(fault.position, fault.message) for fault in judged.seals.faults]


def said_of(judged):
    return "\n".join(judged_lines(judged))


def seals(campaign):
    return [(side, text) for side, kind, text in texts(campaign) if kind == "seal"]


def test_anchors_come_with_orders_and_links_in_templates(campaign, secrets):
    anchors = {side: secrets[side].commitment() for side in SIDES}
    intake = sent(
        campaign, arrived("blue", f"seal {anchors['blue']}", "gamble b-1"), arrived("red", f"Seal {anchors['red']}.")
    )
    assert [one.fate for one in intake.judged] == ["taken", "seals"]
    campaign.offer(Input("seal", "umpire", secrets["umpire"].commitment()))
    assert seals(campaign) == [*anchors.items(), ("umpire", secrets["umpire"].commitment())]
    assert "Put the line that this prints in place of `seal`:" in template(packet_of(campaign, "blue"))
    letters = [arrived("", filled(campaign, secrets, side), file=f"from {side}") for side in SIDES]
    intake = sent(campaign, *letters)
    assert [(one.side, one.fate, wrong(one)) for one in intake.judged] == [("blue", "seals", []), ("red", "seals", [])]
    assert [one.side for one in campaign.game.awaiting] == ["umpire"]
    assert "[given]" in said_of(intake.judged[0])
    assert [one.fate for one in sent(campaign, *letters).judged] == ["known", "known"]


def test_a_line_that_was_not_filled_in_does_no_harm(due):
    text = template(packet_of(due, "blue"))
    assert [
        one.fate for one in sent(due, arrived("blue", text), arrived("red", "Dear umpire,", "seal", "done")).judged
    ] == [
        "empty",
        "waiting",
    ]


def test_a_line_may_be_put_behind_the_word_and_be_broken_by_a_mail_program(due, secrets):
    head, number, rest = link(due, secrets, "blue").rpartition(" 1 ")
    (judged,) = sent(due, arrived("blue", f"> seal {head}{number}".rstrip(), f"> {rest}", "> done")).judged
    assert (wrong(judged), judged.fate) == ([], "waiting")
    assert seals(due)[-1] == ("blue", link_text(secrets["blue"], rest))


def link_text(secret, rest):
    return f"{secret.anchor[:12]} 1 {rest}"


def test_words_below_a_link_are_no_part_of_it(due, secrets):
    (judged,) = sent(due, arrived("blue", link(due, secrets, "blue"), "Thank you for the long evening", "Tom")).judged
    assert (wrong(judged), [one.text for one in judged.passed_over]) == ([], ["Thank you for the long evening", "Tom"])


def test_a_link_replaces_no_letter_that_waits_for_it(campaign, secrets):
    commit(campaign, secrets)
    sent(campaign, arrived("blue", "gamble b-1", "step b-1 to 0103", "done"))
    for side in SIDES:
        (judged,) = sent(campaign, arrived(side, link(campaign, secrets, side), file=f"{side}-2.txt")).judged
        assert (judged.replaces, judged.fate, wrong(judged)) == ("", "seals", [])
    campaign.offer(Input("seal", "umpire", secrets["umpire"].link(1)))
    take_in(campaign, [])
    assert campaign.game.explain("place of b-1").value == "0103"


def test_a_wrong_link_is_told_with_its_place_and_stops_nothing_else(due, secrets):
    good = link(due, secrets, "blue")
    bad = good.replace(secrets["blue"].link(1)[15:25], "0123456789")
    blue, red = sent(
        due, arrived("blue", bad, "step b-1 to 0103", "done"), arrived("red", link(due, secrets, "red"))
    ).judged
    assert wrong(blue) == [(0, "This is not link 1 of the chain of blue.")]
    assert (blue.fate, blue.faults, red.fate, wrong(red)) == ("waiting", (), "seals", [])
    told = said_of(blue)
    assert told.startswith("blue.txt: accepted; some of it waits for your turn; a seal was refused.")
    assert "line 1, column 19: seal" in told
    assert "Check it for typing errors." in told
    assert [side for side, _ in seals(due)][3:] == ["red"]
    (again,) = sent(due, arrived("blue", good, file="blue-2.txt")).judged
    assert wrong(again) == []


def test_wrong_orders_do_not_stop_a_link(due, secrets):
    (judged,) = sent(due, arrived("blue", link(due, secrets, "blue"), "step b-9 to 0103", "done")).judged
    assert (judged.fate, len(judged.faults), wrong(judged)) == ("refused", 1, [])
    told = said_of(judged)
    assert told.startswith("blue.txt: refused; none of its orders were accepted.")
    assert "1 thing is wrong:" in told
    assert seals(due)[-1][0] == "blue"


@pytest.mark.parametrize("made", ["early", "other", "spoilt"])
def test_what_is_wrong_is_said_as_by_the_command(due, secrets, made):
    text = {
        "early": f"seal {secrets['blue'].link(1)}",
        "other": f"seal {secrets['blue'].link(1, '0123456789abcdef')}",
        "spoilt": "seal 3f8a 1 what?",
    }[made]
    if made == "early":
        due.undo()
    with pytest.raises(Refused) as refused:
        due.offer(Input("seal", "blue", text.removeprefix("seal ")))
    head = due.head
    (judged,) = sent(due, arrived("blue", text)).judged
    assert [fault.refusal for fault in judged.seals.faults] == [refused.value.refusal]
    assert due.head == head


def test_a_letter_gives_a_seal_only_once_and_not_each_turn(due, secrets):
    text = link(due, secrets, "blue")
    (judged,) = sent(due, arrived("blue", f"repeat {text}", text, text)).judged
    assert [message for _, message in wrong(judged)] == [
        "A seal is valid only once.",
        "blue has already given its link for this roll.",
    ]
    (judged,) = sent(due, arrived("red", *["seal 3f8a 1 what?"] * 11)).judged
    assert wrong(judged)[-1] == (10, "A letter may hold 10 seals.")


def test_a_commander_or_an_observer_gives_none(due, secrets):
    set_commander(due, "blue", "tom", ["b-1"])
    set_commander(due, "blue", "ann", [])
    text = link(due, secrets, "blue")
    tom, ann = sent(due, arrived("blue/tom", text, file="tom"), arrived("blue/ann", text, file="ann")).judged
    assert wrong(tom) == [(0, "blue/tom commands only a part of blue.")]
    assert wrong(ann) == [(0, "blue/ann is an observer and cannot give orders.")]
    assert "\nseal\n" not in template(packet_of(due, "blue/tom"))
    (other,) = sent(due, arrived("red", text)).judged
    assert "The chain of red is" in wrong(other)[0][1]


def test_a_dry_run_gives_nothing(due, secrets):
    before = due.head, due.letters()
    (judged,) = sent(due, arrived("blue", link(due, secrets, "blue"), "done"), dry_run=True).judged
    assert "[would be given]" in "\n".join(judged_lines(judged, only_tried=True))
    assert (due.head, due.letters()) == before


def test_a_link_that_was_undone_is_read_again_and_refused(due, secrets):
    letter = arrived("blue", link(due, secrets, "blue"))
    sent(due, letter)
    due.undo()
    (judged,) = sent(due, letter).judged
    assert "is already known" in wrong(judged)[0][1]
    assert [one.fate for one in sent(due, letter).judged] == ["known"]


def test_a_letter_and_its_seal_are_kept_together_or_not_at_all(due, secrets, monkeypatch):
    letter = arrived("blue", link(due, secrets, "blue"), "step b-9 to 0103")
    before = due.head, due.letters()

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("campaigns.desk.letter_intake.with_sealed", killed)
        with pytest.raises(KeyboardInterrupt):
            sent(due, letter)
    with Campaign.open(due.path, start) as again:
        assert (again.head, again.letters()) == before
    assert [one.seals.faults for one in sent(due, letter).judged] == [()]


def test_a_link_that_another_session_entered_meanwhile_is_not_given_twice(due, secrets, monkeypatch):
    text = link(due, secrets, "blue")
    offer_all, once = Campaign.offer_all, []

    def quicker(self, *words, **choices):
        if self is due and not once:
            once.append(1)
            with Campaign.open(due.path, start) as other:
                other.offer(Input("seal", "blue", text.removeprefix("seal ")))
        return offer_all(self, *words, **choices)

    monkeypatch.setattr(Campaign, "offer_all", quicker)
    (judged,) = sent(due, arrived("blue", text)).judged
    assert [side for side, _ in seals(due)][3:] == ["blue"]
    assert (wrong(judged), "[given before]" in said_of(judged)) == ([], True)
    assert due.verify().ok


def test_a_letter_with_a_link_is_not_a_refused_one(due, secrets):
    sent(
        due,
        arrived("red", "step r-9 to 0103", file="red-1.txt"),
        arrived("red", link(due, secrets, "red"), file="red-2.txt"),
    )
    assert [one.letter for one in standings(due, NOON)] == ["", "red-1.txt"], "a link mends no orders"


def test_without_sealed_dice_such_a_line_is_no_order(tmp_path, secrets):
    with begun(tmp_path) as campaign:
        (judged,) = sent(campaign, arrived("blue", f"seal {secrets['blue'].commitment()}", "done")).judged
        assert (judged.fate, len(judged.passed_over)) == ("taken", 1)


def test_the_exit_code_and_the_receipt_say_it(due, secrets, tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "blue.txt").write_text(f"seal {secrets['blue'].link(2, '0123456789abcdef')}\n")
    (tmp_path / "in" / "red.txt").write_text(f"{link(due, secrets, 'red')}\n")
    mail = ["mail", str(due.path), "--in", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    assert main(mail) == 1
    told = capsys.readouterr().err
    assert "blue.txt: read; there are no orders in it; a seal was refused." in told
    assert "That link is for another situation" in " ".join((tmp_path / "out" / "blue-receipt.txt").read_text().split())
    assert "[given]" in (tmp_path / "out" / "red-receipt.txt").read_text()
    assert main(mail) == 0


def test_a_letter_in_a_file_with_lost_entries_knows_its_seals_by_their_new_numbers(due, secrets):
    sent(due, arrived("blue", link(due, secrets, "blue")))
    (letter,) = due.letters()
    assert sealed_by(letter) == [due.head]
    assert sealed_by(renumbered(letter, {due.head: 5})) == [5]
    assert sealed_by(renumbered(letter, {due.head - 1: 5})) == []


def test_a_corrected_letter_may_hold_its_seals_once_more(campaign, secrets):
    """Who corrects an order sends the whole letter again, with its anchor or link."""
    anchor = f"seal {secrets['blue'].commitment()}"
    (judged,) = sent(campaign, arrived("blue", anchor, "gamble b-9")).judged
    assert (judged.fate, wrong(judged)) == ("refused", [])
    (judged,) = sent(campaign, arrived("blue", f"{anchor.upper()}.", "gamble b-1", file="blue-2.txt")).judged
    assert (judged.fate, wrong(judged)) == ("taken", [])
    assert "[given before]" in said_of(judged)
    assert seals(campaign) == [("blue", secrets["blue"].commitment())]
    for side in ("red", "umpire"):
        campaign.offer(Input("seal", side, secrets[side].commitment()))
    text = link(campaign, secrets, "blue")
    campaign.offer(Input("seal", "blue", text.removeprefix("seal ")))
    (judged,) = sent(campaign, arrived("blue", text, file="blue-4.txt")).judged
    assert (judged.fate, wrong(judged)) == ("seals", [])
    other = f"seal commit {'0' * 64} 40"
    (judged,) = sent(campaign, arrived("blue", other, file="blue-3.txt")).judged
    assert wrong(judged) == [(0, "Some links for this roll have already been given.")]


def test_taking_back_a_long_letter_is_done_once_for_all_that_is_wrong_with_its_correction(tmp_path, monkeypatch):
    with begun(tmp_path) as campaign:
        orders = [f"aim b-{n} to {aim}" for aim in (1, 2, 3) for n in (1, 2, 3)]
        sent(campaign, arrived("blue", *orders))
        taken = []
        offer = Game.offer

        def counted(self, given):
            taken.extend([given] if given.kind == "undo" else [])
            return offer(self, given)

        monkeypatch.setattr(Game, "offer", counted)
        again = [*orders, *(f"aim b-1 to x{n}" for n in range(6))]
        (judged,) = sent(campaign, arrived("blue", *again, file="blue-2.txt")).judged
        assert judged.fate == "refused"
        assert len(judged.faults) == 6
        assert len(taken) <= 2 * len(orders)


def test_undo_of_a_mail_takes_back_seals_corrections_and_orders(campaign, secrets):
    """They are written one after the other, but they came with one mail."""
    sent(
        campaign,
        arrived("blue", f"seal {secrets['blue'].commitment()}", file="blue-2.txt"),
        arrived("red", f"seal {secrets['red'].commitment()}", "step r-1 to 0602", file="red-2.txt"),
    )
    assert len(seals(campaign)) == 2
    assert texts(campaign)[-1][2].startswith("step r-1")
    assert undo_file(campaign).number == 2
    assert seals(campaign) == []
    sent(campaign, arrived("blue", f"seal {secrets['blue'].commitment()}", file="blue-4.txt"))
    assert undo_file(campaign).number == 2, "also if only one seal came"
