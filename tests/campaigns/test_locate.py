"""From the name of a system or a scenario to its files: first as a path, then in the user's folder, then among the shipped systems."""

import pytest

from campaigns.file.errors import CampaignError
from campaigns.library import locate
from campaigns.library.locate import NotFound, find_scenario, find_system, scenarios, systems
from campaigns.library.rule_files import MOST_FILES, rule_files
from campaigns.library.systems_by_name import scenario_of
from dsl.text.diagnostics import RuleTextError
from ui.main import main


@pytest.fixture(autouse=True)
def homes(tmp_path, monkeypatch):
    """A user's folder with `alpha`, and shipped systems `alpha` and `beta`."""
    for home, names in (("yours", ["alpha"]), ("shipped", ["alpha", "beta"])):
        for name in names:
            folder = tmp_path / home / name
            for part in ("maps", "forces", "scenarios"):
                (folder / part).mkdir(parents=True)
            for file in ("b.rules", "a.rules", "maps/m.rules", "forces/f.rules", "scenarios/first.rules", "note.txt"):
                (folder / file).write_text('scenario first "The first" on m:\n' if "first" in file else "")
        (tmp_path / home / "empty").mkdir()
    shared = "value points of s (a side):\n  start with 1\n"
    (tmp_path / "shipped" / "beta" / "scenarios" / "second.rules").write_text(
        f'{shared}scenario second "The second" on m:\n'
    )
    (tmp_path / "shipped" / "beta" / "scenarios" / "secondly.rules").write_text(shared)
    (tmp_path / "shipped" / "beta" / "catalog.toml").touch()
    monkeypatch.setattr(locate, "user_folder", lambda: tmp_path / "yours")
    monkeypatch.setattr(locate, "shipped_folder", lambda: tmp_path / "shipped")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_users_system_stands_before_a_shipped_one():
    assert [(system.name, system.origin) for system in systems()] == [("alpha", "yours"), ("beta", "shipped")]


def test_files_come_in_the_order_rules_maps_forces_scenarios(homes):
    system = find_system("beta")
    assert [str(file.relative_to(system.folder)) for file in system.files] == [
        "a.rules",
        "b.rules",
        "maps/m.rules",
        "forces/f.rules",
        "scenarios/first.rules",
        "scenarios/second.rules",
        "scenarios/secondly.rules",
    ]
    assert [file.name for file in system.rules] == ["a.rules", "b.rules"]
    assert [file.name for file in system.maps] == ["m.rules"]
    assert [file.name for file in system.forces] == ["f.rules"]
    assert system.catalog == homes / "shipped" / "beta" / "catalog.toml"
    assert find_system("alpha").catalog is None


def test_a_path_stands_before_a_name(homes):
    (homes / "beta").mkdir()
    (homes / "beta" / "own.rules").touch()
    found = find_system("beta")
    assert (found.origin, found.folder) == ("path", homes / "beta")


def test_a_folder_without_rules_does_not_hide_a_name(homes):
    (homes / "beta").mkdir()
    assert find_system("beta").origin == "shipped"


def test_a_path_may_end_in_a_slash_or_be_a_dot(homes, monkeypatch):
    assert find_system("shipped/beta/").name == "beta"
    monkeypatch.chdir(homes / "shipped" / "beta")
    assert find_system(".").name == "beta"


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("betta", "There is no rule system 'betta'.", "Did you mean beta?"),
        ("zzz", "There is no rule system 'zzz'.", "Known names: alpha and beta."),
        (
            "yours/empty",
            "The folder yours/empty is not a rule system: it has no file that ends in .rules.",
            "Put a system's rules into the folder",
        ),
        (
            "yours/alpha/a.rules",
            "yours/alpha/a.rules is a file; a rule system is a folder.",
            "Name the folder instead; the folder of this file is",
        ),
    ],
)
def test_what_is_no_system_is_told_with_what_is_near(name, message, hint):
    with pytest.raises(NotFound) as caught:
        find_system(name)
    assert caught.value.message == message
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize(
    "name",
    [
        "beta/second",
        "second",
        "shipped/beta/scenarios/second.rules",
        "shipped/beta/scenarios/second",
        "shipped/beta/second",
    ],
)
def test_the_ways_to_name_a_scenario(name, homes):
    found = find_scenario(name)
    assert found.name == "beta/second"
    assert found.file == homes / "shipped" / "beta" / "scenarios" / "second.rules"
    assert found.system.folder == homes / "shipped" / "beta"


def test_all_scenarios():
    assert [scenario.name for scenario in scenarios()] == ["alpha/first", "beta/first", "beta/second"]


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("beta/secnd", "The system 'beta' has no scenario 'secnd'.", "Did you mean beta/second?"),
        ("first", "Several systems have a scenario 'first'.", "Say which: alpha/first and beta/first."),
        ("nowhere/first", "There is no rule system 'nowhere'.", "Known names: "),
        ("secon", "There is no scenario 'secon'.", "Did you mean beta/second?"),
        (
            "shipped/beta/a.rules",
            "{here}/shipped/beta/a.rules does not belong to a rule system.",
            "Put a scenario's file into the folder",
        ),
        ("", "There is no scenario ''.", "Known names: "),
    ],
)
def test_what_is_no_scenario_is_told_with_what_is_near(name, message, hint, homes):
    with pytest.raises(NotFound) as caught:
        find_scenario(name)
    assert caught.value.message == message.format(here=homes)
    assert caught.value.hint.startswith(hint)


def test_without_any_system_the_hint_says_where_one_may_lie(homes, monkeypatch):
    monkeypatch.setattr(locate, "user_folder", lambda: homes / "nothing")
    monkeypatch.setattr(locate, "shipped_folder", lambda: homes / "nothing")
    with pytest.raises(NotFound) as caught:
        find_system("alpha")
    assert str(homes / "nothing") in caught.value.hint


@pytest.mark.parametrize("name", ["evil.rules", "catalog.toml"])
def test_a_system_is_not_made_of_files_elsewhere(homes, name):
    (homes / "secret.txt").write_text("what only its owner may read")
    folder = homes / "shipped" / "beta"
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(homes / "secret.txt")
    with pytest.raises(CampaignError, match=f"{name} is a link to a file outside its folder"):
        rule_files(find_system("beta"))


def test_links_within_a_system_and_to_it_are_followed(homes):
    (homes / "shipped" / "beta" / "c.rules").symlink_to("a.rules")
    (homes / "again").symlink_to(homes / "shipped" / "beta")
    assert "c.rules" in {file.name for file in rule_files(find_system("./again")).files}


@pytest.mark.parametrize("goal", ["c.rules", "nowhere.rules"])
def test_a_link_that_leads_nowhere_is_named(homes, goal, capsys):
    (homes / "shipped" / "beta" / "c.rules").symlink_to(goal)
    with pytest.raises(CampaignError, match=r"c\.rules cannot be read"):
        rule_files(find_system("beta"))
    assert main(["fmt", "--check", str(homes / "shipped" / "beta")]) != 70
    assert "c.rules cannot be read" in capsys.readouterr().err


def test_a_system_of_endless_files_is_refused_at_once(tmp_path):
    (tmp_path / "a.rules").write_text('system small "Small" version 1.0\n')
    for number in range(MOST_FILES):
        (tmp_path / f"f{number}.rules").touch()
    with pytest.raises(CampaignError, match=r"has 2,001 files; a rule system may have at most 2,000\."):
        rule_files(find_system(str(tmp_path)))


def test_a_scenario_that_cannot_be_read_is_not_called_missing(tmp_path):
    (tmp_path / "broken.rules").write_text("scenario duel in a-field:\n")
    with pytest.raises(RuleTextError, match="Unexpected"):
        scenario_of(f"{tmp_path}/duel")
    (tmp_path / "broken.rules").write_text("unit tank:\n  armor number\n")
    with pytest.raises(NotFound, match="has no scenario 'duel'"):
        scenario_of(f"{tmp_path}/duel")
