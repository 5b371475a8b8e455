#!/usr/bin/env python3
"""Every family from its rules alone: outcomes, nim-values and margins of small positions.

python3 tests/oracles/brute.py    writes the tables of tests/oracles/brute/ anew
python3 tests/oracles/brute.py GAME POSITION    prints one line

Standard library only. Nothing is reduced: no symmetry, no sum of nim-values, no theorem. A position
is what its text lists, and its value comes from the list of its options. Columns, separated by
tabs: game, position, number of distinct options, outcome in normal play, outcome in misere play,
nim-value, margin; `-` where there is none.
"""

import itertools
import os
import re
import sys

sys.setrecursionlimit(1_000_000)
INF = float("inf")
HERE = os.path.dirname(os.path.abspath(__file__))


# ---- games: options(position) -> set of positions
# -------------------------------------------------------------------


class Heaps:
    """Positions are tuples of heaps."""

    scored = False
    impartial = True

    def parse(self, text):
        return tuple(int(word) for word in text.split(",")) if text else ()

    def show(self, p):
        return ",".join(map(str, p))

    def turned(self, p):
        """The same position when the other player moves elsewhere."""
        return p

    def listed(self, p):
        """The options as listed, for counting."""
        return self.options(p)


class Nim(Heaps):
    def options(self, p):
        return {p[:i] + (x,) + p[i + 1 :] for i in range(len(p)) for x in range(p[i])}


class Moore(Heaps):
    """Take from 1 to b - 1 heaps, at least one token from each of them."""

    def __init__(self, b):
        self.b = b

    def options(self, p):
        found = set()
        for q in itertools.product(*[range(x + 1) for x in p]):
            if 1 <= sum(x != y for x, y in zip(p, q)) <= self.b - 1:
                found.add(q)
        return found


class Subtraction(Heaps):
    def __init__(self, take):
        self.take = take

    def options(self, p):
        return {
            p[:i] + (p[i] - a,) + p[i + 1 :]
            for i in range(len(p))
            for a in self.take
            if 0 < a <= p[i]
        }


def partitions(n, parts, least=1):
    """Multisets of `parts` positive numbers with sum n, in ascending order."""
    if parts == 0:
        if n == 0:
            yield ()
        return
    for first in range(least, n + 1):
        for rest in partitions(n - first, parts - 1, first):
            yield (first,) + rest


class Rows(Heaps):
    """Take-and-break codes. Digit j says into how many heaps the rest may be left after j tokens
    are taken: bit r of an octal or hexadecimal digit allows exactly r heaps, {r,s+} lists the
    numbers; `!` after a digit wants unequal heaps, `=` equal ones; [d] at the end stands for d, d,
    d, … Rows keep their places, what is left of a row stands in its place in ascending order; play
    forgets the places, only the number of options knows them."""

    def __init__(self, code):
        digits = re.findall(r"(\{[^}]*\}|\[[^\]]*\]|[0-9a-fA-F])([!=]?)", code.replace(".", ""))
        self.digits, self.last = [], (lambda r: False, "")
        for text, mark in digits:
            if text[0] == "[":
                self.last = (self.heaps(text[1:-1]), "")
            else:
                self.digits.append((self.heaps(text), mark))

    @staticmethod
    def heaps(text):
        if text[0] != "{":
            return lambda r: int(text, 16) >> r & 1
        words = text[1:-1].split(",")
        return lambda r: any(r >= int(w[:-1]) if w.endswith("+") else r == int(w) for w in words)

    def parse(self, text):
        return tuple(sorted(x for x in super().parse(text) if x))

    def options(self, p):
        return {tuple(sorted(q)) for q in self.listed(p)}

    def listed(self, p):
        found = set()
        for i, row in enumerate(p):
            for taken in range(row + 1):
                allowed, mark = self.digits[taken] if taken < len(self.digits) else self.last
                for r in range(row - taken + 1):
                    if not allowed(r) or taken == 0 and r <= 1:
                        continue
                    for left in partitions(row - taken, r):
                        if mark == "!" and len(set(left)) < r or mark == "=" and len(set(left)) > 1:
                            continue
                        found.add(p[:i] + left + p[i + 1 :])
        return found


class Kayles(Rows):
    """Knock down 1 to k adjacent pins of a row."""

    def __init__(self, k, least=1):
        self.k, self.least = k, least

    def listed(self, p):
        found = set()
        for i, row in enumerate(p):
            for down in range(self.least, self.k + 1):
                for left in range(row - down + 1):
                    parts = sorted((left, row - down - left))
                    found.add(p[:i] + tuple(x for x in parts if x) + p[i + 1 :])
        return found


class Grundy(Rows):
    """Split a row into two unequal rows."""

    def __init__(self):
        pass

    def listed(self, p):
        return {
            p[:i] + (a, row - a) + p[i + 1 :]
            for i, row in enumerate(p)
            for a in range(1, row)
            if a < row - a
        }


class Wythoff(Heaps):
    def options(self, p):
        a, b = p
        return (
            {(a - t, b) for t in range(1, a + 1)}
            | {(a, b - t) for t in range(1, b + 1)}
            | {(a - t, b - t) for t in range(1, min(a, b) + 1)}
        )


class Circular(Heaps):
    """CN(n,k) and its variations: `allowed(taken)` judges the tokens taken from the k heaps of a
    window."""

    def __init__(self, n, k, variation=""):
        self.n, self.k = n, k
        rules = {
            "": lambda r: sum(r) >= 1,
            "any=": lambda r: sum(r) >= 1 and all(x in (0, self.a) for x in r),
            "each=": lambda r: all(x == self.a for x in r),
            "each>=": lambda r: all(x >= self.a for x in r),
            "total>=": lambda r: sum(r) >= self.a,
            "total=": lambda r: sum(r) == self.a,
        }
        name, self.a = re.fullmatch(r"(\D*)(\d*)", variation).groups()
        self.a = int(self.a or 0)
        self.allowed = rules[name]

    def options(self, p):
        found = set()
        for first in range(self.n):
            window = [(first + i) % self.n for i in range(self.k)]
            for taken in itertools.product(*[range(p[w] + 1) for w in window]):
                if self.allowed(taken):
                    q = list(p)
                    for w, t in zip(window, taken):
                        q[w] -= t
                    found.add(tuple(q))
        return found


class Complex(Heaps):
    """Take at least one token in all from the heaps of one face; heaps are counted from 1."""

    def __init__(self, faces):
        self.faces = faces

    def options(self, p):
        found = set()
        for q in itertools.product(*[range(x + 1) for x in p]):
            lowered = {i + 1 for i, (x, y) in enumerate(zip(p, q)) if x != y}
            if lowered and any(lowered <= face for face in self.faces):
                found.add(q)
        return found


class Shrinking(Heaps):
    """As CN(n,k), but an emptied heap leaves the circle."""

    def __init__(self, n, k):
        self.n, self.k = n, k

    def options(self, p):
        found = set()
        wide = min(self.k, len(p))
        for first in range(len(p)):
            window = [(first + i) % len(p) for i in range(wide)]
            for left in itertools.product(*[range(p[w] + 1) for w in window]):
                q = list(p)
                for w, x in zip(window, left):
                    q[w] = x
                if tuple(q) != p:
                    found.add(tuple(x for x in q if x))
        return found


class Kotzig(Heaps):
    """Positions: (visited cells, token)."""

    def __init__(self, steps, n):
        self.steps, self.n = steps, n

    def parse(self, text):
        visited, token = (text or "0/0").split("/")
        return tuple(sorted(int(word) for word in visited.split(","))), int(token)

    def show(self, p):
        return ",".join(map(str, p[0])) + "/" + str(p[1])

    def options(self, p):
        visited, token = p
        cells = {(token + m) % self.n for m in self.steps} - set(visited)
        return {(tuple(sorted(visited + (cell,))), cell) for cell in cells}


class Cash(Heaps):
    """Positions: stones, the mover's purse, the other's purse."""

    impartial = False

    def __init__(self, take):
        self.take = take

    def parse(self, text):
        return tuple(INF if word == "inf" else int(word) for word in text.split(","))

    def options(self, p):
        n, d, e = p
        return {(n - a, e, d - a) for a in self.take if 0 < a <= n and a <= d}

    def turned(self, p):
        return p[0], p[2], p[1]


class Dots:
    """Dots and boxes, R rows by C columns of boxes; a position is its text, lines from top to
    bottom."""

    scored = True
    impartial = False

    def __init__(self, r, c):
        self.r, self.c = r, c

    def parse(self, text):
        return text or "/".join("." * (self.c + i % 2) for i in range(2 * self.r + 1))

    def show(self, p):
        return p

    def listed(self, p):
        return self.options(p)

    def boxes(self, p):
        g = p.split("/")
        return sum(
            g[2 * i][j] != "."
            and g[2 * i + 2][j] != "."
            and g[2 * i + 1][j] != "."
            and g[2 * i + 1][j + 1] != "."
            for i in range(self.r)
            for j in range(self.c)
        )

    def options(self, p):
        found = set()
        for i, c in enumerate(p):
            if c == ".":
                found.add(p[:i] + ("|" if p[:i].count("/") % 2 else "-") + p[i + 1 :])
        return found


class Coins:
    """Strings and coins; a position is its text, a sign for each string: - whole, x cut."""

    scored = True
    impartial = False

    def __init__(self, strings):
        self.strings = strings

    def parse(self, text):
        return text or "-" * len(self.strings)

    def show(self, p):
        return p

    def listed(self, p):
        return self.options(p)

    def boxes(self, p):
        coins = {c for string in self.strings for c in string if c}
        held = {c for string, sign in zip(self.strings, p) if sign == "-" for c in string}
        return len(coins - held)

    def options(self, p):
        return {p[:i] + "x" + p[i + 1 :] for i, sign in enumerate(p) if sign == "-"}


class Sum:
    """A move in one summand; in the others the turn passes."""

    scored = False

    def __init__(self, games):
        self.games = games
        self.impartial = all(game.impartial for game in games)

    def parse(self, text):
        return tuple(game.parse(word.strip()) for game, word in zip(self.games, text.split(" + ")))

    def show(self, p):
        return " + ".join(game.show(x) for game, x in zip(self.games, p))

    def options(self, p):
        return self.moved(p, lambda game, x: game.options(x))

    def listed(self, p):
        return self.moved(p, lambda game, x: game.listed(x))

    def moved(self, p, options):
        found = set()
        for i, game in enumerate(self.games):
            for option in options(game, p[i]):
                found.add(
                    tuple(
                        option if j == i else other.turned(x)
                        for j, (other, x) in enumerate(zip(self.games, p))
                    )
                )
        return found


def game_of(name):
    """The game of a name in the project's notation."""
    parts = re.split(r"\+(?![^{(\[]*[})\]])", name)
    if len(parts) > 1:
        return Sum([game_of(part.strip()) for part in parts])
    numbers = [int(word) for word in re.findall(r"\d+", name)]
    simple = {"nim": Nim, "wythoff": Wythoff, "grundy": Grundy}
    if name in simple:
        return simple[name]()
    if name == "kayles":
        return Kayles(2)
    if name == "dawson-kayles":
        return Kayles(2, 2)
    if name.startswith("kayles("):
        return Kayles(numbers[0])
    if name.startswith("moore("):
        return Moore(numbers[0])
    if name.startswith("S("):
        return Subtraction(numbers)
    if match := re.fullmatch(r"NIM\(([\d,]+);n;d,e\)", name):
        return Cash([int(word) for word in match[1].split(",")])
    if match := re.fullmatch(r"NIM\(([\d,]+);n\)", name):
        return Subtraction([int(word) for word in match[1].split(",")])
    if match := re.fullmatch(r"CN\((\d+),(\d+);?(.*)\)", name):
        return Circular(int(match[1]), int(match[2]), match[3])
    if match := re.fullmatch(r"simplicial\(([\d,;]+)\)", name):
        return Complex([{int(word) for word in face.split(",")} for face in match[1].split(";")])
    if name.startswith("SCN("):
        return Shrinking(*numbers)
    if name.startswith("Gamma("):
        return Kotzig(numbers[:-1], numbers[-1])
    if name.startswith("dots("):
        return Dots(*numbers)
    if name.startswith("coins("):
        return Coins(list(zip(numbers[::2], numbers[1::2])))
    return Rows(name)


# ---- values: by the definitions
# -------------------------------------------------------------------------------------


class Solver:
    def __init__(self, game):
        self.game = game
        self.known = {}, {}, {}, {}
        self.listed = {}

    def options(self, p):
        if p not in self.listed:
            self.listed[p] = self.game.options(p)
        return self.listed[p]

    def normal(self, p):
        """Whether the mover wins when who can't move loses."""
        known = self.known[0]
        if p not in known:
            known[p] = any(not self.normal(q) for q in self.options(p))
        return known[p]

    def misere(self, p):
        """Whether the mover wins when who can't move wins."""
        known = self.known[1]
        if p not in known:
            known[p] = not self.options(p) or any(not self.misere(q) for q in self.options(p))
        return known[p]

    def value(self, p):
        known = self.known[2]
        if p not in known:
            known[p] = mex({self.value(q) for q in self.options(p)})
        return known[p]

    def margin(self, p):
        """Boxes the mover will take less those of the other; who completes a box moves again."""
        known = self.known[3]
        if p not in known:
            best = None
            for q in self.options(p):
                made = self.game.boxes(q) - self.game.boxes(p)
                m = made + self.margin(q) if made else -self.margin(q)
                best = m if best is None else max(best, m)
            known[p] = best or 0
        return known[p]

    def line(self, name, p):
        fields = [name, self.game.show(p), str(len(self.game.listed(p)))]
        if self.game.scored:
            return "\t".join(fields + ["-", "-", "-", str(self.margin(p))])
        fields += ["N" if self.normal(p) else "P", "N" if self.misere(p) else "P"]
        return "\t".join(fields + [str(self.value(p)) if self.game.impartial else "-", "-"])


def mex(values):
    return next(v for v in itertools.count() if v not in values)


# ---- the tables --------------------------------------------------------------------


def box(n, top, bottom=0):
    return itertools.product(range(bottom, top + 1), repeat=n)


def reached(name, start=""):
    """Every position that play from the start can reach, the start first."""
    game = game_of(name)
    seen = [game.parse(start)]
    known = set(seen)
    for p in seen:
        for q in sorted(game.options(p)):
            if q not in known:
                known.add(q)
                seen.append(q)
    return seen


def multisets(top, total):
    """Rows of sizes up to top with at most total pins in all, at least one row."""
    for parts in range(1, total + 1):
        for p in itertools.combinations_with_replacement(range(1, top + 1), parts):
            if sum(p) <= total:
                yield p


def tables():
    """(file, game, positions)"""
    for n, top in ((1, 9), (2, 7), (3, 4), (4, 2)):
        yield "heaps", "nim", box(n, top)
    for b, n, top in ((2, 3, 2), (3, 2, 4), (3, 3, 3), (3, 4, 2), (4, 4, 2), (4, 3, 3), (3, 5, 1)):
        yield "heaps", f"moore({b})", box(n, top)
    for name in (
        "S(1,4,7)",
        "S(2,3)",
        "S(1,2,3)",
        "S(3,5,6,10,11)",
        "NIM(1,4;n)",
        "NIM(1,3,4;n)",
        "NIM(3,5,6,10,11;n)",
    ):
        yield "heaps", name, box(1, 40)
    yield "heaps", "S(1,4,7)", box(2, 9)
    yield "heaps", "wythoff", box(2, 16)
    for name in (
        "kayles",
        "kayles(3)",
        "kayles(5)",
        "dawson-kayles",
        "grundy",
        "0.77",
        "0.07",
        "4!.0",
        "0.137",
        "0.6",
        "0.4",
        "0.33",
        "0.17",
        "4.0",
        "8.0",
        "0.F",
        "0.8",
        "0.1A",
        "0.[3]",
        "0.[7]",
        "{2+}.0",
        "0.{0,2}",
        "4.3",
        "C.0",
        "0.05",
    ):
        yield "rows", name, multisets(11, 11)
    for name in ("kayles", "0.77", "dawson-kayles", "grundy", "0.6", "8.0"):
        yield "rows", name, ((n,) for n in range(12, 21))
    for n, k, top in (
        (1, 1, 9),
        (2, 1, 4),
        (2, 2, 4),
        (3, 1, 4),
        (3, 2, 5),
        (3, 3, 3),
        (4, 1, 2),
        (4, 2, 4),
        (4, 3, 3),
        (4, 4, 2),
        (5, 2, 3),
        (5, 3, 3),
        (5, 4, 2),
        (6, 1, 1),
        (6, 2, 2),
        (6, 3, 2),
        (6, 4, 2),
        (6, 5, 1),
        (7, 2, 1),
        (7, 3, 1),
        (7, 4, 1),
        (8, 3, 1),
        (8, 6, 1),
    ):
        yield "circular", f"CN({n},{k})", box(n, top)
    for rule in (
        "any=1",
        "any=2",
        "each=1",
        "each=2",
        "each>=1",
        "each>=2",
        "total>=2",
        "total>=3",
        "total=1",
        "total=2",
        "total=3",
    ):
        for n, k, top in (
            (2, 2, 3),
            (3, 2, 4),
            (4, 2, 3),
            (4, 3, 2),
            (5, 2, 2),
            (5, 3, 2),
            (6, 2, 1),
        ):
            yield "variations", f"CN({n},{k};{rule})", box(n, top)
    for faces, n, top in (
        ("1,2;2,3", 3, 5),
        ("1,2;3", 3, 5),
        ("1,2;2,3;3,4", 4, 3),
        ("1,2;3,4", 4, 3),
        ("1,2,3;1,4;2,4;3,4", 4, 3),
        ("1,2,3;3,4;4,5", 5, 2),
        ("1,2;1,3;2,3", 3, 5),
        ("1,2,3;2,3,4;3,4,5;1,4,5;1,2,5", 5, 2),
        ("1,3;1,4;2,5;2,6;3,5;4,6", 6, 1),
    ):
        yield "simplicial", f"simplicial({faces})", box(n, top)
    for n, k, top in (
        (2, 1, 3),
        (3, 1, 3),
        (3, 2, 4),
        (4, 2, 4),
        (4, 3, 3),
        (4, 1, 2),
        (5, 2, 3),
        (5, 3, 3),
        (5, 4, 2),
        (6, 2, 2),
        (6, 3, 2),
        (6, 4, 2),
        (7, 3, 2),
        (8, 6, 1),
    ):
        for m in range(1, n + 1):
            yield "shrinking", f"SCN({n},{k})", box(m, top, 1)
    for steps, n in (
        ("1,2", 7),
        ("1,4", 7),
        ("1,4", 8),
        ("2,3", 8),
        ("1,3", 9),
        ("3,4", 9),
        ("2,3,5", 7),
        ("1,4", 5),
        ("2,4", 8),
        ("4,5", 3),
        ("1,2", 1),
        ("3", 6),
        ("1,5", 10),
    ):
        yield "kotzig", f"Gamma({steps};{n})", reached(f"Gamma({steps};{n})")
    for steps in ("1,2", "1,3", "2,3", "1,4", "3,4", "2,5", "3,5", "4,5", "1,2,4"):
        for n in range(1, 17):
            yield "kotzig", f"Gamma({steps};{n})", [((0,), 0)]
    for take, n, purse in (
        ("1,2", 7, 5),
        ("1,4", 9, 6),
        ("1,3,4", 14, 9),
        ("1,2,3", 8, 6),
        ("2,3", 9, 7),
        ("3,5,6,10,11", 0, 0),
    ):
        purses = [*range(purse + 1), INF]
        piles = range(n + 1) if n else range(20, 24)
        purses = purses if n else [*range(8, 15), INF]
        yield "cash", f"NIM({take};n;d,e)", itertools.product(piles, purses, purses)
    for rc in ("1x1", "1x2", "1x3", "2x1"):
        yield "dots", f"dots({rc})", reached(f"dots({rc})")
    yield "dots", "dots(2x2)", reached("dots(2x2)")[::7]
    yield (
        "dots",
        "dots(1x6)",
        reached("dots(1x6)", "------/|.|..../------")
        + reached("dots(1x6)", "-.----/|.|..|./------"),
    )
    yield "dots", "dots(2x3)", reached("dots(2x3)", "---/|..|/.-./|..|/---")[:400]
    # The tetrahedron; two triangles on a common string to which the ground is tied; three houses,
    # two wells, the ground.
    for strings in (
        "1-2,1-3,1-4,2-3,2-4,3-4",
        "1-2,2-3,1-3,2-4,3-4,1-0,4-0",
        "1-4,1-5,2-4,2-5,3-4,3-5,1-0,2-0,3-0",
    ):
        yield "coins", f"coins({strings})", reached(f"coins({strings})")
    sums = (
        ("kayles + nim", ("7 + 4", "3 + 3", "1,2 + 0", "4,4 + 2,1")),
        ("kayles + nim + wythoff", ("7 + 4 + 3,5", "2 + 1 + 1,2", "5 + 5 + 0,3")),
        ("CN(3,2) + CN(4,2)", ("1,1,1 + 1,0,1,0", "0,1,2 + 1,1,0,1", "2,2,2 + 2,1,2,1")),
        ("SCN(4,2) + nim", ("1,2,1,2 + 1", "1,1,1 + 2", "2,2,1,1 + 3")),
        ("Gamma(1,2;7) + nim", ("0/0 + 1", "0/0 + 0", "0,1,3/3 + 2")),
        ("S(1,4,7) + 4!.0 + moore(3)", ("6 + 7 + 1,2", "8 + 3 + 2,2,1")),
        ("Gamma(1,4;7) + Gamma(1,2;7)", ("0/0 + 0/0", "0,4/4 + 0/0")),
        ("grundy + {2+}.0", ("6 + 3", "5,3 + 4")),
        (
            "NIM(1,4;n;d,e) + nim",
            (
                "6,3,4 + 1",
                "6,3,4 + 2",
                "9,4,4 + 1",
                "5,2,2 + 3",
                "7,inf,3 + 2",
                "4,0,3 + 1",
                "4,3,0 + 1",
            ),
        ),
        ("NIM(1,3,4;n;d,e) + NIM(1,2;n;d,e)", ("6,3,4 + 5,2,2", "4,4,4 + 4,3,3", "7,1,6 + 3,2,0")),
        ("NIM(1,2;n;d,e) + kayles + nim", ("5,3,3 + 3 + 1", "6,2,4 + 2,1 + 2")),
    )
    for name, positions in sums:
        yield "sums", name, [game_of(name).parse(p) for p in positions]


def main():
    if len(sys.argv) == 3:
        game = game_of(sys.argv[1])
        print(Solver(game).line(sys.argv[1], game.parse(sys.argv[2])))
        return
    files, solvers, seen = {}, {}, set()
    for file, name, positions in tables():
        solver = solvers.setdefault(name, Solver(game_of(name)))
        lines = files.setdefault(file, [])
        for p in positions:
            if p and (name, p) not in seen:
                seen.add((name, p))
                lines.append(solver.line(name, p))
    os.makedirs(os.path.join(HERE, "brute"), exist_ok=True)
    for file, lines in files.items():
        with open(os.path.join(HERE, "brute", file + ".txt"), "w", encoding="utf-8") as out:
            out.write(
                "# python3 tests/oracles/brute.py\n# game, position, options, outcome, misere outcome, nim-value, margin\n"
            )
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
