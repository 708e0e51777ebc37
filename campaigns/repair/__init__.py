"""Repair: damaged campaign files, copies, and a whole campaign as JSON."""
