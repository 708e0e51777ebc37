"""Which errors are messages to people. They are recognized by their fields, so that none of the packages that raise them is imported."""

__all__ = ["ROOMS", "is_for_people"]

ROOMS = ("dsl", "interpreter", "campaigns", "ui")


def is_for_people(error: BaseException) -> bool:
    """Whether one of our rooms raised it as a message: it carries a `message`, or draws itself (`render`)."""
    room = type(error).__module__.partition(".")[0]
    return room in ROOMS and (hasattr(error, "message") or hasattr(error, "render"))
