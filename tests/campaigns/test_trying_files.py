"""`ophex try`: examples of a file of one's own, beside those of the system."""

from campaigns.trials.casebook import try_file

RULES = """\
system small "Small" version 1.0
value two = 2
example "same name":
  then two = 2
"""


def test_an_example_may_have_the_name_of_one_of_the_system(tmp_path):
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "small.rules").write_text(RULES, encoding="utf-8")
    own = tmp_path / "own.rules"
    own.write_text('example "same name":\n  then two = 3\n  then the game is not over\n', encoding="utf-8")
    (tried,) = try_file(str(tmp_path / "small"), str(own))
    assert [(x.text, x.value) for x in tried.lines] == [
        ("then two = 3", "2"),
        ("then the game is not over", "it goes on"),
    ]
    assert tried.failures == ("line 2: expected then two = 3; got 2",)
