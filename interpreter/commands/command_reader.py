"""Reading a typed command: which order it gives, and the value of each argument."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from dsl import ir
from dsl.data.scenario_names import fits
from dsl.ir import Type
from dsl.rules.editions import NO_LESS_THAN_NOTHING, asks
from dsl.rules.entries import entries_of
from dsl.text.phrases import an, hyphened
from dsl.text.withheld import plain
from interpreter.codegen.python_names import slot_of
from interpreter.commands.command import Command, command_of, sentence, usage
from interpreter.commands.not_in_use import module_hint
from interpreter.messages.inputs import ENDINGS
from interpreter.program.program_data import OrderProgram
from interpreter.runtime.references import without_references
from interpreter.runtime.refusals import Why
from interpreter.runtime.things import Thing, Value
from interpreter.world.namebook import Names
from interpreter.world.seat import Seat
from interpreter.world.world import World

__all__ = ["CommandReader", "orders_like"]


class CommandReader:
    """Reads commands by the names of a world. seat: of the reader of refusals."""

    def __init__(self, world: World, seat: Seat) -> None:
        self.world, self.seat = world, seat
        self.orders = world.program.orders

    def read(self, text: str, side: Thing, allowed: tuple[str, ...] | None) -> Command:
        """A typed command with its arguments settled. Raises Refused when it cannot be understood."""
        words = text.split()
        if not words:
            raise Why.NOT_UNDERSTOOD("No command was given.", hint="Use `legal` to list the orders you can give.")
        name = words[0].lower()
        if name in ENDINGS and name not in self.orders:
            raise Why.NOT_NOW(
                "No side can give orders now, so there is nothing to end.",
                hint="Use `status` to see what the game is waiting for.",
            )
        if name not in self.orders:
            near = orders_like(text, allowed or self.orders)
            other = (
                f"Did you mean {' or '.join(near)}?"
                if near
                else f"The orders are: {', '.join(sorted(allowed or self.orders))}."
            )
            hint = module_hint(self.world.ruleset, name) or other
            raise Why.UNKNOWN_NAME(f"There is no order `{words[0]}`.", hint=hint, order=words[0])
        order = self.orders[name]
        frame = self.world.frame(f"order {name}", side, None)
        rest = text.split(None, 1)[1] if len(words) > 1 else ""
        rest, frame.via = self._via(order, rest)
        for (_, param, type_, many), part in zip(order.params, self.split(order, rest), strict=True):
            try:
                setattr(frame, slot_of(param), self.value(part, type_, many))
            except ValueError as error:
                is_name = part.strip() and type_.name in {"thing", "enum", "entry"}
                kind = Why.UNKNOWN_NAME if is_name else Why.NOT_UNDERSTOOD
                longer = hyphened(plain(text), self.orders)
                hint = f"Did you mean {longer}?" if longer else f"Write it as: {usage(order)}"
                if not many and " and " in part:
                    hint = f"Put commas between several: {', '.join(part.split(' and '))}"
                raise kind(sentence(str(error)), hint=hint, order=order.name, name=part) from None
        return Command(order, frame, command_of(order, frame))

    def _via(self, order: OrderProgram, rest: str) -> tuple[str, list[Thing]]:
        """The text before `via`, and the places of the route after it."""
        found = re.search(r"\s+via\s+", rest, flags=re.IGNORECASE)
        if found is None:
            return rest, []
        if not any(isinstance(c.said, ir.Reaching) for c in order.clauses):
            raise Why.NOT_UNDERSTOOD(
                f"`{order.name}` takes no route.", hint=f"Write it as: {usage(order)}", order=order.name
            )
        places = []
        for word in re.split(r"[\s,]+", rest[found.end() :].strip()):
            place = self.world.by_label.get(word) or self.world.by_id.get(without_references(word))
            if place is None or place.index < 0:
                raise Why.UNKNOWN_NAME(
                    f"`{word}` is not a place.", hint=f"Write it as: {usage(order)}", order=order.name, place=word
                )
            places.append(place)
        return rest[: found.start()], places

    def split(self, order: OrderProgram, rest: str) -> list[str]:
        """The text of each argument, cut at the prepositions of the order in their order."""
        parts: list[str] = []
        left = re.sub(r"^of\s+", "", rest.strip(), flags=re.IGNORECASE)
        for prep, _, _, _ in order.params[1:]:
            found = re.search(rf"(?:^|\s){re.escape(prep)}\s+", left, flags=re.IGNORECASE)
            if found is None:
                raise Why.NOT_UNDERSTOOD(
                    f"`{order.name}` needs `{prep} …`.", hint=f"Write it as: {usage(order)}", order=order.name
                )
            parts.append(left[: found.start()].strip())
            left = left[found.end() :]
        parts.append(left.strip())
        if not order.params:
            if left:
                raise Why.NOT_UNDERSTOOD(
                    f"`{order.name}` takes no arguments.", hint=f"Write it as: {usage(order)}", order=order.name
                )
            return []
        return parts

    def names_in(self, text: str) -> Names:
        """Where names can occur in a typed command: in its arguments for things and places, and after `via`; anywhere if it is not an order."""
        head = re.match(r"\s*(\S+)\s*(?:of\s+)?", text, flags=re.IGNORECASE)
        order = self.orders.get(head[1].lower()) if head is not None else None
        if head is None or order is None:
            return Names(() if text.strip().lower() in ENDINGS else ((0, len(text)),))
        via = re.compile(r"\s+via\s+", re.IGNORECASE).search(text, head.end())
        at, end = head.end(), len(text) if via is None else via.start()
        spans = [] if via is None else [(via.end(), len(text))]
        for (_, _, type_, _), after in zip(order.params, [*order.params[1:], None], strict=True):
            word = re.compile(rf"(?<!\S){re.escape(after[0])}\s+", re.IGNORECASE) if after is not None else None
            found = word.search(text, at, end) if word is not None else None
            if type_.name == "thing" or (word is not None and found is None):
                spans.append((at, end if found is None else found.start()))
            if found is None:
                break
            at = found.end()
        return Names(tuple(spans), frozenset({"all", "and"}))

    def value(self, text: str, type_: Type, many: bool = False) -> Value:
        """One argument or answer. Raises ValueError with what was expected."""
        if many:
            parts = [p for p in re.split(r"\s*,\s*|\s+and\s+", text) if p]
            return list(dict.fromkeys(self.value(p, type_) for p in parts))
        word = text.strip().strip('"')
        if not word:
            raise ValueError(f"{type_} is missing")
        if type_.name == "thing":
            return self._thing(word, type_.word)
        if type_.name == "enum":
            term = self.world.ruleset.enums[type_.word].meant(word)
            if term is not None:
                return term
            raise ValueError(
                f"{word} is not {an(type_.word.rpartition('.')[2])} ({', '.join(self.world.ruleset.enums[type_.word].words)})"
            )
        if type_.name == "entry":
            return self._entry(word, type_.word)
        if type_.name == "mark":
            if word.lower() in {"yes", "no"}:
                return word.lower() == "yes"
            raise ValueError(f"{word} is neither yes nor no")
        if type_.name == "number":
            if word.startswith("-") and asks(self.world.ruleset.edition, NO_LESS_THAN_NOTHING):
                raise ValueError(f"the number in an order is 0 or more, not {word}")
            if re.fullmatch(r"-?\d{1,9}", word):
                return int(word)
            raise ValueError(f"{word} is not a whole number")
        return word

    def _entry(self, word: str, kind: str) -> str:
        """An entry of the unit lists of a kind, by its name or its title."""
        listed, low = entries_of(self.world.ruleset, kind), word.lower().replace(" ", "-")
        found = [name for name in listed if name.lower() == low]
        found = found or [n for n, cell in listed.items() if cell.get("title", "").lower().replace(" ", "-") == low]
        if len(found) != 1:
            near = difflib.get_close_matches(low, listed, 3)
            known = f"did you mean {' or '.join(near)}?" if near else ", ".join(listed)
            raise ValueError(f"{word} is not an entry of {kind} ({known})")
        return found[0]

    def _thing(self, word: str, kind: str) -> Value:
        world, meant = self.world, without_references(word)
        found = world.by_label.get(word) or world.by_id.get(meant)
        lower = meant.lower()
        if found is None:
            found = next((x for i, x in world.by_id.items() if i.lower() == lower or x.name.lower() == lower), None)
        if found is None:
            found = next((x for x in world.places if x.name.lower() == lower and x.kind == kind), None)
        if found is None or not fits(world.ruleset, found.kind, kind) or not found.alive:
            near = self._near(word, kind)
            gone = (
                f"{word} is no longer in the game"
                if found is not None and not found.alive
                else f"there is no {kind} {word}"
            )
            raise ValueError(gone + (f" (did you mean {' or '.join(near)}?)" if near else ""))
        return found

    def _near(self, word: str, kind: str) -> list[str]:
        """The reader's words for things of a kind that are spelled like an unknown one."""
        pool, said = [self.seat.told(x.label or x.id) for x in self.world.all_of(kind)], self.seat.told(word)
        alike = [one for one in pool if _closed_up(one) == _closed_up(said)]
        return alike or difflib.get_close_matches(said, pool, 3)


def orders_like(text: str, orders: Iterable[str]) -> list[str]:
    """The orders that the beginning of an unknown command is spelled like; only one if hyphens instead of blanks make it that one."""
    known, words = [*orders, "done", "answer"], plain(text).lower().split()
    if found := hyphened(plain(text), known):
        return [found]
    near = difflib.get_close_matches(words[0], known, 2)
    return near or difflib.get_close_matches("-".join(words[:2]), known, 2, 0.8)


def _closed_up(name: str) -> str:
    """A name without blanks and hyphens."""
    return re.sub(r"[\s-]+", "", name).lower()
