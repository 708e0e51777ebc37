"""`python -m tests.generated`: regenerates the generated parts of the docs."""

import sys

from tests.generated.pages import ROOT, outdated


def main() -> int:
    """Write what is no longer true, and name it."""
    for name, text in outdated().items():
        (ROOT / name).write_text(text, encoding="utf-8")
        print(f"{name} is written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
