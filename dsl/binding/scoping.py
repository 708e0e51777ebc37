"""What a word means in a scope: a local name, a name of a running procedure, a field of the campaign, the running phase."""

from __future__ import annotations

import functools

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.scope import Scope
from dsl.ir import ERROR, LAST, E, Routine, thing
from dsl.rules.chains import nodes_in
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t


def set_elsewhere(b: Binder, word: str) -> str:
    """A hint if a name is set by a procedure or order to which the text is not bound."""
    homes = [r for r in b.routines.values() if word in r.frame]
    if not homes:
        return ""
    what, name = homes[0].word, homes[0].name
    if what == "procedure":
        return f"`{word}` is set in {name}. To read it, bind this declaration to it: `in {name}`."
    return f"`{word}` is known only in the {what} {name}."


SETTING = (ln.Let, ln.Choose, ln.EachChooses, ln.Rolls, ln.EachRolls, ln.Draws)


def set_later(b: Binder, word: str, scope: Scope) -> str:
    """A hint if a procedure whose names are known here sets a name only further down than it is first needed."""
    for routine, _ in scope.frames:
        declared = b.ruleset.bodied.get(f"{routine.word} {routine.name}")
        if declared is not None and word in _names_set(declared):
            return f"`{word}` is set in {routine.name}, but only after this is first needed there. Set it earlier."
    return ""


@functools.lru_cache(maxsize=256)
def _names_set(declared: d.Declaration) -> frozenset[str]:
    """Every name that the lines of a declaration set."""
    return frozenset(x.name for x in nodes_in(declared) if isinstance(x, SETTING))


def means_phase(b: Binder, node: t.Node, scope: Scope) -> bool:
    """Whether `phase` means the running phase here, and not a name declared in the rules."""
    if not isinstance(node, t.Name) or node.word != "phase" or scoped(b, "phase", scope) is not None:
        return False
    ruleset = b.ruleset
    taken = {*ruleset.options, *ruleset.bodied, *ruleset.plurals, *ruleset.terms}
    return "phase" not in taken and campaign_field(b, "phase") is None and not kind_listing(b, "phase")


def kind_listing(b: Binder, word: str) -> str:
    """The kind whose list has an entry of this name; "" if there is none."""
    for unit_list in b.ruleset.lists.values():
        if any(row.text.split("|")[0].strip() == word for row in unit_list.rows[1:]):
            return unit_list.of
    return ""


def scoped(b: Binder, word: str, scope: Scope) -> E | None:
    """The meaning of a word as a local name or as a name of a running procedure; ERROR if what it was set to is wrong."""
    found = _in_scope(b, word, scope)
    if found is not None and b.failing(found.type):
        b.poisoned += 1
        return ERROR
    return found


def _in_scope(b: Binder, word: str, scope: Scope) -> E | None:
    if word in scope.names:
        return scope.names[word]
    for routine, access in scope.frames:
        if word in routine.frame and routine.frame[word].name != "map":
            return ir.FrameName(access, word, type=routine.frame[word])
    if scope.any_frame:
        for routine in b.routines.values():
            if word in routine.frame and routine.frame[word].name != "map":
                return ir.FrameName(last_frame(routine), word, type=routine.frame[word])
    return None


def last_frame(routine: Routine) -> str:
    """The access path to the frame of a routine's last run."""
    return f"{LAST}{routine.word} {routine.name}"


def campaign_field(b: Binder, word: str) -> E | None:
    """A field of the campaign, which is used without `of`."""
    kind = b.ruleset.campaign_kind
    if kind and word in b.ruleset.kinds[kind].fields and word not in {"name", "title"}:
        return ir.Field(ir.Game(type=thing(kind)), word, type=b.ruleset.kinds[kind].fields[word].type)
    return None


def frame_entry(b: Binder, word: str, arg: E, scope: Scope) -> E | None:
    """What was chosen or rolled for a thing, by its name."""
    frames = list(scope.frames)
    if scope.any_frame:
        frames += [(r, last_frame(r)) for r in b.routines.values() if word in r.frame]
    for routine, access in frames:
        type_ = routine.frame.get(word)
        if type_ is not None and type_.name == "map" and type_.of is not None:
            return ir.FrameEntry(access, word, arg, type=type_.of)
    return None
