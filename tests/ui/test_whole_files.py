"""Files that are written in full or not at all (`ui/cli/whole.py`)."""

import errno
from pathlib import Path

import pytest

from ui.cli.whole import put


def test_where_nothing_can_be_written_the_message_names_the_file_asked_for(tmp_path, monkeypatch):
    """On a read-only disk the removal of the draft failed as well, and its name was reported."""

    def fail(self, *_, **__):
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    monkeypatch.setattr(Path, "write_bytes", fail)
    monkeypatch.setattr(Path, "unlink", fail)
    with pytest.raises(OSError, match="Read-only") as error:
        put(tmp_path / "x.json", "{}")
    assert error.value.filename == str(tmp_path / "x.json")
