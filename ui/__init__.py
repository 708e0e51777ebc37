"""What people meet: the command line and the terminal app. No rules and no SQL here."""
