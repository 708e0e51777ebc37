"""Events are part of the keys by which odds recognize states they have visited: all of them can be hashed."""

import attrs

from interpreter.messages import happenings
from interpreter.messages.happening import Happening
from interpreter.messages.happenings import OrderGiven
from interpreter.outcomes.standing_keys import _keyed


def test_every_kind_of_event_can_be_hashed():
    kinds = [x for x in vars(happenings).values() if isinstance(x, type) and issubclass(x, Happening)]
    assert len(kinds) > 10
    for kind in kinds:
        for field in attrs.fields(kind):
            assert field.hash is not None or not str(field.type).count("dict["), (kind, field.name)


def test_an_order_with_its_arguments_is_a_key():
    one = OrderGiven("attack", {"u": ("p",)}, "red", "attack c with p")
    assert {one: 1}[OrderGiven("attack", {"u": ("p",)}, "red", "attack c with p")] == 1
    assert one != OrderGiven("attack", {"u": ("q",)}, "red", "attack c with q")


def test_what_holds_something_without_a_hash_is_equal_to_itself_alone():
    @attrs.frozen
    class Held:
        names: dict[str, int]

    one, other = Held({"a": 1}), Held({"a": 1})
    assert {_keyed(one): 1}.get(_keyed(one)) == 1
    assert _keyed(other) != _keyed(one)
