"""Changing a campaign file without ophex, as somebody who knows SQLite would: its tables stay the ones that ophex requires."""

import sqlite3


def tamper(path, *statements, pragmas=()):
    """Runs SQL in a file without the triggers that keep its rows: texts, or tuples of a text and values."""
    db = sqlite3.connect(path, isolation_level=None)
    try:
        triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f'DROP TRIGGER "{name}"')
        for pragma in pragmas:
            db.execute(f"PRAGMA {pragma}")
        for statement in statements:
            sql, *values = (statement,) if isinstance(statement, str) else statement
            db.execute(sql, values)
        for _, sql in triggers:
            db.execute(sql)
    finally:
        db.close()
