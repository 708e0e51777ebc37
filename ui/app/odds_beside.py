"""Odds beside a question or a typed order. Another ophex process computes them, as the seat may know them, so that no key waits."""

import asyncio
import sys
from contextlib import suppress

__all__ = ["Bookmaker"]

START = "import os; getattr(os, 'nice', int)(10); from ui.main import main; raise SystemExit(main())"
SECONDS = 5
"""The time limit for one command."""
MOST_BYTES = 100_000


class Bookmaker:
    """Computes odds in the current situation of a campaign file.

    Attributes:
        file: the campaign file.
        patience: how many seconds nothing must change before odds are computed.
    """

    def __init__(self, file: str, patience: float = 0.7) -> None:
        self.file, self.patience = file, patience

    async def tell(self, side: str, command: str = "") -> list[str]:
        """The odds of a side's command, or of its open question; empty if there are none. Cancelling stops the work."""
        line = [
            "odds",
            self.file,
            "--as",
            side,
            "--brief",
            "--seconds",
            str(SECONDS),
            *(["--", command] if command else []),
        ]
        work = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-c", START, *line,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            said, _ = await work.communicate()
        finally:
            if work.returncode is None:
                with suppress(ProcessLookupError):
                    work.kill()
                await work.wait()
        return [] if work.returncode else said[:MOST_BYTES].decode(errors="replace").splitlines()
