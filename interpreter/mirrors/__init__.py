"""Fog of war: for each side a mirror of the world without what that side may not know."""
