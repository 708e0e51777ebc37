"""What `mail` makes: a game that is only looked at needs no copy, and commanders are sent what their side is sent."""

import sys
from functools import partial

import campaigns.report
from campaigns.desk.commanders import set_commander
from tests.desk.outposts import arrived, begun, sent
from ui.main import main
from ui.maps import svg_map


def test_a_letter_costs_a_game_to_try_it_on_and_one_to_give_it(tmp_path, monkeypatch):
    with begun(tmp_path) as campaign:
        made, state_at = [], campaign.state_at
        monkeypatch.setattr(campaign, "state_at", lambda number: made.append(number) or state_at(number))

        def cost(*letter):
            made.clear()
            return [one.fate for one in sent(campaign, arrived(*letter)).judged], len(made)

        # orders after `done` are only understood: by the campaign's own game
        assert cost("blue", "aim b-1 to 2", "done", "gamble b-2") == (["waiting"], 2)
        assert cost("red", "done") == (["taken", "taken"], 2)
        # whether the letter before can be taken back is looked up in the campaign's own game; its die cannot
        assert cost("blue", "step b-1 to 0203") == (["taken"], 2)


def test_a_bar_shows_how_many_letters_have_been_read(tmp_path):
    with begun(tmp_path) as campaign:
        steps = []
        letters = [arrived(side, f"aim {side[0]}-1 to 2") for side in ("blue", "red")]
        sent(campaign, *letters, dry_run=True, progress=lambda *step: steps.append(step))
        sent(campaign, *letters, progress=lambda *step: steps.append(step))
        assert steps == [(1, 2), (2, 2), (1, 3), (2, 3)]  # when they were not only tried, they are given


def test_on_a_terminal_mail_shows_bars(tmp_path, monkeypatch, capsys):
    begun(tmp_path).close()
    monkeypatch.setenv("TERM", "xterm")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "blue.txt").write_text("aim b-1 to 2\n")
    shown = []
    for terminal in (False, True):
        monkeypatch.setattr(sys.stderr, "isatty", partial(bool, terminal), raising=False)
        main(["mail", str(tmp_path / "outposts.ophex"), "--in", str(tmp_path / "in"), "--out", str(tmp_path / "out")])
        said = capsys.readouterr().err
        shown.append({title in said for title in ("Reading letters", "Writing packets")})
    assert shown == [{False}, {True}]


def test_commanders_are_sent_what_was_made_for_their_side(tmp_path, monkeypatch):
    with begun(tmp_path) as campaign:
        for name in ("tom", "una", "vic"):
            set_commander(campaign, "blue", name, ["b-1"])
    made, report_of, draw = [], campaigns.report.report_of, svg_map.draw
    monkeypatch.setattr(campaigns.report, "report_of", lambda *what: made.append("report") or report_of(*what))
    monkeypatch.setattr(svg_map, "draw", lambda view, *what, **how: made.append(len(what)) or draw(view, *what, **how))
    assert main(["mail", str(tmp_path / "outposts.ophex"), "--out", str(tmp_path / "out")]) == 0
    assert (made.count("report"), made.count(0)) == (2, 2)  # one for each side; those of pages are drawn of one chart
