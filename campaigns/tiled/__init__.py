"""Maps for Tiled and back: a map of the rules as a hexagonal Tiled map, and a Tiled map as the text of a map of the rules."""

from campaigns.tiled.read_tiled import Untiled, map_text, read_map_file
from campaigns.tiled.write_tiled import MapText, as_tmj, as_tmx, letters_of, map_of, tiled_map

__all__ = ["MapText", "Untiled", "as_tmj", "as_tmx", "letters_of", "map_of", "map_text", "read_map_file", "tiled_map"]
