"""The campaign file: its tables, the chain of hashes through them, and how they are read and written."""
