"""Odds: what may follow from a command, an answer or pending dice, as one side may know it."""

from campaigns.odds.asked import odds_of_answers
from campaigns.odds.gather_odds import Limits, odds_of
from campaigns.odds.odds_model import Odds, Open

__all__ = ["Limits", "Odds", "Open", "odds_of", "odds_of_answers"]
