"""Notes of the desk in a forged file may contain anything: they are ignored or reported, and nothing breaks."""

from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.desk.calendar import due_of
from campaigns.desk.odd import odd_things
from campaigns.desk.packets import closed_since, mark_of, packet_of
from campaigns.desk.players import PLAYED_BY, players_of
from campaigns.desk.standing_orders import standing_orders
from campaigns.desk.states import STATES, standings
from campaigns.desk.trays import trays_of
from campaigns.file.beside import Beside, Kept
from campaigns.play.giving_again import undo_file
from interpreter.messages.inputs import Input
from tests.desk.outposts import arrived, begun, sent
from tests.long import either

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
KEYS = st.sampled_from(
    [
        "at",
        "grace",
        "every",
        "hold",
        "played_by",
        "name",
        "substitute",
        "number",
        "mark",
        "after",
        "fate",
        "commands",
        "given",
        "text",
        "line",
        "column",
    ]
)
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12)
)
SAID = st.sampled_from(
    ["2026-11-26T20:00+00:00", "9999-12-31T23:59-12:00", "machine", "waiting", "taken", "refused", "done"]
)
VALUES = st.recursive(
    LEAVES | SAID, lambda of: st.lists(of, max_size=4) | st.dictionaries(KEYS, of, max_size=6), max_leaves=12
)
NAMES = st.sampled_from(["due", "player blue", "packet blue", "standing blue", "player red", "nobody's"])


@pytest.fixture(scope="module")
def campaign():
    with begun(Path(mkdtemp())) as made:
        yield made


def looked_at(campaign):
    """All that is read of notes and letters."""
    due_of(campaign)
    assert {one.played_by for one in players_of(campaign).values()} <= set(PLAYED_BY)
    assert {one.state for one in standings(campaign, NOON)} <= set(STATES)
    assert all(isinstance(text, str) for text in standing_orders(campaign, "blue"))
    assert isinstance(mark_of(campaign, "blue"), str)
    assert packet_of(campaign, "blue").side == "blue"
    trays_of(campaign.letters())
    odd_things(campaign)


@settings(
    max_examples=either(15, 30),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(notes=st.dictionaries(NAMES, VALUES, max_size=4))
def test_any_note_is_read(campaign, notes):
    campaign.keep(
        Beside(dict.fromkeys(["due", "player blue", "packet blue", "standing blue", "player red", "nobody's"]))
    )
    campaign.keep(Beside(notes))
    looked_at(campaign)


@settings(
    max_examples=either(15, 30),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    told=st.dictionaries(KEYS, VALUES, max_size=6),
    came_at=st.text(max_size=12) | st.just("2026-11-20T10:00:00+00:00"),
    side=st.sampled_from(["blue", "red", "nobody"]),
)
def test_any_letter_that_was_kept_is_read(campaign, told, came_at, side):
    campaign.keep(Beside(letters=(Kept(1, side, "a.txt", "0" * 64, came_at, told),)))
    looked_at(campaign)


HUGE = [str(2**63 - 1), "9" * 19, "9" * 20, "-" + "9" * 20, "9" * 5_000]


@pytest.mark.parametrize("number", HUGE, ids=["last", "full", "more", "less", "long"])
@pytest.mark.parametrize(
    "note",
    [
        ("mails", '[[1, N, "x"], [N, 1, "x"], [0, N, "x"]]'),
        ("packet blue", '{"number": N, "mark": "ab", "after": N, "earlier": [[1, N], [N, 1], [N, N]]}'),
    ],
)
def test_a_number_in_a_note_that_the_file_could_not_hold_is_passed_over(tmp_path, note, number):
    with begun(tmp_path) as campaign:
        campaign.offer_all([Input("do", "blue", "aim b-1 to 2"), Input("do", "blue", "aim b-2 to 2")], source="a.txt")
        campaign.keep(Beside(statements=[("INSERT INTO desk VALUES (?, ?)", (note[0], note[1].replace("N", number)))]))
        looked_at(campaign)
        assert not closed_since(campaign, "blue", 1)
        assert sent(campaign, arrived("blue", "aim b-3 to 2")).judged[0].fate == "taken"
        assert undo_file(campaign, 2).number == 0


@pytest.mark.parametrize("number", HUGE, ids=["last", "full", "more", "less", "long"])
def test_a_number_in_a_letter_that_the_file_could_not_hold_is_passed_over(tmp_path, number):
    with begun(tmp_path) as campaign:
        told = '{"fate": "taken", "commands": [["aim b-1 to 2", N, N, false]], "given": [[N, 0]], "sealed": [N], "head": N, "next": N}'
        row = (1, "blue", "a.txt", "0" * 64, "2026-11-20T10:00:00+00:00", told.replace("N", number))
        campaign.keep(
            Beside(
                statements=[
                    ("INSERT INTO letter (number, side, file, sha256, came_at, json) VALUES (?, ?, ?, ?, ?, ?)", row)
                ]
            )
        )
        looked_at(campaign)
        assert sent(campaign, arrived("blue", "aim b-3 to 2")).judged[0].fate == "taken"
