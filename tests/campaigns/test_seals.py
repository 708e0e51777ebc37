"""Sealed dice: every party has a share in each roll, nobody can choose it, and everybody can check it afterwards."""

import random

import pytest

from campaigns.file.errors import CampaignError
from campaigns.play.campaign import verify_file
from campaigns.play.recorded_seals import asked_for, last_given, new_secret, read_secret
from campaigns.play.starting import start
from interpreter.messages.inputs import Input, Refused
from interpreter.play.sealed_dice import anchor_of, link_of
from tests.campaigns.volleys import campaign_of

PARTIES = ("blue", "red", "umpire")


@pytest.fixture
def secrets(tmp_path):
    return {party: new_secret(tmp_path / f"{party}.secret", 40) for party in PARTIES}


@pytest.fixture
def campaign(tmp_path, secrets):
    with campaign_of(tmp_path, dice="sealed") as made:
        yield made


def commit(campaign, secrets, parties=PARTIES):
    for party in parties:
        campaign.offer(Input("seal", party, secrets[party].commitment()))


def link(campaign, secrets, party, further=0):
    chain = campaign.game.seals.chains[party]
    known = max(chain.used, last_given(campaign.store, party, chain.name))
    asked = asked_for(campaign.store, campaign.entry(campaign.head))
    return Input("seal", party, secrets[party].link(known + 1 + further, asked))


def throw(campaign, secrets):
    for party in PARTIES:
        campaign.offer(link(campaign, secrets, party))


def shot(campaign):
    return next(e.data["face"] for e in reversed(campaign.log()[0].events) if e.kind == "roll")


def refused(campaign, given):
    head, digest = campaign.head, campaign.game.digest()
    with pytest.raises(Refused) as caught:
        campaign.offer(given)
    assert (campaign.head, campaign.game.digest()) == (head, digest)
    return caught.value.message


def test_a_chain_leads_back_to_its_anchor():
    assert link_of("s", 9, 0) == anchor_of("s", 9)
    assert len({link_of("s", 9, n) for n in range(10)}) == 10


def test_a_secret_is_kept_for_its_owner_alone_and_a_damaged_one_is_told(tmp_path):
    path = tmp_path / "a.secret"
    secret = new_secret(path, 7)
    assert path.stat().st_mode & 0o077 == 0
    assert read_secret(path) == secret
    with pytest.raises(CampaignError, match="already exists; nothing was changed"):
        new_secret(path, 7)
    path.write_text(path.read_text().replace("links 7", "links 8"))
    with pytest.raises(CampaignError, match="damaged"):
        read_secret(path)


def test_nothing_falls_before_all_have_given_their_anchors_and_links(campaign, secrets):
    campaign.offer(Input("do", "blue", "shoot a"))
    assert {a.side for a in campaign.game.awaiting} == set(PARTIES)
    assert "not sealed yet" in refused(campaign, Input("seal", "blue", f"{'0' * 12} 1 {'0' * 64}"))
    commit(campaign, secrets)
    assert [a.side for a in campaign.game.awaiting] == ["blue", "red"], "the umpire gives his link last"
    assert "after all sides" in refused(campaign, link(campaign, secrets, "umpire"))
    throw(campaign, secrets)
    assert 1 <= shot(campaign) <= 10
    assert verify_file(campaign.path, start).ok


def test_a_link_that_is_not_of_the_chain_is_refused(campaign, secrets):
    commit(campaign, secrets)
    campaign.offer(Input("do", "blue", "shoot a"))
    good = link(campaign, secrets, "red").text
    digit = "0" if good.split()[2][5] != "0" else "1"
    words = good.split()
    words[2] = words[2][:5] + digit + words[2][6:]
    assert "not link 1" in refused(campaign, Input("seal", "red", " ".join(words)))
    assert "chain of red is" in refused(campaign, Input("seal", "red", link(campaign, secrets, "blue").text))
    assert "You cannot give link 41" in refused(
        campaign, Input("seal", "red", secrets["red"].link(1).replace(" 1 ", " 41 "))
    )


def test_the_dice_hang_on_the_secret_of_each(tmp_path):
    faces = {}
    for changed in (None, *PARTIES):
        folder = tmp_path / str(changed)
        folder.mkdir()
        drawn = []
        for n in range(8):  # the salt is alike, the secrets are drawn anew for the one that is changed
            made = {party: _secret(f"{party}{n}{party == changed and 'other'}") for party in PARTIES}
            with campaign_of(folder, f"{n}.ophex", dice="sealed") as campaign:
                commit(campaign, made)
                campaign.offer(Input("do", "blue", "shoot a"))
                throw(campaign, made)
                drawn.append(shot(campaign))
        faces[changed] = drawn
    assert len({tuple(x) for x in faces.values()}) == 4


def _secret(text):
    from campaigns.play.recorded_seals import Secret

    return Secret(text, 40)


def test_who_goes_back_cannot_throw_with_links_that_are_known(campaign, secrets):
    commit(campaign, secrets)
    campaign.offer(Input("do", "blue", "shoot a"))
    first = [link(campaign, secrets, party) for party in PARTIES[:1]]
    throw(campaign, secrets)
    known = campaign.log()[0].number
    for _ in range(3):
        campaign.undo()
    assert "already known" in refused(campaign, first[0])
    throw(campaign, secrets)
    assert campaign.head > known
    verdict = verify_file(campaign.path, start)
    assert verdict.ok, verdict.problems


def test_links_are_for_the_dice_that_fall_before_anybody_decides_again(campaign, secrets):
    commit(campaign, secrets)
    campaign.offer(Input("do", "blue", "muster a"))
    throw(campaign, secrets)
    assert len([e for e in campaign.log()[0].events if e.kind == "roll"]) == 2, "both dice of one order"
    campaign.offer(Input("do", "red", "shoot x"))
    assert [a.kind for a in campaign.game.awaiting] == ["seal", "seal"]


def test_what_a_side_has_kept_is_looked_for_in_the_record(campaign, secrets):
    commit(campaign, secrets)
    campaign.offer(Input("do", "blue", "shoot a"))
    sent = link(campaign, secrets, "red").text
    throw(campaign, secrets)
    assert verify_file(campaign.path, start, sealed={"red": [secrets["red"].anchor, sent]}).ok
    other = random.Random(1).randbytes(32).hex()
    (problem,) = verify_file(campaign.path, start, sealed={"red": [other]}).problems
    assert "not the dice that red sealed" in problem


def test_the_umpire_may_go_over_to_other_dice_with_a_reason(campaign, secrets):
    commit(campaign, secrets)
    campaign.offer(Input("do", "blue", "shoot a"))
    campaign.offer(Input("dice", "umpire", "typed", "we meet at a table"))
    assert [a.kind for a in campaign.game.awaiting] == ["dice"]
    campaign.offer(Input("roll", "umpire", "7"))
    assert shot(campaign) == 7
    refused(campaign, Input("dice", "blue", "seeded", "I want to"))
    assert verify_file(campaign.path, start).ok


def test_one_throw_may_come_from_the_seed_where_others_are_typed(tmp_path):
    with campaign_of(tmp_path, dice="typed") as campaign:
        campaign.offer(Input("do", "blue", "muster a"))
        campaign.offer(Input("roll", "umpire", "5 seeded"))
        rolls = [e.data["face"] for e in campaign.log()[0].events if e.kind == "roll"]
        assert rolls[0] == 5
        assert 1 <= rolls[1] <= 6
        campaign.offer(Input("do", "red", "muster x"))
        campaign.offer(Input("roll", "umpire", "rest"))
        assert len([e for e in campaign.log()[0].events if e.kind == "roll"]) == 2
        campaign.offer(Input("do", "blue", "shoot b"))
        assert campaign.game.awaiting[0].kind == "dice", "the rest was for that time alone"
        assert verify_file(campaign.path, start).ok
