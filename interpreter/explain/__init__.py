"""Explanations: how a value came about, and a turn retold step by step."""
