"""Maps: charts of places, as text, as SVG and for Tiled, with the symbols of counters."""
