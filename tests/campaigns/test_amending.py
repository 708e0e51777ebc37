"""Rules that change in mid-campaign: the dry run, amendments from now on and from the start, and how the record keeps them."""

import json
import sqlite3
import tempfile
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.amending.amended_campaigns import amend, amend_from, input_of
from campaigns.amending.dry_run import dry_run
from campaigns.amending.proposing import added, files_in_force, proposed
from campaigns.file.errors import CampaignError
from campaigns.play.campaign import verify_file
from campaigns.play.named_branches import adopt, here, switch
from campaigns.play.starting import create_campaign, open_campaign, start
from campaigns.repair.exchange import export, import_campaign
from campaigns.repair.file_doctor import examine, repair
from campaigns.views.errata import errata, errata_in
from dsl.text.diagnostics import RuleTextError
from interpreter.messages.inputs import Input, Refused
from interpreter.messages.standing_rulings import read_ruling
from tests.as_recorded import recorded
from tests.campaigns.rewording import (
    BORDER,
    FILES,
    HARMLESS,
    KIT,
    ORDERS,
    REACH,
    SPIES,
    campaign_of,
    do,
    losses,
    play,
    proposal_of,
    roll,
    system,
    turn,
)
from tests.long import either

WHY = input_of("errata of June")


@pytest.fixture
def campaign(tmp_path):
    """Three turns have been played: a four on x, a six on y, nothing; blue is to move in turn 4."""
    with campaign_of(tmp_path) as made:
        play(made, *turn(("a against x", 4)), *turn(("a against y", 6), ("b against x", 2)), *turn())
        assert (made.game.turn, losses(made, "x"), losses(made, "y")) == (4, "1", "2")
        yield made


# ---- the dry run
def test_a_dry_run_lists_every_input_that_would_come_out_otherwise(campaign, tmp_path):
    """Table: a 4 does 1 harm and a 6 does 2; amended 0 and 1. So entries 2 (a four) and 6 (a six) differ, and no others."""
    before = campaign.path.read_bytes(), campaign.head
    found = dry_run(campaign, proposal_of(campaign, tmp_path, table=HARMLESS))
    assert (found.inputs, found.same, found.holds_to) == (12, 10, None)
    assert [(one.entry, one.verdict, one.turn) for one in found.differing] == [(2, "otherwise", 1), (6, "otherwise", 2)]
    assert [x.text for x in found.differing[0].gone] == ["losses of x becomes 1 (was 0)."]
    assert found.differing[0].come == ()
    assert [x.text for x in found.differing[1].come] == ["losses of y becomes 1 (was 0)."]
    assert (found.from_now, found.from_start, found.takes_hold, found.resumed) == ("", "", 4, ())
    things = {one.id: (one.first, one.second) for one in found.situation.things}
    assert things == {"x": ({"losses": "1"}, {"losses": "0"}), "y": ({"losses": "2"}, {"losses": "1"})}
    assert (campaign.path.read_bytes(), campaign.head) == before


def test_what_would_be_refused_is_told_and_the_next_turn_is_taken_up_as_it_was(campaign, tmp_path):
    """Reach 1: a (0202) is two hexes from y (0304), next to x (0303). The shot of turn 2 is refused, and so is its die."""
    found = dry_run(campaign, proposal_of(campaign, tmp_path, reach=REACH.replace("with 3", "with 1")))
    wrong = [one for one in found.differing if one.verdict == "refused"]
    assert [one.entry for one in wrong] == [5, 6]
    assert "Too far away" in wrong[0].reason
    assert "losses of y becomes 2 (was 0)." in [x.text for x in wrong[1].gone]
    assert found.holds_to == 4
    assert found.resumed == (10,), "turn 3 begins after entry 10, and there the record is as it is"
    assert found.situation.things == ()


def test_a_question_that_comes_anew_is_told(tmp_path):
    with campaign_of(tmp_path) as campaign:
        play(campaign, do("blue", "drill a"), *turn(), *turn(rally="b"))
        asking = ORDERS.replace(
            "order drill of r (a regiment):\n  given by side of r\n",
            "order drill of r (a regiment):\n  given by side of r\n  side of r chooses manner: one of 1, 2\n",
        ).replace("manner: one of 1, 2", "manner: fair or high")
        found = dry_run(campaign, proposal_of(campaign, tmp_path, orders=asking))
        assert (found.differing[0].entry, found.differing[0].verdict) == (1, "otherwise")
        assert any("manner" in prompt for prompt in found.differing[0].asked_anew)
        assert found.differing[1].verdict == "left out"
        assert found.holds_to == 1
        assert found.resumed == (3,)
        silent = ORDERS.replace(
            "  side of r chooses mood: fair or high\n  morale of r becomes mood\n", "  morale of r becomes high\n"
        )
        found = dry_run(campaign, proposal_of(campaign, tmp_path, orders=silent))
        assert [one.entry for one in found.differing] == [4, 5]
        assert any("mood" in prompt for prompt in found.differing[0].asked_no_more)
        assert found.differing[1].verdict == "refused"


# ---- from now on
def test_from_now_on_it_holds_at_once_while_a_turn_begins(campaign, tmp_path):
    told = amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    assert told[0].text == "The umpire amends the rules from now on (table harm): errata of June."
    assert (losses(campaign, "x"), losses(campaign, "y")) == ("1", "2"), "what has happened stays"
    play(campaign, do("blue", "shoot a against x"), roll(4))
    assert losses(campaign, "x") == "1", "a four does no harm any more"
    assert campaign.verify().ok


def test_in_a_turn_that_is_under_way_it_waits_for_the_next(campaign, tmp_path):
    play(campaign, do("blue", "shoot b against x"), roll(2))
    told = amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    assert told[0].text == "The umpire amends the rules from turn 5 on (table harm): errata of June."
    play(campaign, do("blue", "shoot a against x"), roll(4))
    assert losses(campaign, "x") == "2", "the turn is led by the text by which it was begun"
    told = play(campaign, do("blue", "done"), do("red", "done"))
    assert [e.text for e in told if e.kind == "amend"] == ["From turn 5 on the amended rules hold."]
    play(campaign, do("blue", "shoot a against x"), roll(4))
    assert losses(campaign, "x") == "2"
    assert campaign.verify().ok


def test_undo_and_redo_cross_an_amendment(campaign, tmp_path):
    amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    play(campaign, do("blue", "shoot a against x"), roll(4))
    digest = campaign.game.digest()
    campaign.undo(3)
    assert (campaign.head, campaign.game.rules) == (12, None)
    play_on = campaign.state_at(12)
    play_on.offer(do("blue", "shoot a against x"))
    play_on.offer(roll(4))
    assert play_on.explain("losses of x").value == "2", "under the old text a four does harm"
    campaign.redo(3)
    assert campaign.game.digest() == digest
    assert campaign.game.rules is not None


def test_a_session_that_opens_later_goes_on_by_the_text_in_force(campaign, tmp_path):
    amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    play(campaign, *turn())
    digest = campaign.game.digest()
    with open_campaign(campaign.path) as again:
        assert again.game.digest() == digest
        play(again, do("blue", "shoot a against x"), roll(4))
        assert losses(again, "x") == "1"
    campaign.refresh()
    assert losses(campaign, "x") == "1", "a session that follows another learns the text from the file"


def test_a_session_that_was_open_follows_an_amendment_of_another(campaign, tmp_path):
    with open_campaign(campaign.path) as other:
        amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
        assert other.refresh()
        assert other.game.digest() == campaign.game.digest()


@pytest.mark.parametrize("waits", [False, True])
def test_snapshots_name_their_rules(tmp_path, waits):
    """A snapshot taken after an amendment starts under its text, one taken before it under the old text."""
    campaign_of(tmp_path).close()
    from campaigns.play.campaign import Campaign

    with Campaign.open(tmp_path / "c.ophex", start, snapshot_every=1) as campaign:
        play(campaign, *turn())
        if waits:
            campaign.offer(do("blue", "drill a"))
        amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
        play(campaign, *turn(), *turn())
        head, digest = campaign.head, campaign.game.digest()
        kept = [(base, json.loads(image).get("rules")) for base, image in campaign.store.snapshots(head)]
        assert {bool(rules) for _, rules in kept} == {True, False}
        for number in range(head + 1):
            game = campaign.state_at(number)
            assert game.digest() == campaign.entry(number).digest
        with Campaign.open(campaign.path, start) as again:
            assert again.game.digest() == digest
        campaign.drop_snapshots()
        with Campaign.open(campaign.path, start) as again:
            assert again.game.digest() == digest


@pytest.mark.parametrize("gaps", [(", ", ": "), None])
def test_a_snapshot_that_names_rules_that_are_not_in_the_file_starts_no_game(campaign, gaps):
    image = json.loads(campaign.state_at(campaign.head).snapshot() or campaign.game.state_now())
    image["rules"] = ["0" * 64, 1]
    with pytest.raises((CampaignError, Refused)):
        start(campaign.documents, campaign.settings, json.dumps(image, separators=gaps or (",", ":")).encode())


@pytest.mark.parametrize(("part", "value"), [("over", 7), ("winner", ["red"]), ("turn", "4"), ("active", None)])
def test_a_snapshot_with_a_value_of_another_type_starts_no_game(campaign, part, value):
    image = json.loads(campaign.game.state_now())
    image["state"][part] = value
    with pytest.raises((ValueError, TypeError)):
        start(campaign.documents, campaign.settings, json.dumps(image).encode())


def test_a_snapshot_with_a_thing_of_which_a_text_is_something_else_starts_no_game(campaign):
    image = json.loads(campaign.game.state_now())
    for column in range(8):
        other = json.loads(json.dumps(image))
        other["state"]["things"][-1][column] = [7]
        with pytest.raises((ValueError, TypeError, KeyError)):
            start(campaign.documents, campaign.settings, json.dumps(other).encode())


def test_why_tells_each_value_by_the_text_of_its_time(campaign, tmp_path):
    """Reach 3 as printed, 2 as amended."""
    amend(campaign, proposal_of(campaign, tmp_path, reach=REACH.replace("with 3", "with 2")), WHY)
    before, after = campaign.state_at(12).explain("reach-of-fire of a"), campaign.game.explain("reach-of-fire of a")
    assert (before.value, before.steps[0].text) == ("3", "start with 3")
    assert (after.value, after.steps[0].text) == ("2", "start with 2")


@pytest.mark.parametrize("waits", [False, True])
def test_what_a_turn_before_the_amendment_changed_is_told_by_its_own_text(campaign, tmp_path, waits):
    """The six of turn 4 did 2 harm under the old table. It is explained in turn 5 under the new one, which would say 1."""
    play(
        campaign,
        do("blue", "rally a"),
        Input("answer", "blue", "high", "mood"),
        do("blue", "shoot a against x"),
        roll(6),
    )
    proposal = proposal_of(campaign, tmp_path, table=HARMLESS)
    if waits:
        amend(campaign, proposal, WHY)
    play(campaign, do("blue", "done"), do("red", "done"))
    if not waits:
        amend(campaign, proposal, WHY)
    told = campaign.game.explain("losses of x")
    assert told.value == "3"
    assert "harm at shot" in told.steps[0].text
    with open_campaign(campaign.path) as again:
        assert again.game.explain("losses of x") == told


# ---- from the start
def test_from_the_start_the_line_is_given_again_on_a_branch(campaign, tmp_path):
    proposal = proposal_of(campaign, tmp_path, table=HARMLESS)
    foreseen = [one.entry for one in dry_run(campaign, proposal).differing]
    found = amend_from(campaign, proposal, WHY)
    assert (found.branch, found.left, found.after) == ("amended", (), 0)
    assert [was for was, now in found.given if now in found.otherwise] == foreseen, "the dry run says what comes"
    assert [was for was, _ in found.given] == list(range(1, 13))
    assert (losses(campaign, "x"), losses(campaign, "y")) == ("0", "1")
    assert (here(campaign), campaign.game.turn) == ("amended", 4)
    assert campaign.verify().ok
    switch(campaign, "main")
    assert (losses(campaign, "x"), losses(campaign, "y")) == ("1", "2"), "the old line is where it was"
    adopt(campaign, "amended")
    assert losses(campaign, "y") == "1"


def test_from_the_start_it_stops_told_at_the_first_input_that_no_longer_holds(campaign, tmp_path):
    found = amend_from(campaign, proposal_of(campaign, tmp_path, reach=REACH.replace("with 3", "with 1")), WHY)
    assert [was for was, _ in found.given] == [1, 2, 3, 4]
    assert [one.number for one in found.left] == list(range(5, 13))
    assert "Too far away" in found.reason


def test_from_a_turn_on_what_was_before_stays(campaign, tmp_path):
    """Turn 2 begins after entry 4: the four of turn 1 has done its harm, and the six of turn 2 does 1."""
    found = amend_from(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY, 2, "errata")
    assert (found.after, found.branch, found.left) == (4, "errata", ())
    assert (losses(campaign, "x"), losses(campaign, "y")) == ("1", "1")
    with pytest.raises(CampaignError, match="from turn 9"):
        amend_from(campaign, proposal_of(campaign, tmp_path, reach=REACH.replace("with 3", "with 2")), WHY, 9)


def test_a_later_amendment_from_the_start_takes_the_place_of_an_earlier_one(campaign, tmp_path):
    amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    proposal = proposal_of(campaign, tmp_path, reach=REACH.replace("with 3", "with 4"))
    found = amend_from(campaign, proposal, WHY)
    assert (found.dropped, found.left) == ((13,), ())
    assert losses(campaign, "x") == "0", "the text in force, with both, holds from the start"
    assert campaign.game.explain("reach-of-fire of a").value == "4"


def test_from_the_start_first_values_are_those_of_the_new_text(tmp_path):
    """Things are made by the text: with an amendment from the start a new spy has a purse of 5; from now on it keeps its 1."""
    rich = SPIES.replace("starts 1", "starts 5")
    with campaign_of(tmp_path) as campaign:
        play(campaign, *turn())
        amend(campaign, proposal_of(campaign, tmp_path, spies=rich), WHY)
        assert campaign.game.explain("purse of s1").value == "1"
        campaign.undo()
        amend_from(campaign, proposal_of(campaign, tmp_path, spies=rich), WHY)
        assert campaign.game.explain("purse of s1").value == "5"


def test_an_amendment_from_the_start_is_the_first_of_its_line(campaign, tmp_path):
    proposal = proposal_of(campaign, tmp_path, table=HARMLESS)
    campaign.bring(proposal.texts)
    with pytest.raises(Refused, match="first input of its line"):
        campaign.offer(WHY(proposal.wording(from_start=True)))
    assert campaign.head == 12


# ---- what stands in the way
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"spies": SPIES.replace("spy", "agent"), "border": BORDER.replace("of spy", "of agent")}, "no such kind"),
        ({"spies": SPIES.replace("purse", "money")}, "The field purse of spy has values (s1), and the new text has no such field."),
        ({"kit": KIT.replace("scale morale: low < fair < high", "scale morale: low < fair < fine < good").replace("terrain: clear", "terrain: clear")},
         "The field morale of regiment cannot be in the new text what it is here (a: high)"),
        ({"kit": KIT.replace("losses     0 .. 3", "losses     0 .. 1"), "orders": ORDERS.replace(", 3)", ", 1)")}, "y: 2): it is a number from 0 to 1"),
        ({"border": BORDER.replace("| 4        | 5", "| 6        | 5")}, "The scenario border is not the same"),
        ({"kit": KIT.replace("02 | . . w", "02 | . . h")}, "The map field is not the same"),
        ({"kit": KIT.replace("mount      one of none or horse or mule, starts none", "mount      number, starts 0")}, "The field mount of regiment"),
    ],
)  # fmt: skip
def test_a_text_that_has_no_place_for_the_state_is_refused_with_what_stands_in_the_way(tmp_path, changes, said):
    with campaign_of(tmp_path) as campaign:
        play(campaign, *turn(("a against y", 6), rally="a"))
        folder = system(tmp_path, {**FILES, **{f"{name}.rules": text for name, text in changes.items()}}, "other")
        if "morale" in said:
            text = (folder / "orders.rules").read_text().replace("fair or high", "fair or fine")
            (folder / "orders.rules").write_text(text)
        proposal = proposed(campaign, folder)
        head = campaign.head
        with pytest.raises(Refused, match="What stands in the way") as refusal:
            amend(campaign, proposal, WHY)
        assert said in refusal.value.message
        assert said in dry_run(campaign, proposal).from_now
        campaign.offer(do("blue", "drill b"))
        with pytest.raises(Refused) as refusal:
            amend(campaign, proposal, WHY)
        assert said in refusal.value.message, "in the middle of a turn as well"
        assert (campaign.head, campaign.game.rules) == (head + 1, None)


def test_from_the_start_map_and_scenario_may_change(tmp_path):
    with campaign_of(tmp_path) as campaign:
        play(campaign, *turn(("a against x", 4)))
        folder = system(
            tmp_path, {**FILES, "border.rules": BORDER.replace("| 4        | 5", "| 6        | 5")}, "other"
        )
        found = amend_from(campaign, proposed(campaign, folder), WHY)
        assert (found.left, campaign.game.explain("strength of b").value) == ((), "6")


def test_how_a_game_ends_may_change_from_now_on(campaign, tmp_path):
    amend(campaign, proposal_of(campaign, tmp_path, border=BORDER.replace("turn > 30", "turn > 4")), WHY)
    play(campaign, *turn())
    assert campaign.game.over == "peace"


def test_a_new_field_gets_its_first_value(campaign, tmp_path):
    proposal = proposal_of(campaign, tmp_path, spies=SPIES.replace("  hidden", "  cover  number, starts 8\n  hidden"))
    assert dry_run(campaign, proposal).first_values == ("cover of spy",)
    amend(campaign, proposal, WHY)
    assert campaign.game.explain("cover of s1").value == "8"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (REACH.replace("start with 3", "start with nonsense-word of r"), "E"),
        ("value reach-of-fire of r (a regiment:\n  start with\n", "E0"),
        ("\0", ""),
        (REACH * 2, "E102"),
    ],
)
def test_a_text_that_does_not_check_is_refused_whole(campaign, tmp_path, text, code):
    before = campaign.path.read_bytes()
    with pytest.raises((RuleTextError, CampaignError)) as wrong:
        proposal_of(campaign, tmp_path, reach=text)
    if code:
        assert any(x.code.startswith(code) for x in wrong.value.diagnostics)
    assert campaign.path.read_bytes() == before


def test_a_text_that_says_nothing_new_is_refused(campaign, tmp_path):
    with pytest.raises(CampaignError, match="does not differ from the rules in force"):
        proposal_of(campaign, tmp_path, reach=f"-- A remark.\n\n{REACH}")


@pytest.mark.parametrize("stray", ["note this is not a rule\n", "xyzzy this is not a rule\n"])
def test_a_line_that_is_no_rule_is_a_fault_also_where_nothing_else_changed(campaign, tmp_path, stray):
    with pytest.raises(RuleTextError) as wrong:
        proposal_of(campaign, tmp_path, reach=REACH + stray)
    assert wrong.value.diagnostics


def test_a_file_of_a_new_name_is_added_and_the_rules_in_force_can_be_written_out(campaign, tmp_path):
    text = 'rule close excepts reach-of-fire of r (a regiment):\n  1 when r is tired because "out of breath"\n'
    amend(campaign, proposal_of(campaign, tmp_path, close=text), WHY)
    files = files_in_force(campaign)
    assert files["quarrel/close.rules"] == text
    assert {name.partition("/")[2] for name in files} == {*FILES, "close.rules"}
    folder = system(tmp_path, {name.partition("/")[2]: said for name, said in files.items()}, "again")
    with pytest.raises(CampaignError, match="does not differ from the rules in force"):
        proposed(campaign, folder)


@pytest.mark.parametrize(
    "given",
    [
        Input("amend", "red", f"rules {'0' * 64} edition 2 from now", "mine"),
        Input("amend", "umpire", f"rules {'0' * 64} edition 2 from now", "of nowhere"),
        Input("amend", "umpire", f"rules {'0' * 64} edition 2 from the start", "of nowhere"),
        Input("amend", "umpire", "anything", "no text"),
        Input("amend", "umpire", "", ""),
        Input("rule", "red", "I win.", ""),
        Input("rule", "umpire", "", ""),
        Input("rule", "umpire", "All is well.\nabout nothing-such", ""),
        Input("rule", "umpire", "All is well.\nto nobody", ""),
        Input("rule", "umpire", "All is well.\nsomething else", ""),
        Input("rule", "umpire", f"All is well.\nrules {'0' * 64} edition 2 from now", ""),
        Input("rule", "umpire", "x" * 2_001, ""),
    ],
)
def test_what_is_no_amendment_is_refused_and_changes_nothing(campaign, given):
    before, digest = campaign.path.read_bytes(), campaign.game.digest()
    for _ in range(2):
        with pytest.raises(Refused):
            campaign.offer(given)
    assert (campaign.game.digest(), campaign.path.read_bytes()) == (digest, before)
    campaign.offer(do("blue", "drill a"))
    with pytest.raises(Refused):
        campaign.offer(given)


def test_a_text_of_an_edition_that_is_not_known_is_refused(campaign, tmp_path):
    version = campaign.bring(proposal_of(campaign, tmp_path, table=HARMLESS).texts)
    with pytest.raises(Refused, match="edition 99"):
        campaign.offer(Input("amend", "umpire", f"rules {version} edition 99 from now", "later"))


def test_a_text_that_fails_where_it_takes_hold_leaves_the_turn_to_the_old_one(campaign, tmp_path):
    """The text passes the check, but has no place for a value in the state at the start of turn 5. So it waits, and the umpire is told."""
    tight = KIT.replace("losses     0 .. 3", "losses     0 .. 2")
    campaign.offer(do("blue", "drill b"))
    folder = system(tmp_path, {**FILES, "kit.rules": tight, "orders.rules": ORDERS.replace(", 3)", ", 2)")}, "other")
    amend(campaign, proposed(campaign, folder), WHY)
    told = play(campaign, do("blue", "shoot a against y"), roll(4), do("blue", "done"), do("red", "done"))
    (waits,) = [e for e in told if e.kind == "amend"]
    assert waits.to == "umpire"
    assert "wait for the next" in waits.text
    assert (campaign.game.turn, losses(campaign, "y")) == (5, "3")
    with open_campaign(campaign.path) as again:
        assert again.game.digest() == campaign.game.digest()
        play(again, Input("override", "umpire", "losses of y = 1", "healed"), *turn())
        assert again.game.rules is not None, "it takes hold when the next turn begins"
    assert verify_file(campaign.path, start).ok


def test_modules_stay_as_they_are_and_must_be_there(tmp_path):
    files = {
        **FILES,
        "night.rules": 'module night "Night", default on\nrule dark excepts reach-of-fire of r (a regiment), with night:\n  1\n',
    }
    with campaign_of(tmp_path, files=files) as campaign:
        play(campaign, *turn())
        other = proposed(campaign, system(tmp_path, FILES, "other"))
        with pytest.raises(Refused, match="no module night"):
            amend(campaign, other, WHY)
        campaign.offer(Input("option", "umpire", "without night", "day"))
        amend(campaign, other, WHY)
        assert campaign.game.explain("reach-of-fire of a").value == "3"


# ---- the record
def test_an_amended_campaign_is_exported_and_imported_alike(campaign, tmp_path):
    amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    play(campaign, do("blue", "shoot a against x"), roll(4))
    campaign.offer(Input("rule", "umpire", "Ties go to the defender.\nabout harm", "Who wins a tie?"))
    data = json.loads(json.dumps(export(campaign)))
    (tmp_path / "c.json").write_text(json.dumps(data))
    assert import_campaign(tmp_path / "c.json", tmp_path / "again.ophex", start) == campaign.head
    with open_campaign(tmp_path / "again.ophex") as again:
        assert again.game.digest() == campaign.game.digest()
        assert json.loads(json.dumps(export(again))) == data
    assert verify_file(tmp_path / "again.ophex", start).ok
    data["versions"][0]["files"][0][2] = "0" * 64
    (tmp_path / "d.json").write_text(json.dumps(data))
    with pytest.raises(CampaignError):
        import_campaign(tmp_path / "d.json", tmp_path / "d.ophex", start)
    assert not (tmp_path / "d.ophex").exists()


def test_the_doctor_plays_each_turn_by_its_text_and_a_repair_keeps_it(campaign, tmp_path):
    amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    play(campaign, do("blue", "shoot a against x"), roll(4))
    path, digest = campaign.path, campaign.game.digest()
    campaign.close()
    assert examine(path, start).is_sound
    with sqlite3.connect(path) as file:
        file.execute("UPDATE head SET tip = 3")
    file.close()
    repair(path, tmp_path / "repaired.ophex", start)
    with open_campaign(tmp_path / "repaired.ophex") as again:
        assert again.game.digest() == digest


def test_only_what_is_new_of_a_text_is_kept(campaign, tmp_path):
    amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    assert campaign.store.rows([str], "SELECT text FROM kept_text") == [(HARMLESS,)]
    assert [row[0] for row in campaign.store.rows([int], "SELECT count(*) FROM version")] == [len(FILES)]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        ("UPDATE kept_text SET text = text || ' '", "differs from the recorded one"),
        ("UPDATE version SET name = name || 'x' WHERE number = 1", "differs from the recorded one"),
        ("DELETE FROM kept_text", "amended text is missing"),
        ("DELETE FROM version", "does not contain the text"),
        ("UPDATE kept_text SET text = x'00ff'", "is not text"),
    ],
)
def test_verify_finds_what_is_done_to_an_amended_text(campaign, tmp_path, spoil, says):
    amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    path = campaign.path
    campaign.close()
    with sqlite3.connect(path) as file:
        for trigger in [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]:
            text = file.execute("SELECT sql FROM sqlite_master WHERE name = ?", (trigger,)).fetchone()[0]
            if " kept_text" in text or " version" in text:
                file.execute(f"DROP TRIGGER {trigger}")
                again = text
        file.execute(spoil)
        for table in ("kept_text", "version"):
            for act in ("update", "delete"):
                file.execute(
                    f"\nCREATE TRIGGER {table}_is_not_{act}d BEFORE {act} ON {table}\n"
                    f"BEGIN SELECT raise(ABORT, 'the rows of {table} are never {act}d'); END"
                )
    assert again
    file.close()
    verdict = verify_file(path, start)
    assert not verdict.ok
    assert any(says in problem for problem in verdict.problems)
    with pytest.raises((CampaignError, Refused)):
        open_campaign(path)


def test_a_branch_from_before_an_amendment_goes_by_the_old_text(campaign, tmp_path):
    from campaigns.play.named_branches import begin_branch

    amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    begin_branch(campaign, "before", 12)
    play(campaign, do("blue", "shoot a against x"), roll(4))
    assert losses(campaign, "x") == "2"
    switch(campaign, "main")
    play(campaign, do("blue", "shoot a against x"), roll(4))
    assert losses(campaign, "x") == "1"


def test_an_amendment_is_among_the_errata_with_its_date_and_reason(campaign, tmp_path):
    amend(campaign, proposal_of(campaign, tmp_path, table=HARMLESS), WHY)
    (one,) = errata(campaign, "red")
    assert (one.kind, one.turn, one.reason) == ("amend", 4, "errata of June")
    assert one.date == campaign.entry(13).time
    campaign.undo()
    assert errata(campaign, "red") == []


def test_a_rule_that_waits_and_comes_about_is_no_ruling():
    """`rule losses whenever t becomes out` reports `Losses: t.`; only rulings of the umpire have a number."""
    happened = (
        recorded("rule", "Losses: sergeant.", "red", "all", (), {"rule": "losses"}),
        recorded(
            "rule", "Ruling 1: Dice on the floor count.", "", "all", (), {"number": 1, "about": [], "question": ""}
        ),
    )
    entry = SimpleNamespace(events_of=lambda kinds: happened, time="2026-11-23T20:00:00Z")
    (found,) = errata_in([SimpleNamespace(number=7, entry=entry)], "umpire")
    assert (found.entry, found.number, found.text) == (7, 1, "Ruling 1: Dice on the floor count.")


def test_sides_are_told_which_rules_change_and_of_lists_and_scenarios_only_the_umpire(campaign, tmp_path):
    folder = system(
        tmp_path, {**FILES, "table.rules": HARMLESS, "border.rules": BORDER.replace("> 30", "> 40")}, "other"
    )
    told = amend(campaign, proposed(campaign, folder), WHY)
    assert [(e.to, e.text) for e in told if e.kind == "amend"] == [
        ("all", "The umpire amends the rules from now on (table harm): errata of June."),
        ("umpire", "Beside the rules other texts change (scenario border)."),
    ]


# ---- rulings
def test_a_ruling_in_words_stands_and_why_shows_it_where_its_word_is_used(campaign):
    told = campaign.offer(
        Input("rule", "umpire", "A four is a hit.\nabout harm\nabout reach-of-fire", "Is a four a hit?")
    )
    assert [(e.kind, e.text) for e in told] == [("rule", "Ruling 1: A four is a hit. It settles: Is a four a hit?")]
    assert campaign.game.explain("reach-of-fire of a").rulings == ("Ruling 1 (turn 4): A four is a hit.",)
    assert campaign.game.explain("reach-of-fire of a", "red").rulings == ("Ruling 1 (turn 4): A four is a hit.",)
    assert campaign.game.explain("morale of a").rulings == ()
    assert campaign.state_at(12).explain("reach-of-fire of a").rulings == ()
    play(campaign, do("blue", "shoot a against x"), roll(6))
    (change,) = [one for one in campaign.game.explain_changes() if one.name == "losses of x"]
    assert change.rulings == ("Ruling 1 (turn 4): A four is a hit.",)
    play(campaign, do("blue", "done"), do("red", "done"))
    with open_campaign(campaign.path) as again:
        assert [one.text for one in again.game.standing_for("blue")] == ["A four is a hit."]
    campaign.undo(5)
    assert campaign.game.standing_for("blue") == []
    assert campaign.verify().ok


def test_a_ruling_is_shown_with_an_expression_that_uses_its_word_anywhere(campaign):
    campaign.offer(Input("rule", "umpire", "Scratches are no losses.\nabout losses", ""))
    ruling = ("Ruling 1 (turn 4): Scratches are no losses.",)
    assert campaign.game.explain("reach-of-fire of a + losses of a").rulings == ruling
    assert campaign.game.explain("reach-of-fire of a").rulings == ()


def test_a_ruling_can_be_told_to_one_side(campaign):
    campaign.offer(Input("rule", "umpire", "Your spy is known.\nto blue\nabout spy", ""))
    assert errata(campaign, "red") == []
    assert [one.text for one in errata(campaign, "blue")] == ["Ruling 1: Your spy is known."]
    assert campaign.game.standing_for("red") == []


def test_a_ruling_may_add_a_text_to_the_rules(campaign):
    text = 'rule tired-eyes excepts reach-of-fire of r (a regiment):\n  1 when r is tired because "it is tired"\n'
    proposal = added(campaign, "ruling-1.rules", text)

    def make(wording):
        return Input("rule", "umpire", f"Who is tired sees little.\nabout reach-of-fire\n{wording.line}", "")

    told = amend(campaign, proposal, make)
    assert [e.text for e in told if e.kind in {"amend", "rule"}] == [
        "The umpire amends the rules from now on (rule tired-eyes added): Who is tired sees little.",
        "Ruling 1: Who is tired sees little.",
    ]
    campaign.offer(do("blue", "drill a"))
    told = campaign.game.explain("reach-of-fire of a")
    assert (told.value, told.rulings) == ("1", ("Ruling 1 (turn 4): Who is tired sees little.",))
    assert campaign.verify().ok
    found = amend_from(campaign, proposal_of(campaign, campaign.path.parent, table=HARMLESS), WHY)
    assert (found.dropped, found.left) == ((13,), ())
    assert [one.text for one in campaign.game.standing_for("red")] == ["Who is tired sees little."]
    assert campaign.game.explain("reach-of-fire of a").value == "1", "the rule is part of the text in force"


LINES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["about harm", "about", "to red", "to nobody", f"rules {'0' * 64} edition 2 from now", "rules x", "\n", ""]
    ),
)


@settings(max_examples=either(15, 200), deadline=None)
@given(st.lists(LINES, max_size=5), st.text(max_size=40))
def test_a_ruling_of_any_letters_is_read_or_refused(lines, question):
    try:
        found = read_ruling("\n".join(lines), question, frozenset({"harm"}), ["red", "blue"])
    except Refused:
        return
    again = read_ruling(found.without_wording(), found.question, frozenset({"harm"}), ["red", "blue"])
    assert (again.text, again.about, again.to) == (found.text, found.about, found.to)
    assert "\n" not in found.text + found.question


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6), lambda x: st.lists(x, max_size=3), max_leaves=4
)


@settings(max_examples=either(8, 25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["texts", "versions", "files", "form", "version"]), ODD)
def test_an_export_with_odd_versions_is_refused(tmp_path, what, odd):
    data = json.loads(_exported())
    if what in {"files", "version"}:
        data["versions"][0][what] = odd
    else:
        data[what] = odd
    source, path = tmp_path / "odd.json", tmp_path / "odd.ophex"
    source.write_text(json.dumps(data))
    with pytest.raises(CampaignError):
        import_campaign(source, path, start)
    assert not path.exists()


@cache
def _exported():
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        with campaign_of(folder) as campaign:
            amend(campaign, proposal_of(campaign, folder, table=HARMLESS), WHY)
            return json.dumps(export(campaign))


def test_the_umpire_says_what_he_says(tmp_path):
    """A ruling is reported word for word: no word of it is read as the name of a thing."""
    with campaign_of(tmp_path) as campaign:
        campaign.offer(Input("rule", "umpire", "The word a means any regiment; s1 is nobody's business.", ""))
        assert campaign.game.standing_for("red")[0].text == "The word a means any regiment; s1 is nobody's business."


def test_a_text_whose_rules_refuse_the_scenario_is_refused(campaign, tmp_path):
    wrong = 'setup sound of r (a regiment):\n  refused when strength of r > 6 because "too strong"\n'
    with pytest.raises(RuleTextError, match="too strong"):
        proposal_of(campaign, tmp_path, sound=wrong)


def test_a_system_that_ships_can_be_brought_by_name(tmp_path):
    with (
        create_campaign(tmp_path / "o.ophex", "ogre/duel", seed=5) as campaign,
        pytest.raises(CampaignError, match="does not differ from the rules in force"),
    ):
        proposed(campaign, Path("ogre"))
