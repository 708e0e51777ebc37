"""Files of a system that are not rule text: pipes are not waited for, endless files are not read, names that are not text are refused."""

import os

import pytest

from campaigns.file.errors import CampaignError
from campaigns.library.reading_files import data_of
from campaigns.library.rule_files import read_file
from campaigns.library.rule_texts import load_path


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.rules")
    with pytest.raises(CampaignError, match="is not a file"):
        data_of(tmp_path / "a.rules")
    (tmp_path / "b.rules").write_text("value v:\n  1\n")
    assert load_path(str(tmp_path / "b.rules")).declarations


def test_an_endless_file_is_not_read(tmp_path):
    with (tmp_path / "a.rules").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(CampaignError, match=r"longer than 8,000,000 bytes"):
        read_file(tmp_path / "a.rules", tmp_path)
    (tmp_path / "catalog.toml").symlink_to(tmp_path / "a.rules")
    (tmp_path / "b.rules").write_text("value v:\n  1\n")
    with pytest.raises(CampaignError, match=r"longer than 8,000,000 bytes"):
        load_path(str(tmp_path))


def test_a_name_that_is_no_text(tmp_path):
    file = os.fsencode(tmp_path) + b"/\xff.rules"
    with open(file, "wb") as out:  # noqa: PTH123 - no path of text has this name
        out.write(b"value v:\n  1\n")
    with pytest.raises(CampaignError, match=r"The name of .*udcff.rules is not valid UTF-8"):
        load_path(str(tmp_path))
