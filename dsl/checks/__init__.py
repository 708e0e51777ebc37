"""Checks of a complete system: unused and unreachable parts and missing citations; and small changes to test its examples."""
