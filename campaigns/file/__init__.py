"""The campaign file: its tables, the chain of hashes through them, reading and writing."""
