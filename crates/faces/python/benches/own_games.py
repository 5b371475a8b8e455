"""Games that a Python class states, against the same options under functools.lru_cache.

    python crates/faces/python/benches/own_games.py

Both are asked for the nim-values, and for the outcomes, of the same positions in the same order, in
turns; the least processor time of five runs counts. The answers are compared before a time is told.
"""

import functools
import sys
import time

import bouton

RUNS = 5


class Wythoff:
    """Take from one of two heaps, or the same number from both."""

    heaps = 2

    def options(self, position):
        a, b = position
        for k in range(1, a + 1):
            yield (a - k, b)
        for k in range(1, b + 1):
            yield (a, b - k)
        for k in range(1, min(a, b) + 1):
            yield (a - k, b - k)


class Kayles:
    """Rows of pins: one or two neighbours fall, and the row falls into two. A position is the
    sorted rows."""

    def options(self, position):
        for at, row in enumerate(position):
            others = position[:at] + position[at + 1 :]
            for taken in (1, 2):
                for left in range((row - taken) // 2 + 1):
                    rest = [part for part in (left, row - taken - left) if part > 0]
                    if left <= row - taken - left:
                        yield tuple(sorted((*others, *rest)))


class NodeKayles:
    """On a grid: a vertex is taken, and goes with its neighbours. A position is the vertices that
    are left."""

    def __init__(self, rows, columns):
        cells = [(x, y) for x in range(rows) for y in range(columns)]
        near = {(x, y): {(x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} for x, y in cells}
        self.gone = {cell: frozenset(near[cell]) for cell in cells}
        self.start = frozenset(cells)

    def options(self, position):
        for cell in position:
            yield position - self.gone[cell]


def cached(options, outcomes):
    """What a Python programmer writes."""

    @functools.lru_cache(None)
    def wins(position):
        return any(not wins(option) for option in options(position))

    @functools.lru_cache(None)
    def value(position):
        seen = {value(option) for option in options(position)}
        least = 0
        while least in seen:
            least += 1
        return least

    return wins if outcomes else value


def least(run):
    """The answer, and the least processor time of a run."""
    began = time.process_time()
    found = run()
    return found, time.process_time() - began


def main():
    sys.setrecursionlimit(10_000)
    games = [
        ("Wythoff, heaps to 120", Wythoff(), [(a, b) for a in range(121) for b in range(121)]),
        ("Kayles, rows to 34", Kayles(), [(n,) if n else () for n in range(35)]),
        ("Node Kayles, grid of 5 by 5", NodeKayles(5, 5), [NodeKayles(5, 5).start]),
    ]
    slower = []
    for name, rules, positions in games:
        for outcomes in (False, True):
            times = {"class": [], "lru_cache": []}
            for _ in range(RUNS):
                game = bouton.game(rules)
                found, spent = least(lambda: game.solve_all(positions, nim_values=not outcomes))
                times["class"].append(spent)
                known = cached(rules.options, outcomes)
                expected, spent = least(lambda: [known(position) for position in positions])
                times["lru_cache"].append(spent)
                assert (found.outcome == "N").tolist() == [bool(one) for one in expected]
                assert outcomes or found.nim_value.tolist() == expected
            ours, theirs = min(times["class"]), min(times["lru_cache"])
            what = "outcomes" if outcomes else "nim-values"
            print(
                f"| {name}, {what} | {ours:.3f} s | {theirs:.3f} s | {ours / theirs:.2f} |",
                flush=True,
            )
            if ours >= theirs:
                slower.append((name, what))
    if slower:
        sys.exit(f"slower than lru_cache: {slower}")


if __name__ == "__main__":
    main()
