"""Letters as mail programs make them: what is read from them, and where in the file it was."""

import string
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from campaigns.desk.letter import MOST_BYTES, read_letter
from campaigns.desk.letter_orders import orders_of
from campaigns.file.errors import CampaignError

ORDERS = ("march", "attack", "advance")
NAMES = {"tf-1", "tf-2", "0304"}


def said(text, **settings):
    """The commands of a letter with their places."""
    data = text if isinstance(text, bytes) else text.encode()
    found = orders_of(read_letter(data, "a.txt"), ORDERS, NAMES, **settings)
    return [(one.text, one.line, one.column) for one in found.commands]


def passed_over(text):
    found = orders_of(read_letter(text.encode(), "a.txt"), ORDERS, NAMES)
    return [one.number for one in found.passed_over], [one.number for one in found.quoted]


MARCH = ("march tf-1 to 0304", 1, 1)


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("march tf-1 to 0304\ndone", [MARCH, ("done", 2, 1)]),
        ("march tf-1 to 0304\r\ndone\r\n", [MARCH, ("done", 2, 1)]),
        ("march tf-1 to 0304\rdone", [MARCH, ("done", 2, 1)]),
        ("\ufeffmarch tf-1 to 0304", [MARCH]),
        ("March TF-1 to 0304.\nDone!", [("March TF-1 to 0304", 1, 1), ("Done", 2, 1)]),
        ("march tf\u20111\u00a0to 0304", [MARCH]),
        ("  \tmarch tf-1 to 0304", [("march tf-1 to 0304", 1, 4)]),
        ("> march tf-1 to 0304\n> done", [("march tf-1 to 0304", 1, 3), ("done", 2, 3)]),
        (">> > march tf-1 to 0304", [("march tf-1 to 0304", 1, 6)]),
        ("1. march tf-1 to 0304\n2) done\n- done", [("march tf-1 to 0304", 1, 4), ("done", 2, 4), ("done", 3, 3)]),
        ("\u201cmarch tf-1 to 0304\u201d", [("march tf-1 to 0304", 1, 2)]),
        ("`march tf-1 to 0304`.", [("march tf-1 to 0304", 1, 2)]),
        ("march tf-1 to 0304 -- by the road\n# done\n-- no\ndone", [MARCH, ("done", 4, 1)]),
        ("march tf-1 to 0304 \u2014 by the road", [MARCH]),
        ("march tf-1\u200b to 0304", [MARCH]),
        ("march tf-1 to 0304\n-- \nTom\ndone", [MARCH]),
        ("march tf-1 to 0304\n\u2014\nTom\ndone", [MARCH]),
        ("> march tf-1 to 0304\n> -- \n> Tom\n> done", [("march tf-1 to 0304", 1, 3)]),
        ("attack tf-1,\n  tf-2\ndone", [("attack tf-1, tf-2", 1, 1), ("done", 3, 1)]),
        ("attack tf-1 \\\n against 0304", [("attack tf-1 against 0304", 1, 1)]),
        ("attack tf-1,\ndone", [("attack tf-1,", 1, 1), ("done", 2, 1)]),
        ("march tf-1 to 0304\nend of orders\ndone", [MARCH]),
        ("Subject: Re: week 2\nFrom: t@x\n\nmarch tf-1 to 0304", [("march tf-1 to 0304", 4, 1)]),
        ("From t@x Thu Jan 1\nDate: x\n folded\n\ndone", [("done", 5, 1)]),
        ("", []),
    ],
)  # fmt: skip
def test_what_is_read(text, commands):
    assert said(text) == commands


def test_a_place_within_a_command_is_that_in_the_file():
    found = orders_of(read_letter("> 1. march tf\u20111,\n>   0304 \u2014 x".encode(), "a"), ORDERS, NAMES).commands
    assert found[0].text == "march tf-1, 0304"
    assert found[0].place_of("There is no unit tf-1.") == (1, 12)
    assert found[0].place_of("0304 is closed.") == (2, 5)
    assert found[0].place_of("It is too late.") == (1, 6)


def test_words_before_and_after_the_orders_are_passed_over_but_not_between_them():
    assert passed_over("Hi Klaus,\nmarch tf-1 to 0304\ndone\nCheers, Tom") == ([1, 4], [])
    found = orders_of(read_letter(b"done\nhello there\ndone", "a"), ORDERS, NAMES).commands
    assert [one.is_command for one in found] == [True, False, True]


@pytest.mark.parametrize("line", ["marhc tf-9 to 9999", "please let tf-1 rest", "go to 0304", "aswer joiners with x"])
def test_what_might_be_meant_as_an_order_is_never_passed_over(line):
    found = orders_of(read_letter(f"{line}\nHi\nmarch tf-1 to 0304\nCheers\n{line}".encode(), "a"), ORDERS, NAMES)
    assert [(one.line, one.is_command) for one in found.commands] == [
        (1, False),
        (2, False),
        (3, True),
        (4, False),
        (5, False),
    ]


def test_an_older_letter_that_is_quoted_orders_nothing():
    text = "march tf-1 to 0304\n\nOn Monday Tom wrote:\n> march tf-2 to 0304\n>> done\n"
    assert said(text) == [MARCH]
    assert passed_over(text) == ([3], [4, 5])
    assert passed_over("march tf-1 to 0304\n> mar ch tf-2 to 0304\n> I liked tf-2\n> marhc tf-2 to 0304")[1] == [2, 4]
    assert said("march tf-1 to 0304\n-----Original Message-----\nFrom: Tom\nmarch tf-2 to 0304") == [MARCH]


def test_a_command_that_is_to_be_repeated():
    (found,) = orders_of(read_letter(b"Repeat march tf-1 to 0304.", "a"), ORDERS, NAMES).commands
    assert (found.text, found.repeat, found.column) == ("march tf-1 to 0304", True, 8)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("quoted-printable", b"march tf-1=20to 03=\r\n04\r\ndone\r\n"),
        ("base64", b"bWFyY2ggdGYtMSB0byAwMzA0CmRvbmUK\r\n"),
    ],
)
def test_mails_that_are_encoded(encoding, body):
    data = b"From: t@x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: %s\r\n\r\n%s" % (
        encoding.encode(),
        body,
    )
    assert read_letter(data, "a.eml").decoded
    assert said(data) == [MARCH, ("done", 2, 1)]


def test_a_mail_of_several_parts_and_in_another_alphabet():
    head = b'From: t@x\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b"\n\n'
    part = b"--b\nContent-Type: text/%s\n\n%s\n"
    data = head + part % (b"html", b"<p>done</p>") + part % (b"plain", b"march tf-1 to 0304") + b"--b--\n"
    assert said(data) == [MARCH]
    assert said("From: t\nContent-Type: text/plain; charset=iso-8859-1\n\ndone\n-- \nJürgen".encode("latin-1")) == [
        ("done", 4, 1)
    ]
    with pytest.raises(CampaignError, match="no plain text"):
        read_letter(head + part % (b"html", b"<p>done</p>") + b"--b--\n", "a.eml")


@pytest.mark.parametrize("header", [b"From: %s" % (b'"' * 20_000), b"From: %s" % (b"a," * 15_000)])
def test_a_mail_with_an_endless_header_is_read_at_once(header):
    begun = process_time()
    assert said(b"Subject: orders\n" + header + b"\n\nmarch tf-1 to 0304") == [("march tf-1 to 0304", 4, 1)]
    assert process_time() - begun < 1


@pytest.mark.parametrize(
    "data",
    [
        b"".join(b"Content-Type: multipart/mixed; boundary=x%d\n\n--x%d\n" % (n, n) for n in range(60)),
        b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\ndone\n" * 60,
        b"Content-Type: text/plain; charset=punycode\n\ndone-",
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain; charset=unicode_escape\n\ndone\n--x--\n",
    ],
    ids=["nested", "many", "punycode", "escaped"],
)
def test_a_mail_of_endless_parts_or_in_an_encoding_of_no_mail_program_is_refused(data):
    with pytest.raises(CampaignError, match="cannot be read as one"):
        read_letter(data + b"done\n", "a.eml")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"done\nmarch \xff", "a.txt:2:7: the text here is not valid UTF-8."),
        (b"x" * (MOST_BYTES + 1), "larger than"),
        (b"a" * 30_000, "line 1 has 30,000 characters"),
        (b"\xff\xfe\x00", "not valid UTF-8"),
    ],
)
def test_what_is_no_letter(data, message):
    with pytest.raises(CampaignError, match=message):
        read_letter(data, "a.txt")


BITS = st.sampled_from([*string.printable, "\u00a0", "\u2014", "\u201c", "\u200b", "\ufeff", "> ", "-- \n", "march ", "tf-1", "done\n",
                        "repeat ", "From: x\n", "\r\n", "end of orders\n", "orders of red packet 1-"])  # fmt: skip


@example(b"march tf-1 \\")
@given(st.one_of(st.binary(max_size=400), st.lists(BITS, max_size=80).map(lambda bits: "".join(bits).encode())))
def test_whatever_comes_is_read_or_refused_and_every_sign_stood_where_it_says(data):
    try:
        letter = read_letter(data, "a.txt")
    except CampaignError:
        return
    found = orders_of(letter, ORDERS, NAMES)
    if letter.decoded or data[:2] in {b"\xff\xfe", b"\xfe\xff"} or b"charset" in data.lower():
        return
    rows = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    rows[0] = data.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n")[0].removeprefix("\ufeff")
    for one in found.commands:
        assert one.text
        assert len(one.text) == len(one.places)
        for sign, (line, column) in zip(one.text, one.places, strict=True):
            if sign.isascii() and sign.isalnum():
                assert rows[line - 1].removeprefix("\ufeff")[column - 1] == sign
