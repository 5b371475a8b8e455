"""Nim-sequences: the values of single heaps, and their period, proved."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bouton
from ._arguments import MOST, limits, whole
from ._array import view
from ._errors import Error, WrongType
from ._files import save_certificate
from ._game import Game, game as named
from ._picture import Picture


def _of(game: Game | str) -> Game:
    if isinstance(game, Game):
        return game
    if isinstance(game, str):
        return named(game)
    raise WrongType(f"{game!r} is no game", accepted="a game's name, such as kayles or 0.16, or bouton.game(…)")


def values(
    game: Game | str,
    to: int,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = 4096,
) -> npt.NDArray[np.uint32]:
    """The nim-values of the single heaps 0, 1, …, `to`, without a copy: `values("kayles", 10**6)`.

    Cost: for taking-and-breaking codes some 10^7 values a second where the nim-sequence is sparse, fewer where it is not.
    """
    block = _of(game)._game.values(whole("to", to, 0, MOST - 2**16), limits(seconds, nodes, memory))
    return view(block, np.uint32)


@dataclass(frozen=True, repr=False)
class Period:
    """The period of a nim-sequence: G(n + period) = G(n) + saltus from the preperiod on; true if it is proved."""

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
    """Heaps whose value is not that of the period continued downwards, with their values; None where not all values were kept."""
    cycle: tuple[int, ...] | None
    """The values of one period, from the first multiple of it not below the preperiod; None if it is long."""
    to: int
    """The largest heap that was compared."""
    certificate: str | None = field(repr=False)
    """The proof, as `bouton.check` reads it."""
    reason: str | None = None
    """Why the search ended, if by its budget."""
    first: tuple[int, ...] = field(default=(), repr=False)
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
        """Writes the certificate to a file."""
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
    """Seeks the period of the nim-values of single heaps, and proves it: `period("0.16")`.

    Heaps up to `to` are looked at. Cost: that of the values up to twice the preperiod and some periods. Past 6.7·10^7 heaps, and where
    a byte each is more than `memory` (megabytes), a sequence that has settled goes on by its latest values alone, in some 30 MB:
    `period("0.104", to=250_000_000)`.
    """
    asked = limits(seconds, nodes, memory)
    data, certificate, first = _bouton.period(_of(game)._game, whole("to", to, 0, 2**40 - 1), asked)
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
