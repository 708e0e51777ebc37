"""Data written in rows: tables, unit lists, maps, scenarios and dates; and the proof that tables are complete."""
