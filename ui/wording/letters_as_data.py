"""What became of letters, as data for programs."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from campaigns.desk.judged import Judged
    from campaigns.desk.letter_orders import SaidOrder
    from campaigns.desk.rehearsing import Fault

__all__ = ["as_json"]


def as_json(one: "Judged") -> dict[str, Any]:
    """What became of a file, by the keys of `ophex mail --json`."""
    tray = one.tray
    commands = tray.commands if tray is not None else ()
    given = {place for _, place in tray.given} if tray is not None else set()

    def placed(fault: "Fault", among: "Sequence[SaidOrder]") -> dict[str, Any]:
        line, column = fault.place_in(among[fault.position])
        return {**fault.refusal.as_data(), "line": line, "column": column, "legal": list(fault.legal)}

    return {
        "file": one.file,
        "side": one.side,
        "fate": one.fate,
        "message": one.message,
        "hint": one.hint,
        "replaces": one.replaces,
        "opens": one.rehearsed.opens.question if one.rehearsed.opens is not None else "",
        "late": one.late,
        "dropped": list(one.dropped),
        "decoded": one.decoded,
        "orders": [
            {"text": said.text, "line": said.line, "column": said.column, "given": place in given}
            for place, said in enumerate(commands)
        ],
        "seals": [
            {"text": said.text, "line": said.line, "column": said.column, "given": said in one.seals.taken}
            for said in one.seals.lines
        ],
        "answers": [
            {"text": said.text, "line": said.line, "column": said.column, "given": said in one.kept_answers}
            for said in one.answers.lines
        ],
        "faults": [
            *(placed(fault, one.answers.lines) for fault in one.answers.faults),
            *(placed(fault, one.seals.lines) for fault in one.seals.faults),
            *(placed(fault, commands) for fault in one.faults),
        ],
        "passed_over": [{"line": line.number, "text": line.text} for line in one.passed_over],
        "quoted": [{"line": line.number, "text": line.text} for line in one.quoted],
    }
