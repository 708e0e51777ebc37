"""Reading the files of a system, which strangers may have written: pipes are not waited for, and endless files are not read."""

from pathlib import Path

from campaigns.file.errors import CampaignError

__all__ = ["data_of"]

MOST_READ = 8_000_000
"""How many bytes of a file are read: no valid rule text is longer, in any script."""


def data_of(path: Path) -> bytes:
    """The bytes of a rule file or a catalog.

    Raises:
        CampaignError: it is not a file, cannot be read, or is too long.
    """
    hint = "Name a rule file or the folder of a rule system."
    if path.exists() and not path.is_file():  # reading a pipe would wait
        raise CampaignError(f"{path} is not a file.", hint)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_READ + 1)
    except OSError as error:
        raise CampaignError(f"{path} cannot be read: {error.strerror}.", hint) from None
    if len(data) > MOST_READ:
        raise CampaignError(f"{path} is longer than {MOST_READ:,} bytes.", "Split it into several files.")
    return data
