"""A sweep on Slurm, a job of which is killed midway, against the same sweep in one process: `cargo
xtask cluster` runs it."""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import bouton

FAMILY = "Gamma(m1,m2;n)"
RANGES = {"m1": range(1, 81), "m2": range(1, 81), "n": range(1, 85)}
OPTIONS = {
    "cores": 1,
    "processes": 1,
    "memory": "1GB",
    "walltime": "00:30:00",
    "interface": "lo",
    "scheduler_options": {"dashboard_address": None, "host": "127.0.0.1"},
}


def jobs() -> list[str]:
    return subprocess.run(
        ["squeue", "-h", "-t", "R", "-o", "%i"], capture_output=True, text=True, check=True
    ).stdout.split()


def costs(folder: Path) -> list[list[str]]:
    return [line.split(",") for line in (folder / "costs.csv").read_text().splitlines()[1:]]


def main() -> None:
    told = subprocess.run(
        ["sinfo", "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    print(f"{told}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory() as made:
        begun = time.monotonic()
        alone = bouton.sweep(FAMILY, **RANGES, folder=Path(made) / "alone", workers=0)
        spent = sum(float(cost[4]) for cost in costs(Path(made) / "alone"))
        print(
            f"one process: {alone.shards} shards, {len(alone)} games, {time.monotonic() - begun:.1f} s, {spent:.1f} s of a processor",
            flush=True,
        )

        folder, killed = Path(made) / "slurm", []

        def kill() -> None:
            while len(list(folder.glob("*.parquet"))) < 3 or len(jobs()) < 2:
                time.sleep(0.1)
            killed.append(jobs()[0])
            subprocess.run(["scancel", "--full", "--signal=KILL", killed[0]], check=True)
            print(
                f"job {killed[0]} killed after {len(list(folder.glob('*.parquet')))} shards",
                flush=True,
            )

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        begun = time.monotonic()
        os.chdir(made)
        found = bouton.sweep(
            FAMILY,
            **RANGES,
            folder=folder,
            client="slurm",
            workers=2,
            options={**OPTIONS, "log_directory": made},
        )
        seconds = time.monotonic() - begun
        spent = sum(float(cost[4]) for cost in costs(folder))
        workers = {cost[5] for cost in costs(folder)}
        print(
            f"slurm, two jobs: {found.shards} shards by {len(workers)} workers, {seconds:.1f} s, {spent:.1f} s of a processor",
            flush=True,
        )
        killer.join(timeout=1)
        same = sum(
            (folder / path.name).read_bytes() == path.read_bytes()
            for path in (Path(made) / "alone").glob("*.parquet")
        )
        print(
            f"sha256 of the rows, one process: {alone.digest}\nsha256 of the rows, slurm:       {found.digest}"
        )
        print(f"{same} of {alone.shards} files are equal byte for byte")
        while jobs():
            time.sleep(0.2)
        os.chdir("/")
    if not killed or found.missing or found.digest != alone.digest or same != alone.shards:
        sys.exit("the runs differ, or no job was killed")


if __name__ == "__main__":
    main()
