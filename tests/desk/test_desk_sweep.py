"""An organizer's commands in any order, in small: one campaign daily, two with OPHEX_LONG=1.

`python -m tests.desk_sweep` tries any number.
"""

import pytest

from tests.desk_sweep import swept
from tests.long import in_the_long_form


@pytest.mark.parametrize("seed", [3, pytest.param(102, marks=in_the_long_form)])
def test_whatever_follows_whatever_nothing_fails_and_the_record_holds(seed):
    desk, wrong = swept(seed, steps=12)
    assert wrong == "", desk.did
    assert desk.codes["verify", 0] >= 2
