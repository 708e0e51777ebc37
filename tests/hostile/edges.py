"""Edge-case words, and ways to spoil a text."""

import random
from collections.abc import Sequence

WORDS = (
    "", "0", "-1", "+3", "1", "7", "99999999999999999999", "9" * 400, "0x10", "1e999", "1.5", "0.1", "1/2", "1/0", "0/1", "-1/3", "nan", "inf", "½", "٣", "४२", "²",
    "0000", "0101", "9999", "010101", "999999", "2026-02-30", "0000-00-00", "1d6", "0d0", "99d99", "4:0", "1:1", "40%", "x4", "--", "-", "..", "0 .. 3",
    "yes", "no", "none", "absent", "all", "others", "even", "via", "to", "with", "of", "in", "is", "and", "or", "not", "done", "pass", "turn", "phase", "active",
    "umpire", "enemy", "own", "it", "side", "place", "name", "holder", "game", "the", "a", "an", "some", "map", "off", "where", "becomes", "gains", "loses",
    "'", '"', '"half', '""', "(", ")", "()", "(((((((((((", "[", "]", "{", "}", "{0}", "{}", "{x!r}", "%s", "%n", "$HOME", "\\", "/", "../..", ";", ",", ",,", ":", "=", "<", ">", "|", "||",
    "#", "@", "*", "?", "~", "é", "größe", "ß", "ａ", "\u202e", "\u2028", "\u00a0", "\ufeff", "\x00", "\x1b[31m", "\x07", "\t", "\n", "\r", "😀", "\ud800", "x" * 300, "a-" * 60 + "a",
    "__class__", "None", "True", "lambda", "self", "exec", "t8", "x1", "n_x", "f_side",
)  # fmt: skip
SIGNS = " ()|:,<>=1+-/\"'[]{}x;.%\\\t"


def spoiled(chance: random.Random, text: str, words: Sequence[str]) -> str:
    """A text with one or two words left out, doubled, swapped or taken from elsewhere, or a sign put in or out."""
    said = text.split(" ")
    for _ in range(chance.choice((1, 1, 2, 3))):
        at = chance.randrange(len(said)) if said else 0
        match chance.randrange(8):
            case 0 if said:
                del said[at]
            case 1:
                said.insert(at, chance.choice(words))
            case 2 | 3 if said:
                said[at] = chance.choice(words)
            case 4 if said:
                said[at] = chance.choice(WORDS)
            case 5 if said:
                other = chance.randrange(len(said))
                said[at], said[other] = said[other], said[at]
            case 6 if said:
                cut = chance.randrange(len(said[at]) + 1)
                said[at] = said[at][:cut] + chance.choice(SIGNS) + said[at][cut + chance.randrange(2) :]
            case _:
                said += said[at : at + chance.randrange(1, 4)]
    return " ".join(said)


def mixed(chance: random.Random, lines: Sequence[str]) -> list[str]:
    """Lines cut, doubled, swapped, glued, indented anew and left out."""
    found = list(lines)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(found))
        line = found[at]
        cut = chance.randrange(len(line) + 1)
        match chance.randrange(7):
            case 0:
                found[at] = line[:cut]
            case 1:
                found[at] = line[:cut] + chance.choice(SIGNS) + line[cut:]
            case 2:
                other = chance.randrange(len(found))
                found[at], found[other] = found[other], line
            case 3:
                found[at] = spoiled(chance, line, " ".join(chance.choice(found) for _ in range(5)).split() or [""])
            case 4:
                found[at] = " " * chance.randrange(9) + line.lstrip()
            case 5:
                found.insert(at, chance.choice(found))
            case _ if len(found) > 1:
                del found[at]
    return found


def bytes_mixed(chance: random.Random, data: bytes) -> bytes:
    """Bytes with a few of them changed, cut out, doubled or put in."""
    found = bytearray(data)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(found) + 1)
        match chance.randrange(5):
            case 0:
                found[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del found[at : at + chance.randrange(1, 40)]
            case 2:
                found[at:at] = chance.randbytes(chance.randrange(1, 9))
            case 3:
                found[at:at] = chance.choice(
                    (b"\xff\xfe", b"\xef\xbb\xbf", b"\0", b"\r", b"\r\n", b"\x85", b"\xed\xa0\x80", b"\xc3", b"\n\n")
                )
            case _:
                other = chance.randrange(len(found) + 1)
                found[at:at] = found[other : other + chance.randrange(1, 200)]
    return bytes(found)
