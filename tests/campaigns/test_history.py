"""The proof of a campaign: its result for a sound file, and for files that were tampered with."""

import hashlib
import json

import pytest

from campaigns.file.history import Entry, beginning_hash, entry_hash, events_from_json, events_to_json
from campaigns.play.campaign import Campaign, verify_file
from interpreter.messages.inputs import Input, RuleFailure
from tests.as_recorded import recorded
from tests.campaigns.tampering import tamper
from tests.campaigns.toy import DOCUMENTS, SETTINGS, Tally, do, new, reopen, start


@pytest.fixture
def path(tmp_path):
    """Entries 1 to 4 in a line, 5 beside 3 and 4; the head is 5."""
    path = tmp_path / "tally.ophex"
    with new(path, snapshot_every=2) as campaign:
        for n in range(1, 5):
            campaign.offer(do(f"add {n}"))
        campaign.undo(2)
        campaign.offer(do("lucky", "blue"))
    return path


def problems(path):
    verdict = verify_file(path, start)
    assert verdict.ok == (not verdict.problems)
    return list(verdict.problems)


def test_a_sound_campaign(path):
    told = []
    with reopen(path) as campaign:
        verdict = campaign.verify(lambda done, steps: told.append((done, steps)))
    assert (verdict.ok, verdict.entries, verdict.problems) == (True, 5, ())
    assert verdict.seconds > 0
    assert told[-1] == (9, 9)  # six entries with entry 0, three inputs on the path
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_campaign_without_inputs(tmp_path):
    with new(tmp_path / "x") as campaign:
        verdict = campaign.verify()
    assert (verdict.ok, verdict.entries) == (True, 0)


@pytest.mark.parametrize(
    "column, value",
    [("text", "add 9"), ("side", "green"), ("kind", "roll"), ("subject", "x"), ("events", "[]"), ("digest", "0")],
)
@pytest.mark.parametrize("number", [1, 3, 4, 5])
def test_an_altered_entry_on_any_branch_is_found(path, column, value, number):
    tamper(path, (f"UPDATE entry SET {column} = ? WHERE number = ?", value, number))
    assert f"The hash of entry {number} is wrong: it or an entry before it was altered after the fact." in problems(
        path
    )


def test_an_altered_entry_with_its_own_hash_made_right_is_found_at_the_next_one(path):
    with reopen(path) as campaign:
        parent, entry = campaign.entry(0), campaign.entry(1)
    forged = entry_hash(parent.hash, do("add 9"), entry.digest, entry.events_json)
    tamper(path, ("UPDATE entry SET text = 'add 9', hash = ? WHERE number = 1", forged))
    found = problems(path)
    assert any("hash of entry 2 is wrong" in problem for problem in found)
    assert any("When replayed, entry 1 leads to a different state" in problem for problem in found)


def test_a_chain_forged_from_end_to_end_is_found_by_playing_again(tmp_path):
    path = tmp_path / "tally.ophex"
    with new(path) as campaign:
        campaign.offer_all([do("add 1"), do("add 2")])
        before, entry = campaign.entry(1), campaign.entry(2)
    digest = Tally(99, 7).digest()
    forged = entry_hash(before.hash, entry.input, digest, entry.events_json)
    tamper(path, ("UPDATE entry SET digest = ?, hash = ? WHERE number = 2", digest, forged))
    assert problems(path) == ["When replayed, entry 2 leads to a different state from the recorded one."]


def test_events_forged_with_all_hashes_made_right_are_found_by_playing_again(tmp_path):
    path = tmp_path / "tally.ophex"
    with new(path) as campaign:
        campaign.offer_all([do("add 1"), do("add 2"), do("add 3")])
        first, second, third = (campaign.entry(n) for n in (1, 2, 3))
        told = second.events_json.replace("is 13", "is 31")
    assert told != second.events_json
    forged = entry_hash(first.hash, second.input, second.digest, told)
    after = entry_hash(forged, third.input, third.digest, third.events_json)
    tamper(
        path,
        ("UPDATE entry SET events = ?, hash = ? WHERE number = 2", told, forged),
        ("UPDATE entry SET hash = ? WHERE number = 3", after),
    )
    assert problems(path) == [
        "When replayed, entry 2 tells other events than the recorded ones: they were altered, or another version of ophex wrote them."
    ]


def test_the_hash_at_the_head_stands_for_the_line_and_is_known_again(path):
    with reopen(path) as campaign:
        noted = campaign.verify().hash
        assert noted == campaign.entry(campaign.head).hash
        campaign.offer(do("add 1"))
        verdict = campaign.verify()
        assert (verdict.head, verdict.hash) == (campaign.head, campaign.entry(campaign.head).hash)
    assert verify_file(path, start, noted=[noted, noted[:8].upper(), verdict.hash]).ok
    for wrong, says in (
        ("0" * 64, "not the record that it was noted from"),
        (noted[:7], "too short"),
        ("", "too short"),
    ):
        (problem,) = verify_file(path, start, noted=[wrong]).problems
        assert says in problem


def test_a_hash_of_another_line_is_not_that_of_the_way_to_the_head(path):
    with reopen(path) as campaign:
        campaign.go_to(0)
        campaign.offer(do("add 9"))
        left = campaign.entry(1).hash
    (problem,) = verify_file(path, start, noted=[left]).problems
    assert "not the record" in problem


def test_a_removed_entry_is_found(path):
    tamper(path, ("DELETE FROM snapshot",), ("DELETE FROM entry WHERE number = 4",), ("UPDATE head SET tip = 5",))
    assert problems(path) == ["Entry 4 is missing."]


def test_an_entry_moved_to_another_parent_is_found(path):
    tamper(path, ("UPDATE entry SET parent = 1 WHERE number = 4",))
    assert any("hash of entry 4 is wrong" in problem for problem in problems(path))


def test_altered_texts_are_found_even_with_their_digest(path):
    digest = hashlib.sha256(b"Other rules.").hexdigest()
    tamper(path, ("UPDATE document SET text = 'Other rules.', sha256 = ? WHERE name = 'tally/rules'", digest))
    assert any("the texts or the settings of the campaign were altered" in problem for problem in problems(path))


def test_altered_texts_are_found(path):
    tamper(path, ("UPDATE document SET text = 'Other rules.' WHERE name = 'tally/rules'",))
    assert any("the text of tally/rules differs from the recorded one" in problem for problem in problems(path))


def test_altered_settings_are_found(path):
    tamper(path, ("UPDATE setting SET json = '8' WHERE name = 'seed'",))
    assert any("the texts or the settings of the campaign were altered" in problem for problem in problems(path))


def test_a_head_that_nothing_leads_to_is_found(path):
    tamper(path, ("UPDATE head SET entry = 77, tip = 77",))
    found = problems(path)
    assert any("refers to a row that is missing" in problem for problem in found)
    assert any("No unbroken line leads from the beginning to entry 77" in problem for problem in found)


def test_a_redo_that_does_not_continue_the_head_is_found(path):
    tamper(path, ("UPDATE head SET tip = 4",))
    assert problems(path) == ["Redo leads to entry 4, which does not continue entry 5, the head."]


def test_other_rules_under_the_same_texts_are_found(path):
    """The program itself changed: the same inputs lead to another state."""

    class Doubled(Tally):
        def offer(self, given):
            self.total += 1
            return super().offer(given)

    verdict = verify_file(path, lambda _documents, settings, _snapshot: Doubled(settings["start"], settings["seed"]))
    assert verdict.problems == ("When replayed, entry 1 leads to a different state from the recorded one.",)


def test_rules_that_fail_when_played_again_are_a_finding(path):
    class Broken(Tally):
        def offer(self, given):
            raise RuleFailure("tally/rules", 3, "It fell over.")

    verdict = verify_file(path, lambda *_: Broken(10, 7))
    assert verdict.problems == ("Entry 1 cannot be replayed: tally/rules:3: It fell over.",)


def test_another_beginning_is_a_finding(path):
    verdict = verify_file(path, lambda *_: Tally(11, 7))
    assert verdict.problems == ("When replayed, entry 0 leads to a different state from the recorded one.",)


def test_the_proof_does_not_change_the_file(path):
    tamper(path, ("UPDATE entry SET text = 'add 9' WHERE number = 1",))
    before = path.read_bytes()
    problems(path)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


class TestWriting:
    def test_hashes_can_be_taken_by_anyone_with_the_description(self, path):
        """The rule in the docstring of `campaigns.file.history`, implemented here without that module."""
        with reopen(path) as campaign:
            entries = [campaign.entry(n) for n in range(6)]
        plain = {"ensure_ascii": False, "separators": (",", ":"), "sort_keys": True}
        texts = [[d.name, d.kind, hashlib.sha256(d.text.encode()).hexdigest()] for d in DOCUMENTS]
        first = json.dumps(["ophex 1", texts, SETTINGS, entries[0].digest], **plain)
        assert entries[0].hash == hashlib.sha256(first.encode()).hexdigest()
        for entry in entries[1:]:
            given = entry.input
            step = json.dumps([given.kind, given.side, given.subject, given.text, entry.digest], **plain)
            whole = f"{entries[entry.parent].hash}\n{step}\n{entry.events_json}"
            assert entry.hash == hashlib.sha256(whole.encode()).hexdigest()

    def test_values_do_not_run_into_each_other(self):
        inputs = [
            Input("do", "a", "b", "c"),
            Input("do", "ab", "", "c"),
            Input("do", 'a","b', "c", ""),
            Input("do", "a", "c", "b"),
        ]
        assert len({entry_hash("", given, "d", "[]") for given in inputs}) == len(inputs)

    def test_the_order_of_settings_does_not_matter(self):
        assert beginning_hash((), {"a": 1, "b": 2}, "d") == beginning_hash((), {"b": 2, "a": 1}, "d")

    def test_events_return_as_they_were(self):
        events = (
            recorded(
                "roll",
                "„7“ falls.",
                "red",
                "umpire",
                ("A-1", "A-2"),
                {"faces": [3, 4], "why": None, "more": {"x": 1.5}},
            ),
            recorded("note", ""),
        )
        assert events_from_json(events_to_json(events)) == events
        assert events_to_json(()) == "[]"

    def test_what_is_no_json_cannot_be_an_event(self):
        with pytest.raises(ValueError, match="JSON compliant"):
            events_to_json((recorded("note", "", data={"x": float("nan")}),))
        with pytest.raises(TypeError):
            events_to_json((recorded("note", "", data={"x": object()}),))

    def test_an_entry_decodes_its_events(self):
        entry = Entry(1, 0, do("add 1"), '[["note","Hello.","","all",[],{}]]', "", "", "")
        assert entry.events == (recorded("note", "Hello."),)


def test_a_file_that_cannot_be_played_can_still_be_proven(path):
    tamper(path, ("UPDATE entry SET text = 'add 99' WHERE number = 1",), ("DELETE FROM snapshot",))
    found = problems(path)
    assert len(found) == 2
    assert found[1].startswith("Entry 1 cannot be replayed")
    with pytest.raises(Exception, match="refused when it is replayed"):
        Campaign.open(path, start)
