"""Play: the parts of a running game: its turns, questions, orders and dice, and the umpire's rulings."""
