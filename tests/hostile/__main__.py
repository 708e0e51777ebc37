"""`python -m tests.hostile KIND --count N --seed S`: hostile inputs by hand, with progress and a report."""

import argparse
import sys
import time

from tests.hostile import kinds
from tests.hostile.running import Report, bound_memory, run
from tests.hostile.texts import wide


def main() -> int:
    """Try them; exit code 1 when something was found."""
    found = {kind.name: kind for kind in kinds.ALL}
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description="Hostile inputs by the thousand.")
    parser.add_argument("kind", choices=[*found, "all"])
    parser.add_argument("--count", type=int, default=1000, metavar="N", help="how many of each kind (default 1000)")
    parser.add_argument("--seed", default="1", metavar="S", help="where chance begins (default 1)")
    parser.add_argument("--near", action="store_true", help="toys only: the shipped systems are not read")
    args = parser.parse_args()
    wide[0] = not args.near
    bound_memory()
    wrong = 0
    for kind in found.values() if args.kind == "all" else [found[args.kind]]:
        report = run(kind, args.count, args.seed, _progress())
        print(f"\r{report}", flush=True)
        for told, (case, finding) in report.findings.items():
            print(f"\n--- {told}\n{case!r}\n{finding.trace}")
        wrong += report.failed
    return 1 if wrong else 0


def _progress():
    last = time.monotonic()

    def tell(report: Report) -> None:
        nonlocal last
        if time.monotonic() - last > 5:
            last = time.monotonic()
            print(f"\r{report}", end="", file=sys.stderr, flush=True)

    return tell


if __name__ == "__main__":
    raise SystemExit(main())
