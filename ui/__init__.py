"""What people use: the command line and the terminal app. It contains no rules and no SQL."""
