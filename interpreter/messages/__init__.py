"""Messages: inputs, events and what is awaited, as data, and the sentences that are made of them. No rule and no world."""
