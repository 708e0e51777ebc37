"""Which errors are messages to people. They are recognized by their fields, so that none of the packages that raise them is imported."""

__all__ = ["ROOMS", "is_for_people"]

ROOMS = ("dsl", "interpreter", "campaigns", "ui")


def is_for_people(error: BaseException) -> bool:
    """Whether one of our packages raised it as a message: it has a `message`, or a `render` method."""
    room = type(error).__module__.partition(".")[0]
    return room in ROOMS and (hasattr(error, "message") or hasattr(error, "render"))
