r"""Sealed dice: every side and the umpire has a share in each roll, and none of them can choose it.

Each party draws a secret and makes a chain of it: the last link is the hash of the secret, every other link the hash of
the one after it. The hash of the first link is the *anchor*. The anchors are published before any roll. They bind
each party to all its links without revealing one of them. For a roll each party gives its next link. Anyone who has the link
before can check it, and the dice are drawn from the hash of all links together. So one anchor serves as many rolls as the chain
has links.

    link N   = sha256("ophex seal\n" + secret)          all as hexadecimal digits
    link n-1 = sha256("ophex seal\n" + link n)
    anchor   = link 0
    a throw  = sha256("ophex throw\n" + salt + "\n" + lines "PARTY INDEX LINK", sides in their order, the umpire last)

The umpire gives their link after all sides, so no side can know the result while it could still hold back. Links are valid for
the dice that are rolled before the next decision. Other inputs in between make them void. docs/trust.md explains what this
proves and what it does not.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from interpreter.messages.json_data import JsonObject
from interpreter.runtime.die_rolls import DiceExpression, SeededDice
from interpreter.runtime.refusals import Why

__all__ = ["MOST_LINKS", "Chain", "SealedDice", "Seals", "anchor_of", "link_of", "read_link"]

MOST_LINKS = 100_000
"""The most links of a chain."""
NAMED = 12
"""The number of digits of its anchor that name a chain."""
COMMIT = re.compile(r"commit ([0-9a-f]{64}) ([1-9]\d{0,5})")
LINK = re.compile(rf"([0-9a-f]{{{NAMED}}}) ([1-9]\d{{0,5}}) ([0-9a-f]{{64}})( for ([0-9a-f]{{8,64}}))?")


def _next(text: str) -> str:
    return hashlib.sha256(f"ophex seal\n{text}".encode()).hexdigest()


def link_of(secret: str, links: int, index: int) -> str:
    """A link of the chain of a secret, given the number of its links; link 0 is the anchor."""
    link = _next(secret)
    for _ in range(links - index):
        link = _next(link)
    return link


def anchor_of(secret: str, links: int) -> str:
    """The anchor of the chain of a secret."""
    return link_of(secret, links, 0)


@attrs.frozen
class Chain:
    """The known part of a party's chain. used: the index of the last link that was given; link: that link, or the anchor."""

    anchor: str
    links: int
    used: int
    link: str

    @property
    def name(self) -> str:
        """Its name."""
        return self.anchor[:NAMED]


@attrs.frozen
class Link:
    """A written link: the name of its chain, its index, the link, and the hash of the entry for which it is given, or ""."""

    chain: str
    index: int
    link: str
    asked: str = ""


def read_link(text: str) -> Link | None:
    """The link in an input; None if it has none."""
    found = LINK.fullmatch(" ".join(text.lower().split()))
    return Link(found[1], int(found[2]), found[3], found[5] or "") if found else None


class SealedDice(SeededDice):
    """Dice that are drawn from the links of all parties: the n-th roll since they were given depends on them and n alone.

    since: the number of rolls since then.
    """

    def __init__(self, seed: int | str, rolled: int = 0, since: int = 0) -> None:
        super().__init__(seed, rolled)
        self.since = since

    def renew(self, seed: str) -> None:
        """Draw from other links from now on."""
        self.seed, self.since = seed, 0

    def roll(self, dice: DiceExpression) -> int:
        """The total of the next roll."""
        self.own = []
        at, self.since = self.since, self.since + 1
        self.rolled += 1
        return dice.plus + sum(self._face(dice.faces, f"{at}.{number}") for number in range(dice.count))


class Seals:
    """The chains of all parties, and the links given for the next roll.

    parties: the ids of the sides in their order, and the umpire's last. stale: whether links must be given before dice are rolled.
    """

    def __init__(self, parties: Sequence[str], salt: str, data: Mapping[str, Any] | None = None) -> None:
        self.parties, self.salt = tuple(parties), salt
        self.chains: dict[str, Chain] = {}
        self.given: dict[str, Link] = {}
        self.stale = True
        if data is not None:
            self.chains = {party: Chain(*row) for party, row in data["chains"].items()}
            self.given = {party: Link(*row) for party, row in data["given"].items()}
            self.stale = bool(data["stale"])

    def state(self) -> JsonObject:
        """It as data."""
        return {
            "chains": {party: list(attrs.astuple(chain)) for party, chain in sorted(self.chains.items())},
            "given": {party: list(attrs.astuple(link)) for party, link in sorted(self.given.items())},
            "stale": self.stale,
        }

    @property
    def lacking(self) -> list[str]:
        """The parties without a chain, or with one that is used up."""
        return [party for party in self.parties if not self._is_ready(party)]

    @property
    def awaited(self) -> list[str]:
        """Who must give something before dice are rolled: an anchor, then a link, the umpire after all sides."""
        if self.lacking:
            return self.lacking
        missing = [party for party in self.parties if party not in self.given]
        return missing if len(missing) <= 1 else missing[:-1] if missing[-1] == self.parties[-1] else missing

    def void(self) -> None:
        """Somebody has decided something: links given for the next roll become void."""
        self.given, self.stale = {}, True

    def commit(self, party: str, text: str) -> Chain:
        """Take an anchor. Raises Refused."""
        found = COMMIT.fullmatch(" ".join(text.lower().split()))
        if found is None or int(found[2]) > MOST_LINKS:
            raise Why.NOT_UNDERSTOOD(
                "This is neither an anchor nor a link.",
                hint="Use the line that `ophex secret` prints: `commit …`, or a chain, a number and a link.",
            )
        if self.given:
            raise Why.CLOSED(
                "Some links for this roll have already been given.", hint="Give an anchor before or after it."
            )
        if self._is_ready(party):
            raise Why.NO_CHANGE(
                f"The dice of {party} are already sealed.",
                hint=f"Its chain is {self.chains[party].name}.",
                side=party,
                name=self.chains[party].name,
            )
        if any(chain.anchor == found[1] for chain in self.chains.values()):
            raise Why.NO_CHANGE(
                "This anchor is already in use.",
                hint="Every side draws its own secret, and a new one for every new chain.",
            )
        self.chains[party] = Chain(found[1], int(found[2]), 0, found[1])
        return self.chains[party]

    def take(self, party: str, text: str) -> Link:
        """Take a link for the next roll. Raises Refused."""
        link = read_link(text)
        assert link is not None
        if self.lacking:
            raise Why.NOT_NOW(
                f"The dice are not sealed yet: {' and '.join(self.lacking)} must give an anchor.",
                hint="`ophex secret FILE --new` makes an anchor.",
                sides=list(self.lacking),
            )
        chain = self.chains[party]
        if party in self.given:
            raise Why.CLOSED(
                f"{party} has already given its link for this roll.", hint="Wait for the others.", side=party
            )
        if party not in self.awaited:
            raise Why.NOT_NOW(
                "The umpire gives a link only after all sides have.",
                hint=f"Wait for: {', '.join(self.awaited)}.",
                sides=list(self.awaited),
            )
        if link.chain != chain.name:
            raise Why.UNKNOWN_NAME(
                f"The chain of {party} is {chain.name}, not {link.chain}.",
                hint="Check that you use the right secret.",
                side=party,
                name=link.chain,
            )
        if not chain.used < link.index <= chain.links:
            raise Why.OUT_OF_BOUNDS(
                f"You cannot give link {link.index}: {party} has already given link {chain.used} of {chain.links}.",
                hint=f"Give link {chain.used + 1}.",
                side=party,
                number=link.index,
                least=chain.used + 1,
                most=chain.used + 1,
            )
        walked = link.link
        for _ in range(link.index - chain.used):
            walked = _next(walked)
        if walked != chain.link:
            raise Why.NOT_UNDERSTOOD(
                f"This is not link {link.index} of the chain of {party}.",
                hint="Check it for typing errors.",
                side=party,
                number=link.index,
            )
        self.chains[party] = attrs.evolve(chain, used=link.index, link=link.link)
        self.given[party] = link
        return link

    def drawn(self) -> str | None:
        """The seed for the next dice, once all links are given; it is then used up. None before."""
        if len(self.given) < len(self.parties):
            return None
        lines = [f"{party} {self.given[party].index} {self.given[party].link}" for party in self.parties]
        self.given, self.stale = {}, False
        return hashlib.sha256("\n".join(["ophex throw", self.salt, *lines]).encode()).hexdigest()

    def _is_ready(self, party: str) -> bool:
        return party in self.chains and self.chains[party].used < self.chains[party].links
