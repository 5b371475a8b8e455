"""Families of Kotzig's Nim: the outcomes of many games at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _bouton
from ._arguments import limits, text, truth
from ._array import arrow_stream, letters, view
from ._errors import Error, no_truth
from ._picture import span


@dataclass(frozen=True, repr=False, eq=False)
class Outcomes:
    """The outcomes of the games of a family, from the first cell.

    There is an entry for each game, the last parameter running fastest.

    pandas, polars and pyarrow take it as it is, by the Arrow capsule interface, with null for "?".

    Examples
    --------
    >>> found = bouton.outcomes("Gamma(1,2;n)", n=range(3, 8))
    >>> found["n"].tolist(), found.outcome.tolist()
    ([3, 4, 5, 6, 7], ['P', 'N', 'N', 'N', 'P'])
    """

    family: str
    """The family."""
    play: str
    """"normal" or "misere"."""
    names: tuple[str, ...]
    """The parameters."""
    values: npt.NDArray[np.int64]
    """Their values: a row a game, a column a parameter."""
    outcome: npt.NDArray[np.str_]
    """"P", "N", or "?" where the budget ended."""

    def __len__(self) -> int:
        return len(self.outcome)

    def __bool__(self) -> bool:
        no_truth(
            self,
            'a question about the outcomes, such as (found.outcome == "P").all(), or len(found)',
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcomes):
            return NotImplemented
        named = (self.family, self.play, self.names) == (other.family, other.play, other.names)
        return (
            named
            and np.array_equal(self.values, other.values)
            and np.array_equal(self.outcome, other.outcome)
        )

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, name: str) -> npt.NDArray[np.int64]:
        """The values of a parameter."""
        if name not in self.names:
            raise Error(f"{self.family} has no parameter {name!r}", accepted=", ".join(self.names))
        return self.values[:, self.names.index(name)]

    def columns(self) -> dict[str, npt.NDArray[np.int64] | npt.NDArray[np.str_]]:
        """Returns a column for each parameter, and the outcomes, as pandas and polars take them.

        Returns
        -------
        dict
            The parameters' names, and "outcome".

        Examples
        --------
        >>> list(bouton.outcomes("Gamma(1,2;n)", n=range(3, 8)).columns())
        ['n', 'outcome']
        """
        found: dict[str, npt.NDArray[np.int64] | npt.NDArray[np.str_]] = {
            name: self[name] for name in self.names
        }
        found["outcome"] = self.outcome
        return found

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return arrow_stream({name: self[name] for name in self.names}, self.outcome)

    def __repr__(self) -> str:
        return f"<bouton.Outcomes {self.family}, {self.play} play: {len(self)} games>"


MOST_GAMES = 10_000_000
"""The most values of the parameters that are gone through."""


def outcomes(
    family: str,
    *,
    misere: bool = False,
    seconds: float | None = None,
    nodes: int | None = 100_000_000,
    memory: int | None = 4096,
    **ranges: range | int,
) -> Outcomes:
    """Returns the outcomes of a family of Kotzig's Nim.

    Games whose moves do not ascend are left out, so that each set of moves comes once.

    Parameters
    ----------
    family : str
        A family with parameters, such as Gamma(m1,m2;n).
    misere : bool
        Whether the player who cannot move wins.
    seconds : float, optional
        Time limit for all games; what it does not reach is "?".
    nodes : int, optional
        Limit on the positions expanded, for each game.
    memory : int, optional
        Limit on tables, in megabytes.
    **ranges : range or int
        The values of each parameter, by the name that the family gives it.

    Returns
    -------
    Outcomes

    Raises
    ------
    Error
        If the family cannot be read, or its parameters are others.

    Examples
    --------
    >>> bouton.outcomes("Gamma(m1,m2;n)", m1=1, m2=range(2, 4), n=range(5, 7))
    <bouton.Outcomes Gamma(m1,m2;n), normal play: 4 games>
    """
    name = text("family", family, "a family such as Gamma(1,4;n) or Gamma(m1,m2;n)")
    spans = [(parameter, *span(parameter, values)) for parameter, values in ranges.items()]
    games = 1
    for _, first, last in spans:
        games *= last - first + 1
    if games > MOST_GAMES:
        raise Error(f"{games} values of the parameters", accepted=f"at most {MOST_GAMES}")
    names, values, found = _bouton.outcomes(
        name, spans, truth("misere", misere), limits(seconds, nodes, memory)
    )
    table = view(values, np.int64).reshape(-1, max(len(names), 1))
    return Outcomes(name, "misere" if misere else "normal", tuple(names), table, letters(found))
