"""Oracles: the rules in Python, and plain recursion. Nothing here knows bouton."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache


def mex(values: set[int]) -> int:
    return next(n for n in itertools.count() if n not in values)


def solver(
    options: Callable[[tuple[int, ...]], Iterator[tuple[int, ...]]],
) -> Callable[[tuple[int, ...]], int]:
    """Grundy values by their definition."""

    @cache
    def value(position: tuple[int, ...]) -> int:
        return mex({value(option) for option in options(position)})

    return value


def misere(
    options: Callable[[tuple[int, ...]], Iterator[tuple[int, ...]]],
) -> Callable[[tuple[int, ...]], str]:
    """Outcomes where whoever cannot move wins."""

    @cache
    def outcome(position: tuple[int, ...]) -> str:
        reached = [outcome(option) for option in options(position)]
        return "N" if not reached or "P" in reached else "P"

    return outcome


def nim(position: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for i, heap in enumerate(position):
        for left in range(heap):
            yield position[:i] + (left,) + position[i + 1 :]


def circular(k: int) -> Callable[[tuple[int, ...]], Iterator[tuple[int, ...]]]:
    """Circular Nim: take at least one token in all from k consecutive heaps on a circle."""

    def options(position: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        n = len(position)
        for first in range(n):
            places = [(first + j) % n for j in range(k)]
            for left in itertools.product(*(range(position[place] + 1) for place in places)):
                option = list(position)
                for place, size in zip(places, left, strict=True):
                    option[place] = size
                if tuple(option) != position:
                    yield tuple(option)

    return options


def wythoff(position: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    a, b = position
    yield from ((x, b) for x in range(a))
    yield from ((a, y) for y in range(b))
    yield from ((a - d, b - d) for d in range(1, min(a, b) + 1))


def kayles(position: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Knock down one pin or two neighbours of a row; rows are kept in order."""
    for i, row in enumerate(position):
        rest = position[:i] + position[i + 1 :]
        for taken in (1, 2):
            for left in range(row - taken + 1):
                parts = [part for part in (left, row - taken - left) if part]
                yield tuple(sorted([*rest, *parts]))


def single_values(take: Callable[[int], Iterator[tuple[int, ...]]], to: int) -> list[int]:
    """Nim-values of single heaps, each option a sum of smaller heaps."""
    values: list[int] = []
    for n in range(to + 1):
        reached = set()
        for parts in take(n):
            total = 0
            for part in parts:
                total ^= values[part]
            reached.add(total)
        values.append(mex(reached))
    return values


def octal(code: str) -> Callable[[int], Iterator[tuple[int, ...]]]:
    """A taking-and-breaking game by its octal code 0.d1d2…: d = 1, 2, 4 allow to leave 0, 1, 2
    heaps."""
    digits = [int(d) for d in code.split(".")[1]]

    def take(n: int) -> Iterator[tuple[int, ...]]:
        for taken, digit in enumerate(digits, 1):
            if taken > n:
                return
            left = n - taken
            if digit & 1 and left == 0:
                yield ()
            if digit & 2 and left > 0:
                yield (left,)
            if digit & 4:
                for a in range(1, left // 2 + 1):
                    yield (a, left - a)

    return take


def kotzig(moves: tuple[int, ...], n: int) -> str:
    """Kotzig's Nim: a token on cell 0 of a circle of n cells, moved clockwise by one of the moves
    to a cell not visited."""

    @cache
    def outcome(visited: frozenset[int], at: int) -> str:
        for move in moves:
            to = (at + move) % n
            if to not in visited and outcome(visited | {to}, to) == "P":
                return "N"
        return "P"

    return outcome(frozenset({0}), 0)


def cash(takings: tuple[int, ...], n: int, d: int, e: int) -> bool:
    """NIM with Cash: take a stones of n and pay a dollars; the player who cannot move loses.
    Whether the mover wins."""

    @cache
    def wins(stones: int, mine: int, other: int) -> bool:
        return any(
            a <= stones and a <= mine and not wins(stones - a, other, mine - a) for a in takings
        )

    return wins(n, d, e)
