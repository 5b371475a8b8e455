import sys

digits = [int(d, 16) for d in sys.argv[1].replace(".", "")]
values, sums = [], {}


def left(total, heaps, most):
    "nim-sums of so many heaps of this total, none above most"
    if heaps == 0:
        return {0} if total == 0 else set()
    key = total, heaps, most
    if key not in sums:
        sums[key] = {
            values[a] ^ s
            for a in range(1, min(most, total) + 1)
            for s in left(total - a, heaps - 1, a)
        }
    return sums[key]


for n in range(int(sys.argv[2])):
    seen = set()
    for k, d in enumerate(digits[: n + 1]):
        for heaps in range(4):
            if d >> heaps & 1:
                seen |= left(n - k, heaps, n - k)
    value = 0
    while value in seen:
        value += 1
    values.append(value)
print(*values)
