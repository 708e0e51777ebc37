"""Where dice come from: the seed, the table, or the seals of all parties; and how the umpire changes that in a running game.

roll   text: `7 8`, each die of a roll `6+4`, `seeded` for a roll that comes from the seed, `rest` at the end for all until the
       next decision
seal   text: an anchor or a link (`sealed_dice.py`); side: whose
dice   text: `typed`, `seeded`, `sealed`, or `fresh SEED`; subject: the reason
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import evolve

from interpreter.messages.asking import UNSETTLED, Roll
from interpreter.messages.happenings import ChainSealed, DiceChanged, DiceFell, LinkGiven
from interpreter.messages.inputs import SEAL, Awaited, Input, Refused
from interpreter.messages.json_data import JsonObject
from interpreter.messages.settings import Settings
from interpreter.play.runner import Runner
from interpreter.play.sealed_dice import SealedDice, Seals, read_link
from interpreter.runtime.die_rolls import BY_SEED, REST, SeededDice, Throw, read_dice, typed_faces
from interpreter.runtime.refusals import Why

if TYPE_CHECKING:
    from collections.abc import Callable

    from dsl.analysis.flows import Flows
    from interpreter.world.world import World

__all__ = ["DICE", "BadFace", "Throwing"]

DICE = "dice"
"""The kind of an input that changes where dice come from."""
MANNERS = ("seeded", "typed", "sealed")
FRESH = re.compile(r"fresh ([\w.-]{1,80})")


class BadFace(Exception):
    """A typed result is impossible."""


class Throwing:
    """Rolls the dice of one game and records the results.

    dice: the program's own dice; typed: whether dice are rolled at the table; seals: of sealed dice; given: the results that
    were typed and are not yet used; manner: the source of dice: seeded, typed or sealed.
    """

    def __init__(self, world: World, flows: Flows, runner: Runner, settings: Settings, data: Any = None) -> None:
        """Creates the dice from the settings, or from a snapshot. flows: the hidden fields that a roll affects."""
        self.world, self.flows, self.runner, self.settings = world, flows, runner, settings
        held = (data or {}).get("dice") or {}
        rolled = (data or {}).get("rolled", 0)
        self.manner = str(held.get("manner") or settings.get("dice", "seeded"))
        seed = held.get("seed", settings.get("seed", 0))
        self.typed = self.manner == "typed"
        self.seals: Seals | None = None
        self.dice: SeededDice
        self.given: list[Throw] = []
        if self.manner == "sealed":
            self._seal(held.get("seals"), str(seed), rolled, int(held.get("since", 0)))
        else:
            self.dice = SeededDice(seed, rolled)

    def _seal(self, data: Any, seed: str, rolled: int, since: int) -> None:
        parties = [*(side.id for side in self.world.all_of("side")), "umpire"]
        self.seals = Seals(parties, str(self.settings.get("seed", 0)), data)
        self.dice = SealedDice(seed, rolled, since)

    def data(self) -> JsonObject:
        """The source of dice, if it differs from the settings."""
        if isinstance(self.dice, SealedDice) and self.seals is not None:
            sealed: JsonObject = {"seals": self.seals.state(), "since": self.dice.since}
            return {"dice": {"manner": self.manner, "seed": self.dice.seed, **sealed}}
        begun = str(self.settings.get("seed", 0)), self.settings.get("dice", "seeded")
        if (str(self.dice.seed), self.manner) == begun:
            return {}
        return {"dice": {"manner": self.manner, "seed": str(self.dice.seed)}}

    # ---- throwing
    def waits(self) -> bool:
        """Whether a roll must be given, or sealed, before it can be made."""
        if self.typed:
            return not self.given
        return self.seals is not None and self.seals.stale

    def face(self, item: Roll) -> int:
        """The result of dice, rolled or given. Raises BadFace for an impossible result."""
        dice = read_dice(item.dice)
        by_seed = self.typed and self.given[0] in {BY_SEED, REST}
        if by_seed or not self.typed:
            if by_seed and self.given[0] == BY_SEED:
                self.given.pop(0)
            face = self.dice.roll(dice)
        else:
            throw = self.given.pop(0)
            assert not isinstance(throw, str)
            try:
                face = dice.total(throw)
            except Refused as error:
                raise BadFace(str(error)) from None
        self._tell(item, face)
        return face

    def decided(self, given: Input) -> None:
        """Records that an input was taken: any later dice are rolled after it."""
        if self.seals is not None and given.kind != SEAL:
            self.seals.void()

    def thrown(self) -> None:
        """Records that the game waits for an input: `rest` no longer applies to later dice."""
        self.given = [throw for throw in self.given if throw != REST]

    def _tell(self, item: Roll, face: int) -> None:
        """Records a roll; without the result for those from whom its effect is hidden."""
        world = self.world
        about = [item.item, item.subject]
        sides = [s.id for s in world.all_of("side")]
        place = world.sites[item.site].span
        into = self.flows.get(place)
        if into:
            world.thrown[place] = (item.side.id, about)
        shut = [s for s in sides if into and world.knowledge.veils_flow(into, about, item.side.id, s)]
        thing = item.item.id if item.item is not None and item.item is not item.side else ""
        fell = DiceFell(item.dice, item.name, face, thing, item.side.id)
        for to in ["all"] if not shut else [s for s in sides if s not in shut] or ["umpire"]:
            world.journal.happened(fell, item.site, item.side, to, about=about)
        for to in shut:
            world.journal.happened(evolve(fell, face=None, veiled=True), item.site, item.side, to, about=about)

    # ---- inputs
    def read_roll(self, given: Input, what: Callable[[str], str]) -> int:
        """The result of typed dice. what: says what the game is waiting for. Raises Refused."""
        if not isinstance(self.runner.pending, Roll):
            raise Why.NOT_NOW("The game is not waiting for dice.", hint=what(given.side))
        faces = typed_faces(given.text)
        if not self.typed:
            raise Why.NOT_NOW("The game is not waiting for dice rolled at your table.", hint=what(given.side))
        if not isinstance(faces[0], str):
            read_dice(self.runner.pending.dice).total(faces[0])
        self.given = faces
        return self.face(self.runner.pending)

    def read_seal(self, given: Input) -> object:
        """Takes an anchor or a link; after the last missing one the dice are rolled."""
        if self.seals is None:
            raise Why.NOT_NOW(
                "The dice of this campaign are not sealed.", hint="Use `ophex dice` to change where they come from."
            )
        party = next((name for name in self.seals.parties if name.lower() == given.side.lower()), None)
        if party is None:
            raise Why.UNKNOWN_NAME(
                f"There is no side {given.side}.",
                hint=f"The parties that seal dice are: {', '.join(self.seals.parties)}.",
                side=given.side,
            )
        if read_link(given.text) is None:
            chain = self.seals.commit(party, given.text)
            self.world.journal.happened(ChainSealed(party, chain.name, chain.anchor, chain.links))
            return UNSETTLED
        if not isinstance(self.runner.pending, Roll) or self.typed:
            raise Why.NOT_NOW(
                "The game is not waiting for dice.", hint="Give a link only when dice are about to be rolled."
            )
        link = self.seals.take(party, given.text)
        self.world.journal.happened(LinkGiven(party, link.chain, link.index, link.link))
        seed = self.seals.drawn()
        if seed is None:
            return UNSETTLED
        assert isinstance(self.dice, SealedDice)
        self.dice.renew(seed)
        return self.face(self.runner.pending)

    def rule(self, text: str, reason: str, *, order_is_open: bool) -> object:
        """Changes the source of dice; a waiting roll is made. order_is_open: whether a secret order is open. Raises Refused."""
        said = " ".join(text.split())
        fresh = FRESH.fullmatch(said)
        if fresh is None and said not in MANNERS:
            raise Why.NOT_UNDERSTOOD(
                f"`{said[:40]}` is not a source of dice.",
                hint="Use `seeded`, `typed`, `sealed`, or `fresh` with another seed.",
                name=said[:40],
            )
        if order_is_open:
            raise Why.NOT_NOW("A secret order is waiting for an answer.", hint="Change the dice once it is done.")
        if fresh is not None:
            if self.manner == "sealed":
                raise Why.FIXED("Sealed dice do not come from a seed.", hint="Change them to `seeded` first.")
            self.dice.seed = fresh[1]
        else:
            if said == self.manner:
                raise Why.NO_CHANGE(
                    f"The dice are already {said}.", hint=f"It can be: {', '.join(MANNERS)}.", name=said
                )
            rolled, self.manner = self.dice.rolled, said
            seed = self.dice.seed if self.seals is None else self.settings.get("seed", 0)
            self.typed, self.seals = said == "typed", None
            if said == "sealed":
                self._seal(None, str(seed), rolled, 0)
            else:
                self.dice = SeededDice(seed, rolled)
        self.world.journal.happened(DiceChanged(self.manner, reason, fresh is not None))
        if isinstance(self.runner.pending, Roll) and not self.waits():
            return self.face(self.runner.pending)
        return UNSETTLED

    @property
    def seals_awaited(self) -> tuple[Awaited, ...]:
        """Who must seal the dice that the game is waiting for. It does not reveal what they are rolled for."""
        seals = self.seals
        assert seals is not None
        titles = {side.id: str(side.f_title or side.id) for side in self.world.all_of("side")}
        found = []
        for party in seals.awaited:
            who = titles.get(party, "The umpire")
            if party in seals.lacking:
                found.append(
                    Awaited(SEAL, party, "commit", f"{who} must seal the dice by giving an anchor.", (), form="commit")
                )
            else:
                chain = seals.chains[party]
                prompt = f"The game is waiting for dice: {who} must give link {chain.used + 1} of chain {chain.name}."
                found.append(Awaited(SEAL, party, "link", prompt, (), form=f"{chain.name} {chain.used + 1}"))
        return tuple(found)
