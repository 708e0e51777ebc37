"""`ophex try`: examples of a file of one's own, beside those of the system."""

from campaigns.trials.casebook import try_file
from ui.main import main

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


def test_each_block_says_under_which_modules_and_options_it_ran(tmp_path, capsys):
    (tmp_path / "small").mkdir()
    more = (
        'module more "More", default off\nmodule old "Old", default on\noption pace "Pace": slow, fast; default slow\n'
    )
    (tmp_path / "small" / "small.rules").write_text(f"{RULES}{more}", encoding="utf-8")
    own = tmp_path / "own.rules"
    said = "".join(f"  {block}:\n    then two = 2\n" for block in ("with more", "set pace fast"))
    own.write_text(f'example "mine":\n  then two = 2\n{said}', encoding="utf-8")
    assert main(["try", str(tmp_path / "small"), str(own), "--brief"]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith("mine")]
    assert heads == ["mine (with old)", "mine (with more, old)", "mine (with old, pace fast)"]
