"""Maps for Tiled and back: a map of the rules as a hexagonal Tiled map, and a Tiled map as the text of a map of the rules."""

from campaigns.tiled.reading import Untiled, map_text, read_map_file
from campaigns.tiled.writing import MapText, as_tmj, as_tmx, letters_of, map_of, tiled_map

__all__ = ["MapText", "Untiled", "as_tmj", "as_tmx", "letters_of", "map_of", "map_text", "read_map_file", "tiled_map"]
