"""The command line: the table of commands, their arguments, output, exit codes and JSON schemas."""
