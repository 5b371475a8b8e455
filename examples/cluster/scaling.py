"""One worker against two of this machine, in turn, and what Dask takes for a shard.

    python scaling.py [ROUNDS]

A row a run: seconds from the first shard's beginning to the last one's end, seconds of processors,
and the part of the workers' time in which they had a shard in hand: that is what two workers are to
one, whatever else the machine does.
"""

import sys
import tempfile
import time
from pathlib import Path

import distributed

import bouton

RANGES = {"m1": range(1, 101), "m2": range(1, 101), "n": range(1, 87)}
TASKS = 500


def swept(workers: int) -> tuple[int, float, float, float]:
    with tempfile.TemporaryDirectory() as folder:
        with distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            host="127.0.0.1",
            memory_limit=None,
        ) as cluster:
            # The plan is made before the clock starts.
            bouton.sweep("Gamma(m1,m2;n)", **RANGES, folder=folder, client=cluster, seconds=0)
            begun = time.monotonic()
            found = bouton.sweep("Gamma(m1,m2;n)", **RANGES, folder=folder, client=cluster)
            seconds = time.monotonic() - begun
        rows = [
            line.split(",") for line in (Path(folder) / "costs.csv").read_text().splitlines()[1:]
        ]
        busy, used = sum(float(row[3]) for row in rows), sum(float(row[4]) for row in rows)
        assert found.missing == 0
        return len(rows), seconds, used, busy / workers / seconds


def overhead() -> float:
    """Seconds for a task that does nothing, handed out as shards are."""
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            host="127.0.0.1",
            memory_limit=None,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        for _ in range(2):
            begun = time.monotonic()
            client.gather([client.submit(str, number, pure=False) for number in range(TASKS)])
            seconds = time.monotonic() - begun
        return seconds / TASKS


if __name__ == "__main__":
    print(f"a task that does nothing: {1000 * overhead():.2f} ms")
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
        for workers in (1, 2):
            shards, seconds, used, held = swept(workers)
            print(
                f"{workers} workers: {shards} shards, {seconds:.1f} s, {used:.1f} s of processors, {100 * held:.1f} % at work",
                flush=True,
            )
