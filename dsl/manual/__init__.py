"""The handbook that is made of a system's rules, as data; pages are made of it in `ui/`. Nothing in the language needs it."""
