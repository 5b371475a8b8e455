"""A game that a Python object states: a class with its options, or a directed graph."""

from __future__ import annotations

import itertools
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
from ._arguments import Limits, Stated, collected, limits, row, truth, whole
from ._array import Solved, letters, rows, view
from ._conjecture import Conjecture, conjecture
from ._errors import Error, LimitReached, WrongType
from ._files import short

if TYPE_CHECKING:
    from ._game import Game


class HasOptions(Protocol):
    """What states a game."""

    def options(self, position: Any, /) -> Iterable[Hashable]:
        """The positions that a move leads to."""
        ...


class _Arcs:
    """The game on a directed graph of networkx: a position is a node, a move goes along an arc."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.name = str(getattr(graph, "name", "") or "a directed graph")

    def options(self, position: Hashable) -> Iterable[Hashable]:
        if position not in self.graph:
            raise Error(f"{position!r:.60} is no node of the graph", accepted="a node")
        return list(self.graph.successors(position))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Arcs):
            return NotImplemented
        return dict(self.graph.adj) == dict(other.graph.adj)

    def __hash__(self) -> int:
        return hash((_Arcs, len(self.graph)))


def is_graph(value: object) -> bool:
    """Whether something is a graph of networkx, directed or not."""
    return callable(getattr(value, "is_directed", None)) and callable(
        getattr(value, "number_of_edges", None)
    )


def stated(value: Any) -> HasOptions:
    """What states a game: an object with options, or a directed graph."""
    if callable(getattr(value, "options", None)):
        found: HasOptions = value
        return found
    if not is_graph(value):
        raise WrongType(
            f"{value!r:.60} has no method options",
            accepted="an object with options(self, position)",
        )
    if not value.is_directed():
        accepted = "a DiGraph, whose arcs are the moves; or a class with options(self, position) for a game on this graph"
        raise WrongType("an undirected graph does not say the moves", accepted=accepted)
    return _Arcs(value)


class _Sum:
    """Two games, of which the player to move chooses one."""

    def __init__(
        self,
        first: HasOptions,
        second: HasOptions,
        names: tuple[str, str],
        heaps: tuple[int | None, int | None],
    ) -> None:
        self.parts = (first, second)
        self.name = " + ".join(names)
        self.ends = heaps
        if heaps[0] is not None and heaps[1] is not None:
            self.heaps = heaps[0] + heaps[1]

    def _split(self, position: Any) -> tuple[Any, Any]:
        if hasattr(self, "heaps"):
            end = self.ends[0]
            return position[:end], position[end:]
        if not isinstance(position, tuple) or len(position) != 2:
            raise WrongType(
                f"{position!r:.60} is no position of {self.name}",
                accepted="a pair, a position of each game",
            )
        return position

    def options(self, position: Any) -> Iterator[Any]:
        left, right = self._split(position)
        join = (lambda a, b: a + b) if hasattr(self, "heaps") else (lambda a, b: (a, b))
        for option in self.parts[0].options(left):
            yield join(option, right)
        for option in self.parts[1].options(right):
            yield join(left, option)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Sum):
            return NotImplemented
        return self.ends == other.ends and all(map(_same, self.parts, other.parts))

    def __hash__(self) -> int:
        return hash((_Sum, self.name))


class _Plain:
    """Positions solved by `options` alone, with which `canonical` is compared."""

    LISTED = 1000

    def __init__(self, own: HasOptions) -> None:
        self._own = own
        self._options: dict[Any, list[Any]] = {}
        # The nim-value, and whether the player to move wins in misère play.
        self._known: dict[Any, tuple[int, bool]] = {}

    def refuted(self, position: Any) -> tuple[Any, Any, tuple[int, int]] | None:
        """A position from which `position` leads on that differs from what stands for it."""
        try:
            solved = self._solve(position)
            stands = [(p, self._own.canonical(p)) for p in solved]  # type: ignore[attr-defined]
            for _, other in stands:
                self._solve(other)
        except Exception:  # What is wrong with the options is said where they are asked for.
            return None
        for p, other in stands:
            one, two = self._known[p], self._known.get(other)
            if two is not None and one != two:
                return p, other, (one[0], two[0])
        return None

    def _solve(self, position: Any) -> list[Any]:
        """Solves positions from the end of play on, as far as few are listed; returns the new."""
        solved, path = [], [position]
        while path:
            p = path[-1]
            if p in self._known:
                path.pop()
                continue
            if p not in self._options:
                if len(self._options) == self.LISTED:
                    break
                self._options[p] = list(self._own.options(p))
            below = self._options[p]
            unknown = next((option for option in below if option not in self._known), None)
            if unknown is not None:
                if unknown in path:
                    break
                path.append(unknown)
                continue
            values = {self._known[option][0] for option in below}
            value = next(n for n in itertools.count() if n not in values)
            wins = not below or any(not self._known[option][1] for option in below)
            self._known[p] = (value, wins)
            solved.append(p)
        return solved


class OwnGame:
    """A game that a Python object states by a method `options(self, position)`.

    The method gives the positions that a move leads to.

    Both players have the same moves; positions are any hashable values, and by no sequence of moves
    does one come back. Two more attributes of the object are used if they are there:
    `canonical(self, position)`, the one position of each symmetry class that stands for all, and
    `heaps`, the number of heaps if positions are tuples of so many numbers, which makes tables
    possible. On some small positions `canonical` is compared with the options.

    Python is asked once for each position that can be reached. If outcomes alone are asked for, the
    options of a position are read until one is found that loses, so a generator is better than a
    list. Threads take turns; `options` must not ask the game that it belongs to. A named game is a
    hundred times as fast, and only rules that are stated as a formula can be proved about: see
    `bouton.rules`, and `compare` for whether they are the same game.

    Two such games with the same play have a sum: `first + second`. Its positions are pairs, or the
    heaps of the first and then those of the second if both have a number of heaps.

    Parameters
    ----------
    rules : object
        An object with a method `options(self, position)`, or a directed graph of networkx, whose
        arcs are the moves.
    misere : bool
        Whether the player who cannot move wins.

    Raises
    ------
    WrongType
        If the object has no options, is a class in place of an object of it, or has an attribute
        `misere`, `left` or `right`.

    Examples
    --------
    >>> class OneOrThree:
    ...     heaps = 1
    ...     def options(self, position):
    ...         (n,) = position
    ...         return [(n - k,) for k in (1, 3) if k <= n]
    >>> game = bouton.OwnGame(OneOrThree())
    >>> game.nim_values(5).tolist()
    [0, 1, 0, 1, 0, 1]
    >>> (game + game).solve([5, 3]).outcome
    'P'
    """

    __slots__ = ("__weakref__", "_busy", "_graph", "_heaps", "_lock", "_misere", "_own", "_plain")

    def __init__(self, rules: HasOptions, *, misere: bool = False) -> None:
        if isinstance(rules, type) and callable(getattr(rules, "options", None)):
            raise WrongType(
                f"{rules.__name__} is a class", accepted=f"an object of it: {rules.__name__}()"
            )
        for other in () if is_graph(rules) else ("misere", "left", "right"):
            if hasattr(rules, other):
                raise WrongType(
                    f"{type(rules).__name__} has an attribute {other}, which says nothing here",
                    accepted="options(self, position) for both players; misère play by "
                    "bouton.game(…, misere=True)",
                )
        self._own = stated(rules)
        self._misere = truth("misere", misere)
        self._graph = _bouton.Graph()
        self._plain: _Plain | None = _Plain(self._own)
        self._unlock()
        _games[id(self)] = self
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
        """How many numbers make a position, if that is fixed."""
        return self._heaps

    def _read(self, position: Any) -> Hashable:
        if self._heaps is None:
            return self._standing(
                _hashable(tuple(position) if isinstance(position, list) else position)
            )
        accepted = f"{self._heaps} whole numbers from 0 on"
        position = row(position, accepted)
        if hasattr(position, "to_numpy"):
            position = position.to_numpy()
        if isinstance(position, np.ndarray) and position.ndim == 0:
            position = position.item()
        if (
            self._heaps == 1
            and hasattr(position, "__index__")
            and not isinstance(position, np.ndarray)
        ):
            # A number is a single heap.
            position = (position,)
        if isinstance(position, (str, bytes)) or not isinstance(position, (Sequence, np.ndarray)):
            raise WrongType(f"{position!r:.60} is no position of {self.name}", accepted=accepted)
        if len(position) != self._heaps:
            raise Error(f"a position of {len(position)} numbers", accepted=accepted)
        return self._standing(tuple(whole("a heap", size) for size in position))

    def _standing(self, position: Hashable) -> Hashable:
        canonical = getattr(self._own, "canonical", None)
        if canonical is None:
            return position
        found = canonical(position)
        # `options` may ask the game itself.
        plain, self._plain = self._plain, None
        if plain is not None:
            wrong = plain.refuted(position)
            self._plain = plain
            if wrong is not None:
                other, stands, values = wrong
                raise Error(
                    f"canonical({other!r:.60}) of {self.name} is {stands!r:.60}, of nim-value "
                    f"{values[1]}, but the options give {values[0]}"
                    if values[0] != values[1]
                    else f"canonical({other!r:.60}) of {self.name} is {stands!r:.60}, and the "
                    "options give another outcome of misère play",
                    accepted="one position of all that are the same but for a symmetry",
                )
        if self._heaps is None:
            return _hashable(found)
        if not isinstance(found, tuple) or len(found) != self._heaps:
            raise WrongType(
                f"canonical({position!r:.60}) of {self.name} is {found!r:.60}",
                accepted=f"tuples of {self._heaps} whole numbers from 0 on",
            )
        return self._sizes(found)

    def _unlock(self) -> None:
        self._lock = threading.Lock()
        self._busy: int | None = None

    @contextmanager
    def _turn(self, asked: Limits) -> Iterator[None]:
        me = threading.get_ident()
        if self._busy == me:
            raise Error(
                f"the options of {self.name} ask {self.name} itself, which is waiting for them",
                accepted="options that are computed from the position alone",
            )
        # Another thread may have its turn for long.
        if not self._lock.acquire(
            timeout=-1 if asked[0] is None else min(asked[0], threading.TIMEOUT_MAX)
        ):
            raise LimitReached(f"{asked[0]} s are over: another thread is asking {self.name}")
        try:
            self._busy = me
            yield
        finally:
            self._busy = None
            self._lock.release()

    @property
    def _stated(self) -> Stated:
        return self._own.options, getattr(self._own, "canonical", None), self._heaps, self.name

    def solve(
        self,
        position: Any,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> Answer:
        """Answers a position: outcome, in normal play nim-value, and every move.

        Everything that can be reached from it is looked at.

        Parameters
        ----------
        position : hashable
            The position; with `heaps` a list of numbers, or a number if there is one heap.
        seconds : float, optional
            Time limit.
        nodes : int, optional
            Limit on the positions reached.
        memory : int, optional
            Limit in megabytes, 200 bytes a position being counted.

        Returns
        -------
        Answer

        Raises
        ------
        LimitReached
            If the budget is spent.
        Error
            If play can come back to a position.

        Examples
        --------
        >>> class TakeTwo:
        ...     def options(self, n):
        ...         return [n - k for k in (1, 2) if k <= n]
        >>> bouton.game(TakeTwo()).solve(7)
        <bouton.Answer TakeTwo, 7: N, nim-value 1, 1 of 2 moves known to win, by search>
        """
        asked = limits(seconds, nodes, memory)
        started = time.perf_counter()
        start = self._read(position)
        with self._turn(asked):
            solved = self._values([start], asked)
            given = dict.fromkeys(map(self._standing, self._own.options(start)))
            options = list(given)
            # Their values are known by now.
            below = self._values(options, asked)
        outcomes = [str(letter) for letter in (*solved.outcome, *below.outcome)]
        values = [
            None if value < 0 else int(value) for value in (*solved.nim_value, *below.nim_value)
        ]
        shown = [self._shown(option) for option in (start, *options)]
        moves = [
            Move(to, str(to), outcome, value)
            for to, outcome, value in zip(shown, outcomes, values, strict=True)
        ]
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
            reason=None,
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
        memory: int | None = 4096,
    ) -> Solved:
        """Solves many positions: outcomes, and in normal play nim-values.

        Parameters
        ----------
        positions : iterable, array or frame
            The positions, each as `solve` takes it; with `heaps` also the rows of an array or a
            frame.
        nim_values : bool
            Whether nim-values are wanted. Outcomes alone are found sooner.
        seconds : float, optional
            Time limit for all.
        nodes : int, optional
            Limit on the positions reached, for all.
        memory : int, optional
            Limit in megabytes, 200 bytes a position being counted.

        Returns
        -------
        Solved

        Raises
        ------
        LimitReached
            If the budget is spent.

        Examples
        --------
        >>> class TakeTwo:
        ...     def options(self, n):
        ...         return [n - k for k in (1, 2) if k <= n]
        >>> bouton.game(TakeTwo()).solve_all(range(5)).outcome.tolist()
        ['P', 'N', 'N', 'P', 'N']
        """
        asked = limits(seconds, nodes, memory)
        wanted = truth("nim_values", nim_values)
        collected(positions, "a list of positions")
        if self._heaps is not None and (
            hasattr(positions, "__array__") or hasattr(positions, "columns")
        ):
            # Arrays and frames, as those of games with a name.
            accepted = f"rows of {self._heaps} whole numbers"
            read = rows(positions, accepted)
            positions = (
                read.tolist()
                if isinstance(read, np.ndarray)
                else [list(map(int, one.split(","))) for one in read]
            )
        if isinstance(positions, (str, bytes)) or not isinstance(positions, Iterable):
            raise WrongType(
                f"{positions!r:.60} is no list of positions", accepted="a list of positions"
            )
        return self._solved([self._read(position) for position in positions], wanted, asked)

    def _values(self, positions: list[Any], asked: Limits) -> Solved:
        outcomes, values = self._graph.solve(positions, self._misere, self._stated, asked)
        return Solved(letters(outcomes), view(values, np.int32), None)

    def _solved(self, positions: list[Any], nim_values: bool, asked: Limits) -> Solved:
        with self._turn(asked):
            if nim_values and not self._misere:
                return self._values(positions, asked)
            outcomes = letters(self._graph.outcomes(positions, self._misere, self._stated, asked))
            return Solved(outcomes, np.full(len(outcomes), -1, dtype=np.int32), None)

    def _box(self, bound: int) -> list[tuple[int, ...]]:
        if self._heaps is None:
            raise Error(
                f"{self.name} says no number of heaps",
                accepted="an attribute heaps = n, positions being n numbers",
            )
        if (bound + 1) ** self._heaps > MOST_BOX:
            raise Error(
                f"a box of {(bound + 1) ** self._heaps} positions", accepted=f"at most {MOST_BOX}"
            )
        return list(itertools.product(range(bound + 1), repeat=self._heaps))

    def _standings(self, box: list[tuple[int, ...]]) -> list[Any]:
        return (
            box
            if getattr(self._own, "canonical", None) is None
            else [self._standing(position) for position in box]
        )

    def p_positions(
        self,
        max: int,  # noqa: A002
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> npt.NDArray[np.uint32]:
        """Returns the P-positions with every heap at most `max`, all of them. Needs `heaps`.

        Parameters
        ----------
        max : int
            The largest heap, included.
        seconds : float, optional
            Time limit.
        nodes : int, optional
            Limit on the positions reached.
        memory : int, optional
            Limit in megabytes, 200 bytes a position being counted.

        Returns
        -------
        numpy.ndarray
            An array of shape (count, heaps).

        Raises
        ------
        LimitReached
            If the budget is spent.

        Examples
        --------
        >>> class Equal:
        ...     heaps = 2
        ...     def options(self, position):
        ...         a, b = position
        ...         return [(k, b) for k in range(a)] + [(a, k) for k in range(b)]
        >>> bouton.game(Equal()).p_positions(2).tolist()
        [[0, 0], [1, 1], [2, 2]]
        """
        box = self._box(whole("max", max))
        found = self._solved(self._standings(box), False, limits(seconds, nodes, memory))
        lost: npt.NDArray[np.uint32] = np.array(box, dtype=np.uint32)[found.outcome == "P"]
        return lost

    def nim_values(
        self,
        max: int,  # noqa: A002
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> npt.NDArray[np.int32]:
        """Returns the nim-values of the box of positions with every heap at most `max`.
        Needs `heaps`.

        Parameters
        ----------
        max : int
            The largest heap, included.
        seconds : float, optional
            Time limit.
        nodes : int, optional
            Limit on the positions reached.
        memory : int, optional
            Limit in megabytes, 200 bytes a position being counted.

        Returns
        -------
        numpy.ndarray
            An array with a dimension a heap.

        Raises
        ------
        LimitReached
            If the budget is spent.

        Examples
        --------
        >>> class Halves:
        ...     heaps = 1
        ...     def options(self, position):
        ...         (n,) = position
        ...         return [(left,) for left in range((n + 1) // 2, n)]
        >>> bouton.game(Halves()).nim_values(8).tolist()
        [0, 0, 1, 0, 2, 1, 3, 0, 4]
        """
        bound = whole("max", max)
        if self._misere:
            raise Error(f"{self.name} has no nim-values in misère play")
        found = self._solved(
            self._standings(self._box(bound)), True, limits(seconds, nodes, memory)
        )
        return found.nim_value.reshape((bound + 1,) * (self._heaps or 1))

    def conjecture(
        self,
        max: int,  # noqa: A002
        *,
        symmetry: str | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> Conjecture:
        """Seeks a closed form of the P-positions with every heap at most `max`. Needs `heaps`.

        Parameters
        ----------
        max : int
            The largest heap, included.
        symmetry : str, optional
            Which heaps may change places: "none", "ring" or "full"; by default as many as the
            outcomes allow.
        seconds : float, optional
            Time limit, for the table and for the form.
        nodes : int, optional
            Limit on the positions reached.
        memory : int, optional
            Limit in megabytes.

        Returns
        -------
        Conjecture

        Examples
        --------
        >>> class Equal:
        ...     heaps = 2
        ...     def options(self, position):
        ...         a, b = position
        ...         return [(k, b) for k in range(a)] + [(a, k) for k in range(b)]
        >>> bouton.game(Equal()).conjecture(8)
        <bouton.Conjecture conjecture: a = b>
        """
        box = self._box(whole("max", max))
        found = self._solved(self._standings(box), False, limits(seconds, nodes, memory))
        rows = [
            (*position, str(letter)) for position, letter in zip(box, found.outcome, strict=True)
        ]
        return conjecture(
            np.array(rows, dtype=object), symmetry=symmetry, seconds=seconds, memory=memory
        )

    def _shown(self, position: Any) -> tuple[Any, ...] | str:
        if self._heaps is not None:
            return self._sizes(position)
        return position if isinstance(position, (tuple, str)) else str(position)

    def _sizes(self, option: Any) -> tuple[int, ...]:
        return tuple(whole("a heap", size) for size in option)

    def compare(self, game: Game, max: int) -> tuple[int, ...] | None:  # noqa: A002
        """Returns the first position at which another game has other options than this one.

        Parameters
        ----------
        game : Game
            The other game.
        max : int
            The largest heap, included.

        Returns
        -------
        tuple of int or None
            None if there is no such position, and both are the same game as far as that.

        Raises
        ------
        Error
            If the numbers of heaps differ.

        Examples
        --------
        >>> class Equal:
        ...     heaps = 2
        ...     def options(self, position):
        ...         a, b = position
        ...         return [(k, b) for k in range(a)] + [(a, k) for k in range(b)]
        >>> bouton.game(Equal()).compare(bouton.game("nim(2)"), 6) is None
        True
        >>> bouton.game(Equal()).compare(bouton.game("wythoff"), 6)
        (1, 1)
        """
        from ._game import Game as Named

        if not isinstance(game, Named):
            raise WrongType(
                f"{game!r:.60} is no named game",
                accepted="bouton.game(…) of a name, or bouton.rules(…)",
            )
        if game.heaps != self._heaps:
            raise Error(f"{game.name} has {game.heaps} heaps, {self.name} {self._heaps}")
        for position in self._box(whole("max", max)):
            mine = {self._sizes(option) for option in self._own.options(position)}
            other = {option.to for option in game.solve(position).moves}
            if mine != other:
                return position
        return None

    def __add__(self, other: object) -> OwnGame:
        if not isinstance(other, OwnGame):
            raise WrongType(
                f"{other!r:.60} is added to {self.name}",
                accepted="another game of a Python object; named games are added in their names, as in kayles + nim",
            )
        if self._misere != other._misere:
            raise Error(
                "a sum has one play", accepted="two games of normal play, or two of misère play"
            )
        both = _Sum(self._own, other._own, (self.name, other.name), (self._heaps, other._heaps))
        return OwnGame(both, misere=self._misere)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OwnGame):
            return NotImplemented
        return self._misere == other._misere and _same(self._own, other._own)

    def __hash__(self) -> int:
        return hash((type(self._own), self._misere))

    def __reduce__(self) -> tuple[Any, ...]:
        rules = self._own.graph if isinstance(self._own, _Arcs) else self._own
        return _again, (rules, self._misere)

    def __repr__(self) -> str:
        misere = ", misère play" if self._misere else ""
        return f"<bouton.OwnGame {short(self.name)}{misere}>"


def _same(first: object, second: object) -> bool:
    """Whether two objects state the same rules.

    They do if they are equal, or of one class with equal attributes.
    """
    if first is second or first == second:
        return True
    attributes = (getattr(first, "__dict__", None), getattr(second, "__dict__", None))
    return (
        type(first) is type(second) and attributes[0] is not None and attributes[0] == attributes[1]
    )


def _again(rules: Any, misere: bool) -> OwnGame:
    return OwnGame(rules, misere=misere)


_games: weakref.WeakValueDictionary[int, OwnGame] = weakref.WeakValueDictionary()


def _forked() -> None:
    # The thread that held a lock is not in the child.
    for game in list(_games.values()):
        game._unlock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _hashable(position: Any) -> Hashable:
    try:
        hash(position)
    except TypeError:
        raise WrongType(
            f"{position!r:.60} is not hashable", accepted="tuples, numbers, texts, frozensets"
        ) from None
    found: Hashable = position
    return found


MOST_BOX = 20_000_000
"""The most positions of a box."""
