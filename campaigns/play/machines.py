"""What a campaign needs of a running game, and who makes one. Nothing here knows files, or how rules are written."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from campaigns.file.history import Document
from interpreter.messages.inputs import Awaited, Event, Input

__all__ = ["M", "Machine", "Starter", "heard", "in_own_words", "is_spent"]


class Machine(Protocol):
    """What a campaign requires of a running game; `interpreter.machine.Game` is one."""

    @property
    def awaiting(self) -> tuple[Awaited, ...]:
        """What the game waits for."""

    def offer(self, given: Input, /) -> tuple[Event, ...]:
        """Accept an input, or raise Refused and change nothing."""

    def digest(self) -> str:
        """The digest of the state; equal states have equal digests, in every process."""

    def snapshot(self) -> bytes | None:
        """The state as bytes that a starter can start from, or None if it cannot be written now."""


M = TypeVar("M", bound=Machine)
M_co = TypeVar("M_co", bound=Machine, covariant=True)


class Starter(Protocol[M_co]):
    """Makes a machine from the texts and settings of a campaign."""

    def __call__(self, documents: tuple[Document, ...], settings: Mapping[str, Any], snapshot: bytes | None, /) -> M_co:
        """A machine at the beginning of the campaign, or in the state of a snapshot from such a machine."""


def in_own_words(machine: Machine, given: Input) -> Input:
    """An input for an absent side as that side would write it, if the machine has separate words for its sides."""
    own: Callable[[Input], Input] | None = getattr(machine, "in_own_words", None)
    return given if own is None or given.kind != "deadline" else own(given)


def heard(machine: Machine, given: Input) -> Input:
    """The input of a side as the machine may read it, if the machine knows what its sides may name."""
    typed: Callable[[Input], Input] | None = getattr(machine, "as_typed", None)
    return given if typed is None else typed(given)


def is_spent(machine: Machine, given: Input) -> bool:
    """Whether an input only says what the one before caused automatically, if the machine knows of such inputs."""
    spend: Callable[[Input], bool] | None = getattr(machine, "spend", None)
    return spend is not None and spend(given)
