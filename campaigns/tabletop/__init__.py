"""A battle that goes to a table and back: what is put there, the form of its result, and the form read in and given."""

from campaigns.tabletop.form import FORM, Filled, Row, read_form
from campaigns.tabletop.pack import NoBattle, Pack, Unit, pack_of, packs
from campaigns.tabletop.posting import Posting, Wrong, post, rehearse

__all__ = ["FORM", "Filled", "NoBattle", "Pack", "Posting", "Row", "Unit", "Wrong", "pack_of", "packs", "post", "read_form", "rehearse"]  # fmt: skip
