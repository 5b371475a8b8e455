"""A game of one's own: a Python class with its options, put to the same engines."""

from __future__ import annotations

import itertools
import operator
import os
import threading
import time
import weakref
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from . import _bouton
from ._answer import Answer, Move
from ._arguments import Limits, limits, whole
from ._array import Solved, solved
from ._conjecture import Conjecture, conjecture
from ._errors import Error, WrongType

if TYPE_CHECKING:
    from ._game import Game


class HasOptions(Protocol):
    """What a game of one's own has."""

    def options(self, position: Any, /) -> Iterable[Hashable]:
        """The positions that a move leads to."""
        ...


class OwnGame:
    """A game whose rules are a Python object: `options(self, position)` gives the positions that a move leads to.

    Both players have the same moves; positions are any hashable values, and by no sequence of moves does one come back. Two more
    attributes of the object are used if they are there: `canonical(self, position)`, the one position of each symmetry class that
    stands for all, and `heaps`, the number of heaps where positions are tuples of so many numbers, which makes tables possible.

    Python is asked once for each position that can be reached, some 10^5 to 10^6 a second; from then on the engines work on what was
    learnt. Where outcomes alone are asked for, the options of a position are read until one is found that loses, so a generator
    is better than a list. Threads take turns; `options` must not ask the game that it belongs to. A named game is a hundred times as fast, and only rules that are stated as a formula can be proved about: see
    `bouton.rules`, and `compare` for whether they are the same game.
    """

    def __init__(self, rules: HasOptions, *, misere: bool = False) -> None:
        if not callable(getattr(rules, "options", None)):
            raise WrongType(f"{rules!r} has no method options", accepted="an object with options(self, position)")
        if isinstance(rules, type):
            raise WrongType(f"{rules.__name__} is a class", accepted=f"an object of it: {rules.__name__}()")
        self._own = rules
        self._misere = misere
        self._graph = _bouton.Graph()
        self._unlock()
        _games.add(self)
        heaps = getattr(rules, "heaps", None)
        self._heaps = None if heaps is None else whole("heaps", heaps, 1, 32)

    @property
    def name(self) -> str:
        """The object's `name`, or that of its class."""
        return str(getattr(self._own, "name", type(self._own).__name__))

    @property
    def play(self) -> str:
        """ "normal" or "misere"."""
        return "misere" if self._misere else "normal"

    @property
    def heaps(self) -> int | None:
        """How many numbers make a position, where that is fixed."""
        return self._heaps

    def _read(self, position: Any) -> Hashable:
        if self._heaps is None:
            return self._standing(tuple(position) if isinstance(position, list) else position)
        accepted = f"{self._heaps} whole numbers from 0 on"
        if isinstance(position, (str, bytes)) or not isinstance(position, (Sequence, np.ndarray)):
            raise WrongType(f"{position!r} is no position of {self.name}", accepted=accepted)
        if len(position) != self._heaps:
            raise Error(f"{len(position)} numbers", accepted=accepted)
        return self._standing(tuple(whole("a heap", size) for size in position))

    def _standing(self, position: Hashable) -> Hashable:
        canonical = getattr(self._own, "canonical", None)
        found: Hashable = position if canonical is None else canonical(position)
        return found

    def _unlock(self) -> None:
        self._lock = threading.Lock()
        self._busy: int | None = None

    @contextmanager
    def _turn(self) -> Iterator[None]:
        me = threading.get_ident()
        if self._busy == me:
            raise Error(
                f"the options of {self.name} ask {self.name} itself, which is waiting for them",
                accepted="options that are computed from the position alone",
            )
        with self._lock:
            self._busy = me
            try:
                yield
            finally:
                self._busy = None

    def _asked(self, position: Any) -> Iterable[Hashable]:
        options = self._own.options(position)
        if isinstance(options, (str, bytes)) or not isinstance(options, Iterable):
            raise WrongType(f"options({position!r}) gave {options!r}", accepted="a list of positions")
        return options

    def _seen(self, option: Any) -> Hashable:
        """The position that stands for an option, which is looked at."""
        if self._heaps is not None and not (
            isinstance(option, tuple) and len(option) == self._heaps and all(_is_size(size) for size in option)
        ):
            accepted = f"tuples of {self._heaps} whole numbers from 0 on"
            raise WrongType(f"an option of {self.name} is {option!r}", accepted=accepted)
        return self._standing(option)

    def _number(self, position: Hashable, asked: Limits) -> int:
        _hashable(position)
        return self._graph.add(position, self._asked, self._seen, asked)

    def _is_p(self, position: Hashable, asked: Limits) -> bool:
        _hashable(position)
        return self._graph.is_p(position, self._misere, self._asked, self._seen, asked)

    def _outcomes(self, positions: Iterable[Hashable], asked: Limits) -> npt.NDArray[np.str_]:
        letters = ["P" if self._is_p(position, asked) else "N" for position in positions]
        return np.array(letters, dtype=np.dtype("=U1"))

    def solve(
        self,
        position: Any,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> Answer:
        """Answers a position: outcome, in normal play nim-value, and every move.

        Everything that can be reached from it is looked at. Where `seconds` or `nodes` (positions reached) end that, LimitReached.
        """
        asked = limits(seconds, nodes, None)
        started = time.perf_counter()
        start = self._read(position)
        with self._turn():
            number = self._number(start, asked)
            options = list(dict.fromkeys(map(self._seen, self._asked(start))))
            numbers = [number] + [self._number(option, asked) for option in options]
            found = solved(self._graph.solve(numbers, self._misere, True, asked))
        outcomes = [None if letter == "?" else str(letter) for letter in found.outcome]
        values = [None if value < 0 else int(value) for value in found.nim_value]
        shown = [option if isinstance(option, (tuple, str)) else str(option) for option in (start, *options)]
        moves = [Move(to, str(to), outcome, value) for to, outcome, value in zip(shown, outcomes, values, strict=True)]
        return Answer(
            game=self.name,
            play=self.play,
            position=shown[0],
            outcome=outcomes[0],
            nim_value=values[0],
            margin=None,
            moves=tuple(moves[1:]),
            by="search",
            theorem=None,
            certificate=None,
            moves_in_all=None,
            reason=found.reason,
            nodes=len(self._graph),
            seconds=time.perf_counter() - started,
        )

    def solve_all(
        self,
        positions: Iterable[Any],
        *,
        nim_values: bool = True,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> Solved:
        """Solves many positions: outcomes, and in normal play nim-values."""
        asked = limits(seconds, nodes, None)
        return self._solved([self._read(position) for position in positions], nim_values, asked)

    def _solved(self, positions: list[Any], nim_values: bool, asked: Limits) -> Solved:
        with self._turn():
            if self._misere or not nim_values:
                outcomes = self._outcomes(positions, asked)
                return Solved(outcomes, np.full(len(outcomes), -1, dtype=np.int32), None)
            numbers = [self._number(position, asked) for position in positions]
            return solved(self._graph.solve(numbers, False, True, asked))

    def _box(self, bound: int) -> list[tuple[int, ...]]:
        if self._heaps is None:
            raise Error(f"{self.name} says no number of heaps", accepted="an attribute heaps = n, positions being n numbers")
        if (bound + 1) ** self._heaps > MOST_BOX:
            raise Error(f"a box of {(bound + 1) ** self._heaps} positions", accepted=f"at most {MOST_BOX}")
        return list(itertools.product(range(bound + 1), repeat=self._heaps))

    def p_positions(self, max: int, *, seconds: float | None = None) -> npt.NDArray[np.uint32]:  # noqa: A002
        """The P-positions with every heap at most `max`, all of them: an array of shape (count, heaps). Needs `heaps`."""
        box = self._box(whole("max", max))
        found = self._solved([self._standing(p) for p in box], False, limits(seconds, None, None))
        lost: npt.NDArray[np.uint32] = np.array(box, dtype=np.uint32)[found.outcome == "P"]
        return lost

    def nim_values(self, max: int, *, seconds: float | None = None) -> npt.NDArray[np.int32]:  # noqa: A002
        """The nim-values of the box of positions with every heap at most `max`: an array with a dimension a heap."""
        bound = whole("max", max)
        if self._misere:
            raise Error(f"{self.name} has no nim-values in misère play")
        box = [self._standing(p) for p in self._box(bound)]
        found = self._solved(box, True, limits(seconds, None, None))
        if found.reason:
            raise Error(f"unknown: {found.reason}")
        return found.nim_value.reshape((bound + 1,) * (self._heaps or 1))

    def conjecture(self, max: int, *, symmetry: str | None = None, seconds: float | None = None) -> Conjecture:  # noqa: A002
        """A closed form of the P-positions with every heap at most `max`. Needs `heaps`."""
        box = self._box(whole("max", max))
        found = self._solved([self._standing(p) for p in box], False, limits(seconds, None, None))
        rows = [(*position, str(letter)) for position, letter in zip(box, found.outcome, strict=True)]
        return conjecture(np.array(rows, dtype=object), symmetry=symmetry, seconds=seconds)

    def _sizes(self, option: Any) -> tuple[int, ...]:
        return tuple(whole("a heap", size) for size in option)

    def compare(self, game: Game, max: int) -> tuple[int, ...] | None:  # noqa: A002
        """The first position with every heap at most `max` at which a named game or a rule file has other options than this
        class; None where there is none, and both are the same game as far as that."""
        if game.heaps != self._heaps:
            raise Error(f"{game.name} has {game.heaps} heaps, {self.name} {self._heaps}")
        for position in self._box(whole("max", max)):
            mine = {self._sizes(option) for option in self._own.options(position)}
            stated = {option.to for option in game.solve(position).moves}
            if mine != stated:
                return position
        return None

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._own, self._misere)

    def __repr__(self) -> str:
        misere = ", misere=True" if self._misere else ""
        return f"bouton.game({self.name}(){misere})"


def _again(rules: HasOptions, misere: bool) -> OwnGame:
    return OwnGame(rules, misere=misere)


_games: weakref.WeakSet[OwnGame] = weakref.WeakSet()


def _forked() -> None:
    # The thread that held a lock is not in the child.
    for game in list(_games):
        game._unlock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _hashable(position: Any) -> None:
    try:
        hash(position)
    except TypeError:
        raise WrongType(f"{position!r} is not hashable", accepted="tuples, numbers, texts, frozensets") from None


MOST_BOX = 20_000_000
"""The most positions of a box."""


def _is_size(size: Any) -> bool:
    try:
        return not isinstance(size, bool) and operator.index(size) >= 0
    except TypeError:
        return False
