"""NIM with Cash: win conditions for all stones and dollars, proved."""

from __future__ import annotations

import os
from collections.abc import Iterable
from html import escape
from typing import Any

from . import _bouton
from ._arguments import limits, whole
from ._errors import Error, WrongType
from ._files import save_certificate
from ._picture import Picture, heatmap


class WinCondition:
    """Who wins NIM with Cash on a set of takings, for all n stones and purses d and e.

    True if it is proved.

    A pickle holds the takings alone: where it is read, the condition is sought again.

    Examples
    --------
    >>> found = bouton.cash([1, 2])
    >>> found.verdict, found.mover_wins(4, 3, 3)
    ('proved', True)
    """

    __slots__ = ("_made", "data", "takings")

    def __init__(self, takings: tuple[int, ...], made: _bouton.Condition) -> None:
        self.takings = takings
        """The numbers of stones that may be taken; each costs a dollar a stone."""
        self.data: dict[str, Any] = made.data
        """All that was found, with the keys of `bouton cash --json`."""
        self._made = made

    @property
    def verdict(self) -> str:
        """ "proved", or "unknown" where no condition was found."""
        return str(self.data["verdict"])

    @property
    def condition(self) -> str | None:
        """The condition in words."""
        lines = self.data["condition"]
        return None if lines is None else "\n".join(lines)

    @property
    def certificate(self) -> str | None:
        """The proof, as `bouton.check` reads it."""
        return self._made.certificate

    def mover_wins(self, n: int, d: int, e: int) -> bool:
        """Returns whether the player to move wins.

        Parameters
        ----------
        n : int
            The stones: a whole number of any size, as the others.
        d : int
            The dollars of the player to move.
        e : int
            The dollars of the other.

        Returns
        -------
        bool

        Raises
        ------
        Error
            If no condition was found.

        Examples
        --------
        >>> bouton.cash([1, 2]).mover_wins(10**30, 10**30, 10**30)
        True
        """
        found = self._made.mover_wins(str(whole("n", n)), str(whole("d", d)), str(whole("e", e)))
        if found is None:
            raise Error("no condition was found")
        return found

    def heatmap(self, to: int = 30) -> Picture:
        """Draws how many purses of the other player the mover beats, with x stones and y dollars.

        Parameters
        ----------
        to : int
            The largest x and y.

        Returns
        -------
        Picture

        Examples
        --------
        >>> bouton.cash([1, 2]).heatmap(8).svg()[-7:]
        '</svg>\\n'
        """
        last = whole("to", to, 1, 4000)
        return heatmap(self._name, "x,y", x=range(last + 1), y=range(last + 1), of="threshold")

    @property
    def _name(self) -> str:
        return f"NIM({','.join(map(str, self.takings))};n;d,e)"

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
        >>> bouton.cash([1, 2]).save("cash.cert")
        """
        if self.certificate is None:
            raise Error("there is no certificate: no condition was found")
        save_certificate(path, self.certificate)

    def __bool__(self) -> bool:
        return self.verdict == "proved"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WinCondition):
            return NotImplemented
        return (self.takings, self.verdict, self.condition) == (
            other.takings,
            other.verdict,
            other.condition,
        )

    def __hash__(self) -> int:
        return hash((self.takings, self.verdict))

    def __reduce__(self) -> tuple[Any, ...]:
        # The search is the same wherever it is made.
        return cash, (self.takings,)

    def __repr__(self) -> str:
        return f"<bouton.WinCondition {self._name}: {self.verdict}>"

    def _repr_html_(self) -> str:
        lines = "<br>".join(map(escape, (self.condition or "").splitlines()))
        return f"<b>{escape(self._name)}</b>: {self.verdict}<br>{lines}"


def cash(
    takings: Iterable[int],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = 4096,
) -> WinCondition:
    """Seeks the win condition of NIM with Cash. What is found the independent checker has accepted.

    Parameters
    ----------
    takings : iterable of int
        How many stones may be taken.
    seconds : float, optional
        Time limit.
    nodes : int, optional
        Limit on the positions expanded.
    memory : int, optional
        Limit on tables, in megabytes.

    Returns
    -------
    WinCondition

    Raises
    ------
    Error
        If the takings are no set of numbers from 1 on.
    LimitReached
        If the budget is spent.

    Examples
    --------
    >>> bouton.cash([1, 4])
    <bouton.WinCondition NIM(1,4;n;d,e): proved>
    """
    accepted = "numbers from 1 on, each once, such as [1, 4]"
    if isinstance(takings, (str, bytes)) or not isinstance(takings, Iterable):
        raise WrongType(f"{takings!r} is no list of takings", accepted=accepted)
    numbers = tuple(sorted(whole("takings", a, 1, 2**64 - 1) for a in takings))
    if not numbers or len(set(numbers)) != len(numbers):
        raise Error(f"{list(numbers)} is no set of takings", accepted=accepted)
    name = f"NIM({','.join(map(str, numbers))})"
    return WinCondition(numbers, _bouton.cash(name, limits(seconds, nodes, memory)))
