"""What is written in rows: tables, unit lists, maps, scenarios, dates; and the proof that tables are whole."""
