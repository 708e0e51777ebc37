"""Explanations: how a value was computed, and a turn retold step by step."""
