"""What strangers type, mail and lie in folders: made by the thousand, and never answered with a traceback.

    python -m tests.hostile KIND --count N --seed S     by hand, without bounds; `all` runs every kind
    pytest tests/hostile                                a few hundred of each, and all that was ever found

A finding is a traceback or exit code 70, more than 10 seconds of work, more than 1 GB, or half a change left behind a refusal. It is
made smaller and kept in `corpus/KIND/`; the corpus is run in CI, so that what was mended stays mended.

    rules      rule files: derived from the grammar, spliced out of the shipped files, cut and mixed; what is sound is played
    bytes      rule files as bytes, read, checked and formatted
    orders     commands, in the middle of games
    answers    answers and dice, where a question is open
    overrides  the umpire's rulings, options and deadlines, with values from the edge
    asked      expressions for `why`, commands for `why-not`
    rosters    tables and TOML that a roster is read back from
    files      order files of one side and of several
    options    command lines and environments
    folders    system folders: links in circles, pipes, huge files, deep nesting, what cannot be read

`running.py` makes, tries, shrinks and keeps; `edges.py` has the words from the edge; `grammar.py` derives and splices; the kinds are in
`texts.py`, `games.py`, `rosters.py` and `commands.py`. Beside them are case books: `test_rule_texts.py`, `test_payloads.py`, tests/ui/test_hostile_input.py.
"""
