"""An organizer's commands in any order, in small; `python -m tests.desk_sweep` is the long form."""

import pytest

from tests.desk_sweep import swept


@pytest.mark.parametrize("seed", [3, 102])
def test_whatever_follows_whatever_nothing_fails_and_the_record_holds(seed):
    desk, wrong = swept(seed, steps=12)
    assert wrong == "", desk.did
    assert desk.codes["verify", 0] >= 2
