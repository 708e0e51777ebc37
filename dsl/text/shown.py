"""Values of the rules that every display of a game shows: rule text declares them by these names, and no rule need use them."""

COUNTER_SHOWS = "counter-shows"
"""The value for the number on the counter of a thing: maps and reports read it."""

SHORT_OF_SUPPLY = "short-of-supply"
"""The status of things that are short of supply: reports list it."""

SCORE_SHOWS = "score-shows"
"""The value for the score of a side: reports read it."""

STRENGTH_SHOWS = "strength-shows"
"""The value for the remaining strength of a unit: reports add it up over time, and a unit with 0 is lost."""

SHOWN = frozenset({COUNTER_SHOWS, SHORT_OF_SUPPLY, SCORE_SHOWS, STRENGTH_SHOWS})
"""The names that maps and reports read, whether or not a rule does."""
