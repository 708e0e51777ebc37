"""Messages: inputs, events and prompts as data, and the sentences made of them. Nothing here knows rules or a world."""
