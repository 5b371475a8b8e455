"""What a thousand cores would do: measured costs of a sample of shards, and a simulation of the
schedule.

    python schedule.py measure kotzig --every 20 > kotzig.csv      # runs every 20th shard in this
    process python schedule.py measure hexadecimal --every 80 > hexadecimal.csv
    python schedule.py table kotzig kotzig.csv                     # the table of
    docs/design/cluster.md

The simulation: one scheduler that needs so long for each task, workers that take the next shard of
the plan when they are free. A shard takes what the plan expects, times a ratio that was measured on
a shard of the sample near it (seeded, so that the table is the same each time). Ideal is the whole
work divided by the workers.
"""

import argparse
import csv
import heapq
import random
import sys
import time

from bouton import _bouton

PLANS = {
    "kotzig": lambda: _bouton.Plan.sweep(
        "Gamma(m1,m2;n)", [("m1", 1, 200), ("m2", 1, 200), ("n", 1, 120)], False, 10**10
    ),
    "hexadecimal": lambda: _bouton.Plan.census(16, 4, 1000),
}
WORKERS = (1, 10, 30, 100, 300, 1000, 3000)
OVERHEAD = 0.0019
"""Seconds of the scheduler for each task, measured by scaling.py."""


def measure(name: str, every: int) -> None:
    plan = PLANS[name]()
    out = csv.writer(sys.stdout)
    out.writerow(["place", "games", "expected", "processor"])
    for place, (_, games, expected) in enumerate(plan.shards()):
        if place % every == every // 2:
            used = time.process_time()
            _bouton.shard(plan.shard(place), (None, None, None))
            out.writerow([place, games, f"{expected:.3f}", f"{time.process_time() - used:.3f}"])
            sys.stdout.flush()


def costs(name: str, file: str) -> list[float]:
    """Seconds for each shard of the plan."""
    with open(file, encoding="utf-8") as opened:
        sample = [
            (int(row["place"]), float(row["processor"]) / float(row["expected"]))
            for row in csv.DictReader(opened)
        ]
    chance = random.Random(1902)
    found = []
    for place, (_, _, expected) in enumerate(PLANS[name]().shards()):
        near = sorted(sample, key=lambda known: abs(known[0] - place))[:8]
        found.append(expected * chance.choice(near)[1])
    return found


def makespan(shards: list[float], workers: int, overhead: float = OVERHEAD) -> float:
    """Seconds until the last shard is done."""
    free = [0.0] * workers
    scheduler = 0.0
    for seconds in shards:
        ready = heapq.heappop(free)
        # One task after the other passes the scheduler; a worker has its next one before it ends
        # the last.
        scheduler = max(scheduler + overhead, ready)
        heapq.heappush(free, scheduler + seconds)
    return max(free)


def table(name: str, file: str) -> None:
    shards = costs(name, file)
    whole = sum(shards)
    print(
        f"{len(shards)} shards, {whole:.0f} s of one core; a shard takes {whole / len(shards):.2f} s on average, the longest {max(shards):.1f} s\n"
    )
    print("| workers | seconds | speed-up | of the ideal | scheduler busy |")
    print("|--:|--:|--:|--:|--:|")
    for workers in WORKERS:
        seconds = makespan(shards, workers)
        busy = len(shards) * OVERHEAD / seconds
        print(
            f"| {workers} | {seconds:.1f} | {whole / seconds:.0f} | {100 * whole / seconds / workers:.0f} % | {100 * busy:.1f} % |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["measure", "table"])
    parser.add_argument("plan", choices=sorted(PLANS))
    parser.add_argument("file", nargs="?", help="of measured costs")
    parser.add_argument("--every", type=int, default=20, help="which shards are measured")
    given = parser.parse_args()
    if given.what == "measure":
        measure(given.plan, given.every)
    elif given.file is None:
        parser.error("table needs the file of measured costs")
    else:
        table(given.plan, given.file)


if __name__ == "__main__":
    main()
