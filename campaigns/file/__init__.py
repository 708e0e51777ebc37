"""The campaign file: its tables, the chain of hashes through them, and what is read and written there."""
