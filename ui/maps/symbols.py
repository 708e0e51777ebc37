"""The symbols of every map: letters and colours of terrain, letters of sides, marks of units.

A rule system chooses the names of its terrains, kinds and fields, and may say what they are drawn as (`drawn close as town`).
Otherwise the usual words of maps and of military symbols are recognized; anything else gets letters of its own.
Colour is never the only sign: each terrain and each side has a letter.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from attrs import frozen

from campaigns.views.strengths import number_field, number_of, strength_of
from dsl.text.name_words import words_of_name
from interpreter.messages.view import SideView, ThingView

__all__ = [
    "GroundLook",
    "arm_of",
    "colour_of_side",
    "echelon_of",
    "ground_of",
    "letters_for",
    "number_field",
    "number_of",
    "short_name",
    "states_shown",
    "strength_of",
    "usual_way",
]

Colour = tuple[int, int, int]


@frozen
class GroundLook:
    """How a terrain is drawn.

    Attributes:
        colour: of the terrain, as red, green and blue from 0 to 255.
        ink: for letters on it.
    """

    colour: Colour
    ink: Colour = (40, 40, 36)


GROUNDS: Mapping[str, tuple[tuple[str, ...], GroundLook]] = {
    "water": (("water", "sea", "lake", "ocean", "river", "bay", "gulf"), GroundLook((120, 164, 200), (16, 40, 72))),
    "swamp": (("swamp", "marsh", "bog", "wet"), GroundLook((132, 164, 140))),
    "woods": (("forest", "wood", "jungle", "tree"), GroundLook((112, 152, 92))),
    "mountains": (("mountain", "peak", "alpine"), GroundLook((150, 126, 104))),
    "hills": (("hill", "rough", "broken", "highland"), GroundLook((190, 168, 122))),
    "town": (("city", "urban", "town", "village", "built", "street"), GroundLook((172, 168, 164))),
    "desert": (("desert", "sand", "dune", "waste"), GroundLook((226, 208, 150))),
    "fields": (("clear", "open", "plain", "field", "grass", "land"), GroundLook((214, 214, 168))),
    "ruins": (("crater", "rubble", "ruin"), GroundLook((140, 132, 124))),
    "beach": (("beach", "coast", "shore"), GroundLook((224, 212, 172))),
}
"""How each terrain is drawn, with the usual words for it; the first with a word in the terrain's name applies."""

OTHER_GROUNDS = (
    GroundLook((204, 196, 156)),
    GroundLook((164, 184, 132)),
    GroundLook((196, 160, 132)),
    GroundLook((160, 176, 180)),
    GroundLook((184, 164, 188)),
    GroundLook((208, 184, 168)),
)
NOWHERE = GroundLook((200, 200, 196))

SIDE_COLOURS: Mapping[str, Colour] = {
    "red": (176, 44, 40),
    "blue": (36, 76, 160),
    "green": (44, 112, 60),
    "yellow": (212, 176, 32),
    "orange": (208, 112, 24),
    "purple": (112, 60, 144),
    "brown": (116, 76, 44),
    "grey": (104, 104, 108),
    "gray": (104, 104, 108),
    "black": (44, 44, 48),
    "white": (232, 232, 232),
    "pink": (212, 112, 148),
    "teal": (24, 120, 124),
    "cyan": (40, 144, 168),
}
OTHER_SIDES = ("blue", "red", "green", "orange", "purple", "teal")

ARMS: Mapping[str, tuple[str, ...]] = {
    "headquarters": ("headquarters", "hq", "command", "staff"),
    "engineers": ("engineer", "engineers", "sapper", "pioneer"),
    "air-defence": ("air-defence", "air-defense", "anti-aircraft", "antiaircraft", "sam"),
    "artillery": ("artillery", "gun", "guns", "battery", "mortar", "rocket"),
    "air": ("air", "aircraft", "helicopter", "fighter", "bomber", "flight"),
    "airborne": ("airborne", "parachute", "para"),
    "reconnaissance": ("recon", "reconnaissance", "scout", "cavalry"),
    "mechanized": ("mechanized", "mechanised", "motorized", "motorised"),
    "armor": ("armor", "armour", "armored", "armoured", "tank", "tanks", "panzer"),
    "supply": ("supply", "transport", "truck", "convoy", "depot", "logistics"),
    "infantry": ("infantry", "foot", "rifle", "militia", "marine", "marines", "trooper", "troopers", "squad"),
}
"""The arms that military symbols are drawn for, with the words for them."""

SIZES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "army-group": ("XXXXX", ("army-group",)),
    "army": ("XXXX", ("army",)),
    "corps": ("XXX", ("corps",)),
    "division": ("XX", ("division",)),
    "brigade": ("X", ("brigade",)),
    "regiment": ("III", ("regiment",)),
    "battalion": ("II", ("battalion", "squadron")),
    "company": ("I", ("company", "battery")),
    "platoon": ("•••", ("platoon", "troop")),
    "section": ("••", ("section",)),
    "squad": ("•", ("squad",)),
}
"""The marks of size, with the words for them."""

WAYS = {"road": "=", "highway": "=", "track": "-", "trail": "-", "path": "-", "rail": "#", "river": "~", "stream": "~"}
"""The signs of links, by the usual words for them."""
CROSSED = "crossed"
"""The drawing of a state that takes a thing out of action: a line across its counter."""
DRAWINGS = (*GROUNDS, *WAYS, *ARMS, *SIZES, CROSSED)
"""What rules can have a word drawn as."""

Drawn = Mapping[str, tuple[str, ...]]
"""What words of the rules are drawn as, if the rules say so."""


def ground_of(name: str, known: Iterable[str] = (), drawn: Drawn = MappingProxyType({})) -> GroundLook:
    """How a terrain is drawn.

    Args:
        name: its name; empty for a place without terrain.
        known: all terrains of the map, so that no two of them look alike.
        drawn: what the rules say about words; for others their usual meaning applies.
    """
    if not name:
        return NOWHERE
    usual = _usual_ground(name, drawn)
    kin = sorted({one for one in (*known, name) if one and _usual_ground(one, drawn) == usual}, key=_density)
    if not usual:
        return OTHER_GROUNDS[kin.index(name) % len(OTHER_GROUNDS)]
    ground = GROUNDS[usual][1]
    if len(kin) == 1:
        return ground
    red, green, blue = (
        min(255, round(part * (1.1 - 0.28 * kin.index(name) / (len(kin) - 1)))) for part in ground.colour
    )
    return GroundLook((red, green, blue), ground.ink)


def usual_way(name: str, drawn: Drawn) -> str:
    """Which of WAYS a link or a border is, according to the rules or its own words; empty for none."""
    said = [one for word in name.split() for one in drawn.get(word, ())]
    return next((way for way in WAYS if way in said), "") or next((way for way in WAYS if way in name), "")


def _usual_ground(name: str, drawn: Drawn) -> str:
    """Which of GROUNDS a terrain is, according to the rules or its own words; empty for none."""
    said = next((one for one in drawn.get(name, ()) if one in GROUNDS), "")
    return said or next((ground for ground, (words, _) in GROUNDS.items() if any(word in name for word in words)), "")


def _density(name: str) -> tuple[int, str]:
    """Terrains of one row from the lightest to the darkest, by their words."""
    thin, dense = ("light", "sparse", "low", "small"), ("heavy", "dense", "deep", "thick", "high", "jungle")
    return any(word in name for word in dense) - any(word in name for word in thin), name


def letters_for(names: Iterable[str], *, upper: bool = False) -> dict[str, str]:
    """One letter for each name, none twice: an initial if it is free, otherwise another letter of the name, otherwise a digit.

    >>> letters_for(["open", "rough", "orchard"])
    {'open': 'o', 'rough': 'r', 'orchard': 'c'}
    >>> letters_for(["10th Motorised Division", "181st Rifle Division"], upper=True)
    {'10th Motorised Division': 'M', '181st Rifle Division': 'R'}
    """
    found: dict[str, str] = {}
    spare = iter("xyzqwvjkabcdefghilmnoprstu0123456789" * 4)
    for name in names:
        initials = re.findall(r"\b[^\W\d_]", name)
        for letter in (*initials, *re.findall(r"[^\W\d_]", name), *re.findall(r"\d", name), *spare):
            shown = letter.upper() if upper else letter.lower()
            if shown not in found.values():
                found[name] = shown
                break
        else:
            found[name] = "?"
    return found


def colour_of_side(side: SideView, place: int) -> Colour:
    """The colour of a side's counters; `place` is its place among the sides, for sides that name no colour."""
    return SIDE_COLOURS.get(side.colour.lower()) or SIDE_COLOURS[OTHER_SIDES[place % len(OTHER_SIDES)]]


def short_name(thing: ThingView, width: int) -> str:
    """A thing's name in at most `width` cells: whole, without its marks, or cut before its number."""
    name = thing.id
    if len(name) <= width:
        return name
    plain = re.sub(r"[^\w]", "", name)
    digits = re.search(r"\d*$", plain)
    number = digits.group()[-width:] if digits else ""
    return f"{plain.removesuffix(number)[: width - len(number)]}{number}" if len(plain) > width else plain


def arm_of(thing: ThingView, drawn: Drawn = MappingProxyType({})) -> str:
    """The arm whose symbol fits a thing, according to the rules for its words, or the words themselves; empty if none does."""
    return _told((thing.template, *thing.fields.values(), thing.kind), ARMS, drawn)


def echelon_of(thing: ThingView, drawn: Drawn = MappingProxyType({})) -> str:
    """The mark of a thing's size, determined like its arm; empty if unknown."""
    size = _told((thing.kind, thing.template), {name: words for name, (_, words) in SIZES.items()}, drawn)
    return SIZES[size][0] if size else ""


def states_shown(thing: ThingView, drawn: Drawn = MappingProxyType({})) -> tuple[str, ...]:
    """The states that cross a thing's counter out, if the rules say so: words that its fields hold, and its marks."""
    held = ((name if value == "yes" else value) for name, value in thing.fields.items())
    return tuple(dict.fromkeys(word for word in held if CROSSED in drawn.get(word, ())))


def _told(said: Iterable[str], usual: Mapping[str, tuple[str, ...]], drawn: Drawn) -> str:
    """The first of some drawings that a word tells. usual: the words that tell each of them by themselves.

    The first text that tells any decides; in it, what the rules say of the text, then of a word in it, then the usual words.
    """
    for text in said:
        words = words_of_name(text)
        declared = (one for word in (text.lower(), *sorted(words)) for one in drawn.get(word, ()) if one in usual)
        guessed = (name for name, tells in usual.items() if not words.isdisjoint(tells))
        if told := next(declared, "") or next(guessed, ""):
            return told
    return ""
