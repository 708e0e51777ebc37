"""A battle that is played at a table: its pack, the form of its result, and reading and entering the form."""

from campaigns.tabletop.pack import NoBattle, Pack, PackUnit, pack_of, packs
from campaigns.tabletop.posting import FormFault, Posting, post, rehearse
from campaigns.tabletop.result_form import FORM, Filled, FormRow, read_form

__all__ = ["FORM", "Filled", "FormFault", "FormRow", "NoBattle", "Pack", "PackUnit", "Posting", "pack_of", "packs", "post", "read_form", "rehearse"]  # fmt: skip
