"""The output of an optimiser pass for given lines, for its tests. Redundant brackets are removed from both."""

import ast

from interpreter.codegen.form_text import taken_in, written


def lines_after(one_pass, text):
    """The lines that a pass makes of a text."""
    taken = taken_in([(line, None) for line in text.strip("\n").splitlines()])
    return [line for line, _ in written(one_pass(taken))]


def plain(lines):
    """Lines as they are written out."""
    return [_plain(line) for line in lines]


def _plain(line):
    bare = line.lstrip()
    indent, head = line[: len(line) - len(bare)], bare
    if bare == "else:":
        return line
    if bare.startswith("elif "):
        head = bare[2:]
    if bare.endswith(":"):
        text = ast.unparse(ast.parse(f"{head} pass")).split("\n")[0]
    elif bare in {"break", "continue"} or bare.startswith("return"):
        text = ast.unparse(ast.parse(f"def f():\n for x in y:\n  {bare}")).split("\n")[-1].strip()
    else:
        text = ast.unparse(ast.parse(bare))
    return indent + ("el" if bare.startswith("elif ") else "") + text
