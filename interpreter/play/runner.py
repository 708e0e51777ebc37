"""The runner: it runs a routine of the rules from one prompt to the next. Games and examples use the same runner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import GeneratorType

from interpreter.messages.asking import UNSETTLED, Pending, Run
from interpreter.runtime.frames import Frame
from interpreter.runtime.runtime import Halt, RuleTrouble
from interpreter.runtime.trouble import ENDLESS

__all__ = ["MOST_STEPS", "Runner", "chain_of", "frames_in"]

MOST_STEPS = 200_000
"""With more rolls and questions than this without an input, the rules are taken to be endless."""
RUN_INTO = (
    RuleTrouble, AttributeError, TypeError, ValueError, LookupError, ArithmeticError, Halt, RecursionError,
)  # fmt: skip
"""What emitted rules may run into."""


class Runner:
    """Runs routines. run: the one that runs; pending: what it is waiting for, None if it has finished.

    supply: the answer to what it is waiting for, if it is available; UNSETTLED if an input is needed.
    failure: converts an error of the rules for people; None to pass it on unchanged.
    """

    def __init__(
        self, supply: Callable[[Pending], object], failure: Callable[[Exception], Exception] | None = None
    ) -> None:
        self.supply, self.failure = supply, failure
        self.run: Run | None = None
        self.pending: Pending | None = None
        self.beneath: list[tuple[Run | None, Pending | None]] = []

    def set_up(self, run: Run) -> None:
        """Prepares a routine in place of the one that ran."""
        self.run, self.pending = run, None

    def drop(self) -> None:
        """Drops the suspended routines permanently."""
        self.beneath.clear()
        if self.pending is not None:
            self.run = self.pending = None

    def start(self, run: Run) -> None:
        """Runs a routine from its beginning."""
        self.run = run
        self.go_on(None)

    def interpose(self, run: Run) -> None:
        """Runs a routine while another is suspended; that one continues when this one is over."""
        self.beneath.append((self.run, self.pending))
        self.start(run)

    def go_on(self, answer: object) -> None:
        """Continues with an answer until an input is needed, or nothing runs any longer."""
        self._send(answer)
        self.feed()

    def feed(self) -> None:
        """Supplies available answers until one is missing."""
        steps = 0
        while self.pending is not None and (answer := self.supply(self.pending)) is not UNSETTLED:
            steps += 1
            if steps > MOST_STEPS:
                trouble = RuleTrouble(ENDLESS)
                raise trouble if self.failure is None else self.failure(trouble)
            self._send(answer)

    def _send(self, answer: object) -> None:
        assert self.run is not None
        try:
            self.pending = self.run.send(answer)
        except StopIteration:
            self.run, self.pending = self.beneath.pop() if self.beneath else (None, None)
        except RUN_INTO as error:
            if self.failure is None:
                raise
            raise self.failure(error) from error


def chain_of(run: object) -> Iterator[GeneratorType[object, object, object]]:
    """The suspended generators, outermost first."""
    while isinstance(run, GeneratorType) and run.gi_frame is not None:
        yield run
        run = run.gi_yieldfrom


def frames_in(run: Run | None) -> Iterator[Frame]:
    """The frames of the suspended routines, outermost first."""
    for one in chain_of(run):
        assert one.gi_frame is not None
        frame = one.gi_frame.f_locals.get("F")
        if frame is not None:
            yield frame
