"""Runtime: the functions that emitted rules call for numbers, sets, places and dice, how they fail, and how sentences name things."""
