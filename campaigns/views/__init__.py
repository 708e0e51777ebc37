"""Views of a campaign: its log, status, strengths, luck and errata, as one side may know them."""
