"""Rosters: forces as tables for people and spreadsheets, written and read back."""
