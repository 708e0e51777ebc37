"""Where dice come from: the seed, the table, or the seals of all parties; and how the umpire changes it in a running game.

roll   text: `7 8`, each die of a roll `6+4`, `seeded` for a throw that comes from the seed, `rest` at the end for all until
       somebody decides something again
seal   text: an anchor or a link (`seals.py`); side: whose
dice   text: `typed`, `seeded`, `sealed`, or `fresh SEED`; subject: the reason
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from interpreter.asking import UNSETTLED, Roll
from interpreter.dice import BY_SEED, REST, SeededDice, Throw, read_dice
from interpreter.inputs import SEAL, Awaited, Input, Refused
from interpreter.seals import SealedDice, Seals, read_link

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.world import World

__all__ = ["DICE", "BadFace", "Throwing"]

DICE = "dice"
"""The kind of an input that changes where dice come from."""
MANNERS = ("seeded", "typed", "sealed")
FRESH = re.compile(r"fresh ([\w.-]{1,80})")


class BadFace(Exception):
    """A typed die shows what cannot come up."""


class Throwing:
    """The part of the machine that throws dice."""

    world: World
    settings: dict[str, Any]
    dice: SeededDice
    typed: bool
    seals: Seals | None = None
    _pending: Any
    _given: list[Throw]
    _open_order: Any
    _aside: tuple[Any, ...]
    _manner = ""

    def _tell_roll(self, item: Roll, face: int) -> None:
        raise NotImplementedError

    def _begin_dice(self, data: Mapping[str, Any] | None) -> None:
        """Makes the dice as the settings say, or as they were when a snapshot was taken."""
        held = (data or {}).get("dice") or {}
        rolled = (data or {}).get("rolled", 0)
        self._manner = str(held.get("manner") or self.settings.get("dice", "seeded"))
        seed = held.get("seed", self.settings.get("seed", 0))
        self.typed, self.seals = self._manner == "typed", None
        if self._manner == "sealed":
            self._seal(held.get("seals"), str(seed), rolled, int(held.get("since", 0)))
        else:
            self.dice = SeededDice(seed, rolled)
        self._given = []

    def _seal(self, data: Any, seed: str, rolled: int, since: int) -> None:
        parties = [*(side.id for side in self.world.all_of("side")), "umpire"]
        self.seals = Seals(parties, str(self.settings.get("seed", 0)), data)
        self.dice = SealedDice(seed, rolled, since)

    def _dice_data(self) -> dict[str, Any]:
        """Where dice come from, where it is not what the settings say once and for all."""
        if isinstance(self.dice, SealedDice) and self.seals is not None:
            sealed = {"seals": self.seals.state(), "since": self.dice.since}
            return {"dice": {"manner": self._manner, "seed": self.dice.seed, **sealed}}
        begun = str(self.settings.get("seed", 0)), self.settings.get("dice", "seeded")
        if (str(self.dice.seed), self._manner) == begun:
            return {}
        return {"dice": {"manner": self._manner, "seed": str(self.dice.seed)}}

    @property
    def manner(self) -> str:
        """Where dice come from: seeded, typed or sealed."""
        return self._manner

    # ---- throwing
    def _waits_for_dice(self) -> bool:
        """Whether a roll must be given, or sealed, before it can be made."""
        if self.typed:
            return not self._given
        return self.seals is not None and self.seals.stale

    def _face(self, item: Roll) -> int:
        dice = read_dice(item.dice)
        by_seed = self.typed and self._given[0] in {BY_SEED, REST}
        if by_seed or not self.typed:
            if by_seed and self._given[0] == BY_SEED:
                self._given.pop(0)
            face = self.dice.roll(dice)
        else:
            throw = self._given.pop(0)
            assert not isinstance(throw, str)
            try:
                face = dice.total(throw)
            except Refused as error:
                raise BadFace(str(error)) from None
        self._tell_roll(item, face)
        return face

    def _decided(self, given: Input) -> None:
        """Notes that an input was taken: dice that nobody has thrown yet fall after it."""
        if self.seals is not None and given.kind != SEAL:
            self.seals.void()

    def _thrown(self) -> None:
        """Notes that somebody is awaited: the rest of the dice does not come from the seed any longer."""
        self._given = [throw for throw in self._given if throw != REST]

    # ---- inputs
    def _read_seal(self, given: Input) -> Any:
        """Takes an anchor or a link; where it is the last one that was awaited, the dice fall."""
        if self.seals is None:
            raise Refused(
                "The dice of this campaign are not sealed.", hint="`ophex dice` changes where they come from."
            )
        party = next((name for name in self.seals.parties if name.lower() == given.side.lower()), None)
        if party is None:
            raise Refused(f"There is no side {given.side}.", hint=f"Who seals: {', '.join(self.seals.parties)}.")
        if read_link(given.text) is None:
            chain = self.seals.commit(party, given.text)
            self.world.journal.happened(
                "seal", f"{party} seals its dice: chain {chain.name} of {chain.links} links, anchor {chain.anchor}.",
                chain=chain.name, anchor=chain.anchor, links=chain.links, party=party,
            )  # fmt: skip
            return UNSETTLED
        if not isinstance(self._pending, Roll) or self.typed:
            raise Refused("No dice are awaited.", hint="A link is given when dice are to fall, and not before.")
        link = self.seals.take(party, given.text)
        self.world.journal.happened(
            "seal", f"{party} gives link {link.index} of its chain {link.chain}.",
            chain=link.chain, index=link.index, link=link.link, party=party,
        )  # fmt: skip
        seed = self.seals.drawn()
        if seed is None:
            return UNSETTLED
        assert isinstance(self.dice, SealedDice)
        self.dice.renew(seed)
        return self._face(self._pending)

    def _rule_dice(self, text: str, reason: str) -> Any:
        """Changes where dice come from. Raises Refused."""
        said = " ".join(text.split())
        fresh = FRESH.fullmatch(said)
        if fresh is None and said not in MANNERS:
            raise Refused(
                f"Dice are not thrown by `{said[:40]}`.", hint="Say seeded, typed, sealed, or fresh with another seed."
            )
        if self._open_order is not None or self._aside:
            raise Refused("A secret order waits for an answer.", hint="Change the dice when it is done.")
        if fresh is not None:
            if self._manner == "sealed":
                raise Refused("Sealed dice come from nobody's seed.", hint="Change them to seeded first.")
            self.dice.seed = fresh[1]
            told = "The dice come from another seed from now on"
        else:
            if said == self._manner:
                raise Refused(f"The dice are {said} already.", hint=f"They can be: {', '.join(MANNERS)}.")
            rolled, self._manner = self.dice.rolled, said
            seed = self.dice.seed if self.seals is None else self.settings.get("seed", 0)
            self.typed, self.seals = said == "typed", None
            if said == "sealed":
                self._seal(None, str(seed), rolled, 0)
            else:
                self.dice = SeededDice(seed, rolled)
            told = {"typed": "Dice of the table are thrown", "seeded": "The dice come from the seed"}.get(
                said, "The dice are sealed by all"
            ) + " from now on"
        self.world.journal.happened("dice", f"The umpire rules: {told}: {reason}.", manner=self._manner, reason=reason)
        if isinstance(self._pending, Roll) and not self._waits_for_dice():
            return self._face(self._pending)
        return UNSETTLED

    @property
    def seals_awaited(self) -> tuple[Awaited, ...]:
        """Who is to seal the dice that are awaited. It says nothing of what they are thrown for."""
        seals = self.seals
        assert seals is not None
        titles = {side.id: str(side.f_title or side.id) for side in self.world.all_of("side")}
        found = []
        for party in seals.awaited:
            who = titles.get(party, "The umpire")
            if party in seals.lacking:
                found.append(
                    Awaited(SEAL, party, "commit", f"{who} seals the dice: it gives an anchor.", (), form="commit")
                )
            else:
                chain = seals.chains[party]
                prompt = f"Dice are awaited: {who} gives link {chain.used + 1} of its chain {chain.name}."
                found.append(Awaited(SEAL, party, "link", prompt, (), form=f"{chain.name} {chain.used + 1}"))
        return tuple(found)
