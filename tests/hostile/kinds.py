"""All kinds of hostile inputs."""

from tests.hostile import commands, games, rosters, texts

__all__ = ["ALL"]

ALL = (*texts.KINDS, *games.KINDS, *rosters.KINDS, *commands.KINDS)
