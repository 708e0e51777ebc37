"""The world of one game: its things, places and time, and the parts through which all of it changes."""
