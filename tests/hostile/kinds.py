"""All kinds of hostile inputs."""

from tests.hostile import commands, games, texts

__all__ = ["ALL"]

ALL = (*texts.KINDS, *games.KINDS, *commands.KINDS)
