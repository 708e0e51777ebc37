"""Draws the pictures of the README.

    python -m tests.byhand.pictures

`docs/pictures/app.svg` is the terminal app as `ophex demo` opens it: the umpire's seat in the middle of a battle, with a question open.
`docs/pictures/map.svg` is a map as `ophex map --format svg` draws it. Run the script again when the app, its texts or the maps change,
and look at both pictures in a browser before you commit them. It exits with 1 if a picture is larger than 200 kB.
"""

import asyncio
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns.play.starting import create_campaign
from tests.ui.seat import Seat
from ui.app.ophex_app import CampaignApp
from ui.commands import demo
from ui.main import main

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SEED = 1
SIZE = (120, 32)
MAP_OF = ("btr/fulda-1986", "fulda-gap")
MOST_BYTES = 200_000


async def photograph(app: CampaignApp) -> str:
    """The screen of the app with the open question in pane 2, as SVG that loads no fonts from elsewhere."""
    app.follow_every = 0
    async with app.run_test(size=SIZE) as pilot:
        person = Seat(app, pilot)
        await person.settle()
        await person.press("2")
        app.clear_notifications()
        await person.settle()
        drawn = app.export_screenshot(title="ophex demo")
    return re.sub(r"\n *@font-face \{.*?\}", "", drawn, flags=re.DOTALL)


def draw(folder: Path) -> None:
    """Make both campaigns in a folder, and draw both pictures."""
    PICTURES.mkdir(exist_ok=True)
    scenario, _ = demo._chosen("")
    with create_campaign(folder / "demo.ophex", scenario, (), (), {}, "seeded", SEED) as campaign:
        app = demo._middle(campaign, SEED)
        (PICTURES / "app.svg").write_text(asyncio.run(photograph(app)), encoding="utf-8")
    scenario, which = MAP_OF
    file = folder / "map.ophex"
    create_campaign(file, scenario, (), (), {}, "seeded", SEED).close()
    main(["map", str(file), "--on", which, "--format", "svg", "-o", str(PICTURES / "map.svg")])


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        draw(Path(made))
    sizes = {file.name: file.stat().st_size for file in sorted(PICTURES.glob("*.svg"))}
    print("\n".join(f"{name}: {size:,} bytes" for name, size in sizes.items()))
    sys.exit(max(sizes.values()) > MOST_BYTES)
