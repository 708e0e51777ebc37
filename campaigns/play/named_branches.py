"""Named branches: other courses of one campaign, begun at any entry and played on beside it.

A branch is a name with a head of its own in the one tree of inputs, so it costs no more than its own inputs. The campaign
is on one branch at a time; the first is called `main`. Nothing is deleted: a dropped branch is merely no longer listed.
Inputs on a branch other than `main` are not shown to any side, unless the branch is adopted.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from campaigns.file.beside import Beside, Statement
from campaigns.file.errors import CampaignError, from_sqlite
from campaigns.file.file_rows import Unsound
from campaigns.file.history import Entry
from campaigns.play.campaign import Campaign
from interpreter.messages.inputs import Input
from interpreter.runtime.refusals import Why

__all__ = [
    "MAIN",
    "Branch",
    "adopt",
    "begin_branch",
    "beginning_of_branch",
    "branch_of",
    "branches",
    "drop",
    "free_name",
    "here",
    "refuse_aside",
    "switch",
    "told_apart",
]

MAIN = "main"
"""The branch that a campaign begins with, and the only one that is visible to sides."""
NAME = re.compile(r"(?!\d+$)[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")
MOST_BRANCHES = 500

ADD = "INSERT OR IGNORE INTO branch (name, role, begun, entry, tip) VALUES (?, 'aside', ?, ?, ?)"
ADD_MAIN = """INSERT INTO branch (name, role, begun, entry, tip)
              SELECT 'main', 'main', 0, entry, tip FROM head WHERE NOT EXISTS (SELECT 1 FROM branch)"""
STAND = """UPDATE branch SET entry = (SELECT entry FROM head), tip = (SELECT tip FROM head) WHERE id = coalesce(
           (SELECT branch FROM stretch ORDER BY after DESC LIMIT 1), (SELECT id FROM branch WHERE role = 'main'))"""
LEAVING: tuple[Statement, ...] = ((ADD_MAIN, ()), (STAND, ()))
"""Written when the campaign leaves its current branch: the position on it."""
CALL = "UPDATE branch SET name = ?, role = ? WHERE name = ?"
GO_ON = """INSERT OR REPLACE INTO stretch (after, branch, apart)
           SELECT max(entry.number), branch.id, branch.role <> 'main' FROM entry, branch WHERE branch.name = ? GROUP BY branch.id"""
LISTED = "SELECT id, name, role, begun, entry, tip FROM branch ORDER BY id"
STRETCHES = "SELECT after, branch, apart FROM stretch ORDER BY after"


@frozen
class Branch:
    """One named branch.

    Attributes:
        name: its name.
        role: "main", "aside" or "dropped".
        begun: the entry at which it begins; 0 for the first.
        entry: the entry that it is at.
        tip: the last entry that redo leads to on it.
        is_here: whether the campaign is on it now.
    """

    name: str
    role: str
    begun: int
    entry: int
    tip: int
    is_here: bool


@frozen
class _Row:
    id: int
    name: str
    role: str
    begun: int
    entry: int
    tip: int


def branches(campaign: Campaign[Any], *, dropped: bool = False) -> list[Branch]:
    """The branches in the order in which they were begun. dropped: whether those that were dropped are listed too."""
    with campaign.store.consistent():
        rows, at = _rows(campaign), here(campaign)
        head = campaign.store.head()
    if not rows:
        return [Branch(MAIN, MAIN, 0, head.entry, head.tip, is_here=True)]
    found = []
    for row in rows:
        stands = (head.entry, head.tip) if row.name == at else (row.entry, row.tip)
        found.append(Branch(row.name, row.role, row.begun, *stands, is_here=row.name == at))
    return [one for one in found if dropped or one.role != "dropped" or one.is_here]


def branch_of(campaign: Campaign[Any], name: str) -> Branch:
    """A branch by its name, even a dropped one. Raises CampaignError if there is none."""
    known = branches(campaign, dropped=True)
    found = next((one for one in known if one.name == name), None)
    if found is None:
        listed = ", ".join(one.name for one in known if one.role != "dropped")
        raise CampaignError(f"There is no branch {name[:80]}.", f"The branches are: {listed}.", Why.UNKNOWN_NAME)
    return found


def here(campaign: Campaign[Any]) -> str:
    """The name of the current branch."""
    rows = campaign.store.rows(
        [str],
        "SELECT name FROM branch WHERE id = (SELECT branch FROM stretch ORDER BY after DESC LIMIT 1)",
    )
    return rows[0][0] if rows else MAIN


def refuse_aside(campaign: Campaign[Any]) -> None:
    """Raises CampaignError on any branch but `main`: what is written to sides or read from them belongs to that one."""
    name = here(campaign)
    if name != MAIN:
        raise CampaignError(
            f"The campaign is on the branch {name}, which sides do not take part in.",
            f"Go back with `ophex switch main`, or make it the main one with `ophex branch --adopt {name}`.",
            Why.NOT_NOW,
        )


def told_apart(campaign: Campaign[Any]) -> Callable[[int], bool]:
    """Which entries were given on a branch that was not `main` then: they are visible to sides only if the head continues them."""
    stretches = [(after, bool(apart)) for after, _, apart in campaign.store.rows([int] * 3, STRETCHES)]
    if not any(apart for _, apart in stretches):
        return lambda _number: False
    return lambda number: next((apart for after, apart in reversed(stretches) if after < number), False)


def begin_branch(campaign: Campaign[Any], name: str, at: int | None = None, fresh: str = "") -> Branch:
    """Begin a branch and go to it.

    Args:
        campaign: the campaign.
        name: its name: letters, digits, hyphens.
        at: the entry after which it begins; None for the current one.
        fresh: a seed of its own for the dice from there on; empty: they roll as they would have.

    Raises:
        CampaignError: the name cannot be used, or there is no such entry.
        Refused: the dice of this campaign cannot be changed.
        Stale: another session has moved the campaign on.
    """
    free_name(campaign, name, exact=True)
    begun = campaign.entry(campaign.head if at is None else at).number
    if fresh:
        given = Input("dice", "umpire", f"fresh {fresh}", f"the branch {name} begins")
        last = campaign.store.last()

        def with_dice(_entries: Sequence[Entry]) -> Beside:
            return Beside(statements=beginning_of_branch(name, begun, last))

        campaign.give_from(begun, [given], with_dice, least=1)
    else:
        beside = [*LEAVING, (ADD, (name, begun, begun, begun)), (GO_ON, (name,))]
        campaign.move(begun, begun, Beside(statements=beside))
    return branch_of(campaign, name)


def free_name(campaign: Campaign[Any], name: str, *, exact: bool) -> str:
    """A name that a branch can have. exact: whether it must be this one; otherwise a number is appended if it is in use.

    Raises:
        CampaignError: it cannot be used.
    """
    if not NAME.fullmatch(name):
        raise CampaignError(
            f"A branch cannot be named {name[:80]!r}.",
            "Use letters, digits and hyphens, and not only digits.",
            Why.NOT_UNDERSTOOD,
        )
    with campaign.store.consistent():
        known = {row.name.lower() for row in _rows(campaign)} | {MAIN}
    if len(known) >= MOST_BRANCHES:
        raise CampaignError(
            f"There are already {len(known)} branches; the limit is {MOST_BRANCHES}.",
            "Use an existing branch.",
            Why.OUT_OF_BOUNDS,
        )
    if exact and name.lower() in known:
        raise CampaignError(
            f"There is already a branch {name}.", "Go to it with `ophex switch`, or choose another name.", Why.NO_CHANGE
        )
    names = (name, *(f"{name}-{number}" for number in range(2, MOST_BRANCHES + 2)))
    return next(one for one in names if one.lower() not in known)


def beginning_of_branch(name: str, begun: int, last: int) -> list[Statement]:
    """What is written if a branch begins with inputs of its own: entries after `last` belong to it."""
    since = GO_ON.replace("max(entry.number)", str(int(last)))
    return [*LEAVING, (ADD, (name, begun, begun, begun)), (since, (name,))]


def switch(campaign: Campaign[Any], name: str) -> Branch:
    """Continue another branch at its current entry; a dropped one is listed again.

    Raises:
        CampaignError: there is none with that name, or the campaign is already on it.
        Stale: another session has moved the campaign on.
    """
    found = branch_of(campaign, name)
    if found.is_here:
        raise CampaignError(
            f"The campaign is already on the branch {name}.", "`ophex branch` lists the branches.", Why.NO_CHANGE
        )
    taken_up: list[Statement] = [(CALL, (name, "aside", name))] if found.role == "dropped" else []
    beside = Beside(statements=[*LEAVING, *taken_up, (GO_ON, (name,))])
    campaign.move(found.entry, found.tip, beside)
    return branch_of(campaign, name)


def adopt(campaign: Campaign[Any], name: str) -> tuple[Branch, str]:
    """Make a branch the main one, and go to it. The former main branch remains, with a name of its own.

    Returns:
        The main branch, and the new name of the former one.

    Raises:
        CampaignError: there is none with that name, or it is the main one.
        Stale: another session has moved the campaign on.
    """
    found = branch_of(campaign, name)
    if found.role == MAIN:
        raise CampaignError(
            f"The branch {name} is already the main one.", "`ophex branch` lists the branches.", Why.NO_CHANGE
        )
    main = next(one for one in branches(campaign) if one.role == MAIN)
    taken = {row.name.lower() for row in _rows(campaign)}
    former = f"{MAIN}-until-{main.entry}"
    while former.lower() in taken:
        former += "x"
    renamed: list[Statement] = [(CALL, (former, "aside", MAIN)), (CALL, (MAIN, MAIN, name)), (GO_ON, (MAIN,))]
    campaign.move(found.entry, found.tip, Beside(statements=[*LEAVING, *renamed]))
    return branch_of(campaign, MAIN), former


def drop(campaign: Campaign[Any], name: str) -> None:
    """Remove a branch from the list. Its inputs remain, and `switch` lists it again.

    Raises:
        CampaignError: there is none with that name, it is the main one, or the campaign is on it.
    """
    found = branch_of(campaign, name)
    if found.role == MAIN:
        raise CampaignError(
            "The main branch cannot be dropped.",
            "Make another branch the main one first, with `ophex branch --adopt`.",
            Why.FIXED,
        )
    if found.is_here:
        raise CampaignError(
            f"The campaign is on the branch {name}.", "Go to another branch first, with `ophex switch`.", Why.NOT_NOW
        )
    campaign.keep(Beside(statements=[(CALL, (name, "dropped", name))]))


def _rows(campaign: Campaign[Any]) -> list[_Row]:
    """The rows of branches. Raises CampaignError if they are not as they were written."""
    rows = [_Row(*row) for row in campaign.store.rows([int, str, str, int, int, int], LISTED)]
    if rows and all(row.role != MAIN for row in rows):
        raise from_sqlite(Unsound("the main branch is missing"), campaign.path)
    return rows
