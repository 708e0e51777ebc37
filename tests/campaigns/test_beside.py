"""What the desk keeps beside the chain is written with the inputs or not at all, and is not part of the campaign."""

import shutil
from pathlib import Path

import pytest

from campaigns.file.beside import Beside, Kept
from campaigns.file.errors import CampaignError
from interpreter.messages.inputs import Refused
from tests.campaigns.tampering import tamper
from tests.campaigns.toy import do, new, reopen

LETTER = Kept(1, "red", "red.txt", "ab" * 32, "2030-01-01T00:00:00+00:00", {"fate": "taken"})


def test_it_is_kept_and_changes_no_hash(tmp_path):
    with new(tmp_path / "a.ophex") as plain, new(tmp_path / "b.ophex") as noted:
        plain.offer(do("add 3"))
        noted.keep(Beside({"due": "Thu 20:00"}))
        noted.offer_all([do("add 3")], lambda entries: Beside({"at": entries[-1].number}, [LETTER]))
        assert noted.entry(1).hash == plain.entry(1).hash
    with reopen(tmp_path / "b.ophex") as again:
        assert again.notes() == {"due": "Thu 20:00", "at": 1}
        assert again.letters() == [LETTER]
        assert again.verify().ok
        again.keep(Beside({"due": None}, [Kept(**{**_fields(LETTER), "told": {"fate": "replaced"}})]))
        assert again.notes() == {"at": 1}
        assert [one.told for one in again.letters()] == [{"fate": "replaced"}]


def _fields(letter):
    return {name: getattr(letter, name) for name in ("number", "side", "file", "sha256", "came_at", "told")}


def test_nothing_is_kept_where_an_input_is_refused(tmp_path):
    with new(tmp_path / "a.ophex") as campaign:
        with pytest.raises(Refused):
            campaign.offer_all([do("add 3"), do("add 30")], lambda _entries: Beside({"at": 1}, [LETTER]))
        with pytest.raises(TypeError):  # what cannot be written as JSON
            campaign.offer_all([do("add 3")], lambda _entries: Beside({"at": {1}}))
        assert (campaign.head, campaign.notes(), campaign.letters()) == (0, {}, [])


def test_a_file_of_the_first_version_has_none_and_takes_some(tmp_path):
    path = tmp_path / "old.ophex"
    shutil.copy(Path(__file__).parent / "kept" / "schema-1.ophex", path)
    with reopen(path) as campaign:
        assert (campaign.notes(), campaign.letters()) == ({}, [])
        campaign.keep(Beside({"due": "Thu 20:00"}))
        assert campaign.notes() == {"due": "Thu 20:00"}


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO desk VALUES ('due', 'no JSON')",
        "INSERT INTO desk VALUES ('due', x'00')",
        "INSERT INTO desk VALUES ('due', 'NaN')",
        "INSERT INTO letter VALUES (1, 'red', 'f', 's', 't', '[]')",
        "INSERT INTO letter VALUES (1, x'00', 'f', 's', 't', '{}')",
    ],
)
def test_what_nobody_wrote_is_one_clear_error(tmp_path, statement):
    path = tmp_path / "a.ophex"
    new(path).close()
    tamper(path, statement)
    with reopen(path) as campaign, pytest.raises(CampaignError, match="damaged"):
        campaign.notes(), campaign.letters()
