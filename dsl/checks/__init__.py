"""What is said of a whole system: what nothing uses, what nobody can reach, what is not cited; and small changes of it."""
