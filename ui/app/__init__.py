"""The terminal app. It shows what `campaign.game` reports and offers inputs; it knows no rules."""
