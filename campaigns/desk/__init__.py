"""The organizer's desk: letters with orders, packets for the sides, due times. Nothing here knows how a rule is written."""
