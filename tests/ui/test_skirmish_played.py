"""The lesson of infantry in the app: what its hints and the lines at the top and bottom say.

The daily form uses a small screen, where room for them is scarce; the long form (OPHEX_LONG=1) a large one as well.
"""

import attrs
import pytest

from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Awaited
from tests.long import either
from tests.ui.drawing import screen_text
from tests.ui.seat import Seat
from ui.app.ophex_app import CampaignApp
from ui.app.prompts import below
from ui.app.seat_desk import Desk
from ui.app.status_lines import title_line

pytestmark = pytest.mark.timeout(300)


@pytest.mark.parametrize("size", either([(80, 24)], [(80, 24), (160, 48)]))
async def test_the_lines_around_the_map_say_phase_step_and_what_to_type(tmp_path, size):
    """A step shows its phase; commands in a hint are highlighted without marks; one order is "1 order", not "1 orders"."""
    with create_campaign(tmp_path / "hamlet.ophex", "infantry/skirmish", (), (), {}, "seeded", 5) as campaign:
        app = CampaignApp(Desk(campaign, "blue"))
        async with app.run_test(size=size) as pilot:
            person = Seat(app, pilot)
            await person.settle()
            assert app.situation.view.phase == "movement"
            await person.order("answer next-to-act with oak")
            shown = screen_text(app)
            assert "turn 1 · Movement · Action · your turn" in shown
            hint = app.query_one("#hint").content
            assert "`" not in hint.plain
            marked = [hint.plain[span.start : span.end] for span in hint.spans]
            assert marked == ["hasten oak", "move oak to 0406", "hasten ash", "move ash to 0708", "done"]
            for command in (*marked[:2], "done"):
                await person.order(command)
            assert app.situation.view.phase == "movement"
            assert app.situation.view.phase_around == ""


def test_a_question_of_all_sides_is_everybodys_turn(tmp_path):
    """At the end of a turn each side chooses who tries to recover, whichever side was the last to act."""
    with create_campaign(tmp_path / "hamlet.ophex", "infantry/skirmish", (), (), {}, "seeded", 5) as campaign:
        desk = Desk(campaign, "blue")
        found = desk.look()
        asked = attrs.evolve(found, view=attrs.evolve(found.view, active="red", phase_title="End phase"))
        assert "End phase · your turn" in title_line(asked, "blue").plain
        idle = attrs.evolve(asked, waiting=())
        assert "End phase · Red Raiders' turn" in title_line(idle, "blue").plain


@pytest.mark.parametrize(("count", "words"), [(1, "1 order; f filters"), (2, "2 orders; f filters")])
def test_one_order_is_one_order(count, words):
    asked = Awaited("orders", "blue", "action", "Blue Guard may give orders.", ("done",))
    assert below(asked, count, 400, count, None) == words
