"""A battle that goes to a table and back: the pack for the table, the form for its result, and the form read in and given."""

from campaigns.tabletop.pack import NoBattle, Pack, PackUnit, pack_of, packs
from campaigns.tabletop.posting import FormFault, Posting, post, rehearse
from campaigns.tabletop.result_form import FORM, Filled, FormRow, read_form

__all__ = ["FORM", "Filled", "FormFault", "FormRow", "NoBattle", "Pack", "PackUnit", "Posting", "pack_of", "packs", "post", "read_form", "rehearse"]  # fmt: skip
