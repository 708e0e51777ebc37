"""The commands of the command line, one module each: `add_arguments(parser)` and `run(args) -> int`.

Nothing heavy is imported before `run`. Data goes to stdout, everything else to stderr.
"""
