"""Battles at a table: what goes there, as a side may know it, the form, and the form read back, checked row by row."""

import json
import re
import tomllib
from contextlib import suppress

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.file.errors import CampaignError
from campaigns.leaks.compared_worlds import Look, leaks
from campaigns.tabletop import FORM, NoBattle, pack_of, packs, post, read_form, rehearse
from campaigns.tabletop.result_form import FormRow
from interpreter.messages.inputs import Input
from tests.campaigns.skirmishes import at_the_table, campaign_of
from tests.long import either
from ui.commands.leaks import printed
from ui.main import main
from ui.tabletop.files import FILES, form_toml
from ui.tabletop.giving_out import _told
from ui.tabletop.pack_words import PackWords

FILLED = """\
[outcome]
a = "unhurt"
x = "destroyed"
y = "damaged"
[ground-held]
answer = true
[wheels-lost]
a = ["a-rim-1"]
x = "none"
"""


@pytest.fixture
def campaign(tmp_path):
    with campaign_of(tmp_path) as made:
        yield made


@pytest.fixture
def fight(campaign):
    return at_the_table(campaign)


def form(campaign, body, mark=None, battle="field-fight"):
    mark = pack_of(campaign).mark if mark is None else mark
    return f'form = "{FORM}"\nbattle = "{battle}"\nmark = "{mark}"\n{body}'


def told(campaign, body):
    return {one.place.split(", ")[-1]: (one.message, one.hint) for one in (fault.refusal for fault in rehearse(campaign, read_form(form(campaign, body).encode())).wrong)}  # fmt: skip


# ---- what goes to the table
def test_no_battle_is_at_a_table_before_one_is(campaign):
    with pytest.raises(NoBattle, match="No battle is at a table now"):
        pack_of(campaign)


def test_a_pack_has_forces_with_their_parts_the_ground_and_what_the_rules_relate(fight):
    pack = pack_of(fight)
    assert pack.table.title == "The fight for 0303"
    assert [(u.name, u.depth, u.number) for u in pack.forces["attackers"]] == [("a", 0, "4"), ("a-rim-1", 1, ""), ("a-rim-2", 1, "")]  # fmt: skip
    assert [u.name for u in pack.forces["defenders"]] == ["x", "x-rim-1", "x-rim-2", "y"]
    assert [u.name for u in pack.forces["onlookers"]] == ["sly"]
    assert [label for label, _, _ in pack.ground] == ["0202", "0203", "0302", "0303", "0304", "0402", "0403"]
    assert dict(pack.table.facts) == {"terrain": "woods", "power": "4", "intent": "6"}


def test_the_state_of_a_unit_has_all_its_ratings_also_those_that_are_as_high_as_the_number_on_its_counter(fight):
    fight.offer(Input("override", "umpire", "plan of a is 4", "by hand"))
    pack = pack_of(fight)
    assert pack.units["a"].number == "4"
    assert {"strength 4", "plan 4"} <= set(PackWords(pack).state(pack.units["a"]).split("; "))


def test_what_the_table_answers_is_read_off_the_rules_before_it_is_asked(fight):
    outcome, held, wheels = pack_of(fight).table.results
    assert (outcome.each, outcome.words, outcome.open) == (("a", "x", "y"), ("unhurt", "damaged", "destroyed"), True)
    assert (held.each, held.words, held.open) == (None, ("yes", "no"), False)
    assert wheels.things == ("a-rim-1", "a-rim-2", "x-rim-1", "x-rim-2")


def test_a_side_is_told_what_it_may_know_of_it(fight):
    red, blue = pack_of(fight, side="red"), pack_of(fight, side="blue")
    assert dict(red.table.facts) == {"terrain": "woods", "power": "4"}
    assert dict(blue.table.facts) == {"terrain": "woods", "power": "4", "intent": "6"}
    assert red.forces["onlookers"] == ()
    assert [u.name for u in blue.forces["onlookers"]] == ["sly"]
    assert "plan" not in red.units["x"].fields
    assert blue.units["x"].fields["plan"] == "5"


def test_a_battle_about_a_thing_is_at_a_table_while_its_condition_holds(campaign):
    campaign.offer(Input("do", "red", "prepare s-1"))
    assert [one.table.name for one in packs(campaign)] == ["s-1"]
    pack = pack_of(campaign, "S-1")
    assert pack.table.title == "The siege 0302"
    assert not pack.table.results[0].open
    with pytest.raises(NoBattle, match="No battle s-2 is at a table"):
        pack_of(campaign, "s-2")


def test_several_battles_are_told_apart_by_their_names(campaign):
    campaign.offer(Input("do", "red", "prepare s-1"))
    at_the_table(campaign)
    with pytest.raises(NoBattle) as error:
        pack_of(campaign)
    assert error.value.hint == "Name one of them: field-fight, s-1."
    assert pack_of(campaign, "field-fight").table.title == "The fight for 0303"


# ---- its files
def test_every_text_of_a_pack_is_escaped(fight):
    for side in ("umpire", "red"):
        for end in ("briefing.html", "result.html", "map.svg"):
            text = FILES[end](pack_of(fight, side=side))
            assert "<b>" not in text
            assert "<i>" not in text
    assert "Long &lt;b&gt;Tom&lt;/b&gt;" in FILES["result.html"](pack_of(fight))


def test_the_pages_fetch_nothing(fight):
    for end in ("briefing.html", "result.html"):
        text = FILES[end](pack_of(fight))
        assert "default-src 'none'" in text
        assert not re.search(r"""(?:src|href)=|url\(|@import""", text.replace("link.href = URL", ""))


def test_the_map_is_cut_to_the_ground(fight):
    picture = FILES["map.svg"](pack_of(fight))
    assert set(re.findall(r">(\d{4})<", picture)) == {"0202", "0203", "0302", "0303", "0304", "0402", "0403"}  # fmt: skip


def test_the_blank_form_is_toml_with_a_row_for_all_that_may_be_asked(fight):
    found = tomllib.loads(form_toml(pack_of(fight)))
    assert found["form"] == FORM
    assert found["outcome"] == {"a": "", "x": "", "y": ""}
    assert found["ground-held"] == {"answer": ""}


def test_the_form_asks_in_the_words_of_the_rules(fight):
    """It showed only the names of the questions, as commands have them."""
    pack = pack_of(fight)
    page = FILES["result.html"](pack)
    assert re.findall("<h2>(.*?)</h2>", page) == [
        "What became of &lt;i&gt;each&lt;/i&gt;?",
        "ground-held",
        "wheels-lost",
    ]
    assert ">outcome, for each: unhurt or damaged or destroyed<" in page
    asked = "What became of <i>each</i>? outcome, for each: unhurt or damaged or destroyed"
    assert f"# {asked}\n[outcome]\n" in form_toml(pack)
    assert asked.replace("<", "&lt;").replace(">", "&gt;") in FILES["briefing.html"](pack)


def test_a_pack_is_written_into_a_folder_once(fight, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["export", str(fight.path), "--battle", "--out", str(out)]) == 0
    assert sorted(p.name for p in out.iterdir()) == sorted(f"field-fight-{end}" for end in FILES)
    assert main(["export", str(fight.path), "--battle", "--out", str(out)]) == 2
    assert "already exists." in capsys.readouterr().err


def test_worlds_that_differ_in_what_a_side_may_not_know_make_the_same_pack(fight, monkeypatch):
    looked = [Look("export", ("--battle", "--json")), *(Look("export", ("--part", end)) for end in FILES)]
    monkeypatch.setattr("campaigns.leaks.compared_worlds.looks", lambda *_: iter(looked))
    found = leaks(fight, ["red", "blue"], printed, rounds=2, guesses=0)
    assert found.secrets["fields"] > 0
    assert found.secrets["places"] > 0
    assert found.outputs["export"] >= len(looked)
    assert found.differences == []


# ---- the form back
def test_a_filled_form_is_given_as_one_batch(fight, tmp_path, capsys):
    before = fight.head
    (tmp_path / "f.toml").write_text(form(fight, FILLED))
    assert main(["import", str(fight.path), str(tmp_path / "f.toml"), "--dry-run", "--json"]) == 0
    assert not json.loads(capsys.readouterr().out)["done"]
    fight.refresh()
    assert fight.head == before
    assert main(["import", str(tmp_path / "f.toml"), str(fight.path)]) == 0
    fight.refresh()
    view = fight.game.view("umpire")
    assert {thing.id for thing in view.things} >= {"a", "y", "b", "a-rim-2"}
    assert not {thing.id for thing in view.things} & {"x", "a-rim-1"}
    assert next(t for t in view.things if t.id == "y").fields["hurt"] == "yes"
    assert fight.game.phase == "shots"  # the step that the fight was stopped in is over
    assert main(["undo", str(fight.path), "--file"]) == 0
    fight.refresh()
    assert fight.head == before


def test_everything_wrong_is_told_at_once_with_its_place(fight):
    wrong = told(
        fight, '[outcome]\na = "unhrt"\nz = "unhurt"\nx = ""\n[ground-hold]\nanswer = 3\n[wheels-lost]\na = "x-rim-1"\n'
    )
    assert wrong["[outcome] a"] == ("`unhrt` is not an answer to outcome.", "Did you mean unhurt?")
    assert wrong["[outcome] z"] == ("outcome is not asked about z.", "It can be: a, x, y.")
    assert wrong["[outcome] x"] == ("This row is not filled in.", "It can be: unhurt, damaged, destroyed.")
    assert wrong["[outcome] y"][0] == "The form has no row for this."
    assert wrong["[ground-hold] answer"] == ("This battle has no question ground-hold.", "Did you mean ground-held?")
    assert wrong["[ground-held] answer"][0] == "The form has no row for this."
    assert wrong["[wheels-lost] a"][0] == "`x-rim-1` is not an answer to wheels-lost."


def test_a_wrong_form_changes_nothing_and_names_lines(fight, tmp_path, capsys):
    (tmp_path / "f.toml").write_text(form(fight, FILLED.replace('"damaged"', '"dented"')))
    before = fight.path.read_bytes()
    assert main(["import", str(fight.path), str(tmp_path / "f.toml")]) == 1
    assert "line 7, [outcome] y: `dented` is not an answer to outcome." in capsys.readouterr().err
    assert fight.path.read_bytes() == before


def test_the_form_of_another_battle_is_refused(fight):
    with pytest.raises(CampaignError, match="not at a table now: elsewhere"):
        rehearse(fight, read_form(form(fight, FILLED, mark="00000000", battle="elsewhere").encode()))

    with pytest.raises(CampaignError, match="for another battle that was called field-fight: its mark"):
        rehearse(fight, read_form(form(fight, FILLED, mark="00000000").encode()))


def test_a_row_that_is_never_asked_is_not_said_to_wait_once_the_battle_is_over(fight):
    found = rehearse(fight, read_form(form(fight, FILLED).encode()))
    assert found.over
    left = evolve(found, waiting=(FormRow("wheels-lost", "y", "y-rim-1", 13),))
    assert "line 13, [wheels-lost] y: not asked; the battle is over." in list(_told(left, "f.toml"))
    waits = evolve(left, over=False)
    assert "line 13, [wheels-lost] y: not asked yet; import the form again when it is." in list(_told(waits, "f.toml"))


def test_what_is_awaited_after_a_form_offers_only_orders_that_are_possible(fight):
    found = post(fight, read_form(form(fight, FILLED).encode()))
    assert found.awaited == fight.game.awaiting


def test_where_nothing_can_be_chosen_the_hint_is_none(fight):
    wrong = told(fight, FILLED + 'y = "y-rim-1"\n')
    assert wrong["[wheels-lost] y"] == ("`y-rim-1` is not an answer to wheels-lost.", "It can be: none.")


def test_the_form_that_a_side_was_given_is_taken(fight):
    filled = form(fight, FILLED, mark=pack_of(fight, side="red").mark)
    assert rehearse(fight, read_form(filled.encode())).wrong == ()


def test_what_is_not_asked_yet_waits_and_each_side_answers_for_itself(campaign):
    campaign.offer(Input("do", "red", "prepare s-1"))
    body = '[days]\nanswer = 3\n[medals]\nred = "a"\nblue = "x, y"\n'
    with pytest.raises(CampaignError, match="ask nothing about this battle now"):
        rehearse(campaign, read_form(form(campaign, body).encode()))
    campaign.offer(Input("do", "red", "storm s-1"))
    found = rehearse(campaign, read_form(form(campaign, body).encode()))
    assert [(one.side, one.subject, one.text) for one in found.inputs] == [("umpire", "days", "3"), ("umpire", "medals", "a"), ("umpire", "medals", "x, y")]  # fmt: skip


def test_the_machine_makes_up_no_result(fight):
    assert fight.game.table_tells("outcome")
    assert not fight.game.table_tells("fought")


def test_the_leaf_of_a_saved_page_reads_as_the_toml_does(fight):
    """The page's script writes keys and answers as JSON texts, which are valid TOML."""
    rows = "".join(f"\n[{q}]\n" + "".join(f"{json.dumps(k)} = {json.dumps(v)}\n" for k, v in at.items()) for q, at in {
        "outcome": {"a": "unhurt", "x": "destroyed", "y": "damaged"}, "ground-held": {"answer": "yes"}, "wheels-lost": {"a": "a-rim-1, a-rim-2", "x": "none"},
    }.items())  # fmt: skip
    assert rehearse(fight, read_form(form(fight, rows).encode())).wrong == ()


@settings(max_examples=either(25, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(str.encode),
        st.recursive(st.text(max_size=8) | st.integers() | st.booleans(), lambda x: st.lists(x, max_size=3), max_leaves=6).map(
            lambda x: f'form="{FORM}"\nbattle="b"\nmark="MARK"\n[outcome]\na={json.dumps(x)}\n'.encode()
        ),
        st.dictionaries(st.text(max_size=6), st.text(max_size=12), max_size=5).map(
            lambda x: (f'form="{FORM}"\nbattle="b"\nmark="MARK"\n[outcome]\n' + "".join(f"{json.dumps(k)} = {json.dumps(v)}\n" for k, v in x.items())).encode()
        ),
    )
)  # fmt: skip
def test_no_bytes_are_too_much_for_the_reader(fight, raw):
    with suppress(CampaignError):  # any other error would be a fault
        rehearse(fight, read_form(raw.replace(b"MARK", pack_of(fight).mark.encode())))


def test_a_form_that_is_too_long_is_refused():
    with pytest.raises(CampaignError, match="the limit is 1,024 kB"):
        read_form(b"#" * (1024 * 1024 + 1))


# ---- tables
def test_the_order_of_battle_as_a_table_is_read_back(fight, tmp_path, capsys):
    assert main(["export", str(fight.path), "--csv", "forces", "-o", str(tmp_path / "f.csv")]) == 0
    rows = (tmp_path / "f.csv").read_text().splitlines()
    assert rows[0].startswith("name,title,kind,made from,belongs to,in play")
    assert any(row.startswith("a-rim-1,") for row in rows)
    (tmp_path / "g.csv").write_text(
        (tmp_path / "f.csv").read_text().replace("b,,gun,light,,yes,2", "b,,gun,light,,yes,7")
    )
    assert main(["import", str(fight.path), str(tmp_path / "g.csv"), "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["changes"] == [{"thing": "b", "field": "strength", "was": "2", "now": "7"}]  # fmt: skip


def test_a_side_is_given_no_whole_campaign(fight, capsys):
    assert main(["export", str(fight.path), "--as", "red"]) == 2
    assert "Only the umpire can export the whole campaign." in capsys.readouterr().err
