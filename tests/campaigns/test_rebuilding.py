"""A machine is rebuilt from the start of a turn that was kept; one that is wrong costs nothing but time."""

from campaigns.play import rebuilding
from tests.campaigns.toy import do, new


def test_a_kept_start_that_is_wrong_does_not_push_out_the_one_that_is_tried_next(tmp_path, monkeypatch):
    """While it is tried, further starts are kept, and the next in line was gone: going back ended in a KeyError."""
    monkeypatch.setattr(rebuilding, "MOST_STARTS", 2)
    with new(tmp_path / "a.ophex", snapshot_every=100) as campaign:
        for _ in range(6):
            campaign.offer(do("add 1"))
        made, right, wrong = campaign._made, campaign.state_at(2).snapshot(), campaign.state_at(1).snapshot()
        made.forget_starts()
        made._starts.update({2: right, 3: wrong})
        machine, replayed = made.built(made.known(6), noted=True)
        assert (machine.digest(), replayed) == (campaign.entry(6).digest, 4)
