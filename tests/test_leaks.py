"""Secrecy as a testable theorem: worlds that differ only in what a side may not know print the same for it, byte for byte.

This is the short form, by the machinery of `ophex leaks`. The long form tries more guesses and runs longer, and
`tests/byhand/try_leaks.py` runs for as long as you like.
"""

import argparse
import contextlib
import importlib
import json
import random
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from campaigns.leaks.compared_worlds import ALL_SECRETS, ALWAYS, TRYING, Copy, Look, leaks, looks
from campaigns.leaks.secrets import SECRETS
from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input, Refused
from interpreter.mirrors.mirror import Mirror
from interpreter.mirrors.veil import Veil
from interpreter.outcomes.forks import can_fork
from interpreter.queries import project
from tests.interpreter.rulebook import KIT
from tests.interpreter.test_fresh_labels import WATCH
from tests.interpreter.test_set_aside import SPIES
from tests.interpreter.test_taking_back import PATROL
from tests.long import LONG, either
from ui.cli.command_table import COMMANDS
from ui.commands.leaks import KEYS, printed
from ui.main import main

AT_ONCE = either((ALL_SECRETS,), None)
"""Every day all secrets are varied together, in the long form each kind alone as well."""
LAIR = """\
unit trap:
  bite  number, starts 3
  hidden from enemy: place, bite
unit sentry:
  wits number, starts 2
  hidden from enemy until spotted: name, wits
  spotted mark
marker cache:
  worth  number, starts 1
  hidden from enemy: place, worth
value hoard of s (a side):
  start with count (caches (where side of it is s))
  plus count enemy caches
value busy of s (a side):
  start with 0
  plus 1 when s has done bait this turn
order bait of t (a trap):
  given by side of t
  bite of t gains 1 points
order shift of t (a trap) to goal (a hex):
  given by side of t
  move t to goal
order spot of s (a sentry) against v (a sentry):
  given by side of s
  v becomes spotted
order roam of s (a sentry) to goal (a hex):
  given by side of s
  refused when there is enemy traps in goal because "a trap is there"
  move s to goal
rule snap whenever s (a sentry) enters h (a hex) when there is traps in h:
  side of s rolls 1d6 as snap-die
  wits of s becomes snap-die
value danger of s (a sentry):
  start with count traps next to s
  plus wits of s
sequence game-turn:
  phase all:
    sides may bait, shift, spot, roam together
scenario lair "Lair" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of sentry:
    name | in
    b-1  | 0202
    b-2  | 0204
  forces red of sentry:
    name   | in
    r-watch | 0601
    r-scout | 0602
  forces red of trap:
    name  | in
    pit   | 0303
    snare | 0404
  forces red of cache:
    name  | in   | worth
    hut   | 0305 | 4
    cave  | 0505 | 2
  forces nobody of cache:
    name  | in   | worth
    ruin  | 0205 | 3
"""


@pytest.fixture
def campaign(tmp_path):
    (tmp_path / "lair.rules").write_text(f"{KIT}\n{LAIR}")
    with create_campaign(tmp_path / "lair.ophex", str(tmp_path / "lair"), seed=4) as made:
        yield made


class Lair(RuleBasedStateMachine):
    """Both sides play at random; after every input neither can tell what the other hides."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name)
        (path / "lair.rules").write_text(f"{KIT}\n{LAIR}")
        self.campaign = create_campaign(path / "lair.ophex", str(path / "lair"), seed=4)

    @rule(side=st.sampled_from(["blue", "red"]), number=st.integers(0, 400))
    def order(self, side, number):
        legal = [c for c in self.campaign.game.legal(side, 500) if c != "done"]
        if legal:
            self.campaign.offer(Input("do", side, legal[number % len(legal)]))

    @rule(side=st.sampled_from(["blue", "red"]))
    def take_back(self, side):
        with contextlib.suppress(Refused):
            self.campaign.take_back(side)

    @rule(side=st.sampled_from(["blue", "red"]), seed=st.integers(0, 10_000))
    def look(self, side, seed):
        found = leaks(self.campaign, [side], printed, guesses=either(1, 2), seed=seed, kinds=AT_ONCE)
        assert found.differences == []
        assert set(found.secrets) >= {"fields", "names", "sides", "dice"}

    def teardown(self):
        self.campaign.close()
        self.folder.cleanup()


if LONG:
    Lair.TestCase.settings = settings(max_examples=3, stateful_step_count=5, deadline=None, phases=[Phase.generate])
    TestLair = Lair.TestCase


def test_whatever_both_sides_do_neither_can_tell_what_the_other_hides():
    """The long form draws such games, and varies each kind of secret alone as well (`TestLair`)."""
    lair = Lair()
    try:
        for side, number in (("red", 7), ("blue", 11), ("red", 43), ("blue", 5)):
            lair.order(side=side, number=number)
        lair.look(side="blue", seed=1)
        lair.take_back(side="blue")
        lair.order(side="red", number=90)
        lair.look(side="red", seed=5)
    finally:
        lair.teardown()


def test_every_kind_of_secret_is_varied_and_every_output_looked_at(campaign):
    for order in ("bait pit", "shift snare to 0505"):
        campaign.offer(Input("do", "red", order))
    found = leaks(campaign, ["blue"], printed, guesses=either(2, 24))
    assert found.differences == []
    assert set(SECRETS) - set(found.secrets) <= {"answers", "holders"}  # nothing of that kind is in this game
    assert {look.kind for look in ALWAYS} | {"why", "why-not", "do"} <= set(found.outputs)
    assert found.outputs.total() == found.worlds * (found.outputs.total() // found.worlds)


NOT_LOOKED_AT = {
    "play": "its screen is, as `app`",
    "answer": "gives something; `do --dry-run` tells what such a thing may tell",
    "roll": "gives something",
    "advance": "gives something",
    "override": "is the umpire's",
    "option": "what it lists all know, and the umpire alone changes it",
    "seal": "who has sent what, which all know",
    "leaks": "compares the others",
}
"""Commands with `--as` whose outputs are not compared, and why not."""


def test_every_command_for_a_side_is_looked_at(campaign):
    for_a_side = set()
    for name, (module, _) in COMMANDS.items():
        parser = argparse.ArgumentParser()
        importlib.import_module(module).add_arguments(parser)
        if "--as" in parser.format_help():
            for_a_side.add(name)
    looked_at = {look.kind for look in looks([campaign.game], "blue", random.Random(1), 60)}
    assert for_a_side - looked_at - set(NOT_LOOKED_AT) == set(), (
        "what a command shows a side is compared by `ophex leaks`: give it a Look in ALWAYS of campaigns/leaks/compared_worlds.py"
    )
    assert set(NOT_LOOKED_AT) <= for_a_side - looked_at


def test_whose_an_unseen_thing_is_is_varied(campaign):
    """Of the unseen things that are alone, markers may become nobody's, nobody's may become an enemy's, and units stay red's."""
    owned = set()
    for seed in range(8):
        copy = Copy(campaign, lambda game, seed=seed: SECRETS["sides"](game, "blue", random.Random(seed))[1])
        things = copy.game.world.by_id
        owned |= {(name, getattr(things[name].side, "id", "nobody")) for name in ("pit", "hut", "ruin", "r-watch")}
        assert all(copy.game.world.knowledge.concealed(things[name], "blue") for name in ("pit", "hut", "ruin"))
    assert owned == {("pit", "red"), ("hut", "nobody"), ("ruin", "red"), ("r-watch", "red")}


def test_a_leak_of_whose_a_thing_is_is_found(campaign, monkeypatch):
    """If a mirror showed unseen things, a question about red's caches would reveal that one has become nobody's."""
    plain = Copy(campaign, lambda _game: [])
    other = Copy(campaign, lambda game: SECRETS["sides"](game, "blue", random.Random(2))[1])
    hoard = Look("why", ("hoard of red",))
    assert printed(plain, "blue", hoard) == printed(other, "blue", hoard)

    def all_seen(mirror, thing):
        mirror._hidden[thing] = frozenset()
        return True

    monkeypatch.setattr(Mirror, "_found_out", all_seen)
    for copy in (plain, other):
        copy.game.world.mirrors.clear()
    assert printed(plain, "blue", hoard) != printed(other, "blue", hoard)


def show_all(monkeypatch):
    """Views print fields whether they are hidden or not."""
    fields = project._fields
    monkeypatch.setattr(project, "_fields", lambda world, x, _hidden, side: fields(world, x, frozenset(), side))


def test_a_leak_is_found(campaign, monkeypatch):
    """The comparison is not blind: it finds names that are resolved for a side, and views that print hidden things."""
    monkeypatch.setattr("interpreter.world.seat.Seat.book", None)
    found = leaks(campaign, ["blue"], printed, guesses=either(12, 24), kinds=AT_ONCE)
    assert {one.look.kind for one in found.differences} & {"why", "why-not"}
    monkeypatch.undo()
    show_all(monkeypatch)
    found = leaks(campaign, ["blue"], printed, guesses=0, kinds=AT_ONCE)
    assert {"status", "app"} <= {one.look.kind for one in found.differences}


def test_how_far_it_has_come_is_told_from_the_first_world_that_is_made(campaign):
    told, outputs = [], []

    def prints(copy, side, look):
        outputs.append(len(told))
        return look.kind

    leaks(campaign, ["blue", "red"], prints, guesses=0, kinds=AT_ONCE, progress=lambda *step: told.append(step))
    assert told[0] == (0, told[-1][1])
    assert outputs[0] > 1  # something was told before the first output, and before each after it
    assert outputs == sorted(set(outputs))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert 95 < 100 * told[-1][0] / told[-1][1] < 100


def few_kinds(monkeypatch):
    """Of the kinds of secrets every day two are varied, where what matters is what the command says of them."""
    monkeypatch.setattr(
        "campaigns.leaks.compared_worlds.SECRETS",
        {name: SECRETS[name] for name in either(("fields", "places"), SECRETS)},
    )


def test_the_command_says_what_it_tried(campaign, capsys, monkeypatch):
    path = str(campaign.path)
    few_kinds(monkeypatch)
    assert main(["leaks", path, "--as", "blue", "--guesses", either("1", "4"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    told = [line.partition(":")[0] for line in KEYS.splitlines() if not line.startswith(" ")]
    assert list(found) == ["schema", *told]
    assert (found["as"], found["same"], found["differences"]) == (["blue"], True, [])
    assert found["secrets"]["places"] >= 2
    assert found["outputs"]["status"] == 2 * found["worlds"]
    assert main(["leaks", path, "--guesses", "0"]) == 0
    out = capsys.readouterr().out
    assert "No byte differs." in out
    assert "Varied for blue and red" in out


def test_the_command_ends_with_1_and_shows_what_differs(campaign, capsys, monkeypatch):
    show_all(monkeypatch)
    few_kinds(monkeypatch)
    assert main(["leaks", str(campaign.path), "--as", "blue", "--guesses", "0"]) == 1
    out = capsys.readouterr().out
    assert "blue can see a difference (" in out
    assert "of them differ." in out


def test_a_name_of_a_secret_order_means_what_it_meant_before(campaign):
    """Found by this comparison: `why t`, with the name in red's order, revealed that red had baited a trap."""
    game = campaign.game

    def asked():
        try:
            return game.explain("t", "blue").value
        except Refused as refused:
            return repr(refused.refusal)

    before = asked()
    campaign.offer(Input("do", "red", "bait pit"))
    assert asked() == before
    assert game.explain("t", "red").value == game.explain("t").value == "pit"


def test_copies_are_looked_at_and_not_recorded(campaign):
    campaign.offer(Input("do", "red", "bait pit"))
    copy = Copy(campaign, lambda _game: [])
    assert [one.number for one in copy.log()] == [one.number for one in campaign.log()]
    assert copy.game.digest() == campaign.game.digest()
    assert copy.take_back("red")
    assert campaign.head == 1
    assert list(looks([copy.game], "blue", random.Random(1), 0))[: len(ALWAYS)] == list(ALWAYS)


@pytest.mark.skipif(not can_fork(), reason="there are no forks here")
def test_a_game_is_built_once_for_all_that_is_tried_on_it(campaign, monkeypatch):
    built, varied = Counter(), Copy._varied
    monkeypatch.setattr(Copy, "_varied", lambda copy: built.update([copy]) or varied(copy))
    found = leaks(campaign, ["blue"], printed, guesses=24, kinds=("fields",))
    assert found.outputs["do"] >= 6
    assert max(built.values()) == 2


@pytest.mark.skipif(not can_fork(), reason="there are no forks here")
def test_what_is_tried_in_another_process_prints_the_same_and_changes_nothing(campaign):
    campaign.offer(Input("do", "blue", "spot b-1 against b-2"))
    copy, other = (Copy(campaign, lambda _game: []) for _ in range(2))
    before = copy.game.digest()
    tried = [one for one in looks([copy.game], "blue", random.Random(1), 30) if one.kind in TRYING]
    assert {one.kind for one in tried} == TRYING
    for look in tried:
        assert copy.printed_apart(lambda look=look: printed(copy, "blue", look)) == printed(other, "blue", look)
    assert copy.game.digest() == before


def test_it_can_be_stopped_while_a_command_prints(campaign, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("campaigns.leaks.compared_worlds.Copy.log", stop)
    with pytest.raises(KeyboardInterrupt):
        printed(Copy(campaign, lambda _game: []), "blue", Look("log", ()))


def test_the_patrol_keeps_its_secrets(tmp_path):
    (tmp_path / "patrol.rules").write_text(f"{KIT}\n{PATROL}")
    with create_campaign(tmp_path / "p.ophex", str(tmp_path / "patrol"), seed=4) as made:
        made.offer(Input("do", "red", "plot r-1 to 4"))
        made.offer(Input("do", "blue", "plot b-1 to 7"))
        assert leaks(made, ["blue", "red"], printed, guesses=either(1, 24), kinds=AT_ONCE).differences == []


def test_parts_whose_whole_is_gone_are_no_secret(tmp_path):
    """In a world that looks the same, nothing else can hold what a removed thing held."""
    rules = """\
unit lorry:
  size number, starts 1
component crate, part of lorry:
  worth number, starts 2
  hidden from enemy: place
order burn of l (a lorry):
  given by side of l
  remove l
sequence game-turn:
  phase all:
    sides may burn together
scenario depot "Depot" on field:
  side blue "The Blues"
  side red "The Reds"
  forces red of lorry:
    name  | in
    big   | 0303
    small | 0404
  forces red of crate:
    name | lorry
    guns | big
    food | small
"""
    (tmp_path / "depot.rules").write_text(f"{KIT}\n{rules}")
    with create_campaign(tmp_path / "d.ophex", str(tmp_path / "depot"), seed=4) as made:
        made.offer(Input("do", "red", "burn big"))
        assert leaks(made, ["blue"], printed, guesses=either(1, 4), kinds=AT_ONCE).differences == []
        assert leaks(made, ["blue"], printed, guesses=0, kinds=("holders",)).secrets["holders"] == 1


MASKS = """\
unit guard:
  worth  number, starts 3
  bared  mark
  hidden from enemy until bared: name
value company of g (a guard):
  start with count (enemy guards within 3 of g)
value threat of g (a guard):
  start with sum company of enemy guards
order reckon of g (a guard):
  given by side of g
  let found be threat of g
  worth of g becomes found
order unmask of g (a guard) against v (a guard):
  given by side of g
  v becomes bared
order slight of g (a guard) to v (a guard):
  given by side of g
  worth of v becomes 1
order mask of g (a guard):
  given by side of g
  bared of g becomes no
sequence game-turn:
  phase all:
    sides may reckon, unmask, slight, mask together
scenario masks "Masks" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of guard:
    name    | in
    b-guard | 0202
  forces red of guard:
    name  | in
    r-one | 0303
    r-two | 0405
    r-six | 0601
"""


@pytest.fixture
def masks(tmp_path):
    (tmp_path / "masks.rules").write_text(f"{KIT}\n{MASKS}")
    with create_campaign(tmp_path / "m.ophex", str(tmp_path / "masks"), seed=4) as made:
        yield made


def test_things_that_are_called_otherwise_have_been_so_when_the_turn_is_told_again(masks):
    """`why found` goes back to the start of the turn: there too they have the other names, and red's have the same labels for blue."""
    masks.offer(Input("do", "red", "reckon r-one"))
    masks.offer(Input("do", "blue", "reckon b-guard"))
    labels, called = masks.game.world.incognito, set()
    for seed in range(4):
        plain = Copy(masks, lambda _game: [])
        other = Copy(masks, lambda game, seed=seed: SECRETS["names"](game, "blue", random.Random(seed))[1])
        called.add(tuple(x.id for x in other.game.world.by_kind["guard"] if x.side.id == "red"))
        for words in (("found",), ("worth of b-guard",)):
            told = printed(plain, "blue", Look("why", words))
            assert {name for name in ("r-one", "r-two", "r-six") if labels.label(name, "blue") in told}, told
            assert printed(other, "blue", Look("why", words)) == told
        assert printed(other, "blue", Look("undo", ())) == printed(plain, "blue", Look("undo", ()))
    assert len(called) == 4


def test_the_log_shows_what_a_side_has_given_in_the_words_of_then(masks):
    """A name that blue could write is hidden again. If the log replaced it by the label, that would reveal whose label it is."""
    label = masks.game.world.incognito.label("r-two", "blue")
    masks.offer(Input("do", "blue", f"unmask b-guard against {label}"))
    masks.offer(Input("do", "blue", "slight b-guard to r-two"))
    masks.offer(Input("do", "red", "mask r-two"))
    assert label in {x.id for x in masks.game.view("blue").things}
    log = printed(Copy(masks, lambda _game: []), "blue", Look("log", ("-n", "0")))
    assert "slight b-guard to r-two" in log
    assert f"to {label}" not in log
    found = leaks(masks, ["blue", "red"], printed, guesses=either(2, 24), kinds=("names",))
    assert found.differences == []
    assert found.secrets["names"] >= 2


def test_an_order_that_asks_is_among_the_secrets(tmp_path, monkeypatch):
    """Red has given it, and answered none, some or all: blue cannot find out, except where blue looks at the game with the order in it."""
    (tmp_path / "spies.rules").write_text(f"{KIT}\n{SPIES}")
    with create_campaign(tmp_path / "s.ophex", str(tmp_path / "spies"), seed=4) as made:
        pending = Counter()
        for seed in range(8):
            copy = Copy(made, lambda game, seed=seed: SECRETS["orders"](game, "blue", random.Random(seed))[1])
            pending[tuple(a.name for a in copy.game.waiting if a.kind == "question")] += 1
        assert {("pal-of",), ("goal",)} <= set(pending)
        found = leaks(made, ["blue"], printed, rounds=either(1, 4), guesses=either(2, 8), kinds=("orders",))
        assert found.differences == []
        monkeypatch.setattr("interpreter.machine.Game.seen_by", lambda game, _: game)
        found = leaks(made, ["blue"], printed, rounds=either(2, 4), guesses=0, kinds=("orders",))
        assert {"status", "app", "legal"} <= {one.look.kind for one in found.differences}


def test_how_the_turn_began_is_varied_and_so_what_why_tells_of_it(tmp_path, monkeypatch):
    """Blue's pace came from a plan that it may not know. Blue read the same for every plan, and `why` must show the same, too."""
    rules = PATROL.replace(
        "order guess of s",
        """value wariness of t (a scout):
  start with plan of t
  at most 0
order size-up of s (a scout) against t (a scout):
  given by side of s
  pace of s becomes 1 + wariness of t
order guess of s""",
    ).replace("peep, guess together", "peep, guess, size-up together")
    (tmp_path / "patrol.rules").write_text(f"{KIT}\n{rules}")
    with create_campaign(tmp_path / "p.ophex", str(tmp_path / "patrol"), seed=4) as made:
        target = next(x.id for x in made.game.view("blue").things if x.side == "red")
        made.offer(Input("do", "blue", f"size-up b-1 against {target}"))
        made.offer(Input("do", "red", "plot r-2 to 4"))
        plans = {}
        for seed in range(6):
            copy = Copy(made, lambda game, seed=seed: SECRETS["start"](game, "blue", random.Random(seed))[1])
            start, now = copy.state_at(1).world.by_id["r-1"].f_plan, copy.game.world.by_id
            assert (now["r-1"].f_plan, now["r-2"].f_plan, now["b-1"].f_pace) == (start, 4, 1)
            plans[start] = copy
        assert len(plans) > 2
        found = leaks(made, ["blue"], printed, guesses=either(6, 24), rounds=either(1, 2), kinds=("start",))
        assert (found.differences, found.secrets["start"] > 0) == ([], True)
        monkeypatch.setattr(
            "interpreter.mirrors.veil.veiled", lambda world, side: contextlib.nullcontext(Veil(world, side))
        )
        why = Look("why", ("pace of b-1",))
        assert len({printed(x, "blue", why) for x in (plans[max(plans)], Copy(made, lambda _game: []))}) == 2


def test_a_label_tells_nothing_of_a_thing_that_was_lost_from_sight(tmp_path):
    """A scout is met, lost and met again, another is met in passing: other names, places and sides of what blue does not see tell it nothing."""
    (tmp_path / "watch.rules").write_text(f"{KIT}\n{WATCH}")
    with create_campaign(tmp_path / "w.ophex", str(tmp_path / "watch"), seed=4) as made:
        for order in ("show r-one", "slip r-one", "show r-one", "flash r-two to 0501", "show r-three"):
            made.offer(Input("do", "red", order))
        found = leaks(made, ["blue"], printed, guesses=either(2, 24), kinds=either(("names", ALL_SECRETS), None))
        assert found.differences == []
        assert found.secrets["names"] >= 2
