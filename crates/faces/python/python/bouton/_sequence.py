"""Nim-sequences: the values of single heaps, and their period, proved."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bouton
from ._arguments import MOST, Limits, limits, whole
from ._array import view
from ._errors import Error, WrongType
from ._files import save_certificate
from ._game import Game, game as named
from ._conjecture import conjecture
from ._own import OwnGame
from ._picture import Picture


def _of(game: Game | OwnGame | str) -> Game | OwnGame:
    if isinstance(game, (Game, OwnGame)):
        return game
    if isinstance(game, str):
        return named(game)
    raise WrongType(
        f"{game!r:.60} is no game",
        accepted="a game's name, such as kayles or 0.16, or bouton.game(…)",
    )


def _single(game: OwnGame, to: int, asked: Limits) -> npt.NDArray[np.uint32]:
    """The nim-values of a game of a Python object on one heap."""
    if game.heaps != 1:
        raise Error(
            f"{game.name} is no game on one heap",
            accepted="an attribute heaps = 1, positions being (n,)",
        )
    return game.nim_values(to, seconds=asked[0], nodes=asked[1], memory=asked[2]).astype(np.uint32)


def values(
    game: Game | str,
    to: int,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = 4096,
) -> npt.NDArray[np.uint32]:
    """Returns the nim-values of the single heaps 0, 1, …, `to`, without a copy.

    Cost: for taking-and-breaking codes some 10^7 values a second if the nim-sequence is sparse,
    fewer if it is not.

    Parameters
    ----------
    game : Game, OwnGame or str
        A game that is played in single heaps.
    to : int
        The largest heap, included.
    seconds : float, optional
        Time limit.
    nodes : int, optional
        Limit on the positions expanded.
    memory : int, optional
        Limit on tables, in megabytes.

    Returns
    -------
    numpy.ndarray
        An array of to + 1 numbers.

    Raises
    ------
    LimitReached
        If the budget is spent.

    Examples
    --------
    >>> bouton.values("kayles", 9).tolist()
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]
    """
    chosen, last, asked = (
        _of(game),
        whole("to", to, 0, MOST - 2**16),
        limits(seconds, nodes, memory),
    )
    if isinstance(chosen, OwnGame):
        return _single(chosen, last, asked)
    chosen._game.alone()
    chosen._needs_values()
    return view(chosen._game.values(last, asked), np.uint32)


@dataclass(frozen=True, repr=False)
class Period:
    """The period of a nim-sequence; true if it is proved.

    G(n + period) = G(n) + saltus from the preperiod on.

    Examples
    --------
    >>> kayles = bouton.period("kayles")
    >>> kayles.verdict, kayles.period, kayles.preperiod
    ('proved', 12, 71)
    """

    game: str
    """The game's code."""
    verdict: str
    """"proved", "holds" (as far as compared), or "unknown" where none is supported."""
    period: int | None
    """The least that fits."""
    preperiod: int | None
    """From here on."""
    saltus: int | None
    """What a period adds."""
    exceptions: tuple[tuple[int, int], ...] | None
    """Heaps whose value is not that of the period continued downwards, with their values; None
    where not all values were kept."""
    cycle: tuple[int, ...] | None
    """The values of one period, from the first multiple of it not below the preperiod; None if it
    is long."""
    to: int
    """The largest heap that was compared."""
    certificate: str | None
    """The proof, as `bouton.check` reads it."""
    reason: str | None = None
    """Why the search ended, if by its budget."""
    first: tuple[int, ...] = ()
    """The first values, as many as show the period, at most 600."""

    def __bool__(self) -> bool:
        return self.verdict == "proved"

    def __repr__(self) -> str:
        if self.period is None:
            return f"<bouton.Period {self.game}: {self.verdict}>"
        saltus = f", saltus {self.saltus}" if self.saltus else ""
        return f"<bouton.Period {self.game}: {self.period} from {self.preperiod} on{saltus}, {self.verdict}>"

    @property
    def ruler(self) -> Picture:
        """The first values in lines as long as the period; exceptions are framed."""
        title = f"Nim-values of single heaps of {self.game}"
        drawn = self.period if self.period is not None and self.period < len(self.first) else None
        return Picture(_bouton.ruler(title, 0, list(self.first), drawn, self.saltus or 0))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the certificate to a file, or its theorem for Coq.

        Parameters
        ----------
        path : str or path
            The file, as NAME.cert, or NAME.v for Coq.

        Raises
        ------
        Error
            If there is no certificate.

        Examples
        --------
        >>> bouton.period("kayles").save("kayles.cert")
        """
        if self.certificate is None:
            raise Error(f"there is no certificate: the period is {self.verdict}")
        save_certificate(path, self.certificate)

    def _repr_svg_(self) -> str | None:
        return self.ruler.svg() if self.first else None


def period(
    game: Game | str,
    *,
    to: int = 1_000_000,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = 4096,
) -> Period:
    """Seeks the period of the nim-values of single heaps, and proves it.

    Cost: that of the values up to twice the preperiod and some periods. Past 6.7·10^7 heaps, and if
    a byte each is more than `memory`, a sequence that has settled goes on by its latest values
    alone, in some 30 MB.

    Parameters
    ----------
    game : Game, OwnGame or str
        A game that is played in single heaps. Of an OwnGame, which states no code, a period is
        never proved.
    to : int
        The largest heap that is looked at.
    seconds : float, optional
        Time limit.
    nodes : int, optional
        Limit on the positions expanded.
    memory : int, optional
        Limit on tables, in megabytes.

    Returns
    -------
    Period

    Raises
    ------
    Error
        If single heaps are no positions of the game.

    Examples
    --------
    >>> bouton.period("0.16")
    <bouton.Period 0.16: 149459 from 105351 on, proved>
    >>> class OneOrThree:
    ...     heaps = 1
    ...     def options(self, position):
    ...         return [(position[0] - k,) for k in (1, 3) if k <= position[0]]
    >>> bouton.period(bouton.game(OneOrThree()), to=50)
    <bouton.Period OneOrThree: 2 from 0 on, holds>
    """
    chosen, last, asked = _of(game), whole("to", to, 0, 2**40 - 1), limits(seconds, nodes, memory)
    if isinstance(chosen, OwnGame):
        return _own_period(chosen, min(last, 20_000), asked)
    chosen._game.alone()
    chosen._needs_values()
    data, certificate, first = _bouton.period(chosen._game, last, asked)
    found: dict[str, Any] = data
    cycle, exceptions = found.get("cycle"), found.get("exceptions", ())
    return Period(
        game=found["game"],
        verdict=found["verdict"],
        period=found.get("period"),
        preperiod=found.get("preperiod"),
        saltus=found.get("saltus"),
        exceptions=None if exceptions is None else tuple((n, value) for n, value in exceptions),
        cycle=None if cycle is None else tuple(cycle),
        to=found["to"],
        certificate=certificate,
        reason=found.get("reason"),
        first=tuple(first),
    )


def _own_period(game: OwnGame, to: int, asked: Limits) -> Period:
    """The period that the values of a game of a Python object have, as far as they go."""
    values = _single(game, to, asked)
    found = conjecture(values, seconds=asked[0], memory=asked[2])
    period = found.data.get("period") if found.stands else None
    preperiod, saltus = (found.data["preperiod"], found.data["saltus"]) if period else (None, None)
    return Period(
        game=game.name,
        verdict="holds" if period else "unknown",
        period=period,
        preperiod=preperiod,
        saltus=saltus,
        exceptions=tuple((n, value) for n, value in found.data["exceptions"]) if period else (),
        cycle=None,
        to=to,
        certificate=None,
        reason=None if period else found.data.get("reason"),
        first=tuple(int(value) for value in values[:600]),
    )
