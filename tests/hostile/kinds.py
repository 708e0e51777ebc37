"""All kinds of hostile inputs."""

from tests.hostile import brought, commands, games, post, rosters, texts

__all__ = ["ALL"]

ALL = (*texts.KINDS, *games.KINDS, *rosters.KINDS, *commands.KINDS, *post.KINDS, *brought.KINDS)
