"""The taking-and-breaking games 0.ddd and 4.ddd, all 1,023 of them, as far as SECONDS for each
reach: FOLDER/octal.csv.

    python octal.py FOLDER [SECONDS] [HEAPS]

First all are looked at to 16,384 heaps; those that stay open get a second each. Where some have
equal values (as far as that, behind their leading zeros) the one that came furthest stands for all
of them, and if less than one heap in fifty of it is rare it gets SECONDS (900 if nothing is said)
to come to HEAPS (2^30 - 1). What it has proved is then proved for each of its likes. Whoever is
stopped goes on where he was.
"""

import csv
import hashlib
import sys
from collections import defaultdict
from pathlib import Path

import bouton

NEAR = 16_384
COLUMNS = [
    "game",
    "verdict",
    "period",
    "preperiod",
    "exceptions",
    "greatest",
    "heaps",
    "rare",
    "last_rare",
    "as",
    "certificate",
]


def codes():
    for first in (0, 4):
        for number in range(512):
            digits = f"{number:03o}".rstrip("0")
            if first or digits:
                yield f"{first}.{digits or '0'}"


def alike(games):
    """The games, as lists of those with equal values."""
    found = defaultdict(list)
    for game in games:
        values = bouton.values(game, to=NEAR)
        begin = int((values > 0).argmax())
        found[hashlib.sha256(values[begin : begin + NEAR - 100].tobytes()).digest()].append(game)
    return list(found.values())


def has_few_rares(row):
    """Whether its values split into many common and few rare ones: others cost ever more a heap."""
    return row["rare"] is not None and 50 * row["rare"] < row["heaps"]


def main(folder, seconds=900.0, heaps=2**30 - 1):
    def census(name, games, **given):
        print(f"{name}: {len(games)} games", flush=True)
        return (
            {row["game"]: row for row in bouton.census(games, folder=folder / name, **given)}
            if games
            else {}
        )

    def still_open():
        return [game for game, row in known.items() if row["verdict"] != "proved"]

    known = census("near", list(codes()), to=NEAR)
    known |= census("short", still_open(), to=heaps, each=1.0)
    stands = {
        game: max(kind, key=lambda game: known[game]["heaps"])
        for kind in alike(still_open())
        for game in kind
    }
    known |= census(
        "far",
        [game for game in dict.fromkeys(stands.values()) if has_few_rares(known[game])],
        to=heaps,
        each=seconds,
    )
    known |= census(
        "likes",
        [
            game
            for game, first in stands.items()
            if known[first]["verdict"] == "proved" and game != first
        ],
        to=heaps,
    )
    with open(folder / "octal.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        for game, row in sorted(known.items()):
            table.writerow({**row, "as": stands.get(game, game)})
    verdicts = [row["verdict"] for row in known.values()]
    print(", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in sorted(set(verdicts))))
    print(
        f"{sum(row['verdict'] != 'proved' for game, row in known.items() if stands.get(game, game) == game)} kinds are open"
    )


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        *(float(text) for text in sys.argv[2:3]),
        *(int(text) for text in sys.argv[3:4]),
    )
