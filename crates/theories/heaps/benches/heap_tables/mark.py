"""The plain way, as a baseline: go through the box in order; an unmarked position is P, and marks
all from which it is an option.

usage: mark.py n k max    prints the P-positions of CN(n,k) with heaps <= max, and positions a
second
"""

import itertools
import sys
import time


def mark(n, k, most):
    side = most + 1
    place = [side ** (n - 1 - i) for i in range(n)]
    windows = [[(s + i) % n for i in range(k)] for s in range(n)]
    marked = bytearray(side**n)
    found = 0
    for at, p in enumerate(itertools.product(range(side), repeat=n)):
        if marked[at]:
            continue
        found += 1
        for window in windows:
            adds = [0]
            for i in window:
                adds = [a + place[i] * t for a in adds for t in range(side - p[i])]
            for add in adds:
                marked[at + add] = 1
    return found


n, k, most = map(int, sys.argv[1:])
started = time.process_time()
found = mark(n, k, most)
seconds = time.process_time() - started
print(f"{found} {(most + 1) ** n / seconds:.3g}")
