import sys
import numpy as np

digits = [int(d, 16) for d in sys.argv[1].replace(".", "")]
count = int(sys.argv[2])
values, width = np.zeros(count, int), 64
# Row n: which numbers are nim-sums of two, and of three heaps that are n together.
two, three = np.zeros((2, count, width), bool)
for n in range(count):
    if n >= 2:
        a = np.arange(1, n // 2 + 1)
        two[n, values[a] ^ values[n - a]] = True
    if n >= 3:
        # Heaps of one value at once: beside two others they make the sums of these, each with that
        # value.
        order = np.argsort(values[1 : n - 1], kind="stable")
        kinds, starts = np.unique(values[1 : n - 1][order], return_index=True)
        joint = np.bitwise_or.reduceat(two.view(np.uint64)[n - 1 - order], starts).view(bool)
        numbers = np.arange(width)
        for row, kind in zip(joint, kinds):
            three[n] |= row[numbers ^ kind]
    seen = np.zeros(width + 1, bool)
    for k, d in enumerate(digits[: n + 1]):
        rest = n - k
        if d & 1 and rest == 0:
            seen[0] = True
        if d & 2 and rest > 0:
            seen[values[rest]] = True
        if d & 4:
            seen[:width] |= two[rest]
        if d & 8:
            seen[:width] |= three[rest]
    values[n] = seen.argmin()
    while 2 * values[n] >= width:
        two, three = (np.pad(old, ((0, 0), (0, width))) for old in (two, three))
        width *= 2
print(*values)
