"""How many games are played again for a letter: that takes longest, and a game that is only looked at needs no copy."""

from tests.desk.outposts import arrived, begun, sent


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
