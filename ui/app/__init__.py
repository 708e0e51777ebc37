"""The terminal app. It shows what `campaign.game` says and offers inputs; it knows no rules."""
