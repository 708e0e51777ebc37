"""Automated sides: policies that give orders, answer questions and roll dice, for trials of rules and for absent players."""
