"""The handbook in a real browser: every page fits a phone and a desktop, in light and in dark, and no link is broken.

The daily form tries one system, with the results of some examples; the long form three, one of them with the results of all.
"""

from __future__ import annotations

import functools
import html
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from campaigns.trials.casebook import each_example
from campaigns.trials.rulebook import _live, rulebook
from dsl.manual.handbook_parts import Result
from tests.long import LONG, either
from ui.pages.handbook_pages import write

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="No Chromium is installed here."),
]
PREFERRED = "--blink-settings=preferredColorScheme=%s"
DARK, LIGHT = "0", "1"
PROBE = """<!doctype html><body><script>
const only = new URLSearchParams(location.search).get("page");
const pages = only ? [only] : %s, widths = [360, 1280], out = [];
const probe = page => new Promise(done => {
  const frame = document.createElement("iframe");
  frame.style.cssText = "height:800px;border:0";
  frame.onload = () => {
    for (const width of widths) looked(frame, page, width);
    frame.remove();
    done();
  };
  frame.src = page;
  document.body.append(frame);
});
const looked = (frame, page, width) => {
  frame.style.width = `${width}px`;
  const inside = frame.contentDocument, root = inside.documentElement;
  const tooWide = [...inside.querySelectorAll("body *")].filter(x => {
    if (x.getBoundingClientRect().right <= width + 1) return false;
    let up = x;
    while (up && up !== inside.body) {
      if (["auto", "scroll", "hidden"].includes(frame.contentWindow.getComputedStyle(up).overflowX)) return false;
      up = up.parentElement;
    }
    return true;
  }).slice(0, 3).map(x => x.tagName + "." + x.className + ": " + x.textContent.slice(0, 40));
  const css = frame.contentWindow.getComputedStyle(root);
  out.push({page, width, inner: frame.contentWindow.innerWidth, scroll: root.scrollWidth, tooWide, ink: css.color, paper: css.backgroundColor,
            links: width === 360 ? [...inside.querySelectorAll("a[href]")].map(a => a.href) : [],
            ids: width === 360 ? [...inside.querySelectorAll("[id]")].map(x => x.id) : []});
};
(async () => {
  for (const page of pages) await probe(page);
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = JSON.stringify(out);
  document.body.append(result);
})();
</script></body>"""


def some_results(system: str) -> dict[tuple[str, int], Result]:
    """What came of the examples that have this word in their names."""
    found = each_example([system], "fires", _live).values()
    return {place: result for results in found for place, result in results.items()}


@pytest.fixture(scope="module", params=either(["ogre"], ["bth", "btr", "ogre"]))
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("handbook")
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "bth":  # what came of examples looks the same in all systems, and takes a minute
            patch.setattr(
                "campaigns.trials.rulebook.live_results", lambda *_: {} if LONG else some_results(request.param)
            )
        write(*rulebook(request.param), folder)
    pages = sorted(page.name for page in folder.glob("*.html"))
    (folder / "probe.html").write_text(PROBE % json.dumps(pages))

    class Silent(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", folder
    server.shutdown()
    server.server_close()


def looked_at(address: str, profile: Path, *options: str, query: str = "") -> list[dict[str, object]]:
    """What the browser found on every page. Raises AssertionError when it found nothing."""
    command = [
        str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,900",
        f"--user-data-dir={profile}", "--virtual-time-budget=120000", *options, "--dump-dom", f"{address}/probe.html{query}",
    ]  # fmt: skip
    dom = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
    found = re.search(r'<pre id="result">(.*?)</pre>', dom, re.DOTALL)
    assert found is not None, "The browser gave no result."
    result: list[dict[str, object]] = json.loads(html.unescape(found[1]))
    return result


@pytest.fixture(scope="module")
def in_light(served: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """What the browser found on every page for somebody who prefers it light."""
    return looked_at(served[0], tmp_path_factory.mktemp("light"), PREFERRED % LIGHT)


@pytest.mark.timeout(600)
def test_every_page_fits_and_every_link_leads_somewhere(
    served: tuple[str, Path], in_light: list[dict[str, object]]
) -> None:
    address, folder = served
    pages = in_light
    assert len(pages) == 2 * len([page for page in folder.glob("*.html") if page.name != "probe.html"])
    assert [(p["page"], p["width"], p["inner"]) for p in pages if p["inner"] != p["width"]] == []
    assert [(p["page"], p["width"], p["tooWide"]) for p in pages if p["tooWide"]] == []
    assert [(p["page"], p["width"], p["scroll"]) for p in pages if int(str(p["scroll"])) > int(str(p["width"]))] == []
    ids = {str(p["page"]): set(p["ids"]) for p in pages if p["width"] == 360}  # type: ignore[call-overload]
    broken = []
    for page in pages:
        for link in page["links"]:  # type: ignore[attr-defined]
            where, _, anchor = link.partition("#")
            name = where.removeprefix(f"{address}/") or "index.html"
            if not where.startswith(address) or name not in ids or (anchor and anchor not in ids[name]):
                broken.append((page["page"], link))
    assert broken == []


@pytest.mark.timeout(600)
def test_dark_is_dark_and_light_is_light(
    served: tuple[str, Path], in_light: list[dict[str, object]], tmp_path: Path
) -> None:
    def brightness(colour: object) -> float:
        return sum(int(x) for x in re.findall(r"\d+", str(colour))[:3]) / 3

    in_dark = looked_at(served[0], tmp_path / "dark", PREFERRED % DARK, query="?page=index.html")
    for pages, is_dark in ((in_light, False), (in_dark, True)):
        assert pages
        for page in pages:
            assert (brightness(page["paper"]) < 100) == is_dark
            assert (brightness(page["ink"]) > 150) == is_dark
