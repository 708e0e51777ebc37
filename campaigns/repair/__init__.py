"""Repair: damaged campaign files, backups, and a complete campaign as JSON."""
