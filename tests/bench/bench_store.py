"""How much the record costs beside bare sqlite3 that does the same.

The reference commits an equal row, with an equal hash chain and events as JSON, and moves an equal head, with the same
pragmas and triggers, through prepared SQL. Both alternate on files in one folder, and the median of the rounds
is taken. `FULL` is how campaigns are written: a disk sync for each input; `OFF` shows the cost of the code alone.

    python tests/bench/bench_store.py [FOLDER]
"""

import argparse
import gc
import hashlib
import json
import sqlite3
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from campaigns.file.file_schema import CURRENT
from campaigns.file.history import Document, Entry, entry_hash, events_to_json
from campaigns.play.campaign import Campaign
from interpreter.messages.inputs import Event, Input
from tests.as_recorded import recorded

ROUNDS, STEPS, MANY = 7, 1500, 100_000
EVENTS = (
    recorded("roll", "Two dice fall: 3 and 4.", "red", "all", ("TOY-4",), {"faces": [3, 4], "name": "combat"}),
    recorded("change", "The strength of a-1 is 4 now.", "red", "all", ("TOY-7",), {"thing": "a-1", "from": 5, "to": 4}),
)
CHANGED = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
MOVED = "UPDATE head SET entry = ?, tip = ? WHERE id = 1 AND entry = ?"


class Idle:
    """A machine that costs nothing: its state is a counter, and its digest is the counter."""

    awaiting = ()

    def __init__(self, count: int = 0) -> None:
        self.count = count

    def offer(self, _given: Input) -> tuple[Event, ...]:
        self.count += 1
        return EVENTS

    def digest(self) -> str:
        return f"{self.count:064d}"

    def snapshot(self) -> bytes | None:
        return None


class Saved(Idle):
    """The same, with snapshots of a size."""

    def snapshot(self) -> bytes | None:
        return b"%064d" % self.count + b"x" * 200_000


def idle(_documents, _settings, snapshot):
    return Idle(int(snapshot[:64]) if snapshot else 0)


def saved(_documents, _settings, snapshot):
    return Saved(int(snapshot[:64]) if snapshot else 0)


def inputs(count):
    return [Input("do", "red", f"move a-{n % 40} to {n % 60:02d}{n % 38:02d}") for n in range(count)]


def campaign_at(folder, name):
    return Campaign.create(folder / name, [Document("rules", "rule", "x" * 100_000)], {}, idle)


def ours(folder, name, synchronous, steps) -> tuple[float, float]:
    with campaign_at(folder, name) as campaign:
        campaign._store._execute(f"PRAGMA synchronous = {synchronous}")
        return timed(lambda: [campaign.offer(given) for given in steps])


def bare(folder, name, synchronous, steps) -> tuple[float, float]:
    """What a careful hand would write with sqlite3 alone, in one loop."""
    campaign_at(folder, name).close()
    db = sqlite3.connect(folder / name, isolation_level=None)
    for pragma in (
        f"synchronous = {synchronous}",
        "foreign_keys = ON",
        "recursive_triggers = ON",
        "trusted_schema = OFF",
    ):
        db.execute(f"PRAGMA {pragma}")
    machine = Idle()
    encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
    quoted = json.encoder.encode_basestring

    def loop():
        execute, sha256, strftime, gmtime = db.execute, hashlib.sha256, time.strftime, time.gmtime
        (chained,) = execute("SELECT hash FROM entry WHERE number = 0").fetchone()
        for number, given in enumerate(steps, start=1):
            events = machine.offer(given)
            digest = machine.digest()
            written = encode([[e.kind, e.text, e.side, e.to, e.cites, e.data] for e in events])
            kind, side, subject, text = given.kind, given.side, given.subject, given.text
            words = f"{quoted(kind)},{quoted(side)},{quoted(subject)},{quoted(text)},{quoted(digest)}"
            chained = sha256(f"{chained}\n[{words}]\n{written}".encode()).hexdigest()
            now = strftime("%Y-%m-%dT%H:%M:%S+00:00", gmtime())
            execute("BEGIN IMMEDIATE")
            execute(CHANGED, (number, number - 1, kind, side, subject, text, written, digest, chained, now))
            execute(MOVED, (number, number, number - 1))
            execute("COMMIT")

    result = timed(loop)
    db.close()
    with Campaign.open(folder / name, idle) as campaign:  # it must be the same campaign, to the last hash
        assert campaign.head == len(steps)
        assert campaign.verify().ok
    return result


def timed(act: Callable[[], object]) -> tuple[float, float]:
    """Seconds of wall clock and of processor time."""
    gc.collect()
    wall, processor = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - wall, time.process_time() - processor


def compare_offers(folder):
    print(f"one accepted input, {STEPS} in a row, medians of {ROUNDS} rounds in turn")
    print("  synchronous      bare wall   ours wall  ratio    bare cpu    ours cpu  ratio")
    for synchronous in ("FULL", "OFF"):
        steps = inputs(STEPS)
        rounds = {bare: [], ours: []}
        for number in range(ROUNDS):
            for way in (bare, ours) if number % 2 else (ours, bare):
                rounds[way].append(way(folder, f"{way.__name__}-{synchronous}-{number}", synchronous, steps))
        words = f"  {synchronous:11}"
        for kind in (0, 1):
            base, mine = (statistics.median(r[kind] for r in rounds[way]) / STEPS * 1e6 for way in (bare, ours))
            words += f" {base:9.1f} us {mine:8.1f} us {mine / base:6.2f}"
        print(words)


def many(folder, name, starter, machine, every=None):
    """A campaign of many entries, written in large transactions."""
    choices = {} if every is None else {"snapshot_every": every}
    campaign = Campaign.create(folder / name, [Document("rules", "rule", "x" * 100_000)], {}, starter, **choices)
    steps = inputs(MANY)
    wall, _ = timed(lambda: [campaign.offer_all(steps[n : n + 1000]) for n in range(0, MANY, 1000)])
    campaign.close()
    return folder / name, wall


def bulk(folder):
    print(f"a campaign of {MANY:,} entries")
    path, wall = many(folder, "many", idle, Idle)
    print(
        f"  written in orders of 1000      {MANY / wall:12,.0f} entries/s, {path.stat().st_size / MANY:.0f} bytes an entry"
    )

    with sqlite3.connect(path) as db:
        fetch, _ = timed(lambda: db.execute("SELECT * FROM entry ORDER BY number").fetchall())
        narrow, _ = timed(
            lambda: [Input(*row) for row in db.execute("SELECT kind, side, text, subject FROM entry ORDER BY number")]
        )
    whole, _ = timed(lambda: Campaign.open(path, idle).close())
    print(f"  fetch of all rows              {fetch * 1000:9.1f} ms")
    print(f"  fetch of the inputs as objects {narrow * 1000:9.1f} ms")
    print(
        f"  open, full replay              {whole * 1000:9.1f} ms, {MANY / whole:,.0f} entries/s, {whole / narrow:.2f} of the above"
    )
    campaign = Campaign.open(path, idle)
    proof, _ = timed(campaign.verify)
    print(f"  verify                         {proof * 1000:9.1f} ms, {MANY / proof:,.0f} entries/s")
    for name, act in (
        ("undo 1", campaign.undo),
        ("redo 1", campaign.redo),
        ("log(20)", lambda: campaign.log(20)),
        ("log()", campaign.log),
    ):
        seconds, _ = timed(act)
        print(f"  {name:30} {seconds * 1000:9.2f} ms")
    campaign.close()

    path, _ = many(folder, "saved", saved, Saved, 500)
    short, _ = timed(lambda: Campaign.open(path, saved).close())
    print(f"  open with snapshots of 200 kB  {short * 1000:9.2f} ms, {short / whole:.4f} of the full replay")
    campaign = Campaign.open(path, saved)
    for name, act in (("undo 1", campaign.undo), ("redo 1", campaign.redo)):
        seconds, _ = timed(act)
        print(f"  {name + ' with snapshots':30} {seconds * 1000:9.2f} ms")
    campaign.close()

    tracemalloc.start()
    campaign = Campaign.open(folder / "many", idle)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    campaign.close()
    print(f"  memory of opening by full replay: {peak / 1e6:.1f} MB at most, {kept / 1e6:.2f} MB kept")
    print(f"  schema version {CURRENT.version}")


def parts():
    """What the single steps of an input cost, without the database."""
    given, count = Input("do", "red", "move a-1 to 0101"), 100_000
    written = events_to_json(EVENTS)
    for name, act in (
        ("events to JSON", lambda: events_to_json(EVENTS)),
        ("hash", lambda: entry_hash("0" * 64, given, "0" * 64, written)),
        ("entry object", lambda: Entry(1, 0, given, written, "0" * 64, "0" * 64, "now")),
    ):
        wall, _ = timed(lambda act=act: [act() for _ in range(count)])
        print(f"  {name:30} {wall / count * 1e6:9.2f} us")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where to write, by default a fresh temporary folder")
    chosen = parser.parse_args().folder
    with tempfile.TemporaryDirectory(dir=chosen) as name:
        print("the steps of an accepted input beside the database")
        parts()
        compare_offers(Path(name))
        bulk(Path(name))


if __name__ == "__main__":
    main()
