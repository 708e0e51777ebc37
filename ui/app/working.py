"""The part of the app that calls the desk: in threads, whose results come back as messages."""

from collections.abc import Callable

from textual.app import App
from textual.message import Message
from textual.worker import get_current_worker

from ui.app.seat_desk import Desk, Failed, Situation
from ui.wording.explaining import ExplainedLine

__all__ = ["WorkingApp"]


class WorkingApp(App[None]):
    """An app at a desk.

    Attributes:
        desk: the campaign and the seat.
    """

    class Looked(Message):
        """The desk has a new situation."""

        def __init__(self, situation: Situation) -> None:
            super().__init__()
            self.situation = situation

    class Explained(Message):
        """The desk has explained something."""

        def __init__(self, lines: list[ExplainedLine]) -> None:
            super().__init__()
            self.lines = lines

    class Refusal(Message):
        """The desk refused something."""

        def __init__(self, failed: Failed) -> None:
            super().__init__()
            self.failed = failed

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk

    def ask(self, work: Callable[[], Situation]) -> None:
        """Let the desk do something and look."""
        self._in_thread(lambda: self.Looked(work()))

    def follow(self) -> None:
        """Let the desk look for changes by other sessions."""

        def run() -> None:
            found = self.desk.follow()
            if found is not None and not get_current_worker().is_cancelled:
                self.post_message(self.Looked(found))

        if not any(worker.group in {"desk", "follow"} and worker.is_running for worker in self.workers):
            self.run_worker(run, thread=True, group="follow", exit_on_error=False)

    def ask_why(self, what: str) -> None:
        """Let the desk explain a value or a log entry."""
        self._in_thread(lambda: self.Explained(self.desk.explain(what)))

    def action_advance(self) -> None:
        """Play on until somebody must decide."""
        self.ask(self.desk.advance)

    def action_undo(self) -> None:
        """Undo the last input."""
        self.ask(self.desk.undo)

    def action_redo(self) -> None:
        """Redo an undone input."""
        self.ask(self.desk.redo)

    def action_next_side(self) -> None:
        """Move to the seat of the next side."""
        self.ask(self.desk.next_seat)

    def action_refresh_now(self) -> None:
        """Look again."""
        self.ask(self.desk.refresh)

    def _in_thread(self, work: Callable[[], Message]) -> None:
        def run() -> None:
            worker = get_current_worker()
            message: Message
            try:
                message = work()
            except Failed as failed:
                message = self.Refusal(failed)
            except Exception as error:  # noqa: BLE001 - an input that fails must not crash the app
                what = f"This is a fault in ophex: {type(error).__name__}: {error}"
                message = self.Refusal(Failed(what, (), "Everything up to the last accepted input is recorded."))
            if not worker.is_cancelled:
                self.post_message(message)

        self.run_worker(run, thread=True, group="desk")
